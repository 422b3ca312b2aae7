// What does a check of several definitions report? Plain data, from which every form is printed.

import type { CustomResourceDefinition, CustomResourceVersion } from "../model/custom-resource.ts";
import type { Severity } from "../model/finding.ts";
import type { CrdFinding } from "./finding.ts";
import { versionsByName } from "./upgrade/definition-change.ts";
import type { CrdVerdict } from "./verdict.ts";

/** What the API server does with a version. */
export type VersionState = Pick<CustomResourceVersion, "served" | "storage">;

/** What a version of a definition is on both sides. */
export interface VersionChange {
  readonly name: string;
  readonly before?: VersionState | undefined;
  readonly after?: VersionState | undefined;
}

/** A definition that was checked. */
export interface CheckedDefinition extends Pick<CustomResourceDefinition, "name" | "group" | "kind" | "scope"> {
  readonly change: "added" | "removed" | "kept";
  /** Those of the new side in its order, then those that are gone. */
  readonly versions: readonly VersionChange[];
  readonly owners: number;
  /** How many objects of it were given; missing where none were requested. */
  readonly objects?: number | undefined;
  /** The versions in which its objects may be stored; missing if that is unknown. */
  readonly stored?: readonly string[] | undefined;
}

/** A definition that could not be compared. */
export interface UncomparedDefinition {
  readonly name: string;
  /** Why not, in one sentence without a full stop. */
  readonly reason: string;
}

/** A finding, and where it is shown: `Spot` is what a door found at its place. */
export interface ListedFinding<Spot> {
  readonly finding: CrdFinding;
  readonly spot?: Spot | undefined;
}

/** Everything that is printed. */
export interface CrdReport<Spot> {
  readonly definitions: readonly CheckedDefinition[];
  readonly notCompared: readonly UncomparedDefinition[];
  readonly verdict: CrdVerdict;
  /** From which severity on the change is unsafe. */
  readonly failOn: Severity;
  /** By definition; errors first, then warnings. */
  readonly listed: readonly ListedFinding<Spot>[];
  /** How many findings there are, those that are not listed included. */
  readonly counts: Readonly<Record<Severity, number>>;
}

/** A definition on both sides, or on one, as it is reported. */
export function checkedDefinition(
  name: string,
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition | undefined,
  { owners, objects, stored }: Pick<CheckedDefinition, "owners" | "objects" | "stored">,
): CheckedDefinition {
  const { group, kind, scope } = after ?? before ?? { group: "", kind: "", scope: "" };
  return {
    name,
    group,
    kind,
    scope,
    change: before === undefined ? "added" : after === undefined ? "removed" : "kept",
    versions: versionChanges(before, after),
    owners,
    ...(objects !== undefined && { objects }),
    ...(stored !== undefined && { stored }),
  };
}

function versionChanges(
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition | undefined,
): readonly VersionChange[] {
  const [old, now] = [statesOf(before), statesOf(after)];
  return [...new Set([...now.keys(), ...old.keys()])].map((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    return { name, ...(was && { before: was }), ...(is && { after: is }) };
  });
}

function statesOf(definition: CustomResourceDefinition | undefined): ReadonlyMap<string, VersionState> {
  const versions = definition === undefined ? [] : [...versionsByName(definition).values()];
  return new Map(versions.map(({ name, served, storage }) => [name, { served, storage }]));
}

/** How many findings there are of each severity. */
export function countSeverities(findings: readonly { readonly severity: Severity }[]): CrdReport<never>["counts"] {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}
