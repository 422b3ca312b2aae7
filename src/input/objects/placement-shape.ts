// Which fields does a Placement have? Only types are checked; the engine checks values.

import {
  complete,
  hinting,
  int32,
  integer,
  integerOrText,
  list,
  object,
  objectWith,
  type Shape,
  text,
} from "../shape.ts";
import { LABEL_SELECTOR, objectShape, REQUIREMENTS } from "./object-kind.ts";

const CLAIM_SELECTOR: Shape = hinting(object({ matchExpressions: REQUIREMENTS }), {
  matchLabels: "a claimSelector has matchExpressions only; write { key, operator: In, values: [...] }",
});

/** The parent fields of the parts of a selector. */
const BELOW = {
  matchLabels: "write it below labelSelector",
  matchExpressions: "write it below labelSelector or claimSelector",
};
const BELOW_REQUIRED = "write it below requiredClusterSelector";

const PREDICATES: Shape = list(
  hinting(
    object({
      requiredClusterSelector: hinting(
        object({
          labelSelector: LABEL_SELECTOR,
          claimSelector: CLAIM_SELECTOR,
          celSelector: object({ celExpressions: list(text) }),
        }),
        { ...BELOW, celExpressions: "write it below celSelector" },
      ),
    }),
    { labelSelector: BELOW_REQUIRED, claimSelector: BELOW_REQUIRED, celSelector: BELOW_REQUIRED },
  ),
);

const PRIORITIZER_POLICY: Shape = object({
  mode: text,
  configurations: list(
    object({
      scoreCoordinate: object({
        type: text,
        builtIn: text,
        addOn: complete({ resourceName: text, scoreName: text }),
      }),
      weight: int32,
    }),
  ),
});

const SPREAD_POLICY: Shape = object({
  spreadConstraints: list(
    objectWith(["topologyKey", "topologyKeyType"], {
      topologyKey: text,
      topologyKeyType: text,
      maxSkew: int32,
      whenUnsatisfiable: text,
    }),
  ),
});

const TOLERATIONS: Shape = list(
  object({ key: text, operator: text, value: text, effect: text, tolerationSeconds: integer }),
);

const DECISION_STRATEGY: Shape = object({
  groupStrategy: object({
    clustersPerDecisionGroup: integerOrText,
    decisionGroups: list(
      objectWith(["groupName", "groupClusterSelector"], {
        groupName: text,
        groupClusterSelector: hinting(object({ labelSelector: LABEL_SELECTOR, claimSelector: CLAIM_SELECTOR }), {
          ...BELOW,
          celSelector: "decision groups have no expressions, only labelSelector and claimSelector",
        }),
      }),
    ),
  }),
});

const IN_PREDICATES = "write it in predicates, below requiredClusterSelector";

/** Every field of the spec of a Placement. */
export const PLACEMENT_SPEC: Shape = hinting(
  object({
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
  {
    labelSelector: IN_PREDICATES,
    claimSelector: IN_PREDICATES,
    celSelector: IN_PREDICATES,
    requiredClusterSelector: "write it in predicates",
  },
);

/** Every field of a Placement. */
export const PLACEMENT_SHAPE: Shape = objectShape({
  spec: PLACEMENT_SPEC,
  status: object({ lastScoreUpdateTime: text }),
});
