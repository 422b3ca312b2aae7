// What does a bundle say about itself? What it provides, what it requires, which constraints it has, and the rest.

import type { Requirement } from "../constraint/constraint.ts";
import { type Outline, outlineOf } from "../constraint/outline.ts";
import { isConstraintType } from "../constraint/read-property.ts";
import { ConstraintReader, constraintOptions } from "../constraint/read-requirements.ts";
import type { Bundle, Gvk, Property } from "../model/catalog.ts";
import { compareText, isObject, type Json, own } from "../model/json.ts";
import { DEFAULT_OPTIONS } from "../model/problem.ts";

/** A package that a bundle needs, in some range of versions. */
export interface RequiredPackage {
  readonly name: string;
  readonly versionRange: string;
}

/** A constraint of a bundle (`olm.constraint`), or a property that should be one and cannot be read. */
export type StatedConstraint =
  | {
      readonly kind: "constraint";
      /** What it demands; of a conflict, what must not be there. */
      readonly outline: Outline;
      /** The author's words for the case that it fails. */
      readonly message?: string | undefined;
      readonly action: "require" | "conflict";
      readonly optional: boolean;
    }
  | {
      readonly kind: "unreadable";
      /** The type of the property. */
      readonly type: string;
      /** The author's words, which may be all that can be read of it. */
      readonly message?: string | undefined;
      /** Why it cannot be read: the first reason. */
      readonly reason: string;
    };

/** The properties of a bundle by their meaning: each thing once; APIs, packages and labels in order. */
export interface Statements {
  readonly provides: { readonly apis: readonly Gvk[]; readonly labels: readonly string[] };
  readonly requires: {
    readonly apis: readonly Gvk[];
    readonly packages: readonly RequiredPackage[];
    readonly labels: readonly string[];
    /** In the order of the properties. */
    readonly constraints: readonly StatedConstraint[];
  };
  /** Everything else but the identity of the bundle. */
  readonly other: readonly Property[];
}

/** What a bundle says about itself. A `reader` that is kept compiles each CEL rule once. */
export function statementsOf(
  { properties }: Pick<Bundle, "properties">,
  reader: ConstraintReader = new ConstraintReader(constraintOptions(DEFAULT_OPTIONS)),
): Statements {
  const apis = new Map<string, Gvk>();
  const packages = new Map<string, RequiredPackage>();
  const labels = new Set<string>();
  const constraints: [property: number, StatedConstraint][] = [];
  const { requirements, problems } = reader.of(properties);
  for (const requirement of requirements) {
    const { constraint, property } = requirement;
    if (properties[property]?.type.startsWith("olm.constraint"))
      constraints.push([property, statedConstraint(requirement)]);
    else if (constraint.kind === "gvk") apis.set(kindFirst(constraint.gvk), constraint.gvk);
    else if (constraint.kind === "package") {
      const { name, range } = constraint;
      packages.set(`${name} ${range.text}`, { name, versionRange: range.text });
    } else if (constraint.kind === "label") labels.add(constraint.label);
  }
  for (const [property, reason] of firstProblems(problems)) {
    const { type, value } = properties[property] as Property;
    const message = textIn(value, "message") || textIn(value, "failureMessage");
    constraints.push([property, { kind: "unreadable", type, ...(message !== "" && { message }), reason }]);
    const name = type === "olm.package.required" ? textIn(value, "packageName") : "";
    const versionRange = textIn(value, "versionRange");
    if (name !== "") packages.set(`${name} ${versionRange}`, { name, versionRange });
  }
  return {
    provides: providedBy(properties),
    requires: {
      apis: inOrder(apis),
      packages: inOrder(packages),
      labels: [...labels].sort(compareText),
      constraints: constraints.sort(([a], [b]) => a - b).map(([, constraint]) => constraint),
    },
    other: properties.filter(({ type }) => !STATED.has(type) && !isConstraintType(type)),
  };
}

const STATED: ReadonlySet<string> = new Set(["olm.package", "olm.gvk", "olm.label"]);

/** A conflict is read as a `none` around what must not be there. */
function statedConstraint({ constraint, action, optional }: Requirement): StatedConstraint {
  const [inner] = action === "conflict" && "constraints" in constraint ? constraint.constraints : [];
  const { message } = constraint;
  const outline = outlineOf(inner ?? constraint);
  return { kind: "constraint", outline, ...(message !== undefined && { message }), action, optional };
}

function firstProblems(
  problems: readonly { readonly property: number; readonly message: string }[],
): ReadonlyMap<number, string> {
  const first = new Map<number, string>();
  for (const { property, message } of problems) if (!first.has(property)) first.set(property, message);
  return first;
}

function providedBy(properties: readonly Property[]): Statements["provides"] {
  const apis = new Map<string, Gvk>();
  const labels = new Set<string>();
  for (const { type, value } of properties) {
    if (type === "olm.label") labels.add(textIn(value, "label"));
    if (type !== "olm.gvk") continue;
    const gvk = { group: textIn(value, "group"), version: textIn(value, "version"), kind: textIn(value, "kind") };
    apis.set(kindFirst(gvk), gvk);
  }
  return { apis: inOrder(apis), labels: [...labels].sort(compareText) };
}

/** A text in an object; empty if there is none. */
function textIn(value: Json, key: string): string {
  const text = isObject(value) ? own(value, key) : undefined;
  return typeof text === "string" ? text : "";
}

/** APIs are listed by kind, then by group and version. */
function kindFirst({ group, version, kind }: Gvk): string {
  return `${kind} ${group}/${version}`;
}

function inOrder<Value>(byKey: ReadonlyMap<string, Value>): Value[] {
  return [...byKey].sort(([a], [b]) => compareText(a, b)).map(([, value]) => value);
}
