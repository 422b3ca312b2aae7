// Which clusters could be chosen, and how far did the others get? OCM's filters in their plainest form (ocm.md §3.1 to §3.3):
// every rule is asked of every cluster, and nothing is remembered.

import type { Program } from "../../src/cel/program.ts";
import { parseTimestamp, Timestamp } from "../../src/cel/value/timestamp.ts";
import { CelError } from "../../src/cel/value/value.ts";
import type { KnownObjects } from "../../src/model/cluster-objects.ts";
import type { ManagedClusterSet } from "../../src/model/cluster-set.ts";
import { compareText } from "../../src/model/json.ts";
import type { ManagedCluster, Taint } from "../../src/model/managed-cluster.ts";
import type { Placement, Predicate, Toleration } from "../../src/model/placement.ts";
import type { LabelSelector, SelectorRequirement } from "../../src/model/selector.ts";
import {
  clusterBindings,
  evaluateOnCluster,
  placementExpression,
} from "../../src/placement/cel/placement-environment.ts";
import type { PlacementMode } from "../../src/placement/placement-mode.ts";
import { AddOnScores } from "../../src/placement/score/add-on-scores.ts";

/** Everything that an answer depends on. */
export interface Situation {
  readonly objects: Pick<
    KnownObjects,
    | "managedClusters"
    | "managedClusterSets"
    | "managedClusterSetBindings"
    | "placements"
    | "placementDecisions"
    | "addOnPlacementScores"
  >;
  readonly now: Timestamp;
  readonly mode: PlacementMode;
}

/** How far a member of the eligible sets got before anything was ranked. */
export type Fate = "terminating" | "unmatched" | "failed" | "tainted" | "feasible";

const EXCLUSIVE_LABEL = "cluster.open-cluster-management.io/clusterset";
const PLACEMENT_LABEL = "cluster.open-cluster-management.io/placement";
const NANOS = 1_000_000_000n;

/** The sets that are bound to the namespace; a binding counts if there is a set of its name. */
export function boundSets({ objects }: Situation, { namespace }: Placement): readonly ManagedClusterSet[] {
  const bound = objects.managedClusterSetBindings.filter((binding) => binding.namespace === namespace);
  return objects.managedClusterSets
    .filter(({ name }) => bound.some((binding) => binding.name === name))
    .sort((a, b) => compareText(a.name, b.name));
}

/** The bound sets that the Placement asks for. */
export function eligibleSets(situation: Situation, placement: Placement): readonly ManagedClusterSet[] {
  const { clusterSets } = placement;
  return boundSets(situation, placement).filter(({ name }) => clusterSets.length === 0 || clusterSets.includes(name));
}

/** Is it unknown which clusters belong to the set? */
export function isBrokenSet({ selectorType, labelSelector }: ManagedClusterSet): boolean {
  if (selectorType === "LabelSelector") return labelSelector !== undefined && isBrokenSelector(labelSelector);
  return selectorType !== "" && selectorType !== "ExclusiveClusterSetLabel";
}

function isMember(set: ManagedClusterSet, { labels }: ManagedCluster): boolean {
  if (isBrokenSet(set)) return false;
  if (set.selectorType !== "LabelSelector") return entries(labels).get(EXCLUSIVE_LABEL) === set.name;
  return set.labelSelector !== undefined && selects(set.labelSelector, [], { labels, claims: [] });
}

/** The clusters of the eligible sets, by name; terminating ones too. */
export function membersOf(situation: Situation, placement: Placement): readonly ManagedCluster[] {
  const sets = eligibleSets(situation, placement);
  return situation.objects.managedClusters
    .filter((cluster) => sets.some((set) => isMember(set, cluster)))
    .sort((a, b) => compareText(a.name, b.name));
}

