// Do the steps of real bundle directories come out as their author would expect? And can anything in a manifest do harm?

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import type { Catalog, Property } from "../../src/model/catalog.ts";
import type { Problem } from "../../src/model/problem.ts";
import { actionsOf, migrationActions } from "../../src/plan/actions/actions-of.ts";
import { migrationsFor, withMigrations } from "../../src/plan/migration.ts";
import type { Action } from "../../src/plan/plan.ts";
import { installPlanManifests } from "../../src/render/plan/install-plans.ts";
import { actionText } from "../../src/render/sentence/action.ts";
import { runningAs, stateAfter } from "../../src/resolve/state-after.ts";
import { InputFiles } from "../../src/source/input-files.ts";
import { loadCatalog } from "../../src/source/load-catalog.ts";
import { actionLines, bundleIn, catalogWith, comes, packageOf, planOf, quay, runs, stepOf } from "./plan-step.ts";

let harbour: Catalog;

beforeAll(async () => {
  const reference = { name: "workshop", priority: 0, path: "examples/harbour/bundles" };
  const loaded = await loadCatalog(reference, new InputFiles(DEFAULT_LIMITS));
  if (loaded.kind !== "loaded") expect.fail("the example cannot be read");
  harbour = loaded.catalog;
});

/** Goes from one bundle to the next; returns the actions of the last step, and the state before it. */
function lastStep(...names: readonly string[]): { readonly problem: Problem; readonly actions: readonly Action[] } {
  let problem = quay([harbour], { definitions: [] });
  let [actions, before]: [readonly Action[], Problem] = [[], problem];
  for (const [index, name] of names.entries()) {
    before = problem;
    const former = names[index - 1];
    const from = former === undefined ? undefined : runningAs(bundleIn(harbour, former), "quay");
    const change = comes(harbour, name, { from });
    const migrations = migrationsFor(problem, [bundleIn(harbour, name)]);
    actions = [...migrationActions(migrations), ...actionsOf([change], problem)];
    problem = stateAfter(problem, [change]);
  }
  return { problem: before, actions };
}

const CRD = "winches.machinery.harbour.example.com";

describe("the example of the winch", () => {
  test("begins with its definition", () => {
    expect(actionLines(lastStep("winch.v1.0.0").actions)).toEqual([
      `create CustomResourceDefinition ${CRD}`,
      "create ClusterServiceVersion winch.v1.0.0",
    ]);
  });

  test("has nothing to move while every version is still there", () => {
    expect(actionLines(lastStep("winch.v1.0.0", "winch.v1.1.0", "winch.v1.2.0", "winch.v1.3.0").actions)).toEqual([
      `update CustomResourceDefinition ${CRD}`,
      "replace ClusterServiceVersion winch.v1.3.0",
    ]);
  });

  test("moves its objects to v1beta1 before v1alpha1 goes (seed 004)", () => {
    const way = ["winch.v1.0.0", "winch.v1.1.0", "winch.v1.2.0", "winch.v1.3.0", "winch.v2.0.0"];
    const { problem, actions } = lastStep(...way);
    expect(problem.definitions?.[0]?.definition.storedVersions).toEqual(["v1alpha1", "v1beta1"]);
    expect(withMigrations(problem).definitions?.[0]?.definition.storedVersions).toEqual(["v1beta1"]);
    expect(actionLines(actions)).toEqual([
      `rewrite CustomResourceDefinition ${CRD}`,
      `patch CustomResourceDefinition ${CRD}`,
      `update CustomResourceDefinition ${CRD}`,
      "replace ClusterServiceVersion winch.v2.0.0",
    ]);
    expect(actions[1]?.manifest).toEqual({ status: { storedVersions: ["v1beta1"] } });
  });
});

const strange = fc.oneof(
  fc.constantFrom(null, 7, "", "sa", "__proto__", "a\u001b[2J\n", [], {}, [null], [{}], { name: 7 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const permission = fc.record({ serviceAccountName: strange, rules: strange }, { requiredKeys: [] });
const manifest = fc.record(
  {
    apiVersion: strange,
    kind: fc.oneof(strange, fc.constantFrom("ClusterServiceVersion", "CustomResourceDefinition", "Role", "Service")),
    metadata: fc.oneof(strange, fc.record({ name: strange })),
    spec: fc.oneof(
      strange,
      fc.record({ group: strange, names: strange, versions: strange }),
      fc.record({
        install: fc.record({ spec: fc.record({ permissions: fc.array(permission), clusterPermissions: strange }) }),
      }),
    ),
  },
  { requiredKeys: [] },
);
const property = fc.oneof(
  fc.oneof(manifest, strange).map(
    (value): Property => ({
      type: "olm.bundle.object",
      value: { data: Buffer.from(JSON.stringify(value)).toString("base64") },
    }),
  ),
  strange.map((value): Property => ({ type: "olm.bundle.object", value: value as Property["value"] })),
);

test("steps are shown and written for any content of a bundle", () => {
  const catalog = catalogWith(packageOf("raft", { "1.0.0": [], "2.0.0": [] }));
  const sound = bundleIn(catalog, "raft.v2.0.0");
  fc.assert(
    fc.property(fc.array(property, { maxLength: 6 }), fc.boolean(), (properties, isUpdate) => {
      const bundle = { ...sound, properties };
      const problem = quay([catalog]);
      const change = comes(catalog, "raft.v2.0.0", {
        to: { catalog, channel: "stable", bundle },
        ...(isUpdate && { from: runs("raft.v1.0.0") }),
      });
      const actions = actionsOf([change], problem);
      expect(actions.filter(({ kind, name }) => kind === "ClusterServiceVersion" && name === bundle.name)).not.toEqual(
        [],
      );
      for (const action of actions) {
        const [{ kind, name }, text] = [action, actionText(action)];
        expect([typeof kind, typeof name, typeof text]).toEqual(["string", "string", "string"]);
        expect(text).not.toMatch(/\p{Cc}/u);
      }
      const written = installPlanManifests({ plans: [planOf(problem, [stepOf(problem, [change])])] });
      expect(written).not.toContain("\u001b");
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 20_000 : 200 },
  );
});
