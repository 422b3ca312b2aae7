// Is a Placement misconfigured? By default every field is judged; under `--compat=ocm` only as far as clusters
// have got (ocm.md §3.2 to §3.6 and §8).

import type {
  DecisionGroup,
  GroupStrategy,
  Placement,
  PrioritizerConfiguration,
  Toleration,
} from "../../src/model/placement.ts";
import {
  isBrokenRequirement,
  isBrokenSelector,
  membersOf,
  predicateOn,
  programOf,
  type Situation,
} from "./placement-brute-force-filters.ts";

/** Is something wrong with the Placement, before clusters are chosen? */
export function isMisconfigured(situation: Situation, placement: Placement): boolean {
  const { mode } = situation;
  const { name, predicates, tolerations, numberOfClusters = 0 } = placement;
  const alive = membersOf(situation, placement).filter(({ terminating }) => !terminating);
  if ((mode.validatesWithoutClusters || alive.length > 0) && predicates.some(isBrokenPredicate)) return true;
  const matched = alive.filter(
    (cluster) => predicates.length === 0 || predicates.some((one) => predicateOn(situation, one, cluster) === "true"),
  );
  const areTolerationsJudged = mode.validatesWithoutClusters || matched.length > 0;
  if (areTolerationsJudged && tolerations.some((one) => isBrokenToleration(situation, one))) return true;
  if (hasBrokenPolicy(situation, placement) || numberOfClusters < 0 || name.length > 63) return true;
  return mode.validatesWithoutClusters && (hasWrongChoices(placement) || hasBrokenGroups(placement));
}

function isBrokenPredicate({ requiredClusterSelector }: Placement["predicates"][number]): boolean {
  const { labelSelector, claimRequirements, celExpressions } = requiredClusterSelector;
  if (isBrokenSelector(labelSelector) || claimRequirements.some(isBrokenRequirement)) return true;
  return celExpressions.some((text) => programOf(text) === undefined);
}

const EFFECTS = ["", "NoSelect", "PreferNoSelect", "NoSelectIfNew"];

function isBrokenToleration({ mode }: Situation, { key, operator, value, effect }: Toleration): boolean {
  if (key === "" && operator !== "Exists") return true;
  if (operator === "Exists" && value !== "") return true;
  const isKnown = ["", "Equal", "Exists"].includes(operator) && EFFECTS.includes(effect);
  return mode.validatesWithoutClusters && !isKnown;
}

function hasBrokenPolicy({ mode }: Situation, { prioritizerPolicy }: Placement): boolean {
  if (!["", "Additive", "Exact"].includes(prioritizerPolicy.mode)) return true;
  return prioritizerPolicy.configurations.some((configuration, index) => {
    const { scoreCoordinate, weight } = configuration;
    if (scoreCoordinate === undefined) return true;
    if (mode.validatesWithoutClusters && Math.abs(weight) > 10) return true;
    const isUnused = weight === 0 || isReplaced(configuration, prioritizerPolicy.configurations.slice(index + 1));
    if (isUnused && !mode.validatesWithoutClusters) return false;
    if (scoreCoordinate.type !== "BuiltIn") return scoreCoordinate.addOn === undefined;
    const known = ["Balance", "Steady", "ResourceAllocatableCPU", "ResourceAllocatableMemory"];
    return ![...known, ...(mode.spreads ? ["Spread"] : [])].includes(scoreCoordinate.builtIn ?? "");
  });
}

/** Does a later entry of the same name count instead? */
function isReplaced(one: PrioritizerConfiguration, later: readonly PrioritizerConfiguration[]): boolean {
  const { scoreCoordinate } = one;
  if (scoreCoordinate?.type !== "BuiltIn") return false;
  return later.some(
    (other) => other.scoreCoordinate?.type === "BuiltIn" && other.scoreCoordinate.builtIn === scoreCoordinate.builtIn,
  );
}

/** Values that the API does not have; OCM never looks at them. */
function hasWrongChoices({ spreadConstraints, sortBy, scoreRateLimit }: Placement): boolean {
  if (!["ClusterName", "Score"].includes(sortBy) || !/^[0-9]+[hms]$/.test(scoreRateLimit)) return true;
  return spreadConstraints.some(
    ({ topologyKeyType, maxSkew, whenUnsatisfiable }) =>
      !["Label", "Claim"].includes(topologyKeyType) ||
      maxSkew < 1 ||
      !["DoNotSchedule", "ScheduleAnyway"].includes(whenUnsatisfiable),
  );
}

/** Can the chosen clusters not be cut into groups? */
export function hasBrokenGroups({ groupStrategy }: Placement): boolean {
  return isBrokenSize(groupStrategy) || groupStrategy.decisionGroups.some(isBrokenGroup);
}

/** Is the size of groups neither a number nor a share? */
export function isBrokenSize({ clustersPerDecisionGroup }: GroupStrategy): boolean {
  return typeof clustersPerDecisionGroup === "string" && !/^\d+%$/.test(clustersPerDecisionGroup);
}

/** Would Kubernetes refuse the selector of the group? */
export function isBrokenGroup({ labelSelector, claimRequirements }: DecisionGroup): boolean {
  return isBrokenSelector(labelSelector) || claimRequirements.some(isBrokenRequirement);
}
