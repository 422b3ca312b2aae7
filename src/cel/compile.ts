// How does the text of an expression become something that can be evaluated?

import { children, type Node } from "./ast.ts";
import { check } from "./check/check.ts";
import { type Checked, typeOfNode } from "./check/checked.ts";
import { parseType } from "./declare/type-text.ts";
import { type Environment, type EnvironmentOptions, environmentOf } from "./environment.ts";
import { type Issue, IssueList } from "./issue.ts";
import { parse } from "./parse/parser.ts";
import { isTooLong, numberParts } from "./parse/size-limit.ts";
import { Program } from "./program.ts";
import { optionalContent, printType, sameType, type Type } from "./type.ts";

/** The result of compiling: a program, or the errors. */
export interface Compilation {
  readonly text: string;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** The type of the expression's value, when there are no errors. */
  readonly type: Type | undefined;
  /** The expression, ready to be evaluated, when there are no errors. */
  readonly program: Program | undefined;
}

/** How to compile. */
export interface CompileOptions {
  /** False: types are not checked; type errors occur at run time. */
  readonly check?: boolean;
  /** The type that the result must have; `dynAllowed` accepts a type that is known only at run time. */
  readonly result?: { readonly type: Type | string; readonly dynAllowed?: boolean };
}

/**
 * Compiles an expression: parses it, checks its types and prepares its evaluation. Mistakes in it are in the result, never
 * thrown; only options that describe no environment throw a TypeError. To compile several expressions, make the environment
 * once.
 */
export function compile(
  text: string,
  given?: Environment | EnvironmentOptions,
  options: CompileOptions = {},
): Compilation {
  const environment = environmentOf(given);
  const errors = new IssueList(text);
  const warnings = new IssueList(text);
  const refused = (): Compilation => ({
    text,
    errors: errors.list(),
    warnings: warnings.list(),
    type: undefined,
    program: undefined,
  });
  if (isTooLong(text, errors)) return refused();
  const root = parse(text, environment.macros, errors);
  if (root === undefined || !numberParts(root, errors)) return refused();
  const unchecked = options.check === false;
  const checked = check(root, environment, unchecked ? undefined : errors, warnings);
  if (environment.uniformLiterals && !unchecked && errors.list().length === 0) checkUniformLiterals(checked, errors);
  const { type } = checked;
  const wanted = typeof options.result?.type === "string" ? parseType(options.result.type) : options.result?.type;
  if (
    wanted !== undefined &&
    errors.list().length === 0 &&
    type.kind !== wanted.kind &&
    !(options.result?.dynAllowed === true && type.kind === "dyn")
  ) {
    errors.add(
      root,
      `the expression must give ${printType(wanted)} and gives ${printType(type)}`,
      type.kind === "dyn" ? `compare it with something, or write ${printType(wanted)}(…)` : undefined,
    );
  }
  if (errors.list().length > 0) return refused();
  return { text, errors: [], warnings: warnings.list(), type, program: new Program(text, checked, environment) };
}

// Have all elements of a list literal, and all keys and all values of a map literal, one type?
//
// Kubernetes requires it (cel-go's validator of homogeneous literals, v0.26.0). Lists in the arguments of format() may be
// mixed.

/** Adds an error for each element that has another type than the first of its literal. */
function checkUniformLiterals(checked: Checked, errors: IssueList): void {
  const waiting: Node[] = [checked.root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "call" && node.name === "format") continue;
    if (node.kind === "list") checkUniform(checked, node.elements, errors);
    if (node.kind === "map") {
      const keys = node.entries.map(({ key }) => ({ value: key, optional: false }));
      checkUniform(checked, keys, errors);
      checkUniform(checked, node.entries, errors);
    }
    waiting.push(...children(node));
  }
}

function checkUniform(
  checked: Checked,
  elements: readonly { readonly value: Node; readonly optional: boolean }[],
  errors: IssueList,
): void {
  let first: Type | undefined;
  for (const { value, optional } of elements) {
    const type = elementType(typeOfNode(checked, value), optional);
    first ??= type;
    if (sameType(first, type)) continue;
    errors.add(
      value,
      `an element is ${printType(type)}, but the first is ${printType(first)}`,
      "all elements of a literal need the same type here",
    );
  }
}

function elementType(type: Type, optional: boolean): Type {
  const element = optional ? (optionalContent(type) ?? type) : type;
  return element.kind === "wrapper" ? element.of : element;
}
