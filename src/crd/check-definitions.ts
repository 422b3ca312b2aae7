// Is it safe to replace several definitions by others? Checks each pair, and puts the findings in order.

import { type Gvk, kindKey } from "../model/catalog.ts";
import type { CustomResource } from "../model/custom-resource.ts";
import type { Severity } from "../model/finding.ts";
import { type Place, plainPlace } from "../model/place.ts";
import { checkUpgrade } from "./check-upgrade.ts";
import type { CrdFinding } from "./finding.ts";
import type { DefinitionPair, DefinitionSide, Pairs } from "./pair-definitions.ts";
import { type CheckedDefinition, type CrdReport, checkedDefinition, countSeverities } from "./report.ts";
import { type ApiUser, type Circumstances, NOTHING_KNOWN, type SeverityChoices } from "./upgrade/circumstances.ts";
import { checkOwned } from "./upgrade/owned-kinds.ts";
import { placeInNew, placeOfSubject } from "./upgrade/place-in-new.ts";
import { recordedVersions } from "./upgrade/version-changes.ts";
import { SEVERITIES, verdictOf } from "./verdict.ts";

/** The objects that were given, by `kindKey`. */
export interface GivenObjects {
  readonly byKind: ReadonlyMap<string, readonly CustomResource[]>;
  /** Some input could not be read: there may be more objects. */
  readonly isDamaged: boolean;
}

/** How definitions are checked. */
export interface CheckOptions extends Pick<Circumstances, "compat" | "severities" | "celCostLimit"> {
  /** How many operators own each definition; of a cluster, by the definition's name. */
  readonly owners: number | ReadonlyMap<string, number>;
  /** The new side. */
  readonly now: DefinitionSide;
  /** Undefined if no objects were asked for. */
  readonly objects: GivenObjects | undefined;
  /** Versions in which objects may be stored; without any, those of the status. */
  readonly stored: readonly string[];
  readonly requires: readonly ApiUser[];
  readonly failOn: Severity;
}

/** An option that has no effect on these definitions. */
export type OptionWithoutEffect =
  | { readonly kind: "no-objects"; readonly group: string; readonly of: string; readonly isDamaged: boolean }
  | { readonly kind: "unknown-api"; readonly api: Gvk }
  | { readonly kind: "unknown-version"; readonly api: Gvk; readonly versions: readonly string[] }
  | { readonly kind: "not-stored"; readonly version: string };

/** The objects, required APIs and stored versions that are about nothing that is compared. */
export function optionsWithoutEffect(
  pairs: readonly DefinitionPair[],
  { objects, requires, stored }: Pick<CheckOptions, "objects" | "requires" | "stored">,
): readonly OptionWithoutEffect[] {
  const without: OptionWithoutEffect[] = [];
  if (objects !== undefined)
    for (const [key, { group, kind }] of kindsOf(pairs))
      if ((objects.byKind.get(key)?.length ?? 0) === 0)
        without.push({ kind: "no-objects", group, of: kind, isDamaged: objects.isDamaged });
  for (const { group, version, kind } of requires) {
    const versions = versionsOf(pairs, kindKey({ group, kind }));
    const api = { group, version, kind };
    if (versions.length === 0) without.push({ kind: "unknown-api", api });
    else if (!versions.includes(version)) without.push({ kind: "unknown-version", api, versions });
  }
  const old = new Set(pairs.flatMap(({ before }) => before?.versions.map(({ name }) => name) ?? []));
  for (const version of stored) if (!old.has(version)) without.push({ kind: "not-stored", version });
  return without;
}

/** The versions of a kind on either side. */
function versionsOf(pairs: readonly DefinitionPair[], key: string): readonly string[] {
  const sides = pairs.flatMap(({ before, after }) => [after, before].filter((one) => one !== undefined));
  const same = sides.filter((one) => kindKey(one) === key);
  return [...new Set(same.flatMap(({ versions }) => versions.map(({ name }) => name)))];
}

/** The report without its list, and all findings. */
export interface DefinitionsCheck extends Omit<CrdReport<never>, "listed"> {
  readonly findings: readonly CrdFinding[];
}

