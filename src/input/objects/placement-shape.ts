// What must a Placement look like? Only types are asked for; what the values mean is the engine's to judge.

import { anything, int32, integer, integerOrText, list, object, type Shape, text } from "../shape.ts";
import { LABEL_SELECTOR, objectShape, REQUIREMENTS } from "./object-kind.ts";

const CLAIM_SELECTOR: Shape = object({ matchExpressions: REQUIREMENTS });

const PREDICATES: Shape = list(
  object({
    requiredClusterSelector: object({
      labelSelector: LABEL_SELECTOR,
      claimSelector: CLAIM_SELECTOR,
      celSelector: object({ celExpressions: list(text) }),
    }),
  }),
);

const PRIORITIZER_POLICY: Shape = object({
  mode: text,
  configurations: list(
    object({
      scoreCoordinate: object({
        type: text,
        builtIn: text,
        addOn: object({ resourceName: text, scoreName: text }, "resourceName", "scoreName"),
      }),
      weight: int32,
    }),
  ),
});

const SPREAD_POLICY: Shape = object({
  spreadConstraints: list(
    object(
      { topologyKey: text, topologyKeyType: text, maxSkew: int32, whenUnsatisfiable: text },
      "topologyKey",
      "topologyKeyType",
    ),
  ),
});

const TOLERATIONS: Shape = list(
  object({ key: text, operator: text, value: text, effect: text, tolerationSeconds: integer }),
);

const DECISION_STRATEGY: Shape = object({
  groupStrategy: object({
    clustersPerDecisionGroup: integerOrText,
    decisionGroups: list(
      object(
        {
          groupName: text,
          groupClusterSelector: object({ labelSelector: LABEL_SELECTOR, claimSelector: CLAIM_SELECTOR }),
        },
        "groupName",
        "groupClusterSelector",
      ),
    ),
  }),
});

/** Every field of a Placement. */
export const PLACEMENT_SHAPE: Shape = objectShape({
  spec: object({
    clusterSets: list(text),
    numberOfClusters: int32,
    predicates: PREDICATES,
    prioritizerPolicy: PRIORITIZER_POLICY,
    spreadPolicy: SPREAD_POLICY,
    tolerations: TOLERATIONS,
    decisionStrategy: DECISION_STRATEGY,
    sortBy: text,
    scoreRateLimit: text,
  }),
  status: anything,
});
