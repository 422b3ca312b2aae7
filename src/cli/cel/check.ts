// `plimsoll cel check`: is an expression, or are all those of the input, right?
import type { Compilation } from "../../cel/compile.ts";
import { estimateCost } from "../../cel/cost/estimate.ts";
import type { Issue } from "../../cel/issue.ts";
import { printType } from "../../cel/type.ts";
import type { Spot } from "../../input/locate.ts";
import type { Place } from "../../model/place.ts";
import { type CheckedExpression, checkListText, checkReport, checkText } from "../../render/cel/check-report.ts";
import { EXPRESSION, placeText, type ShownIssue, spotInExpression } from "../../render/cel/issue-text.ts";
import { inForm } from "../../render/kit/report-form.ts";
import type { InputFiles } from "../../source/input-files.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { loadInputs, tellFindings } from "../inputs.ts";
import { refuse } from "../question/usage-error.ts";
import { stdinTwice } from "../shared-options.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { loadCelData } from "./data.ts";
import { type Compiler, checkingCompiler } from "./environment.ts";
import { type BrokenText, type FoundExpression, findExpressions } from "./expressions.ts";
import type { CelOptions, EnvironmentName } from "./options.ts";

/** Runs the command. */
export async function runCelCheck(expression: string | undefined, options: CelOptions): Promise<ExitCode> {
  const terminal = openTerminal(options.color);
  const twice = stdinTwice(options);
  if (twice !== undefined) return refuse(twice, terminal);
  if (expression !== undefined) {
    const useless = uselessInput(options);
    return useless === undefined ? checkOne(expression, options, terminal) : refuse(useless, terminal);
  }
  if (options.catalog.length === 0 && options.filename.length === 0)
    return refuse(
      "there is nothing to check; give an expression, or files that hold some: plimsoll cel check -f placements.yaml",
      terminal,
    );
  return checkAll(options, terminal);
}

/** Files that an expression of the command line has no use for. */
function uselessInput({ env = "plain", filename, catalog }: CelOptions): string | undefined {
  if (catalog.length > 0)
    return "an expression and --catalog exclude each other; without the expression, those of the catalog are checked.";
  if (filename.length > 0 && env !== "plain")
    return `an expression and -f exclude each other with --env ${env}; without the expression, those of the files are checked.`;
  return undefined;
}

async function checkOne(text: string, options: CelOptions, terminal: Terminal): Promise<ExitCode> {
  const env = options.env ?? "plain";
  // Only plain expressions depend on the data: it says which variables there are.
  const data = env === "plain" ? await loadCelData(env, options, terminal) : undefined;
  const compilation = checkingCompiler(env, data?.variables ?? [], options)(text);
  const checked = checkedExpression(compilation, env);
  terminal.out(
    inForm(
      options.output,
      () => checkReport([checked]),
      () => checkText(checked, terminal.outStyle),
    ),
  );
  return worstOf([...(data?.codes ?? []), checked.errors.length > 0 ? EXIT.invalidInput : EXIT.yes]);
}

/** What is to be said of an expression of the command line. */
export function checkedExpression(compilation: Compilation, env: EnvironmentName): CheckedExpression {
  const shown =
    (severity: "error" | "warning") =>
    (issue: Issue): ShownIssue => {
      const { spot, width } = spotInExpression(compilation.text, issue);
      return { severity, message: issue.message, hint: issue.hint, at: placeText(EXPRESSION, issue), spot, width };
    };
  return {
    ...summary(compilation, env),
    errors: compilation.errors.map(shown("error")),
    warnings: compilation.warnings.map(shown("warning")),
  };
}

function summary(
  { text, program }: Compilation,
  env: EnvironmentName,
): Pick<CheckedExpression, "text" | "env" | "type" | "estimatedCost"> {
  if (program === undefined) return { text, env, type: undefined, estimatedCost: undefined };
  return {
    text,
    env,
    type: printType(program.type),
    estimatedCost: estimateCost(program.checked, program.environment),
  };
}

async function checkAll(options: CelOptions, terminal: Terminal): Promise<ExitCode> {
  const inputs = await loadInputs(options, terminal);
  await tellFindings(inputs, options, terminal);
  const found = findExpressions(inputs.catalogs, inputs.objects);
  const wanted = found.expressions.filter(({ env }) => options.env === undefined || env === options.env);
  const broken = options.env === undefined || options.env === "bundle" ? found.broken : [];
  const checked = await checkedInFiles(wanted, broken, inputs.files, options);
  terminal.out(
    inForm(
      options.output,
      () => checkReport(checked),
      () => checkListText(checked, terminal.outStyle),
    ),
  );
  return worstOf([...inputs.codes, checked.some(({ errors }) => errors.length > 0) ? EXIT.invalidInput : EXIT.yes]);
}

