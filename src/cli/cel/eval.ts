// `plimsoll cel eval`: what is the value of an expression, on one cluster or bundle or on all?

import { LimitError } from "../../cel/plan/frame.ts";
import type { Program } from "../../cel/program.ts";
import { CelError } from "../../cel/value/value.ts";
import type { EnvironmentName } from "../../expression/environment-names.ts";
import { evaluatingCompiler } from "../../expression/environments.ts";
import { type Evaluated, evaluateOn } from "../../expression/evaluate.ts";
import { chooseSubject } from "../../expression/subjects.ts";
import { checkReport, checkText } from "../../render/cel/check-report.ts";
import { checkedExpression } from "../../render/cel/checked-expression.ts";
import { issueText } from "../../render/cel/issue-text.ts";
import { reportOfAll, resultReport, resultText, textOfAll } from "../../render/cel/result-report.ts";
import { noSubjectText } from "../../render/cel/subject-text.ts";
import { inFormat } from "../../render/kit/report-format.ts";
import { counted } from "../../text/words.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { namesCluster } from "../live/options.ts";
import { refuse } from "../question/usage-error.ts";
import { stdinTwice } from "../shared-options.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { runBatch } from "./batch.ts";
import { type CelData, loadCelData } from "./data.ts";
import type { CelEvalOptions } from "./options.ts";

export { withEvalOptions as addFlags } from "./options.ts";

/** Runs the command. */
export async function run(expression: string | undefined, options: CelEvalOptions): Promise<ExitCode> {
  const terminal = openTerminal(options);
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
      return "an expression and --batch cannot be combined; put the expression into the batch.";
    return withBatch(options);
  }
  if (expression === undefined) return "there is no expression; write it in quotes: plimsoll cel eval '1 + 1'";
  for (const [flag, wanted] of BELONGS) {
    if (options[flag] === undefined) continue;
    if (env !== wanted) return `--${flag} goes with --env ${wanted}.`;
    if (options.all) return `--${flag} and --all cannot be combined.`;
  }
  if (namesCluster(options) && env !== "placement") return "a cluster is read with --env placement only.";
  if (options.catalog.length > 0 && env !== "bundle") return "--catalog goes with --env bundle.";
  if (options.all && env === "plain") return "--all goes with --env bundle or --env placement.";
  if (options.all && options.trace)
    return "--all and --trace cannot be combined; name one to trace with --cluster or --bundle.";
  return stdinTwice(options);
}

/** Why flags do not go together with a batch: its lines contain their own data, and every line is answered. */
function withBatch(options: CelEvalOptions): string | undefined {
  const useless = (["all", "exitStatus", "cluster", "bundle"] as const).find((flag) => options[flag] !== undefined);
  if (useless !== undefined)
    return `--batch and --${useless === "exitStatus" ? "exit-status" : useless} cannot be combined.`;
  if (options.filename.length > 0 || options.catalog.length > 0 || namesCluster(options))
    return "--batch takes no files or catalogs; each line contains its data.";
  return options.output === "yaml" ? "--batch prints lines of JSON; leave out -o yaml." : undefined;
}

async function evaluate(text: string, options: CelEvalOptions, terminal: Terminal): Promise<ExitCode> {
  const env = options.env ?? "plain";
  const data = await loadCelData(env, options, terminal);
  const compilation = evaluatingCompiler(env, data.variables, options)(text);
  const checked = checkedExpression(compilation, env);
  const { program } = compilation;
  terminal.endPhase(() => "compiled the expression");
  if (program === undefined) {
    terminal.out(
      inFormat(options.output, () => checkReport([checked]), { text: () => checkText(checked, terminal.outStyle) }),
    );
    return worstOf([...data.codes, EXIT.invalidInput]);
  }
  if (!options.quiet) for (const warning of checked.warnings) terminal.err(issueText(warning, terminal.errStyle));
  if (options.celCostLimit !== undefined) program.limit({ cost: options.celCostLimit });
  if (options.all) return evaluateOnAll(program, data, options, terminal);
  const nothing = { bindings: () => (env === "bundle" ? { properties: [] } : {}) };
  const choice = chooseSubject(data.subjects, options.cluster ?? options.bundle, nothing);
  if (choice.kind !== "chosen") {
    const code = choice.kind === "unknown" ? EXIT.no : EXIT.usage;
    return worstOf([...data.codes, refuse(noSubjectText(choice, nounOf(env)), terminal, code)]);
  }
  const evaluated = evaluateOn(program, choice.subject, options.trace === true);
  terminal.endPhase(() => "evaluated the expression");
  terminal.out(
    inFormat(options.output, () => resultReport(evaluated), { text: () => resultText(evaluated, terminal.outStyle) }),
  );
  return worstOf([...data.codes, codeOf(evaluated, options)]);
}

/** What the subjects of an environment are called. */
function nounOf(env: EnvironmentName | undefined): "cluster" | "bundle" {
  return env === "placement" ? "cluster" : "bundle";
}

function codeOf({ result }: Evaluated, { exitStatus }: CelEvalOptions): ExitCode {
  if (result instanceof LimitError) return EXIT.undecided;
  return result instanceof CelError || (exitStatus && result === false) ? EXIT.no : EXIT.yes;
}

function evaluateOnAll(program: Program, data: CelData, options: CelEvalOptions, terminal: Terminal): ExitCode {
  const all = data.subjects.map((subject) => evaluateOn(program, subject, false));
  terminal.endPhase(() => `evaluated the expression on ${counted(all.length, nounOf(options.env))}`);
  terminal.out(
    inFormat(options.output, () => reportOfAll(all), {
      text: () => textOfAll(all, nounOf(options.env), terminal.outStyle),
    }),
  );
  return worstOf([...data.codes, ...all.map((one) => codeOf(one, options))]);
}
