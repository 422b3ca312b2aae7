// Which orphans does --prune leave alone? Those of whose kinds objects were given, with what they need.

import { describe, expect, test } from "vitest";
import { readProblem } from "../../src/input/read-problem.ts";
import type { ClusterObjects } from "../../src/model/cluster-objects.ts";
import { customResourceOf } from "../../src/model/definition-of.ts";
import type { Problem } from "../../src/model/problem.ts";
import { prepareProblems } from "../../src/resolve/prepare/prepare-problems.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import { catalogOf } from "../catalog/lantern-catalog.ts";
import { given, operator, operatorGroup, PLACE, subscription } from "../resolve/prepare-given.ts";
import { packageOf } from "./plan-step.ts";
import { planned, summaryLines } from "./summary-lines.ts";

const CAN = { group: "light.example.com", version: "v1", kind: "OilCan", plural: "oilcans" };

/** `oil` and `wick` came as dependencies, and nothing needs them any more; oil needs wick. */
function problem(objects: Partial<ClusterObjects> = {}): Problem {
  const generated = { annotations: { "olm.generated-by": "install-1" } };
  const requires = { type: "olm.package.required", value: { packageName: "wick", versionRange: ">=1.0.0" } };
  const catalog = catalogOf([...packageOf("oil", { "1.0.0": [requires] }), ...packageOf("wick", { "1.0.0": [] })]);
  const all = {
    operatorGroups: [operatorGroup()],
    subscriptions: ["oil", "wick"].map((name) => subscription(name, { ...generated, installedCSV: `${name}.v1.0.0` })),
    installedOperators: [
      operator("oil", "1.0.0", {
        customResourceDefinitions: { owned: [CAN], required: [] },
        properties: [{ type: "olm.package", value: { packageName: "oil", version: "1.0.0" } }, requires],
      }),
      operator("wick", "1.0.0"),
    ],
    ...objects,
  };
  return prepareProblems(given(all, { catalogs: [catalog] })).problems[0] as Problem;
}

const OBJECT = { apiVersion: "light.example.com/v1", kind: "OilCan", metadata: { name: "big", namespace: "ns" } };
const WITH_OBJECT = { customResources: [customResourceOf(OBJECT, OBJECT.apiVersion, OBJECT.kind, PLACE)] };

test("orphans go", () => {
  expect(summaryLines(planned(problem(), { prune: true }))).toEqual(["1: oil -1.0.0", "1: wick -1.0.0"]);
});

describe("an orphan that owns a kind of which objects were given", () => {
  test("stays, with what it needs, and has a reason", () => {
    const plan = planned(problem(WITH_OBJECT), { prune: true });
    expect(summaryLines(plan)).toEqual([]);
    expect(plan.orphans.map(({ name, inUse }) => [name, inUse])).toEqual([
      ["oil.v1.0.0", [{ group: "light.example.com", kind: "OilCan", count: 1 }]],
      ["wick.v1.0.0", []],
    ]);
  });

  test("goes if that is asked for", () => {
    const plan = planned(problem(WITH_OBJECT), { prune: "with-objects" });
    expect(summaryLines(plan)).toEqual(["1: oil -1.0.0", "1: wick -1.0.0"]);
  });

  test("stays where the objects cannot be read", () => {
    const rejected = [{ place: PLACE, kind: "OilCan" }];
    expect(summaryLines(planned(problem({ rejected }), { prune: true }))).toEqual([]);
  });

  test("goes where the objects are of another kind", () => {
    const other = { ...OBJECT, apiVersion: "other.example.com/v1" };
    const customResources = [customResourceOf(other, other.apiVersion, other.kind, PLACE)];
    expect(summaryLines(planned(problem({ customResources }), { prune: true }))).toHaveLength(2);
  });

  test("also stays with only the saved problem", () => {
    const saved = readProblem(saveProblem(problem(WITH_OBJECT)), "problem.json").problem as Problem;
    expect(summaryLines(planned(saved, { prune: true }))).toEqual([]);
  });
});