/** The clusters that were decided for the Placement, as often as they were. */
export function decidedBefore({ objects }: Situation, placement: Placement): readonly string[] {
  return objects.placementDecisions
    .filter((decision) => isDecisionOf(decision, placement))
    .flatMap(({ decisions }) => decisions.map(({ clusterName }) => clusterName));
}

/** Does a PlacementDecision belong to the Placement? */
export function isDecisionOf(
  decision: KnownObjects["placementDecisions"][number],
  { namespace, name }: Pick<Placement, "namespace" | "name">,
): boolean {
  return decision.namespace === namespace && entries(decision.labels).get(PLACEMENT_LABEL) === name;
}

/** How far the cluster got. The Placement has no mistakes. */
export function stayOrMoveOf(situation: Situation, placement: Placement, cluster: ManagedCluster): Fate {
  if (cluster.terminating) return "terminating";
  const outcomes = placement.predicates.map((predicate) => predicateOn(situation, predicate, cluster));
  if (outcomes.length > 0 && !outcomes.includes("true")) return outcomes.includes("error") ? "failed" : "unmatched";
  return cluster.taints.every((taint) => canStay(situation, placement, cluster, taint)) ? "feasible" : "tainted";
}

/** The result of a predicate for a cluster: the first thing in it that does not hold decides. */
export function predicateOn(
  situation: Situation,
  { requiredClusterSelector }: Predicate,
  cluster: ManagedCluster,
): "true" | "false" | "error" {
  const { labelSelector, claimRequirements, celExpressions } = requiredClusterSelector;
  if (!selects(labelSelector, claimRequirements, cluster)) return "false";
  const { now, mode, objects } = situation;
  const scores = AddOnScores.of(objects.addOnPlacementScores, { now, ignoreExpiry: !mode.expiredScoresAreErrors });
  const bindings = clusterBindings(cluster.object, scores);
  for (const text of celExpressions) {
    const outcome = evaluateOnCluster(programOf(text) as Program, bindings);
    if (outcome instanceof CelError) return "error";
    if (!outcome) return "false";
  }
  return "true";
}

const programs = new Map<string, Program | undefined>();

/** The program of an expression; nothing if it does not compile. It is the same every time, so it is made once. */
export function programOf(text: string): Program | undefined {
  if (!programs.has(text)) programs.set(text, placementExpression(text).program);
  return programs.get(text);
}

/** Do the labels and claims match? Of two claims with one name the later counts. */
export function selects(
  selector: LabelSelector | undefined,
  claimRequirements: readonly SelectorRequirement[],
  { labels, claims }: Pick<ManagedCluster, "labels" | "claims">,
): boolean {
  const claimed = new Map(claims.map(({ name, value }) => [name, value]));
  return (
    requirementsOf(selector).every((requirement) => holds(requirement, entries(labels))) &&
    claimRequirements.every((requirement) => holds(requirement, claimed))
  );
}

function requirementsOf(selector: LabelSelector | undefined): readonly SelectorRequirement[] {
  if (selector === undefined) return [];
  const equals = [...entries(selector.matchLabels)].map(([key, value]) => ({ key, operator: "In", values: [value] }));
  return [...equals, ...selector.matchExpressions];
}

function holds({ key, operator, values }: SelectorRequirement, given: ReadonlyMap<string, string>): boolean {
  const value = given.get(key);
  if (operator === "In") return value !== undefined && values.includes(value);
  if (operator === "NotIn") return value === undefined || !values.includes(value);
  return (operator === "Exists") === (value !== undefined);
}

/** Would Kubernetes refuse the selector? */
export function isBrokenSelector(selector: LabelSelector | undefined): boolean {
  return requirementsOf(selector).some(isBrokenRequirement);
}

/** Would Kubernetes refuse the requirement? */
export function isBrokenRequirement({ key, operator, values }: SelectorRequirement): boolean {
  const isList = operator === "In" || operator === "NotIn";
  if (!isList && operator !== "Exists" && operator !== "DoesNotExist") return true;
  return isList !== values.length > 0 || !isQualifiedName(key) || values.some((value) => !isLabelValue(value));
}

