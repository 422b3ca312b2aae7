// How is a Placement written? The object that it was read from, with the defaults filled in, without status and without
// what the API server adds.

import type { JsonObject } from "../model/json.ts";
import type { ClusterSelector, DecisionGroup, Placement, ScoreCoordinate, Toleration } from "../model/placement.ts";
import type { LabelSelector, SelectorRequirement } from "../model/selector.ts";

/** The Placement as an object of the API. */
export function placementObject(placement: Placement): JsonObject {
  const { namespace, name, annotations } = placement;
  return {
    apiVersion: "cluster.open-cluster-management.io/v1beta1",
    kind: "Placement",
    metadata: { name, namespace, ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }) },
    spec: specOf(placement),
  };
}

function specOf(placement: Placement): JsonObject {
  const { clusterSets, numberOfClusters, predicates, prioritizerPolicy, spreadConstraints, tolerations } = placement;
  const { decisionGroups, clustersPerDecisionGroup } = placement.groupStrategy;
  return {
    ...(clusterSets.length > 0 && { clusterSets }),
    ...(numberOfClusters !== undefined && { numberOfClusters }),
    ...(predicates.length > 0 && {
      predicates: predicates.map(({ requiredClusterSelector }) => {
        return { requiredClusterSelector: selectorOf(requiredClusterSelector) };
      }),
    }),
    prioritizerPolicy: {
      mode: prioritizerPolicy.mode,
      ...(prioritizerPolicy.configurations.length > 0 && {
        configurations: prioritizerPolicy.configurations.map(({ scoreCoordinate, weight }) => {
          return { ...(scoreCoordinate && { scoreCoordinate: coordinateOf(scoreCoordinate) }), weight };
        }),
      }),
    },
    ...(spreadConstraints.length > 0 && {
      spreadPolicy: { spreadConstraints: spreadConstraints.map(({ place: _, ...constraint }) => constraint) },
    }),
    ...(tolerations.length > 0 && { tolerations: tolerations.map(tolerationOf) }),
    decisionStrategy: {
      groupStrategy: {
        ...(decisionGroups.length > 0 && { decisionGroups: decisionGroups.map(groupOf) }),
        clustersPerDecisionGroup,
      },
    },
    sortBy: placement.sortBy,
    scoreRateLimit: placement.scoreRateLimit,
  };
}

function selectorOf({ labelSelector, claimRequirements, celExpressions }: ClusterSelector): JsonObject {
  return {
    ...labelsAndClaims(labelSelector, claimRequirements),
    ...(celExpressions.length > 0 && { celSelector: { celExpressions } }),
  };
}

function groupOf({ groupName, labelSelector, claimRequirements }: DecisionGroup): JsonObject {
  return { groupName, groupClusterSelector: labelsAndClaims(labelSelector, claimRequirements) };
}

function labelsAndClaims(labels: LabelSelector | undefined, claims: readonly SelectorRequirement[]): JsonObject {
  return {
    ...(labels && { labelSelector: labelSelectorOf(labels) }),
    ...(claims.length > 0 && { claimSelector: { matchExpressions: claims.map(requirementOf) } }),
  };
}

function labelSelectorOf({ matchLabels, matchExpressions }: LabelSelector): JsonObject {
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels: { ...matchLabels } }),
    ...(matchExpressions.length > 0 && { matchExpressions: matchExpressions.map(requirementOf) }),
  };
}

function requirementOf({ key, operator, values }: SelectorRequirement): JsonObject {
  return { key, operator, ...(values.length > 0 && { values }) };
}

function coordinateOf({ type, builtIn, addOn }: ScoreCoordinate): JsonObject {
  return { type, ...(builtIn !== undefined && { builtIn }), ...(addOn && { addOn: { ...addOn } }) };
}

function tolerationOf({ key, operator, value, effect, tolerationSeconds }: Toleration): JsonObject {
  return {
    ...(key !== "" && { key }),
    operator,
    ...(value !== "" && { value }),
    ...(effect !== "" && { effect }),
    ...(tolerationSeconds !== undefined && { tolerationSeconds }),
  };
}
