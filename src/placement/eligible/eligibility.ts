// Which clusters may a Placement select? Those of the sets that are bound to its namespace and that it asks for
// (ocm.md §3.1).

import type { ManagedClusterSet } from "../../model/cluster-set.ts";
import { compareText } from "../../model/json.ts";
import { textUnder } from "../../model/labels.ts";
import type { ManagedCluster } from "../../model/managed-cluster.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { Placement } from "../../model/placement.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { SelectorFault, UnusableSet } from "../fault.ts";
import type { Hub } from "../hub.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { Mistake } from "../placement-result.ts";
import { holdForLabels, type Requirement, readLabelSelector, unknownWord } from "../prepare/selector.ts";
import type { UnreadSet } from "./unread.ts";

/** The label by which a cluster says to which exclusive set it belongs. */
export const SET_LABEL = "cluster.open-cluster-management.io/clusterset";

const EXCLUSIVE = "ExclusiveClusterSetLabel";
const BY_LABELS = "LabelSelector";

/** A set, and how its members are found. */
export interface ReadSet {
  readonly set: ManagedClusterSet;
  /** Nothing for a set whose members name it; and for one that cannot have members. */
  readonly requirements: readonly Requirement[] | undefined;
  readonly isExclusive: boolean;
  /** Why its members cannot be determined. */
  readonly mistakes: readonly Mistake[];
}

/** Reads a set. Without a labelSelector, a set of type LabelSelector has no members (A18). */
export function readSet(set: ManagedClusterSet): ReadSet {
  const at = inside(set.place, "spec", "clusterSelector");
  const mistake = (fault: SelectorFault, ...steps: readonly (string | number)[]): Mistake => ({
    fault: { kind: "broken-set", set: set.name, fault },
    place: inside(at, ...steps),
    plugin: "",
  });
  if (set.selectorType === "" || set.selectorType === EXCLUSIVE)
    return { set, requirements: undefined, isExclusive: true, mistakes: [] };
  if (set.selectorType !== BY_LABELS) {
    const fault = unknownWord("selectorType", set.selectorType, [EXCLUSIVE, BY_LABELS]);
    return { set, requirements: undefined, isExclusive: false, mistakes: [mistake(fault, "selectorType")] };
  }
  if (set.labelSelector === undefined) return { set, requirements: undefined, isExclusive: false, mistakes: [] };
  const { requirements, mistakes } = readLabelSelector(set.labelSelector);
  return {
    set,
    requirements: mistakes.length === 0 ? requirements : undefined,
    isExclusive: false,
    mistakes: mistakes.map(({ fault, steps }) => mistake(fault, "labelSelector", ...steps)),
  };
}

/** Is the cluster a member of the set? */
export function isMemberOf(read: ReadSet, cluster: ManagedCluster): boolean {
  if (read.isExclusive) return textUnder(cluster.labels, SET_LABEL) === read.set.name;
  return read.requirements !== undefined && holdForLabels(read.requirements, cluster.labels);
}

/** The sets that a Placement may use. */
export interface Eligibility {
  /** The sets that are bound to its namespace, by name. */
  readonly bound: readonly string[];
  /** Those of them that it asks for. */
  readonly sets: readonly ReadSet[];
  /** Those that it asks for and cannot use. */
  readonly unusable: readonly UnusableSet[];
  /** Sets, bindings, all clusters or all scores that could not be read, so that it is unknown which clusters may be used. */
  readonly unreadable: readonly Mistake[];
  readonly brokenSets: readonly Mistake[];
  /** The names of the exclusive ones: a cluster says which one it is in. */
  readonly exclusive: ReadonlySet<string>;
  readonly byLabels: readonly ReadSet[];
}

