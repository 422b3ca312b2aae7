// Which bundles can match? What a constraint requires a bundle to have, so that candidates are looked up and the
// others are not evaluated. It may be too wide, never too narrow. For a CEL rule it is derived from its shape:
// `properties.exists(p, p.type == "x" && …)` is false for every member without a property of type x.

import type { Fold, Node } from "../cel/ast.ts";
import { type Checked, fieldName } from "../cel/check/checked.ts";
import { type Gvk, gvkKey } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import { sortedEntries } from "../model/sorted.ts";
import type { Constraint } from "./constraint.ts";

/** The need of a leaf or of a compound of scope `bundle`; undefined if every member must be evaluated. */
export function neededBy(constraint: Constraint): Need | undefined {
  switch (constraint.kind) {
    case "gvk":
      return { kind: "gvks", gvks: [constraint.gvk] };
    case "package":
      return { kind: "packages", packages: [constraint.name] };
    case "label":
      return { kind: "types", types: ["olm.label"] };
    case "propertyEquals":
      return { kind: "types", types: [constraint.name] };
    case "cel":
      return neededForTrue(constraint.program.checked, constraint.program.checked.root);
    case "all":
      return constraint.constraints.map(neededBy).reduce(both, undefined);
    case "any":
      return constraint.constraints.map(neededBy).reduce(either, NO_MATCH);
    case "none":
      return undefined;
  }
}

/** What a member needs for a rule to be true; undefined if it cannot be derived. */
function neededForTrue(checked: Checked, node: Node): Need | undefined {
  if (node.kind === "call" && node.name === "_&&_")
    return node.args.map((arg) => neededForTrue(checked, arg)).reduce(both, undefined);
  if (node.kind === "call" && node.name === "_||_") return eitherOf(node.args, (arg) => neededForTrue(checked, arg));
  if (node.kind !== "fold" || (node.fold !== "exists" && node.fold !== "existsOne") || node.second !== undefined)
    return undefined;
  const range = checked.references.get(node.range);
  if (range?.kind !== "variable" || range.name !== "properties" || node.predicate === undefined) return undefined;
  return neededForElement(checked, node, node.predicate);
}

/** What must be present for a predicate to be true for some property. */
function neededForElement(checked: Checked, fold: Fold, predicate: Node): Need | undefined {
  if (predicate.kind === "call" && predicate.name === "_||_")
    return eitherOf(predicate.args, (arg) => neededForElement(checked, fold, arg));
  return needOf(statementsIn(checked, fold, predicate));
}

function eitherOf(nodes: readonly Node[], need: (node: Node) => Need | undefined): Need | undefined {
  return nodes.slice(1).reduce((sofar, node) => either(sofar, need(node)), need(nodes[0] as Node));
}

/** Possible values of parts of a property, by path: `type`, `value.packageName`. */
type Statements = ReadonlyMap<string, readonly string[]>;

const NOTHING: Statements = new Map();

/** What is certain about a property for which the predicate is true. */
function statementsIn(checked: Checked, fold: Fold, predicate: Node): Statements {
  if (predicate.kind !== "call") return NOTHING;
  switch (predicate.name) {
    case "_&&_":
      return new Map(predicate.args.flatMap((arg) => [...statementsIn(checked, fold, arg)]));
    case "_||_":
      return predicate.args.map((arg) => statementsIn(checked, fold, arg)).reduce(united);
    case "_==_": {
      const [left, right] = predicate.args as [Node, Node];
      return new Map([...equality(checked, fold, left, right), ...equality(checked, fold, right, left)]);
    }
    case "@in": {
      const [item, list] = predicate.args as [Node, Node];
      const path = pathInElement(checked, fold, item);
      if (path === undefined || list.kind !== "list") return NOTHING;
      const texts = list.elements.map((one) => (one.optional ? undefined : textOf(one.value)));
      return texts.includes(undefined) ? NOTHING : new Map([[path, texts as string[]]]);
    }
    default:
      return NOTHING;
  }
}

/** The common paths, each with the values of either. */
function united(a: Statements, b: Statements): Statements {
  const common = [...a].filter(([path]) => b.has(path));
  return new Map(common.map(([path, values]) => [path, [...values, ...(b.get(path) ?? [])]]));
}