function isQualifiedName(key: string): boolean {
  const parts = key.split("/");
  const name = parts.at(-1) as string;
  const prefix = parts.slice(0, -1);
  const isPrefix = (text: string): boolean =>
    text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);
  return prefix.length <= 1 && prefix.every(isPrefix) && name !== "" && isLabelValue(name);
}

function isLabelValue(text: string): boolean {
  return text.length <= 63 && /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(text);
}

/** May a cluster with this taint be chosen? */
function canStay(situation: Situation, placement: Placement, cluster: ManagedCluster, taint: Taint): boolean {
  if (taint.effect === "PreferNoSelect") return true;
  if (taint.effect === "NoSelectIfNew" && decidedBefore(situation, placement).includes(cluster.name)) return true;
  return isTolerated(situation, placement, taint);
}

/** Is there a soft taint that no toleration matches? */
export function isSoftTainted(situation: Situation, placement: Placement, { taints }: ManagedCluster): boolean {
  if (!situation.mode.softTaints) return false;
  return taints.some((taint) => taint.effect === "PreferNoSelect" && !isTolerated(situation, placement, taint));
}

/** Does the Placement tolerate the taint now? */
export function isTolerated(situation: Situation, { tolerations }: Placement, taint: Taint): boolean {
  return tolerations.some((toleration) => {
    if (!isMeant(toleration, taint)) return false;
    const end = tolerationEnd(situation.mode, toleration, taint);
    return end === undefined || nanosOf(situation.now) < end;
  });
}

function isMeant({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  return operator === "Exists" || ((operator === "" || operator === "Equal") && value === taint.value);
}

/** The moment at which a toleration of a taint ends; nothing if it never does. If the time is unknown, it has ended already. */
export function tolerationEnd(mode: PlacementMode, toleration: Toleration, taint: Taint): bigint | undefined {
  const { tolerationSeconds } = toleration;
  if (tolerationSeconds === undefined) return undefined;
  if (taint.effect === "NoSelectIfNew" && mode.ignoreSecondsForNoSelectIfNew) return undefined;
  const added = parseTimestamp(taint.timeAdded ?? "0001-01-01T00:00:00Z");
  return added instanceof CelError ? 0n : nanosOf(added) + BigInt(tolerationSeconds) * NANOS;
}

/** When OCM looks again: the first end of a toleration that a decided cluster needs, the first one in the list each time. */
export function requeueAt(situation: Situation, placement: Placement): Timestamp | undefined {
  const decided = decidedBefore(situation, placement);
  const ends = membersOf(situation, placement)
    .filter((cluster) => decided.includes(cluster.name) && stayOrMoveOf(situation, placement, cluster) === "feasible")
    .flatMap(({ taints }) => taints.filter(({ effect }) => effect !== "PreferNoSelect" && effect !== "NoSelectIfNew"))
    .flatMap((taint) => {
      const first = placement.tolerations.find((one) =>
        isTolerated(situation, { ...placement, tolerations: [one] }, taint),
      );
      return first === undefined ? [] : (tolerationEnd(situation.mode, first, taint) ?? []);
    })
    .sort((a, b) => (a < b ? -1 : 1));
  return ends[0] === undefined ? undefined : momentOf(ends[0]);
}

/** Nanoseconds since 1970. */
export function nanosOf({ seconds, nanos }: Timestamp): bigint {
  return BigInt(seconds) * NANOS + BigInt(nanos);
}

/** The point in time this number of nanoseconds after 1970. */
export function momentOf(nanos: bigint): Timestamp {
  const rest = ((nanos % NANOS) + NANOS) % NANOS;
  return new Timestamp(Number((nanos - rest) / NANOS), Number(rest));
}

/** A map of the own keys. */
export function entries(map: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(map));
}
