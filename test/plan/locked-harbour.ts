// A namespace with everything that a lock remembers, for tests of locks.

import type { Catalog } from "../../src/model/catalog.ts";
import type { InstalledOperator } from "../../src/model/installed-operator.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { DEFAULT_OPTIONS, type Problem } from "../../src/model/problem.ts";
import type { Subscription } from "../../src/model/subscription.ts";
import { makePlan } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type Plan, type PlanOptions } from "../../src/plan/plan.ts";
import { prepareProblems } from "../../src/resolve/prepare/prepare-problems.ts";
import type { Given } from "../../src/resolve/prepare/problem-inputs.ts";
import { bundle, catalogOf } from "../catalog/lantern-catalog.ts";
import { given, operatorGroup, packageDocuments, recorded, subscription } from "../resolve/prepare-given.ts";

const needs = (packageName: string, versionRange: string): JsonObject => ({
  type: "olm.package.required",
  value: { packageName, versionRange },
});

/** Three versions of a lamp, of which the second needs oil; a buoy by itself; and a bell that is not requested. */
export const DOCUMENTS: readonly JsonObject[] = [
  ...packageDocuments("lamp", "1.0.0", "1.1.0", "1.2.0").map((document) =>
    document.name === "lamp.v1.1.0" ? bundle("lamp", "1.1.0", [needs("oil", ">=1.0.0")]) : document,
  ),
  ...packageDocuments("oil", "1.0.0"),
  ...packageDocuments("buoy", "1.0.0", "2.0.0"),
  ...packageDocuments("bell", "1.0.0", "2.0.0"),
];

export const CATALOG: Catalog = catalogOf(DOCUMENTS);

export const SUBSCRIPTIONS: readonly Subscription[] = [
  subscription("lamp", { installedCSV: "lamp.v1.0.0" }),
  subscription("buoy", { installedCSV: "buoy.v1.0.0" }),
];

export const OPERATORS: readonly InstalledOperator[] = [
  recorded("lamp", "1.0.0"),
  recorded("buoy", "1.0.0"),
  recorded("bell", "1.0.0"),
  recorded("whistle", "1.0.0", { namespace: "far" }),
];

/** The default inputs. */
export function harbour(objects: Partial<Given["objects"]> = {}, more: Partial<Given> = {}): Given {
  return given(
    {
      subscriptions: SUBSCRIPTIONS,
      installedOperators: OPERATORS,
      operatorGroups: [operatorGroup({ targetNamespaces: ["ns"] })],
      ...objects,
    },
    {
      catalogs: [CATALOG],
      nodeProperties: [{ type: "kubernetes.version", value: "1.31.0" }],
      options: DEFAULT_OPTIONS,
      ...more,
    },
  );
}

/** The problem of namespace `ns`. */
export function problemOf(all: Given = harbour()): Problem {
  return prepareProblems(all).problems[0] as Problem;
}

/** The plan of a problem. */
export function planOf(problem: Problem = problemOf(), options: Partial<PlanOptions> = {}): Plan {
  return makePlan([problem], { ...DEFAULT_PLAN_OPTIONS, ...options })[0] as Plan;
}
