// `plimsoll show`: what is in the catalogs?

import type { Command } from "commander";
import { find } from "../../catalog/find.ts";
import { CATALOGS_QUESTION } from "../../live/questions.ts";
import { FORMATS, type Format } from "../../render/output-formats.ts";
import { missingText } from "../../render/sentence/not-in-catalog.ts";
import { renderShow } from "../../render/show/render-show.ts";
import { type ExitCode, worstOf } from "../exit-code.ts";
import { loadInputs, printedText, printFindings, reportedFindings } from "../inputs.ts";
import { namesCluster, withLiveOptions } from "../live/options.ts";
import { missingCode, NO_CATALOG_USED, refuse } from "../question/usage-error.ts";
import { type SharedOptions, stdinTwice, withSharedOptions } from "../shared-options.ts";
import { openTerminal } from "../terminal.ts";

/** Adds the flags of the command. */
export function addFlags(command: Command): Command {
  return withSharedOptions(withLiveOptions(command), FORMATS.show);
}

/** Runs the command. */
export async function run(thing: string | undefined, options: SharedOptions): Promise<ExitCode> {
  const terminal = openTerminal(options);
  if (options.catalog.length === 0 && !namesCluster(options))
    return refuse(
      "no input; give a catalog: plimsoll show --catalog ./catalog; or read those of a cluster with --live",
      terminal,
    );
  const twice = stdinTwice(options);
  if (twice !== undefined) return refuse(twice, terminal);
  const inputs = await loadInputs(options, terminal, { cluster: () => CATALOGS_QUESTION, wantsCatalogs: true });
  const isUseless = inputs.catalogs.every(({ packages }) => packages.size === 0);
  await printFindings(inputs, options, terminal, isUseless ? NO_CATALOG_USED : undefined);
  const found = find(inputs.catalogs, thing);
  if (found.kind === "missing")
    return worstOf([...inputs.codes, refuse(missingText(found), terminal, missingCode(found))]);
  terminal.out(
    await renderShow(found, {
      output: options.output as Format<"show">,
      style: terminal.outStyle,
      width: terminal.outWidth,
      inputFindings: await reportedFindings(inputs, options.output),
    }),
  );
  terminal.endPhase(() => printedText(options));
  return worstOf(inputs.codes);
}
