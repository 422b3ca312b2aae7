// `plimsoll lint`: what is wrong with the catalogs?

import type { Command } from "commander";
import { readRuntimeList } from "../../input/objects/runtime-constraints.ts";
import { inputMistakes } from "../../lint/input-mistakes.ts";
import { MISTAKES_QUESTION } from "../../live/questions.ts";
import type { Finding, Severity } from "../../model/finding.ts";
import { printJson } from "../../model/json.ts";
import { countText, findingText, partsText, type ShownFinding } from "../../render/finding/finding-text.ts";
import { lintGithub, lintReport, lintSarif } from "../../render/finding/lint-report.ts";
import { inFormat } from "../../render/kit/report-format.ts";
import { safeJson, safeText } from "../../render/kit/safe-text.ts";
import { FORMATS } from "../../render/output-formats.ts";
import { placementFinding } from "../../render/sentence/placement-fault.ts";
import { counted } from "../../text/words.ts";
import { readCatalogs } from "../catalogs/catalog-option.ts";
import { catalogText } from "../catalogs/load-catalogs.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { type Inputs, loadInputs, printedText, showFindings } from "../inputs.ts";
import { namesCluster, withLiveOptions } from "../live/options.ts";
import { oneOf } from "../option-values.ts";
import { note, refuse } from "../question/usage-error.ts";
import { type SharedOptions, stdinTwice, withSharedOptions } from "../shared-options.ts";
import { openTerminal, type Terminal } from "../terminal.ts";

declare const PLIMSOLL_VERSION: string;

interface LintOptions extends SharedOptions {
  readonly failOn: Severity;
}

/** From the least severe one. */
const SEVERITIES: readonly Severity[] = ["info", "warning", "error"];
/** How many findings are listed. */
const MAX_COUNT = 10_000;

/** Adds the flags of the command. */
export function addFlags(command: Command): Command {
  const text = "exit 1 for findings of this severity or higher: error, warning or info";
  return withSharedOptions(
    withLiveOptions(command.option("--fail-on <SEVERITY>", text, oneOf(SEVERITIES), "error")),
    FORMATS.lint,
  );
}

/** Runs the command. */
export async function run(catalogs: readonly string[], given: LintOptions): Promise<ExitCode> {
  const terminal = openTerminal(given);
  const { catalogs: all, faults } = await readCatalogs(catalogs, given.catalog);
  for (const fault of faults) note(fault, terminal);
  if (faults.length > 0) return EXIT.usage;
  const options = { ...given, catalog: all };
  if (options.catalog.length + options.filename.length === 0 && !namesCluster(options))
    return refuse(
      "no input; give a catalog: plimsoll lint ./catalog, or read the cluster: plimsoll lint --live",
      terminal,
    );
  if (stdinTwice(options)) return refuse(stdinTwice(options) as string, terminal);

  const loaded = await loadInputs(options, terminal, { cluster: () => MISTAKES_QUESTION });
  const inputs = { ...loaded, findings: inputMistakes(loaded, { readList: readRuntimeList, placementFinding }) };
  terminal.endPhase(() => `checked the input: ${counted(inputs.findings.length, "finding")}`);
  const shown = await showFindings(inputs.findings.slice(0, MAX_COUNT), inputs.files);
  const write = options.output === "github" ? terminal.commands : terminal.out;
  write(render(shown, inputs, options, terminal));
  terminal.endPhase(() => printedText(options));
  const failFrom = SEVERITIES.indexOf(options.failOn);
  const fails = inputs.findings.some((finding) => SEVERITIES.indexOf(finding.severity) >= failFrom);
  return worstOf([...codesOf(inputs, options), fails ? EXIT.no : EXIT.yes]);
}

/** Invalid input is a finding of lint, and an error only if nothing could be read or with --strict-input. */
function codesOf(inputs: Inputs, options: LintOptions): readonly ExitCode[] {
  const isMore = options.strictInput === true || inputs.findings.some((finding: Finding) => finding.code === "PL011");
  return inputs.codes.filter((code) => code !== EXIT.invalidInput || isMore);
}

function render(shown: readonly ShownFinding[], inputs: Inputs, { output }: LintOptions, terminal: Terminal): string {
  return inFormat(output, () => lintReport(shown), {
    text: () => shown.map((item) => `${findingText(item, terminal.outStyle)}\n`).join("") + summary(inputs, terminal),
    sarif: () => `${safeJson(printJson(lintSarif(shown, PLIMSOLL_VERSION)))}\n`,
    github: () => lintGithub(shown),
  });
}

function summary(inputs: Inputs, terminal: Terminal): string {
  const { outStyle: style } = terminal;
  const lines = inputs.catalogs.map((catalog) => {
    const dropped = partsText(catalog.dropped, false);
    return `${style.bold(safeText(catalog.name))}: ${catalogText(catalog)}${dropped === "" ? "" : `; left out: ${dropped}`}`;
  });
  const count = countText(inputs.findings);
  const more = inputs.findings.length > MAX_COUNT ? ` (the first ${MAX_COUNT} are listed)` : "";
  lines.push(count === "" ? style.green("nothing is wrong") : `${count}${more}`);
  return `${lines.join("\n")}\n`;
}
