// What does a report on the change of CustomResourceDefinitions have to show, in whatever form?

import type { CrdFinding } from "../../crd/finding.ts";
import { ruleOf } from "../../crd/rule.ts";
import type { CrdVerdict } from "../../crd/verdict.ts";
import type { Spot } from "../../input/locate.ts";
import type { CustomResourceDefinition, CustomResourceVersion } from "../../model/custom-resource.ts";
import type { Severity } from "../../model/finding.ts";
import { canonicalText, isList, isObject, type Json } from "../../model/json.ts";
import { printPlace } from "../../model/place.ts";
import type { ShownFinding } from "../finding/finding-text.ts";

/** A definition that was looked at: both sides of it, or one where it is new or gone. */
export interface ComparedDefinition {
  readonly name: string;
  readonly before: CustomResourceDefinition | undefined;
  readonly after: CustomResourceDefinition | undefined;
  readonly owners: number;
  /** How many objects of it were given; nothing where none were asked for. */
  readonly objects: number | undefined;
  /** The versions in which its objects may be stored; nothing where that is not known. */
  readonly stored: readonly string[] | undefined;
}

/** A definition of which nothing can be said. */
export interface UncomparedDefinition {
  readonly name: string;
  /** Why not, in one sentence without a full stop. */
  readonly reason: string;
}

/** A finding, and how its place looks if that could be found out. */
export interface ShownCrdFinding {
  readonly finding: CrdFinding;
  readonly spot: Spot | undefined;
}

/** Everything that a report shows. */
export interface CrdCheck {
  readonly definitions: readonly ComparedDefinition[];
  readonly notCompared: readonly UncomparedDefinition[];
  readonly verdict: CrdVerdict;
  /** From which severity on the change is unsafe. */
  readonly failOn: Severity;
  /** By definition; errors first, then warnings. */
  readonly listed: readonly ShownCrdFinding[];
  /** All that was found, the findings that are not listed included. */
  readonly all: readonly CrdFinding[];
  /** What was wrong with the input. */
  readonly inputFindings?: readonly ShownFinding[] | undefined;
}

/** What a version of a definition is on both sides. */
export interface VersionChange {
  readonly name: string;
  readonly before: CustomResourceVersion | undefined;
  readonly after: CustomResourceVersion | undefined;
}

/** The versions of both sides: those of the new one in its order, then those that are gone. */
export function versionChanges({ before, after }: ComparedDefinition): readonly VersionChange[] {
  const old = byName(before);
  const now = byName(after);
  return [...new Set([...now.keys(), ...old.keys()])].map((name) => ({
    name,
    before: old.get(name),
    after: now.get(name),
  }));
}

function byName(definition: CustomResourceDefinition | undefined): Map<string, CustomResourceVersion> {
  return new Map(definition?.versions.map((version) => [version.name, version]));
}

/** `served, storage`: what the API server does with a version. */
export function stateText(version: CustomResourceVersion): string {
  return `${version.served ? "served" : "not served"}${version.storage ? ", storage" : ""}`;
}

/** `file:line:column` of a finding. */
export function placeOf({ finding, spot }: ShownCrdFinding): string {
  const { source, line, column } = finding.place;
  return printPlace({ source, line: spot?.line ?? line, column: spot?.column ?? column });
}

/** `namespace/name` of the object that a finding is about. */
export function objectText({ object }: CrdFinding): string | undefined {
  if (object === undefined) return undefined;
  return object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
}

/** "1 object", "2 objects". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** How many values of a tree are looked at to write it down: a schema that was removed may be of any size. */
const MAX_VALUES = 1000;

/** A value as compact JSON; what is longer than allowed ends with … */
export function valueText(value: Json, longest: number): string {
  const text = isSmall(value) ? canonicalText(value) : isList(value) ? "[…]" : "{…}";
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** The names of which something was found, although there is no definition of them. */
export function undefinedNames({ definitions, listed }: CrdCheck): readonly string[] {
  const defined = new Set(definitions.map(({ name }) => name));
  return [...new Set(listed.map(({ finding }) => finding.crd))].filter((name) => !defined.has(name));
}

/** Why a finding matters. */
export function whyOf({ code, why }: CrdFinding): string {
  return why ?? ruleOf(code).why;
}

/** A value as it is, or where it is too large to be shown, its beginning as text. */
export function boundedValue(value: Json, longest: number): Json {
  if (isSmall(value) && canonicalText(value).length <= longest) return value;
  return valueText(value, longest);
}

/** Whether a value has no more than so many values in it. */
function isSmall(value: Json): boolean {
  const open: Json[] = [value];
  let seen = 0;
  while (open.length > 0) {
    const next = open.pop() as Json;
    if (++seen > MAX_VALUES) return false;
    const parts = isList(next) ? next : isObject(next) ? Object.values(next) : [];
    if (parts.length > MAX_VALUES) return false;
    open.push(...parts);
  }
  return true;
}
