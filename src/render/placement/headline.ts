// How is the result of a Placement summarised in one line? How many clusters are selected, how many were requested, and out
// of how many candidates.

import type { PlacementChange } from "../../placement/compare/placement-change.ts";
import type { UnusableSet } from "../../placement/fault.ts";
import { placementKey } from "../../placement/placement-name.ts";
import type { PlacementResult } from "../../placement/placement-result.ts";
import { counted, listed } from "../../text/words.ts";
import { wrapWords } from "../kit/display-width.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { faultMessage } from "../sentence/placement-fault.ts";
import { conditionText } from "../sentence/placement-status.ts";
import { candidateCount, exceedsCostLimit, isAboutUnread, type ShownPlacement } from "./shown.ts";

const INDENT = "    ";
const MAX_SETS = 5;

/**
 * "✓ apps/big: 3 clusters selected of 14 candidates, as many as requested"; further lines are indented. What stays is known
 * from `change`, where no decisions were given.
 */
export function headline(
  { result, lackingSets = [] }: Pick<ShownPlacement, "result" | "lackingSets">,
  { style, width }: Pick<Look, "style" | "width">,
  change?: PlacementChange,
): string[] {
  const [mark, paint] = markOf(result, change, style);
  const key = safeText(placementKey(result.placement));
  const text = `${key}: ${safeText(headlineText(result, lackingSets, change))}`;
  const room = width === undefined ? undefined : Math.max(20, width - INDENT.length);
  // What is painted cannot be measured: lines are broken before that.
  return wrapWords(text, room).map((line, index) => {
    if (index > 0) return `${INDENT}${line}`;
    return `${paint(mark)} ${line.startsWith(key) ? `${style.bold(key)}${line.slice(key.length)}` : line}`;
  });
}

/** ✓ is only for what gives no other exit code than 0. */
function markOf(
  result: PlacementResult,
  change: PlacementChange | undefined,
  style: Look["style"],
): readonly [string, (text: string) => string] {
  if (change?.exceeded !== undefined) return ["✗", style.red];
  if (result.state === "ignored") return ["·", style.dim];
  if (isGood(result)) return ["✓", style.green];
  return isEmptyResult(result) ? ["–", style.yellow] : ["✗", style.red];
}

/** It has all clusters that it asks for, and nothing is wrong with it. */
export function isGood({ state, unscheduled, tally, placement }: PlacementResult): boolean {
  return state === "placed" && unscheduled === 0 && (tally.selected > 0 || placement.numberOfClusters === 0);
}

/** It requests no number of clusters and gets none: valid, but hardly intended. */
export function isEmptyResult(result: PlacementResult): boolean {
  return result.state === "placed" && result.unscheduled === 0 && !isGood(result);
}

function headlineText(
  result: PlacementResult,
  lackingSets: readonly string[],
  change: PlacementChange | undefined,
): string {
  const { state, mistakes, tally } = result;
  switch (state) {
    case "placed":
      return placedText(result, lackingSets);
    case "kept": {
      const count = change?.after ?? tally.selected;
      const why = exceedsCostLimit(result)
        ? `undecided: ${mistakes[0] && faultMessage(mistakes[0].fault)}`
        : isAboutUnread(result)
          ? "undecided, since not everything that concerns it could be read"
          : "misconfigured, so nothing is decided";
      if (count === 0) return `${why}; nothing was decided before either`;
      const stays =
        count === 1
          ? "the 1 cluster that was selected before stays"
          : `the ${count} clusters that were selected before stay`;
      return `${why}; ${stays}`;
    }
    case "emptied":
      return "misconfigured, so all its clusters are taken back (as OCM does it)";
    case "ignored":
      return result.placement.terminating
        ? "ignored, since it is being deleted"
        : "ignored, since its annotation disables scheduling";
  }
}

function placedText(result: PlacementResult, lackingSets: readonly string[]): string {
  const { placement, tally, unscheduled } = result;
  const candidates = candidateCount(tally);
  const asked = placement.numberOfClusters;
  const among = counted(candidates, "candidate");
  const unevaluated = tally.failed === 0 ? "" : `; ${tally.failed} could not be evaluated`;
  const noNumber = isEmptyResult(result) ? " (numberOfClusters is not set)" : "";
  if (candidates === 0) return `no cluster selected${noNumber}: ${whyNoCandidates(result, lackingSets)}`;
  if (tally.selected === 0)
    return `no cluster selected of ${among}${asked === 0 ? ", as requested" : noNumber}${unevaluated}`;
  const chosen = `${counted(tally.selected, "cluster")} selected of ${among}`;
  if (unscheduled > 0) return `${chosen}, ${unscheduled} too few: ${asked} are requested${unevaluated}`;
  return `${chosen}${asked === undefined ? "" : ", as many as requested"}${unevaluated}`;
}

/** Why there is nothing to choose from; the reasons are those of the condition. */
function whyNoCandidates(result: PlacementResult, lackingSets: readonly string[]): string {
  const { placement, eligibleSets, unusableSets, brokenSets, conditions } = result;
  const { namespace, clusterSets } = placement;
  const satisfied = conditions.find(({ type }) => type === "PlacementSatisfied");
  switch (satisfied?.reason) {
    case "NoManagedClusterSetBindings":
      if (lackingSets.length > 0) return lackingText(lackingSets, namespace);
      return `no ManagedClusterSet is bound to the namespace ${namespace}; a ManagedClusterSetBinding does that`;
    case "NoIntersection":
      if (unusableSets.length > 0) return unusableText(unusableSets, namespace);
      return clusterSets.length === 1
        ? `the ManagedClusterSet ${clusterSets[0]} is not bound to the namespace ${namespace}, or does not exist`
        : `none of the ManagedClusterSets ${listed(clusterSets, MAX_SETS)} is bound to the namespace ${namespace}`;
    case "AllManagedClusterSetsEmpty":
      if (brokenSets[0] !== undefined) return faultMessage(brokenSets[0].fault);
      return eligibleSets.length === 1
        ? `the ManagedClusterSet ${eligibleSets[0]} has no members`
        : `none of the ManagedClusterSets ${listed(eligibleSets, MAX_SETS)} has a member`;
    default:
      return satisfied === undefined ? "there is no cluster to choose from" : conditionText(satisfied.message);
  }
}

/** "the ManagedClusterSet museum, which is bound to the namespace apps, is not given". */
function lackingText(sets: readonly string[], namespace: string): string {
  const [which, verb] = sets.length === 1 ? ["ManagedClusterSet", "is"] : ["ManagedClusterSets", "are"];
  return `the ${which} ${listed(sets, MAX_SETS)}, which ${verb} bound to the namespace ${namespace}, ${verb} not given`;
}

/** "the ManagedClusterSet museum does not exist; the ManagedClusterSet dry is not bound to the namespace apps". */
function unusableText(sets: readonly UnusableSet[], namespace: string): string {
  const setsText = (why: UnusableSet["why"], one: string, many: string): readonly string[] => {
    const names = sets.filter((set) => set.why === why).map(({ name }) => name);
    if (names.length === 0) return [];
    return [
      `the ManagedClusterSet${names.length === 1 ? "" : "s"} ${listed(names, MAX_SETS)} ${names.length === 1 ? one : many}`,
    ];
  };
  return [
    ...setsText("missing", "does not exist", "do not exist"),
    ...setsText("unbound", `is not bound to the namespace ${namespace}`, `are not bound to the namespace ${namespace}`),
  ].join("; ");
}
