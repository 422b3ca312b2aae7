// What does a bundle say about itself? What it provides, what it requires, which constraints it has, and the rest.

import type { Requirement } from "../constraint/constraint.ts";
import { type Outline, outlineOf } from "../constraint/outline.ts";
import { type PartlyRead, readPartly } from "../constraint/read-constraint.ts";
import { isConstraintType } from "../constraint/read-property.ts";
import { ConstraintReader, constraintOptions } from "../constraint/read-requirements.ts";
import type { Bundle, Gvk, Property } from "../model/catalog.ts";
import { compareText, isObject, type Json, own } from "../model/json.ts";
import { DEFAULT_OPTIONS } from "../model/problem.ts";

/** Why a requirement cannot be read, if so: the first reason. Texts that are missing in it are empty. */
interface Unreadable {
  readonly problem?: string;
}

/** An API that a bundle needs. */
export type RequiredApi = Gvk & Unreadable;

/** A package that a bundle needs, in some range of versions. */
export interface RequiredPackage extends Unreadable {
  readonly name: string;
  readonly versionRange: string;
}

/** A constraint of a bundle (`olm.constraint`), or one that cannot be read. */
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
      /** The type of the property: `olm.constraint`, `olm.constraint.cel` or `olm.label.required`. */
      readonly type: string;
      /** As it was written. */
      readonly value: Json;
      /** Why it cannot be read: the first reason. */
      readonly reason: string;
      /** What can be read of it all the same. */
      readonly read: PartlyRead;
    };

/** The properties of a bundle by their meaning: each thing once; APIs, packages and labels in order. */
export interface Statements {
  readonly provides: { readonly apis: readonly Gvk[]; readonly labels: readonly string[] };
  readonly requires: {
    readonly apis: readonly RequiredApi[];
    readonly packages: readonly RequiredPackage[];
    readonly labels: readonly string[];
    /** In the order of the properties. */
    readonly constraints: readonly StatedConstraint[];
  };
  /** All other properties, except the identity of the bundle. */
  readonly other: readonly Property[];
}

/** The statements of a bundle. With a reused `reader`, each CEL rule is compiled once. */
export function statementsOf(
  { properties }: Pick<Bundle, "properties">,
  reader: ConstraintReader = new ConstraintReader(constraintOptions(DEFAULT_OPTIONS)),
): Statements {
  const apis = new Map<string, RequiredApi>();
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
  for (const [property, problem] of firstProblems(problems)) {
    const { type, value } = properties[property] as Property;
    const text = (key: string): string => textIn(value, key);
    if (type === "olm.gvk.required") {
      const gvk = gvkIn(value);
      apis.set(kindFirst(gvk), { ...gvk, problem });
    } else if (type === "olm.package.required") {
      const one = { name: text("packageName") || text("name"), versionRange: text("versionRange") };
      packages.set(`${one.name} ${one.versionRange}`, { ...one, problem });
    } else constraints.push([property, { kind: "unreadable", type, value, reason: problem, read: readPartly(value) }]);
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

/** A conflict is read as a `none` around what must not run. */
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
    const gvk = gvkIn(value);
    apis.set(kindFirst(gvk), gvk);
  }
  return { apis: inOrder(apis), labels: [...labels].sort(compareText) };
}

function gvkIn(value: Json): Gvk {
  return { group: textIn(value, "group"), version: textIn(value, "version"), kind: textIn(value, "kind") };
}

/** A text of an object; empty if there is none. */
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
