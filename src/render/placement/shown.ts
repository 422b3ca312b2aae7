// What is shown of a run of `place`? The answers to its Placements, what each rule said of each cluster, and what is needed
// to say where things stand.

import type { Timestamp } from "../../cel/value/timestamp.ts";
import type { SourcePosition } from "../../input/locate.ts";
import type { Place } from "../../model/place.ts";
import type { AddOnPlacementScore } from "../../model/placement-score.ts";
import type { PlacementChange } from "../../placement/compare/placement-change.ts";
import type { PlacementMode } from "../../placement/placement-mode.ts";
import { placementKey } from "../../placement/placement-name.ts";
import type {
  ClusterReport,
  Mistake,
  PlacementDecisions,
  PlacementResult,
  Tally,
} from "../../placement/placement-result.ts";
import type { ShownFinding } from "../finding/finding-text.ts";
import type { Look } from "../kit/look.ts";

export interface ShownPlacement {
  readonly result: PlacementResult;
  readonly decisions: PlacementDecisions;
  /**
   * Every member of the eligible sets, by name; of an explanation, the one cluster that is explained. There may be very many:
   * they may be made lazily, during iteration.
   */
  readonly clusters: Iterable<ClusterReport>;
  /** The places of its rules, except those that come from clusters. */
  readonly rulePlaces?: readonly Place[] | undefined;
  /** A cluster with the values that expressions read; nothing if `clusters` have them already. */
  readonly closely?: ((cluster: string) => ClusterReport | undefined) | undefined;
  /** The clusters that the given PlacementDecisions name; nothing if there are none of this Placement. */
  readonly decided?: ReadonlySet<string> | undefined;
  /** Sets that are bound to the namespace and were not given, by name. */
  readonly lackingSets?: readonly string[] | undefined;
}

/** The answer to one Placement, with all its clusters in a list. */
export interface ListedPlacement extends ShownPlacement {
  readonly clusters: readonly ClusterReport[];
}

export function listed(placed: ShownPlacement): ListedPlacement {
  return { ...placed, clusters: [...placed.clusters] };
}

export interface ShownPlacements {
  /** By namespace and name; they may be made lazily, and are iterated over once. */
  readonly placements: Iterable<ShownPlacement>;
  /** What is different from another state, if the answers were compared with one. */
  readonly changes?: readonly PlacementChange[] | undefined;
  /** The name of the other state: the files that it was read from. */
  readonly against?: string | undefined;
  /** What decides between clusters with equal scores. */
  readonly tieBreak?: "name" | "hash" | undefined;
  /** What was wrong with the input. */
  readonly inputFindings?: readonly ShownFinding[] | undefined;
  /** The given scores, with the time at which each expires. */
  readonly scores?: readonly Pick<AddOnPlacementScore, "namespace" | "name" | "validUntil">[] | undefined;
  readonly mode: PlacementMode;
  /** The moment that the answers are for. */
  readonly now: Timestamp;
  /** `file:line:column` of a place. */
  readonly at: (place: Place) => string;
  /** The line of a place, if it can be shown. */
  readonly spot: (place: Place) => SourcePosition | undefined;
}

/** How many clusters are members of the eligible sets. */
export function candidateCount({ terminating, unmatched, failed, tainted, left, selected }: Tally): number {
  return terminating + unmatched + failed + tainted + left + selected;
}

/** The warnings about a Placement. A set because of which nothing could be decided is already reported as a mistake. */
export function warningsOf({ mistakes, brokenSets, warnings }: PlacementResult): readonly Mistake[] {
  const known = new Set(mistakes.map((mistake) => JSON.stringify(mistake)));
  return [...brokenSets.filter((broken) => !known.has(JSON.stringify(broken))), ...warnings];
}

/** Is nothing wrong with a Placement but that it costs too much to decide it? */
export function exceedsCostLimit({ mistakes }: Pick<PlacementResult, "mistakes">): boolean {
  return mistakes.length > 0 && mistakes.every(({ isLimit }) => isLimit === true);
}

/** Is nothing wrong with a Placement but that sets, bindings or clusters that concern it could not be read? */
export function isAboutUnread({ mistakes }: Pick<PlacementResult, "mistakes">): boolean {
  return mistakes.length > 0 && mistakes.every(({ fault }) => fault.kind === "unread-set");
}

/** What changed for a Placement, if it was compared with another state. */
export function changeOf({ placement }: PlacementResult, { changes }: ShownPlacements): PlacementChange | undefined {
  return changes?.find(({ key }) => key === placementKey(placement));
}

/** What changed for Placements that no longer exist. */
export function goneChanges({ changes = [] }: ShownPlacements): readonly PlacementChange[] {
  return changes.filter(({ isGone }) => isGone);
}

/** A note that OCM's behaviour is used, with `--compat ocm`. */
export function compatLines({ mode }: ShownPlacements, { style }: Look): string[] {
  return mode.name === "ocm" ? [style.dim("All of this as Open Cluster Management does it (--compat ocm).")] : [];
}

/** Formats that print the place of each rule. */
const FORMS_WITH_RULES: readonly string[] = ["json", "yaml", "explanation"];

/**
 * The places that an answer refers to, each once. A rule of a cluster, which is its taint, is not looked up: there may be
 * as many of them as there are clusters, and the beginning of the cluster's document is near enough.
 */
export function placesOf(
  placements: Iterable<Pick<ShownPlacement, "result" | "rulePlaces">>,
  output: string,
): readonly Place[] {
  const places = new Set<Place>();
  for (const { result, rulePlaces = [] } of placements) {
    for (const { place } of [...result.mistakes, ...result.brokenSets, ...result.warnings]) places.add(place);
    if (FORMS_WITH_RULES.includes(output)) for (const place of rulePlaces) places.add(place);
  }
  return [...places];
}
