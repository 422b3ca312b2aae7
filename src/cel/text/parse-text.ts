// What is the structure of a text, for a program that wants nothing but that?
import type { Node } from "../ast.ts";
import { type Environment, type EnvironmentOptions, environmentOf } from "../environment.ts";
import { type Issue, IssueList } from "../issue.ts";
import { parse as parseWith } from "../parse/parser.ts";
import { isTooLong, numberParts } from "../parse/size-limit.ts";

/** The structure of a text, or the mistakes in it. */
export interface Parsed {
  /** The whole expression; undefined if there are errors. */
  readonly ast: Node | undefined;
  readonly errors: readonly Issue[];
}

/**
 * Parses a text. Positions are UTF-16 offsets. Without an environment the structure is the one that was written, in which
 * a macro is a call like any other; with one, the calls of its macros are nodes of their own (`fold`, `bind`,
 * `optional-map`, and `select` with `test` for `has()`).
 */
export function parse(text: string, environment?: Environment | EnvironmentOptions): Parsed {
  const issues = new IssueList(text);
  const macros = environment === undefined ? [] : environmentOf(environment).macros;
  const root = isTooLong(text, issues) ? undefined : parseWith(text, macros, issues);
  const ast = root === undefined || !numberParts(root, issues) ? undefined : root;
  return { ast, errors: issues.list() };
}