/** An issue and the places of its first and last character. */
interface PlacedIssue {
  readonly severity: "error" | "warning";
  readonly issue: Issue;
  readonly first: Place;
  readonly last: Place;
}

async function checkedInFiles(
  found: readonly FoundExpression[],
  broken: readonly BrokenText[],
  files: InputFiles,
  options: CelOptions,
): Promise<readonly CheckedExpression[]> {
  const compile = remembering((env) => checkingCompiler(env, [], options));
  const compiled = found.map((expression) => {
    const compilation = compile(expression.env, expression.text);
    const placed =
      (severity: "error" | "warning") =>
      (issue: Issue): PlacedIssue => ({
        severity,
        issue,
        first: expression.character(issue.start),
        last: expression.character(Math.max(issue.start, issue.end - 1)),
      });
    return {
      expression,
      compilation,
      start: expression.character(0),
      errors: compilation.errors.map(placed("error")),
      warnings: compilation.warnings.map(placed("warning")),
    };
  });
  const issues = compiled.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  const spots = await files.spots([
    // Text says nothing of expressions that are right, so their places need not be looked up.
    ...compiled
      .filter(({ errors, warnings }) => options.output !== "text" || errors.length + warnings.length > 0)
      .map(({ start }) => start),
    ...issues.flatMap(({ first, last }) => [first, last]),
    ...broken.map(({ place }) => place),
  ]);
  const at = (place: Place): Spot | undefined => spots.get(place);
  const sorted = compiled.sort((a, b) => bySpot(a.start, at(a.start), b.start, at(b.start)));
  return [
    ...broken.map((item) => brokenExpression(item, at(item.place))),
    ...sorted.map(({ expression, compilation, start, errors, warnings }): CheckedExpression => {
      const shown = (placed: PlacedIssue): ShownIssue =>
        shownInFile(placed, expression, at(placed.first), at(placed.last));
      return {
        ...summary(compilation, expression.env),
        errors: errors.map(shown),
        warnings: warnings.map(shown),
        at: placeText(start.source, at(start) ?? start),
        owner: expression.owner,
      };
    }),
  ];
}

/** Many bundles have the same rule: each text is compiled once. */
function remembering(
  compiler: (env: EnvironmentName) => Compiler,
): (env: EnvironmentName, text: string) => Compilation {
  const known = new Map<string, Compilation>();
  return (env, text) => {
    const key = `${env} ${text}`;
    const compilation = known.get(key) ?? compiler(env)(text);
    known.set(key, compilation);
    return compilation;
  };
}

function bySpot(a: Place, spotA: Spot | undefined, b: Place, spotB: Spot | undefined): number {
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return (spotA?.line ?? a.line) - (spotB?.line ?? b.line) || (spotA?.column ?? a.column) - (spotB?.column ?? b.column);
}

/** The issue at its place in the file; on the expression itself where its characters could not be found there. */
function shownInFile(
  { severity, issue, first }: PlacedIssue,
  { text, owner }: FoundExpression,
  spot: Spot | undefined,
  last: Spot | undefined,
): ShownIssue {
  const said = {
    severity,
    message: issue.message,
    hint: issue.hint,
    at: placeText(first.source, spot ?? first),
    owner,
  };
  // The place of the document must do; the line that is shown is one of the expression, and is said to be.
  if (spot?.isCharacter !== true) return { ...said, ...spotInExpression(text, issue), inExpression: true };
  const width = last?.isCharacter === true && last.line === spot.line ? last.column - spot.column + 1 : 1;
  return { ...said, spot, width };
}

function brokenExpression(
  { text, owner, message, help, offset, place }: BrokenText,
  spot: Spot | undefined,
): CheckedExpression {
  const at = placeText(place.source, spot ?? place);
  const shown =
    spot === undefined
      ? spotInExpression(text, { start: offset, end: offset + 1, line: 1, column: 1 })
      : { spot, width: 1 };
  const error: ShownIssue = {
    severity: "error",
    message: `the runtime constraints cannot be read: ${message}`,
    hint: help,
    at,
    owner,
    ...shown,
  };
  return { text, env: "bundle", type: undefined, estimatedCost: undefined, errors: [error], warnings: [], at, owner };
}