function equality(checked: Checked, fold: Fold, part: Node, value: Node): Statements {
  const path = pathInElement(checked, fold, part);
  return path === undefined ? NOTHING : new Map(equalTo(path, value));
}

/** What follows for a part that equals a literal: for a map, each of its strings. */
function equalTo(path: string, value: Node): readonly (readonly [string, readonly string[]])[] {
  const text = textOf(value);
  if (text !== undefined) return [[path, [text]]];
  if (value.kind !== "map") return [];
  return value.entries.flatMap((entry) => {
    const key = textOf(entry.key);
    if (key === undefined || key.includes(".") || entry.optional) return [];
    return equalTo(path === "" ? key : `${path}.${key}`, entry.value);
  });
}

/** The value of a string literal. */
export function textOf(node: Node): string | undefined {
  return node.kind === "literal" && typeof node.value === "string" ? node.value : undefined;
}

/** The path of `p.value.kind` or `p["value"]["kind"]` from the variable of the fold; undefined for anything else. */
export function pathInElement(checked: Checked, fold: Fold, node: Node): string | undefined {
  const keys: string[] = [];
  for (let part = node; ; ) {
    if (part.kind === "select" && !part.optional && !part.test) {
      keys.push(fieldName(checked, part));
      part = part.operand;
    } else if (part.kind === "call" && part.name === "_[_]") {
      const key = textOf(part.args[1] as Node);
      if (key === undefined) return undefined;
      keys.push(key);
      part = part.args[0] as Node;
    } else {
      const reference = checked.references.get(part);
      const isElement = reference?.kind === "local" && reference.slot === checked.slots.get(fold);
      return isElement && keys.every((key) => !key.includes(".")) ? keys.reverse().join(".") : undefined;
    }
  }
}

function needOf(statements: Statements): Need | undefined {
  const types = statements.get("type");
  if (types === undefined) return undefined;
  const names = statements.get("value.packageName");
  if (names !== undefined && types.every((type) => type === "olm.package"))
    return { kind: "packages", packages: [...new Set(names)] };
  const [group, version, kind] = ["group", "version", "kind"].map((part) => statements.get(`value.${part}`));
  if (types.every((type) => type === "olm.gvk") && group?.length === 1 && version?.length === 1 && kind?.length === 1)
    return {
      kind: "gvks",
      gvks: [{ group: group[0] as string, version: version[0] as string, kind: kind[0] as string }],
    };
  return { kind: "types", types: [...new Set(types)] };
}

/** A match is of one of these packages, provides one of these APIs, or has a property of one of these types. */
export type Need =
  | { readonly kind: "packages"; readonly packages: readonly string[] }
  | { readonly kind: "gvks"; readonly gvks: readonly Gvk[] }
  | { readonly kind: "types"; readonly types: readonly string[] };

/** Nothing can match. */
const NO_MATCH: Need = { kind: "packages", packages: [] };

/** The need of a conjunction: the narrower one. */
function both(a: Need | undefined, b: Need | undefined): Need | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return breadth(b) < breadth(a) ? b : a;
}

/** A package has few bundles, an API few providers; a property type may have many. */
function breadth(need: Need): number {
  if (need.kind === "packages") return need.packages.length;
  return need.kind === "gvks" ? 1000 + need.gvks.length : 1_000_000 + need.types.length;
}

/** The need of a disjunction: the union. */
function either(a: Need | undefined, b: Need | undefined): Need | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (matchesNothing(a)) return b;
  if (matchesNothing(b)) return a;
  if (a.kind === "packages" && b.kind === "packages")
    return { kind: "packages", packages: distinct([...a.packages, ...b.packages]) };
  if (a.kind === "gvks" && b.kind === "gvks") {
    const gvks = new Map([...a.gvks, ...b.gvks].map((gvk) => [gvkKey(gvk), gvk]));
    return { kind: "gvks", gvks: sortedEntries(gvks).map(([, gvk]) => gvk) };
  }
  // Every bundle is of some package: "a package or something else" restricts nothing.
  if (a.kind === "packages" || b.kind === "packages") return undefined;
  return { kind: "types", types: distinct([...typesOf(a), ...typesOf(b)]) };
}

function matchesNothing(need: Need): boolean {
  return need.kind === "packages" && need.packages.length === 0;
}

function typesOf(need: Need): readonly string[] {
  return need.kind === "types" ? need.types : ["olm.gvk"];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareText);
}