/** Checks all pairs. */
export function checkDefinitions({ pairs, notCompared }: Pairs, options: CheckOptions): DefinitionsCheck {
  const { now, severities, failOn } = options;
  const definitions: CheckedDefinition[] = [];
  const findings: CrdFinding[] = [];
  for (const pair of pairs) {
    const objects = objectsOf(pair, options.objects);
    const stored = storedOf(pair, pairs.length, options.stored);
    const owners = typeof options.owners === "number" ? options.owners : (options.owners.get(pair.name) ?? 1);
    definitions.push(
      checkedDefinition(pair.name, pair.before, pair.after, {
        owners,
        objects: objects?.length,
        stored: pair.before && recordedVersions(pair.before, stored),
      }),
    );
    const found = checkUpgrade(pair.before, pair.after, {
      ...NOTHING_KNOWN,
      owners,
      stored,
      objects,
      isPartial: options.objects?.isDamaged === true,
      demanded: options.requires,
      owned: now.owned,
      compat: options.compat,
      severities,
      celCostLimit: options.celCostLimit,
    });
    for (const finding of found) findings.push(finding);
  }
  for (const finding of ownedWithoutDefinition(now, severities)) findings.push(finding);
  return {
    definitions,
    notCompared,
    verdict: verdictOf(findings, failOn, notCompared.length === 0),
    failOn,
    counts: countSeverities(findings),
    findings,
  };
}

/** The kinds of pairs, by `kindKey`; a renamed kind has both names. */
export function kindsOf(pairs: readonly DefinitionPair[]): ReadonlyMap<string, Pick<Gvk, "group" | "kind">> {
  const kinds = pairs.flatMap(({ before, after }) => [before, after].filter((one) => one !== undefined));
  return new Map(kinds.map((one) => [kindKey(one), one]));
}

/** Kinds that the new bundle owns without a definition, unless the definition may be in input that could not be read. */
function ownedWithoutDefinition(
  { owned, definitions, unusable, isDamaged }: DefinitionSide,
  severities: SeverityChoices,
): readonly CrdFinding[] {
  if (owned === undefined || isDamaged) return [];
  const readable = owned.filter(({ crd }) => !unusable.has(crd));
  return checkOwned(readable, definitions, severities);
}

/** The objects of a definition, under both names of a renamed kind; undefined if they are unknown. */
function objectsOf(pair: DefinitionPair, given: GivenObjects | undefined): readonly CustomResource[] | undefined {
  if (given === undefined) return undefined;
  const objects = [...kindsOf([pair]).keys()].flatMap((key) => given.byKind.get(key) ?? []);
  return objects.length === 0 && given.isDamaged ? undefined : objects;
}

/** The named versions that a definition has, if there are several definitions; undefined: those of its status. */
function storedOf({ before }: DefinitionPair, count: number, stored: readonly string[]): readonly string[] | undefined {
  if (stored.length === 0) return undefined;
  if (count === 1) return stored;
  const known = new Set([...(before?.storedVersions ?? []), ...(before?.versions.map(({ name }) => name) ?? [])]);
  const own = stored.filter((version) => known.has(version));
  return own.length === 0 ? undefined : own;
}

/** How many findings are listed. */
const MAX_LISTED = 10_000;

/** For the review of a change, which shows the new side only. */
interface Review {
  readonly now: DefinitionSide;
  /** Does the place have no file, so that it cannot be shown? */
  readonly isStream: (place: Place) => boolean;
}

/**
 * The findings to list: the most serious ones if there are too many; by definition, errors first. For a review each is moved
 * to the new side, if it has a place there.
 */
export function findingsToList(
  findings: readonly CrdFinding[],
  pairs: readonly DefinitionPair[],
  review: Review | undefined,
): readonly CrdFinding[] {
  const order = new Map(pairs.map(({ name }, index) => [name, index]));
  const rank = ({ severity }: CrdFinding): number => -SEVERITIES.indexOf(severity);
  const position = ({ crd }: CrdFinding): number => order.get(crd) ?? order.size;
  return findings
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_LISTED)
    .sort((a, b) => position(a) - position(b) || rank(a) - rank(b))
    .map((finding) => (review === undefined ? finding : onNewSide(finding, pairs[position(finding)], review)))
    .map((finding) => ({ ...finding, place: plainPlace(finding.place) }));
}

/** A finding at a place of the new side, if its own is in the old definition, or in an object without a file. */
function onNewSide(finding: CrdFinding, pair: DefinitionPair | undefined, { now, isStream }: Review): CrdFinding {
  if (pair === undefined) return finding;
  const { before, after } = pair;
  if (after === undefined) return { ...finding, place: now.place };
  const isStray = finding.object !== undefined && isStream(finding.place);
  return { ...finding, place: isStray ? placeOfSubject(finding, after) : placeInNew(finding, before, after) };
}
