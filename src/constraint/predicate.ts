// Does a member match? Leaves and compounds of scope `bundle` are evaluated on the properties of one member at a
// time.

import { type Bindings, LimitError } from "../cel/plan/frame.ts";
import { CelError } from "../cel/value/value.ts";
import type { Gvk, Property } from "../model/catalog.ts";
import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import { inRange, type Range } from "../semver/blang-range.ts";
import { readVersion, type Version } from "../semver/version.ts";
import { bundleBindings } from "./bundle-environment.ts";
import type { CelConstraint, CompoundConstraint, Constraint } from "./constraint.ts";

/** Why it is unknown whether a member matches; it counts as no match. */
export interface MatchError {
  readonly message: string;
  /** The evaluation reached a limit: with a higher one it might match. */
  readonly limit: boolean;
  /** The path of the rule inside the value of its property. */
  readonly path: Path;
}

/** Whether a member matches; or why that is unknown. */
export type Verdict = boolean | MatchError;

/** Did the evaluation reach a limit? */
export function isLimit(verdict: Verdict): boolean {
  return typeof verdict !== "boolean" && verdict.limit;
}

/** Does the member with these properties match? An error anywhere in the constraint is the result of all of it. */
export function matches(constraint: Constraint, properties: readonly Property[]): boolean | MatchError {
  switch (constraint.kind) {
    case "gvk":
      return providesApi(properties, constraint.gvk);
    case "package":
      return isOfPackage(properties, constraint.name, constraint.range);
    case "label":
      return hasLabel(properties, constraint.label);
    case "cel":
      return satisfiesRule(constraint, properties);
    case "propertyEquals":
      return hasProperty(properties, constraint.name, constraint.value);
    default:
      return satisfiesCompound(constraint, properties);
  }
}

function providesApi(properties: readonly Property[], { group, version, kind }: Gvk): boolean {
  for (const { type, value } of properties) {
    if (type !== "olm.gvk" || !isObject(value)) continue;
    if (value.kind === kind && value.group === group && value.version === version) return true;
  }
  return false;
}

function isOfPackage(properties: readonly Property[], name: string, range: Range): boolean {
  for (const { type, value } of properties) {
    if (type !== "olm.package" || !isObject(value) || value.packageName !== name) continue;
    const version = versionOf(value);
    if (version !== undefined && inRange(range, version)) return true;
  }
  return false;
}

const versions = new WeakMap<JsonObject, Version | "none">();

function versionOf(value: JsonObject): Version | undefined {
  let version = versions.get(value);
  if (version === undefined) {
    version = (typeof value.version === "string" ? readVersion(value.version) : undefined) ?? "none";
    versions.set(value, version);
  }
  return version === "none" ? undefined : version;
}

function hasLabel(properties: readonly Property[], label: string): boolean {
  for (const { type, value } of properties)
    if (type === "olm.label" && isObject(value) && value.label === label) return true;
  return false;
}

function hasProperty(properties: readonly Property[], name: string, wanted: Json): boolean {
  for (const { type, value } of properties) if (type === name && equalsValue(value, wanted)) return true;
  return false;
}

const bindings = new WeakMap<readonly Property[], Bindings>();

function satisfiesRule({ program, path }: CelConstraint, properties: readonly Property[]): boolean | MatchError {
  let known = bindings.get(properties);
  if (known === undefined) {
    known = bundleBindings(properties);
    bindings.set(properties, known);
  }
  const result = program.evaluate(known);
  if (typeof result === "boolean") return result;
  if (result instanceof CelError) return { message: result.message, limit: result instanceof LimitError, path };
  return { message: "the rule gave neither true nor false", limit: false, path };
}

/** All parts are evaluated, since an error in any of them decides; errors that no higher limit would avoid come first. */
function satisfiesCompound(
  { kind, constraints }: CompoundConstraint,
  properties: readonly Property[],
): boolean | MatchError {
  let error: MatchError | undefined;
  let satisfied = 0;
  for (const constraint of constraints) {
    const result = matches(constraint, properties);
    if (result === true) satisfied++;
    else if (result !== false && (error === undefined || error.limit))
      error = result.limit ? (error ?? result) : result;
  }
  if (error !== undefined) return error;
  if (kind === "all") return satisfied === constraints.length;
  return kind === "any" ? satisfied > 0 : satisfied === 0;
}

/**
 * Does a property's value equal the required one, as JSON? A string also equals the number it spells, since "4.9" and
 * 4.9 are easily confused (seed 000).
 */
function equalsValue(value: Json, wanted: Json): boolean {
  if (typeof value === "string" && isNumeric(wanted)) return value === String(wanted);
  if (typeof wanted === "string" && isNumeric(value)) return wanted === String(value);
  return equalsJson(value, wanted);
}

function isNumeric(value: Json): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Documents are bounded in depth; a loop avoids recursion anyway. */
function equalsJson(first: Json, second: Json): boolean {
  const open: [Json, Json][] = [[first, second]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (isNumeric(a) && isNumeric(b)) {
      // A number and a bigint are equal if they are written the same.
      if (String(a) !== String(b)) return false;
    } else if (isList(a) && isList(b)) {
      if (a.length !== b.length) return false;
      for (const [index, item] of a.entries()) open.push([item, b[index] as Json]);
    } else if (isObject(a) && isObject(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        open.push([a[key] as Json, b[key] as Json]);
      }
    } else return false;
  }
  return true;
}
