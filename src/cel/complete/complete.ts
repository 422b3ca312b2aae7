// What can be written at a position of an expression?
import { children, type Node } from "../ast.ts";
import { check } from "../check/check.ts";
import type { Checked } from "../check/checked.ts";
import { type Environment, type EnvironmentOptions, environmentOf } from "../environment.ts";
import { IssueList } from "../issue.ts";
import { parse } from "../parse/parser.ts";
import { isTooLong, numberParts } from "../parse/size-limit.ts";
import { DYN, printType, type Type } from "../type.ts";
import type { Range } from "../value/value.ts";
import { globalNames, membersOf, namesIn, type Proposal } from "./candidates.ts";
import { CURSOR, type Cursor, cursorAt } from "./cursor.ts";

/** What can be written in place of a part of the text. */
export interface Completion extends Range, Proposal {}

/**
 * What can be written at an offset (UTF-16) of a text that may be unfinished: variables, fields, functions that fit the
 * value before the dot, macros and keywords. What begins with the word before the offset comes first, then what has it
 * anywhere; `start` and `end` are the part of the text that is replaced.
 */
export function complete(
  text: string,
  offset: number,
  environment?: Environment | EnvironmentOptions,
): readonly Completion[] {
  const known = environmentOf(environment);
  if (isTooLong(text, new IssueList(text))) return [];
  const at = Math.max(0, Math.min(Math.trunc(offset) || 0, text.length));
  const cursor = cursorAt(text, at);
  if (cursor === undefined) return [];
  return ordered(proposals(cursor, known), cursor.prefix).map((proposal) => ({ ...proposal, ...cursor.word }));
}

function proposals(cursor: Cursor, environment: Environment): readonly Proposal[] {
  if (cursor.place === "operator")
    return [{ label: "in", kind: "keyword", detail: "an element of a list, a key of a map" }];
  const found = finished(cursor, CURSOR, environment);
  if (found === undefined) return cursor.place === "name" ? globalNames(environment) : [];
  const { checked, node } = found;
  if (node === undefined) return [];
  const scope = scopeOf(checked.root, node);
  const receiver = receiverOf(node);
  if (receiver === undefined) return [...locals(cursor, scope, environment), ...globalNames(environment)];
  const type = checked.types.get(receiver) ?? DYN;
  return [...namesIn(receiver, scope, environment), ...membersOf(type, environment)];
}

/** A text that is finished, and the part at the cursor; undefined if a new name is given there. */
interface Found {
  readonly checked: Checked;
  readonly node: Node | undefined;
}

/** The first way to finish the text in which the part at the cursor has a meaning. */
function finished(cursor: Cursor, instead: string, environment: Environment): Found | undefined {
  for (const text of cursor.finished(instead)) {
    const issues = new IssueList(text);
    const root = parse(text, environment.macros, issues);
    if (root === undefined || !numberParts(root, issues)) continue;
    const checked = check(root, environment, issues, new IssueList(text));
    const start = cursor.word.start;
    if (givesName(root)) return { checked, node: undefined };
    const node = findNode(root, (part) => isAtCursor(part, start));
    if (node !== undefined && checked.types.get(receiverOf(node) ?? node) !== undefined) return { checked, node };
  }
  return undefined;
}

function isAtCursor(node: Node, start: number): boolean {
  switch (node.kind) {
    case "identifier":
      return node.name === CURSOR;
    case "select":
      return node.field === CURSOR;
    case "call":
      return node.name.replace(/^\./, "") === CURSOR;
    case "list":
      return node.start === start;
    default:
      return false;
  }
}

/** What stands before the dot. */
function receiverOf(node: Node): Node | undefined {
  if (node.kind === "select") return node.operand;
  return node.kind === "call" ? node.target : undefined;
}

/** Is the word at the cursor the variable of a macro? */
function givesName(root: Node): boolean {
  const node = findNode(root, (part) => variablesOf(part).includes(CURSOR));
  return node !== undefined;
}

function variablesOf(node: Node): readonly string[] {
  switch (node.kind) {
    case "fold":
      return node.second === undefined ? [node.variable] : [node.variable, node.second];
    case "bind":
    case "optional-map":
      return [node.variable];
    default:
      return [];
  }
}

function findNode(root: Node, isIt: (node: Node) => boolean): Node | undefined {
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isIt(node)) return node;
    open.push(...children(node));
  }
  return undefined;
}

/** The variables of macros that are known at a part, the innermost first. */
function scopeOf(root: Node, wanted: Node): readonly string[] {
  const parents = new Map<Node, Node>();
  findNode(root, (node) => {
    for (const child of children(node)) parents.set(child, node);
    return node === wanted;
  });
  const names = new Set<string>();
  for (
    let [child, node] = [wanted, parents.get(wanted)];
    node !== undefined;
    [child, node] = [node, parents.get(node)]
  ) {
    const isOutside =
      (node.kind === "fold" && child === node.range) ||
      (node.kind === "bind" && child === node.value) ||
      (node.kind === "optional-map" && child === node.target);
    if (!isOutside) for (const name of variablesOf(node)) if (!name.startsWith("@")) names.add(name);
  }
  return [...names];
}

/** The variables of macros with their types: those of the elements of a list that is written at the cursor. */
function locals(cursor: Cursor, scope: readonly string[], environment: Environment): readonly Proposal[] {
  if (scope.length === 0) return [];
  const found = finished(cursor, `[${scope.join(", ")}]`, environment);
  return scope.map((label, index) => {
    const element = found?.node?.kind === "list" ? found.node.elements[index]?.value : undefined;
    const type: Type | undefined = element === undefined ? undefined : found?.checked.types.get(element);
    return { label, kind: "local", detail: printType(type ?? DYN) };
  });
}

const KINDS: readonly Proposal["kind"][] = [
  "local",
  "variable",
  "field",
  "method",
  "function",
  "macro",
  "namespace",
  "type",
  "keyword",
];

/** The proposals that the word fits: first those that begin with it, and variables before functions. */
function ordered(proposals: readonly Proposal[], word: string): readonly Proposal[] {
  const seen = new Set<string>();
  return proposals
    .filter(({ label }) => !seen.has(label) && seen.add(label))
    .map((proposal) => ({ proposal, rank: rankOf(proposal.label, word) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        KINDS.indexOf(a.proposal.kind) - KINDS.indexOf(b.proposal.kind) ||
        (a.proposal.label < b.proposal.label ? -1 : 1),
    )
    .map(({ proposal }) => proposal);
}

const NO_MATCH = 3;

function rankOf(label: string, word: string): number {
  if (label.startsWith(word)) return 0;
  const [folded, wanted] = [label.toLowerCase(), word.toLowerCase()];
  if (folded.startsWith(wanted)) return 1;
  return folded.includes(wanted) ? 2 : NO_MATCH;
}
