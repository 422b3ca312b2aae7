// Does our engine do what a test asks?
import { type Compilation, compile } from "../../src/cel/compile.ts";
import { type Environment, environment } from "../../src/cel/environment.ts";
import { everyLibrary } from "../../src/cel/library/every-library.ts";
import { printType } from "../../src/cel/type.ts";
import { CelError } from "../../src/cel/value/value.ts";
import { blockLibrary } from "./block.ts";
import type { Case, Expected } from "./case.ts";
import { namesIn } from "./needs.ts";
import { writeValue } from "./same-value.ts";

/** What came of a test. */
export interface Verdict {
  readonly passed: boolean;
  /** What was got, and why that is not enough. */
  readonly got: string;
}

const PASSED: Verdict = { passed: true, got: "" };

/** Runs a test. */
export function run(test: Case): Verdict {
  const missing = test.needs.find(({ where }) => where === "binding" || where === "expected");
  if (missing !== undefined) return failed(`${missing.name} cannot be a value (${missing.where})`);
  const setting = environmentFor(test);
  try {
    return judge(test, setting, compile(test.expression, setting, { check: test.check }));
  } catch (thrown) {
    return failed(`thrown: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
  }
}

/** Environments by what they consist of: most tests need the same. */
const environments = new Map<string, Environment>();

function environmentFor(test: Case): Environment {
  const { container, variables, functions, crossTypeComparisons, blocks } = test;
  const key = JSON.stringify([blocks, container, variables, functions, crossTypeComparisons]);
  const known = environments.get(key);
  if (known !== undefined) return known;
  const made = environment({
    libraries: [{ name: "declared", functions }, ...everyLibrary, ...(blocks ? [blockLibrary] : [])],
    variables,
    container,
    numbers: "int",
    crossTypeComparisons,
  });
  environments.set(key, made);
  return made;
}

function judge(test: Case, setting: Environment, compilation: Compilation): Verdict {
  const { expected } = test;
  if (expected.kind === "refused") return judgeRefusal(test, expected, compilation);
  if (compilation.errors.length > 0) {
    if (expected.kind === "error" && isEarlyError(test, setting, compilation)) return PASSED;
    return failed(`refused: ${listErrors(compilation)}`);
  }
  if (expected.kind === "parsed") return PASSED;
  if (compilation.program === undefined) return failed("neither errors nor a program");
  if (expected.kind === "error") {
    const doubt = doubtAboutError(test, setting, expected.message);
    if (doubt !== undefined) return failed(doubt);
    const result = compilation.program.evaluate(test.bindings);
    return result instanceof CelError ? PASSED : failed(writeValue(result));
  }
  const type = compilation.type === undefined ? "none" : printType(compilation.type);
  if (expected.type !== undefined && expected.type !== type) return failed(`type ${type}`);
  if (expected.value === undefined) return PASSED;
  const result = writeValue(compilation.program.evaluate(test.bindings));
  return result === writeValue(expected.value) ? PASSED : failed(result);
}

/**
 * A refusal of a text that has a message proves nothing when it is the message that is refused: it must be where cel-go
 * sees the mistake.
 */
function judgeRefusal(
  test: Case,
  expected: Extract<Expected, { readonly kind: "refused" }>,
  { errors, ...rest }: Compilation,
): Verdict {
  if (errors.length === 0) return failed(`accepted${rest.type === undefined ? "" : ` as ${printType(rest.type)}`}`);
  if (test.needs.length === 0) return PASSED;
  const elsewhere = errors.filter(({ line, column }) => !expected.at.includes(`${line}:${column}`));
  return elsewhere.length === 0 ? PASSED : failed(`refused for another reason: ${elsewhere[0]?.message}`);
}

/**
 * Is the error of the evaluation reported before the evaluation, because it is in a quoted text, such as a timestamp or a
 * regular expression? (So do cel-go's validators, which Kubernetes uses.) Then the evaluation must have the same error.
 */
function isEarlyError(test: Case, setting: Environment, { errors }: Compilation): boolean {
  if (errors.some(({ start, end }) => !/^[rR]?["']/.test(test.expression.slice(start, end)))) return false;
  const result = compile(test.expression, setting, { check: false }).program?.evaluate(test.bindings);
  return result instanceof CelError && errors.some(({ message }) => message === result.message);
}

/** Why an error of the evaluation would be for another reason than the expected one. */
function doubtAboutError(test: Case, setting: Environment, message: string): string | undefined {
  const [need] = test.needs;
  if (need !== undefined) return `an error proves nothing without ${need.name}`;
  if (test.check || message === "unbound function") return undefined;
  const unknown = namesIn(test.expression).find(({ name, after }) => after === "(" && !isFunction(setting, name));
  return unknown && `an error proves nothing without the function ${unknown.name}`;
}

/** Does the environment have a function or macro of this name, called on something or by its full name? */
function isFunction({ functions, macros }: Environment, name: string): boolean {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return name === "in" || functions.has(name) || functions.has(last) || macros.some((macro) => macro.name === last);
}

function listErrors({ errors }: Compilation): string {
  return errors.map(({ line, column, message }) => `${line}:${column} ${message}`).join("; ");
}

function failed(got: string): Verdict {
  return { passed: false, got };
}