/** Step 2: the sets that a Placement may use. A binding counts when the set that it is named after exists. */
export function eligibleSets(placement: Placement, hub: Pick<Hub, "bindings" | "sets" | "unreadSets">): Eligibility {
  const { sets, unreadSets } = hub;
  const bindings = hub.bindings(placement.namespace);
  const bound = [...new Set(bindings.map(({ name }) => name))].filter((name) => sets.has(name)).sort(compareText);
  const wanted = new Set(placement.clusterSets);
  const eligible = bound
    .filter((name) => wanted.size === 0 || wanted.has(name))
    .map((name) => sets.get(name) as ReadSet);
  const isBound = new Set(bound);
  // What could not be read may exist, and may be bound.
  const mayBeUnread = (name: string): boolean =>
    unreadSets.some(
      (one) =>
        one.kind !== "ManagedCluster" &&
        (one.name ?? name) === name &&
        (one.namespace ?? placement.namespace) === placement.namespace,
    );
  const unusable = [...wanted]
    .filter((name) => !isBound.has(name) && !mayBeUnread(name))
    .sort(compareText)
    .map((name): UnusableSet => {
      if (sets.has(name)) return { name, why: "unbound" };
      const meant = didYouMean(name, bound);
      return { name, why: "missing", ...(meant !== undefined && { meant }) };
    });
  return {
    bound,
    sets: eligible,
    unusable,
    unreadable: unreadableFor(placement, new Set(bindings.map(({ name }) => name)), wanted, unreadSets),
    brokenSets: eligible.flatMap(({ mistakes }) => mistakes),
    exclusive: new Set(eligible.filter(({ isExclusive }) => isExclusive).map(({ set }) => set.name)),
    byLabels: eligible.filter(({ requirements }) => requirements !== undefined),
  };
}

/** What may concern the Placement and could not be read: its answer would be about less than was meant. */
function unreadableFor(
  placement: Placement,
  bound: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  rejected: readonly UnreadSet[],
): readonly Mistake[] {
  const { namespace } = placement;
  const isWanted = (name: string | undefined): boolean => name === undefined || wanted.size === 0 || wanted.has(name);
  const concerns = (object: UnreadSet): boolean => {
    if (object.kind === "ManagedCluster") return true;
    if (object.kind === "AddOnPlacementScore") return mayReadScores(placement);
    if (!isWanted(object.name)) return false;
    if (object.kind === "ManagedClusterSet") return object.name === undefined ? bound.size > 0 : bound.has(object.name);
    return object.kind === "ManagedClusterSetBinding" && (object.namespace ?? namespace) === namespace;
  };
  return rejected.filter(concerns).map(({ kind, name, isSupposed = false, place }) => ({
    fault: { kind: "unread-set", object: kind, ...(name !== undefined && { name }), isSupposed },
    place: plainPlace(place),
    plugin: "",
  }));
}

/** May a Placement read AddOnPlacementScores? Also if only a word of an expression looks like it. */
function mayReadScores({ predicates, prioritizerPolicy }: Placement): boolean {
  const isAddOn = prioritizerPolicy.configurations.some(({ scoreCoordinate }) => scoreCoordinate?.type === "AddOn");
  const expressions = predicates.flatMap(({ requiredClusterSelector }) => requiredClusterSelector.celExpressions);
  return isAddOn || expressions.some((expression) => /score/i.test(expression));
}

/** Does an invalid set stop the whole Placement, as in OCM? */
export function isStopped({ brokenSets }: Eligibility, mode: PlacementMode): boolean {
  return brokenSets.length > 0 && !mode.isolatesBrokenSets;
}

/** Is the cluster in one of the eligible sets? */
export function isEligible({ exclusive, byLabels }: Eligibility, cluster: ManagedCluster): boolean {
  if (exclusive.size > 0) {
    const own = textUnder(cluster.labels, SET_LABEL);
    if (own !== undefined && exclusive.has(own)) return true;
  }
  for (const { requirements } of byLabels)
    if (holdForLabels(requirements as readonly Requirement[], cluster.labels)) return true;
  return false;
}
