// `plimsoll cel eval`: what is the value of an expression, on one thing or on all?

import { LimitError } from "../../cel/plan/frame.ts";
import type { Program } from "../../cel/program.ts";
import { CelError } from "../../cel/value/value.ts";
import { checkReport, checkText } from "../../render/cel/check-report.ts";
import { issueText } from "../../render/cel/issue-text.ts";
import { type Evaluated, reportOfAll, resultReport, resultText, textOfAll } from "../../render/cel/result-report.ts";
import { writable } from "../../render/cel/writable.ts";
import { inForm } from "../../render/kit/report-form.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { refuse } from "../question/usage-error.ts";
import { stdinTwice } from "../shared-options.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { runBatch } from "./batch.ts";
import { checkedExpression } from "./check.ts";
import { type CelData, loadCelData, type Subject } from "./data.ts";
import { evaluatingCompiler } from "./environment.ts";
import type { CelEvalOptions, EnvironmentName } from "./options.ts";

/** Runs the command. */
export async function runCelEval(expression: string | undefined, options: CelEvalOptions): Promise<ExitCode> {
  const terminal = openTerminal(options.color);
  const wrong = wrongUsage(expression, options);
  if (wrong !== undefined) return refuse(wrong, terminal);
  if (options.batch !== undefined) return runBatch(options.batch, options, terminal);
  return evaluate(expression as string, options, terminal);
}

/** Flags that belong to one environment only. */
const BELONGS: readonly (readonly [flag: "cluster" | "bundle", env: EnvironmentName])[] = [
  ["cluster", "placement"],
  ["bundle", "bundle"],
];

function wrongUsage(expression: string | undefined, options: CelEvalOptions): string | undefined {
  const env = options.env ?? "plain";
  if (options.batch !== undefined) {
    if (expression !== undefined)
      return "an expression and --batch exclude each other; put the expression into the batch.";
    return withBatch(options);
  }
  if (expression === undefined) return "there is no expression; write it in quotes: plimsoll cel eval '1 + 1'";
  for (const [flag, wanted] of BELONGS) {
    if (options[flag] === undefined) continue;
    if (env !== wanted) return `--${flag} goes with --env ${wanted}.`;
    if (options.all) return `--${flag} and --all exclude each other.`;
  }
  if (options.catalog.length > 0 && env !== "bundle") return "--catalog goes with --env bundle.";
  if (options.all && env === "plain") return "--all goes with --env bundle or --env placement.";
  if (options.all && options.trace)
    return "--all and --trace exclude each other; name one to trace with --cluster or --bundle.";
  return stdinTwice(options);
}

/** What a batch has no use for: its lines bring their own data, and every line is answered. */
function withBatch(options: CelEvalOptions): string | undefined {
  const useless = (["all", "exitStatus", "cluster", "bundle"] as const).find((flag) => options[flag] !== undefined);
  if (useless !== undefined)
    return `--batch and --${useless === "exitStatus" ? "exit-status" : useless} exclude each other.`;
  if (options.filename.length > 0 || options.catalog.length > 0)
    return "--batch takes no files or catalogs; each line brings its data.";
  return options.output === "yaml" ? "--batch answers in lines of JSON; -o yaml cannot be had." : undefined;
}

async function evaluate(text: string, options: CelEvalOptions, terminal: Terminal): Promise<ExitCode> {
  const env = options.env ?? "plain";
  const data = await loadCelData(env, options, terminal);
  const compilation = evaluatingCompiler(env, data.variables, options)(text);
  const checked = checkedExpression(compilation, env);
  const { program } = compilation;
  if (program === undefined) {
    terminal.out(
      inForm(
        options.output,
        () => checkReport([checked]),
        () => checkText(checked, terminal.outStyle),
      ),
    );
    return worstOf([...data.codes, EXIT.invalidInput]);
  }
  if (!options.quiet) for (const warning of checked.warnings) terminal.err(issueText(warning, terminal.errStyle));
  if (options.celCostLimit !== undefined) program.limit({ cost: options.celCostLimit });
  if (options.all) return evaluateOnAll(program, data, options, terminal);
  const subject = chosenSubject(data, options);
  if (typeof subject === "string") return worstOf([...data.codes, refuse(subject, terminal)]);
  const evaluated = evaluateOn(program, subject, options.trace === true);
  terminal.out(
    inForm(
      options.output,
      () => resultReport(evaluated),
      () => resultText(evaluated, terminal.outStyle),
    ),
  );
  return worstOf([...data.codes, codeOf(evaluated, options)]);
}

function evaluateOn(program: Program, subject: Subject, traced: boolean): Evaluated {
  const { text, type } = program;
  const { name } = subject;
  const bindings = subject.bindings();
  if (!traced) return { text, type, name, result: writable(program.evaluate(bindings)), cost: program.cost };
  const { result, trace } = program.trace(bindings);
  return { text, type, name, result: writable(result), cost: program.cost, trace };
}

function codeOf({ result }: Evaluated, { exitStatus }: CelEvalOptions): ExitCode {
  if (result instanceof LimitError) return EXIT.undecided;
  return result instanceof CelError || (exitStatus && result === false) ? EXIT.no : EXIT.yes;
}

function evaluateOnAll(program: Program, data: CelData, options: CelEvalOptions, terminal: Terminal): ExitCode {
  const all = data.subjects.map((subject) => evaluateOn(program, subject, false));
  terminal.out(
    inForm(
      options.output,
      () => reportOfAll(all),
      () => textOfAll(all, data.noun ?? "thing", terminal.outStyle),
    ),
  );
  return worstOf([...data.codes, ...all.map((one) => codeOf(one, options))]);
}

const MAX_NAMED = 8;

/** What to evaluate on; or why that is not clear. */
function chosenSubject({ subjects, noun }: CelData, options: CelEvalOptions): Subject | string {
  const wanted = options.cluster ?? options.bundle;
  const [first] = subjects;
  if (wanted === undefined) {
    if (first === undefined)
      return { name: undefined, bindings: () => (options.env === "bundle" ? { properties: [] } : {}) };
    if (subjects.length === 1) return first;
    return `there are ${subjects.length} ${noun}s; choose one with --${noun} NAME, or all with --all: ${names(subjects)}`;
  }
  const found = subjects.filter(({ name }) => name === wanted || name?.endsWith(`/${wanted}`));
  if (found.length === 1) return found[0] as Subject;
  if (found.length > 1) return `there are several ${noun}s ${safeText(JSON.stringify(wanted))}: ${names(found)}`;
  const meant = didYouMean(
    wanted,
    subjects.map(({ name }) => name ?? ""),
  );
  const given =
    first === undefined
      ? "; there is none at all"
      : `; there ${subjects.length === 1 ? "is" : "are"} ${names(subjects)}`;
  return `there is no ${noun} ${safeText(JSON.stringify(wanted))}${meant === undefined ? given : `; did you mean ${safeText(meant)}?`}`;
}

function names(subjects: readonly Subject[]): string {
  const shown = subjects.slice(0, MAX_NAMED).map(({ name }) => safeText(name ?? ""));
  return `${shown.join(", ")}${subjects.length > MAX_NAMED ? ", …" : ""}`;
}
