// Does a CEL rule only test the version of the cluster? `properties.exists(p, p.type == "kubernetes.version" &&
// semver_compare(p.value, "1.30.0") >= 0)` reads better as "Kubernetes 1.30.0 or newer".

import { children, type Fold, type Node } from "../cel/ast.ts";
import type { Checked } from "../cel/check/checked.ts";
import { parseTolerant } from "../semver/tolerant.ts";
import { compareVersions, printVersion, type Version } from "../semver/version.ts";
import type { CelConstraint } from "./constraint.ts";
import { pathInElement, textOf } from "./needed-properties.ts";
import { propertyTest } from "./plain-rule.ts";

/** Property types of the cluster that are versions, and their platforms. */
const PLATFORMS: ReadonlyMap<string, string> = new Map([
  ["kubernetes.version", "Kubernetes"],
  ["openshift.version", "OpenShift"],
]);

type Bound = "or newer" | "or older" | "newer than" | "older than" | "exactly";

/** A cluster version that a rule requires. */
export interface RequiredVersion {
  /** The property type of the cluster, such as `kubernetes.version`. */
  readonly type: string;
  readonly bound: Bound;
  /** As written by the author. */
  readonly text: string;
}

/** The platform of a property type; undefined for other types. */
export function platformOf(type: string): string | undefined {
  return PLATFORMS.get(type);
}

/** The version, if the rule is true exactly for clusters that have it. */
export function requiredVersion({ program }: CelConstraint): RequiredVersion | undefined {
  const { checked } = program;
  const root = propertyTest(checked);
  if (root?.predicate.kind !== "call") return undefined;
  const { name, args } = root.predicate;
  const [one, other] = args;
  if (name !== "_&&_" || args.length !== 2 || one === undefined || other === undefined) return undefined;
  const type = typeIn(checked, root, one) ?? typeIn(checked, root, other);
  const compared = typeIn(checked, root, one) === undefined ? one : other;
  const comparison = type === undefined ? undefined : comparisonIn(checked, root, compared);
  return type === undefined || comparison === undefined ? undefined : { type, ...comparison };
}

/** A cluster version that might make a rule true. */
export interface PossibleVersion {
  readonly type: string;
  readonly text: string;
  /** Any newer version works as well. */
  readonly isLeast: boolean;
}

/** Versions in a rule about the version of the cluster, oldest first; empty for other rules. */
export function possibleVersions(constraint: CelConstraint): readonly PossibleVersion[] {
  const texts = textsIn(constraint.program.checked.root);
  const [type] = texts.filter((text) => PLATFORMS.has(text));
  if (type === undefined) return [];
  const bound = requiredVersion(constraint)?.bound;
  const isLeast = bound === "or newer" || bound === "newer than";
  return texts
    .flatMap((text) => {
      const version = parseTolerant(text);
      return typeof version === "string"
        ? []
        : [
            { text, version },
            { text: printVersion(next(version)), version: next(version) },
          ];
    })
    .sort((a, b) => compareVersions(a.version, b.version))
    .map(({ text }) => ({ type, text, isLeast }));
}

function next(version: Version): Version {
  return { ...version, patch: Number(version.patch) + 1, pre: [], build: [] };
}

function textsIn(node: Node): readonly string[] {
  return [...[textOf(node)].filter((text) => text !== undefined), ...children(node).flatMap(textsIn)];
}

/** The property type, if the term tests the type of a property. */
function typeIn(checked: Checked, fold: Fold, term: Node): string | undefined {
  if (term.kind !== "call" || term.name !== "_==_") return undefined;
  const [left, right] = term.args as [Node, Node];
  const [part, text] = textOf(right) === undefined ? [right, textOf(left)] : [left, textOf(right)];
  return text !== undefined && PLATFORMS.has(text) && pathInElement(checked, fold, part) === "type" ? text : undefined;
}

type Compared = Pick<RequiredVersion, "bound" | "text">;

const BOUNDS: ReadonlyMap<string, Bound> = new Map([
  ["_>=_", "or newer"],
  ["_>_", "newer than"],
  ["_<=_", "or older"],
  ["_<_", "older than"],
  ["_==_", "exactly"],
]);

/** The same with operands swapped. */
const TURNED: Readonly<Record<Bound, Bound>> = {
  "or newer": "or older",
  "or older": "or newer",
  "newer than": "older than",
  "older than": "newer than",
  exactly: "exactly",
};

/** The negation of each comparison. */
const DENIED: ReadonlyMap<Bound, Bound> = new Map([
  ["newer than", "or older"],
  ["older than", "or newer"],
  ["or newer", "older than"],
  ["or older", "newer than"],
]);

/** `semver_compare(p.value, "1.30.0") >= 0`, `semver(p.value).isGreaterThan(semver("1.30.0"))` and their like. */
function comparisonIn(checked: Checked, fold: Fold, term: Node): Compared | undefined {
  if (term.kind !== "call") return undefined;
  if (term.name === "!_") {
    const denied = comparisonIn(checked, fold, term.args[0] as Node);
    const bound = denied === undefined ? undefined : DENIED.get(denied.bound);
    return denied === undefined || bound === undefined ? undefined : { ...denied, bound };
  }
  const named = METHODS.get(term.name);
  if (named !== undefined && term.target !== undefined)
    return sidesOf(checked, fold, [term.target, term.args[0] as Node], named);
  const bound = BOUNDS.get(term.name);
  const [left, right] = term.args as [Node, Node];
  if (bound === undefined) return undefined;
  if (isZero(right)) return callIn(checked, fold, left, bound);
  return isZero(left) ? callIn(checked, fold, right, TURNED[bound]) : undefined;
}

const METHODS: ReadonlyMap<string, Bound> = new Map([
  ["isGreaterThan", "newer than"],
  ["isLessThan", "older than"],
]);

/** `semver_compare(a, b)` and `semver(a).compareTo(semver(b))`. */
function callIn(checked: Checked, fold: Fold, call: Node, bound: Bound): Compared | undefined {
  if (call.kind !== "call") return undefined;
  if (call.name === "semver_compare") return sidesOf(checked, fold, call.args as [Node, Node], bound);
  if (call.name !== "compareTo" || call.target === undefined) return undefined;
  return sidesOf(checked, fold, [call.target, call.args[0] as Node], bound);
}

function sidesOf(checked: Checked, fold: Fold, sides: readonly [Node, Node], bound: Bound): Compared | undefined {
  const [left, right] = sides.map(insideSemver) as [Node, Node];
  const isValue = (node: Node): boolean => pathInElement(checked, fold, node) === "value";
  const [text, other] = [textOf(right), textOf(left)];
  if (text !== undefined && isValue(left)) return { bound, text };
  return other !== undefined && isValue(right) ? { bound: TURNED[bound], text: other } : undefined;
}

/** The argument of `semver(…)`. */
function insideSemver(node: Node): Node {
  return node.kind === "call" && node.name === "semver" && node.args[0] !== undefined ? node.args[0] : node;
}

function isZero(node: Node): boolean {
  return node.kind === "literal" && Number(node.value) === 0 && typeof node.value !== "string";
}
