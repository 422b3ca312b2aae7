// `plimsoll cel check`: is an expression, or are all expressions of the input, valid?

import { checkExpressions, type PlacedCheck } from "../../expression/check-expressions.ts";
import { checkingCompiler } from "../../expression/environments.ts";
import { findExpressions } from "../../expression/find-expressions.ts";
import { EXPRESSIONS_QUESTION } from "../../live/questions.ts";
import type { Place } from "../../model/place.ts";
import { checkListText, checkReport, checkText } from "../../render/cel/check-report.ts";
import { checkedExpression, checkedInFiles } from "../../render/cel/checked-expression.ts";
import { inFormat } from "../../render/kit/report-format.ts";
import { counted } from "../../text/words.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { loadInputs, printedText, printFindings } from "../inputs.ts";
import { namesCluster } from "../live/options.ts";
import { refuse } from "../question/usage-error.ts";
import { stdinTwice } from "../shared-options.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { loadCelData, unreadCodes } from "./data.ts";
import type { CelOptions } from "./options.ts";

export { withCheckOptions as addFlags } from "./options.ts";

/** Runs the command. */
export async function run(expression: string | undefined, options: CelOptions): Promise<ExitCode> {
  const terminal = openTerminal(options);
  const twice = stdinTwice(options);
  if (twice !== undefined) return refuse(twice, terminal);
  if (expression !== undefined) {
    const useless = uselessInput(options);
    return useless === undefined ? checkOne(expression, options, terminal) : refuse(useless, terminal);
  }
  if (options.catalog.length + options.filename.length === 0 && !namesCluster(options))
    return refuse(
      "there is nothing to check; give an expression, or files that contain some: plimsoll cel check -f placements.yaml",
      terminal,
    );
  return checkAll(options, terminal);
}

/** Why inputs do not go together with an expression. */
function uselessInput(options: CelOptions): string | undefined {
  const { env = "plain", filename, catalog } = options;
  if (namesCluster(options))
    return "an expression and a cluster cannot be combined; without the expression, those of the cluster are checked.";
  if (catalog.length > 0)
    return "an expression and --catalog cannot be combined; without the expression, those of the catalog are checked.";
  if (filename.length > 0 && env !== "plain")
    return `an expression and -f cannot be combined with --env ${env}; without the expression, those of the files are checked.`;
  return undefined;
}

async function checkOne(text: string, options: CelOptions, terminal: Terminal): Promise<ExitCode> {
  const env = options.env ?? "plain";
  // Only a plain expression needs the data: its variables.
  const data = env === "plain" ? await loadCelData(env, options, terminal) : undefined;
  const compilation = checkingCompiler(env, data?.variables ?? [], options)(text);
  const checked = checkedExpression(compilation, env);
  terminal.endPhase(() => "checked the expression");
  terminal.out(
    inFormat(options.output, () => checkReport([checked]), { text: () => checkText(checked, terminal.outStyle) }),
  );
  return worstOf([...(data?.codes ?? []), checked.errors.length > 0 ? EXIT.invalidInput : EXIT.yes]);
}

async function checkAll(options: CelOptions, terminal: Terminal): Promise<ExitCode> {
  const inputs = await loadInputs(options, terminal, { cluster: () => EXPRESSIONS_QUESTION });
  await printFindings(inputs, options, terminal);
  const found = findExpressions(inputs.catalogs, inputs.objects);
  const checks = checkExpressions(
    found.expressions.filter(({ env }) => options.env === undefined || env === options.env),
    options,
  );
  terminal.endPhase(() => `checked ${counted(checks.length, "expression")}`);
  const broken = options.env === undefined || options.env === "bundle" ? found.broken : [];
  const spots = await inputs.files.locate([
    ...checks.flatMap((check) => placesToShow(check, options.output)),
    ...broken.map(({ place }) => place),
  ]);
  const checked = checkedInFiles(checks, broken, (place) => spots.get(place));
  terminal.out(
    inFormat(options.output, () => checkReport(checked), { text: () => checkListText(checked, terminal.outStyle) }),
  );
  terminal.endPhase(() => printedText(options));
  const hasErrors = checked.some(({ errors }) => errors.length > 0);
  return worstOf([...inputs.codes, ...unreadCodes(inputs), hasErrors ? EXIT.invalidInput : EXIT.yes]);
}

/** The places to look up: the text format shows nothing of an expression without issues. */
function placesToShow({ start, errors, warnings }: PlacedCheck, output: string): readonly Place[] {
  const issues = [...errors, ...warnings];
  if (issues.length === 0 && output === "text") return [];
  return [start, ...issues.flatMap(({ first, last }) => [first, last])];
}
