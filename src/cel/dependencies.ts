// What does an expression read, so that a change of anything else cannot change its value?
import { type Call, children, isBinary, type Node, operatorChain } from "./ast.ts";
import { operandOf } from "./check/attribute.ts";
import { type Checked, type FunctionReference, fieldName } from "./check/checked.ts";
import { writeValue } from "./value/describe.ts";
import { compareStrings } from "./value/text.ts";
import type { Value } from "./value/value.ts";

/** What an expression reads. */
export interface Dependencies {
  /** Paths into variables: everything at and below the path may be read; an empty path is the whole variable. */
  readonly paths: readonly DependencyPath[];
  /** The functions that are called; some of them read more than their arguments. */
  readonly calls: readonly DependencyCall[];
}

/** `managedCluster.status.version` is `{ variable: "managedCluster", path: ["status", "version"] }`. */
export interface DependencyPath {
  readonly variable: string;
  readonly path: readonly string[];
}

/** A call, with the arguments that are literals; undefined if the argument is known only at run time. */
export interface DependencyCall {
  readonly name: string;
  readonly arguments: readonly (Value | undefined)[];
}

/** What the expression reads; more than it does where that cannot be known. */
export function dependenciesOf(checked: Checked): Dependencies {
  const paths = new Map<string, DependencyPath>();
  const calls = new Map<string, DependencyCall>();
  const open: Node[] = [checked.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const path = pathOf(checked, node);
    if (path !== undefined) {
      paths.set(JSON.stringify([path.variable, ...path.path]), path);
      // Keys that are computed have dependencies of their own.
      open.push(...computedKeys(checked, node));
      continue;
    }
    const reference = checked.references.get(node);
    if (reference?.kind === "constant") continue;
    if (reference?.kind === "function" && /^[A-Za-z]/.test(reference.name)) {
      const args = reference.args.map((arg) => (arg.kind === "literal" ? arg.value : undefined));
      const call = { name: reference.name, arguments: args };
      calls.set(JSON.stringify([reference.name, ...args.map(literalKey)]), call);
      const read = partRead(checked, reference);
      if (read !== undefined) paths.set(JSON.stringify([read.variable, ...read.path]), read);
      open.push(...(read === undefined ? reference.args : reference.args.slice(1)));
    } else {
      open.push(...(node.kind === "call" && isBinary(node) ? operands(node) : children(node)));
    }
  }
  return { paths: withoutCovered([...paths.values()]), calls: [...calls.values()] };
}

/** 1 and "1" are different arguments. */
function literalKey(literal: Value | undefined): string | null {
  return literal === undefined ? null : writeValue(literal);
}

/** What a function reads of a variable that it is called on, when it says that it does not read all of it. */
function partRead(checked: Checked, { overloads, args }: FunctionReference): DependencyPath | undefined {
  const [first] = args;
  const reads = overloads.length === 1 ? overloads[0]?.reads : undefined;
  if (first === undefined || reads === undefined || computedKeys(checked, first).length > 0) return undefined;
  const path = pathOf(checked, first);
  return path === undefined ? undefined : { variable: path.variable, path: [...path.path, ...reads] };
}

function operands(node: Call): readonly Node[] {
  const chain = operatorChain(node);
  return [(chain[0] as Call).args[0] as Node, ...chain.map((link) => link.args[1] as Node)];
}

/** The key of a field or an index, when it is a text known before. */
function constantKey(checked: Checked, node: Node): string | undefined {
  if (node.kind === "select") return fieldName(checked, node);
  const key = node.kind === "call" ? node.args[1] : undefined;
  return key?.kind === "literal" && typeof key.value === "string" ? key.value : undefined;
}

/** The path that a part reads from a variable; it ends before the first key that is not a text known before. */
function pathOf(checked: Checked, node: Node): DependencyPath | undefined {
  const keys: (string | undefined)[] = [];
  let part: Node | undefined = node;
  while (part !== undefined) {
    const reference = checked.references.get(part);
    if (reference?.kind === "variable") {
      keys.reverse();
      const end = keys.indexOf(undefined);
      return { variable: reference.name, path: (end === -1 ? keys : keys.slice(0, end)) as string[] };
    }
    if (reference?.kind === "local" || reference?.kind === "constant") return undefined;
    keys.push(constantKey(checked, part));
    part = operandOf(part);
  }
  return undefined;
}

function computedKeys(checked: Checked, node: Node): readonly Node[] {
  const keys: Node[] = [];
  for (
    let part: Node | undefined = node;
    part !== undefined && checked.references.get(part)?.kind !== "variable";
    part = operandOf(part)
  ) {
    if (part.kind === "call") keys.push(part.args[1] as Node);
  }
  return keys;
}

/** Paths below another path say nothing more; sorted, a path comes right before those below it. */
function withoutCovered(paths: readonly DependencyPath[]): readonly DependencyPath[] {
  const sorted = [...paths].sort(
    (a, b) => compareStrings(a.variable, b.variable) || compareStrings(a.path.join("\0"), b.path.join("\0")),
  );
  const kept: DependencyPath[] = [];
  for (const path of sorted) {
    const last = kept.at(-1);
    if (last === undefined || !covers(last, path)) kept.push(path);
  }
  return kept;
}

function covers(above: DependencyPath, path: DependencyPath): boolean {
  return above.variable === path.variable && above.path.every((key, index) => key === path.path[index]);
}
