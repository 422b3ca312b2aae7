// How are OperatorGroup and OperatorCondition read?

import type { Condition } from "../../model/condition.ts";
import type { OperatorCondition } from "../../model/operator-condition.ts";
import type { OperatorGroup } from "../../model/operator-group.ts";
import { anything, each, list, object, text } from "../shape.ts";
import { conditionsOf, numberOf, selectorOf, textMapOf, textOf, textsOf } from "./fields.ts";
import {
  CONDITIONS,
  identityOf,
  LABEL_SELECTOR,
  type ObjectKind,
  objectShape,
  specOf,
  statusOf,
} from "./object-kind.ts";

/** OLM's OperatorGroup. */
export const OPERATOR_GROUP: ObjectKind<OperatorGroup> = {
  kind: "OperatorGroup",
  group: "operators.coreos.com",
  versions: ["v1", "v1alpha2"],
  namespaced: true,
  shape: objectShape({
    spec: object({
      targetNamespaces: list(text),
      selector: LABEL_SELECTOR,
      upgradeStrategy: text,
      serviceAccountName: anything,
      staticProvidedAPIs: anything,
    }),
    status: object({
      namespaces: list(text),
      ...each(anything, "conditions", "lastUpdated", "serviceAccountRef"),
    }),
  }),
  build(given) {
    const spec = specOf(given);
    const namespaces = textsOf(statusOf(given), "namespaces");
    return {
      ...identityOf(given),
      annotations: textMapOf(given.metadata, "annotations"),
      targetNamespaces: textsOf(spec, "targetNamespaces"),
      selector: selectorOf(spec, "selector"),
      namespaces: namespaces.length === 0 ? undefined : namespaces,
      upgradeStrategy: textOf(spec, "upgradeStrategy") ?? "Default",
    };
  },
};

/** OLM's OperatorCondition; in v1 an operator writes the status, in v2 the spec. */
export const OPERATOR_CONDITION: ObjectKind<OperatorCondition> = {
  kind: "OperatorCondition",
  group: "operators.coreos.com",
  versions: ["v2", "v1"],
  namespaced: true,
  shape: objectShape({
    spec: object({
      conditions: CONDITIONS,
      overrides: CONDITIONS,
      deployments: anything,
      serviceAccounts: anything,
    }),
    status: object({ conditions: CONDITIONS }),
  }),
  build(given) {
    const overrides = conditionsOf(specOf(given), "overrides");
    const conditions = conditionsOf(specOf(given), "conditions");
    const statusConditions = conditionsOf(statusOf(given), "conditions");
    return {
      ...identityOf(given),
      generation: numberOf(given.metadata, "generation") ?? 0,
      overrides,
      conditions,
      statusConditions,
      upgradeable: upgradeable(overrides) ?? upgradeable(statusConditions) ?? upgradeable(conditions),
    };
  },
};

function upgradeable(conditions: readonly Condition[]): Condition | undefined {
  return conditions.find((condition) => condition.type === "Upgradeable");
}
