import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definition, definitionObject, winch } from "../../../test/crd/winch-definitions.ts";
import {
  actionLines,
  actionSentence,
  bundleIn,
  catalogWith,
  comes,
  csv,
  goes,
  object,
  packageOf,
  quay,
  runs,
} from "../../../test/plan/plan-step.ts";
import type { Catalog, Property } from "../../model/catalog.ts";
import type { Installed, Problem } from "../../model/problem.ts";
import { migrationsFor } from "../migration.ts";
import type { PlannedChange } from "../plan-draft.ts";
import { actionsOf, migrationActions } from "./actions-of.ts";

const CRD = "winches.quay.example.com";
const PROPERTIES = "operatorframework.io/properties";
const RBAC = "rbac.authorization.k8s.io/v1";
const GRANT = { install: { spec: { permissions: [{ serviceAccountName: "winch", rules: [] }] } } };
const BROKEN: Property = { type: "olm.bundle.object", value: { data: btoa("{") } };

const CATALOG: Catalog = catalogWith(
  packageOf("winch", {
    "1.0.0": [csv("winch.v1.0.0", GRANT), definitionObject(["v1*"]), object("Service", "api")],
    "2.0.0": [
      csv("winch.v2.0.0", GRANT),
      definitionObject(["-v1", "v2*"]),
      object("Service", "api"),
      object("Service", "metrics"),
      object("PriorityClass", "urgent", "scheduling.k8s.io/v1"),
    ],
    "3.0.0": [csv("winch.v3.0.0", GRANT), definitionObject(["v2*"]), object("Service", "api")],
  }),
  packageOf("buoy", { "1.0.0": [], "2.0.0": [csv("buoy.v2.0.0"), object("ConfigMap", "colours")] }),
  packageOf("hoist", { "1.0.0": [csv("hoist.v1.0.0"), definitionObject(["v1*"]), object("ServiceAccount", "zz")] }),
  packageOf("raft", {
    "1.0.0": [csv("raft.v1.0.0"), BROKEN],
    "2.0.0": [csv("raft.v2.0.0"), object("Service", "raft")],
  }),
);

function does(changes: readonly PlannedChange[], more: Partial<Problem> = {}): readonly string[] {
  return actionLines(actionsOf(changes, quay([CATALOG], more)));
}

function update(name: string, from: Installed | undefined, more: Partial<PlannedChange> = {}): PlannedChange {
  return comes(CATALOG, name, { from, ...more });
}

describe("an installation", () => {
  test("creates definitions, permissions, the operator, and then what it looks after (OLM cases E06, E40)", () => {
    expect(does([comes(CATALOG, "winch.v1.0.0")])).toEqual([
      `create CustomResourceDefinition ${CRD}`,
      "create Role winch.v1.0.0-winch",
      "create RoleBinding winch.v1.0.0-winch",
      "create ServiceAccount winch",
      "create ClusterServiceVersion winch.v1.0.0",
      "create Service api",
    ]);
  });

  test("has namespaced objects, their bundle, and the ClusterServiceVersion as OLM creates it", () => {
    const problem = quay([CATALOG]);
    const actions = actionsOf([comes(CATALOG, "winch.v2.0.0")], problem);
    expect(actions.filter(({ namespace }) => namespace === undefined).map(({ kind }) => kind)).toEqual([
      "CustomResourceDefinition",
      "PriorityClass",
    ]);
    expect(new Set(actions.map(({ bundle }) => bundle))).toEqual(new Set(["winch.v2.0.0"]));
    expect(actions.find(({ kind }) => kind === "ClusterServiceVersion")).toEqual({
      verb: "create",
      kind: "ClusterServiceVersion",
      name: "winch.v2.0.0",
      namespace: "quay",
      bundle: "winch.v2.0.0",
      detail: { kind: "operator", replaced: [] },
      manifest: {
        ...csv("winch.v2.0.0", GRANT),
        metadata: {
          name: "winch.v2.0.0",
          namespace: "quay",
          annotations: {
            "operatorframework.io/properties":
              '{"properties":[{"type":"olm.package","value":{"packageName":"winch","version":"2.0.0"}}]}',
          },
        },
      },
    });
    expect(actionSentence(actions.find(({ name }) => name === "metrics"))).toBe(
      "create Service metrics of winch.v2.0.0",
    );
  });

  test("includes a RoleBinding that the bundle has in addition to its permissions (OLM case E09)", () => {
    const catalog = catalogWith(
      packageOf("bell", {
        "1.0.0": [csv("bell.v1.0.0"), object("RoleBinding", "extra", RBAC), object("Role", "x", "g/v1")],
      }),
    );
    const actions = actionsOf([comes(catalog, "bell.v1.0.0")], quay([catalog]));
    expect(actionLines(actions)).toEqual([
      "create RoleBinding extra",
      "create ClusterServiceVersion bell.v1.0.0",
      "create Role x",
    ]);
  });

  test("brings a Service without apiVersion (OLM case E10)", () => {
    const service = { kind: "Service", metadata: { name: "api" } };
    const catalog = catalogWith(packageOf("bell", { "1.0.0": [csv("bell.v1.0.0"), service] }));
    const actions = actionsOf([comes(catalog, "bell.v1.0.0")], quay([catalog]));
    expect(actions.at(-1)).toMatchObject({ verb: "create", kind: "Service", name: "api", manifest: service });
  });

  test("of a bundle that is an image unpacks it first (OLM case E08)", () => {
    expect(does([comes(CATALOG, "buoy.v1.0.0")])).toEqual([
      "unpack Bundle buoy.v1.0.0",
      "create ClusterServiceVersion buoy.v1.0.0",
    ]);
    const [unpack, operator] = actionsOf([comes(CATALOG, "buoy.v1.0.0")], quay([CATALOG]));
    expect(actionSentence(unpack)).toBe("unpack example.com/buoy:v1.0.0, which has the manifests of buoy.v1.0.0");
    expect(operator?.manifest).toBeUndefined();
  });

  test("reports a bundle of unknown content", () => {
    const text = (name: string, image?: string) => {
      const change = comes(CATALOG, name);
      const { to } = change;
      const bundle = { ...bundleIn(CATALOG, name), ...(image !== undefined && { image }) };
      const changed = { ...change, to: to && { ...to, bundle } };
      return actionSentence(actionsOf([changed], quay([CATALOG]))[0]);
    };
    expect(text("buoy.v1.0.0", "")).toBe(
      "find out what buoy.v1.0.0 brings: the catalog has neither its manifests nor its image",
    );
    expect(text("raft.v1.0.0")).toBe(
      "find out what else raft.v1.0.0 brings: 1 manifest cannot be read; unpack example.com/raft:v1.0.0",
    );
    expect(text("raft.v1.0.0", "")).toContain("1 manifest cannot be read; there is no image to unpack");
  });
});

describe("an update", () => {
  test("updates what the former bundle had, creates what it had not, and replaces the operator (OLM case E17)", () => {
    const change = update("winch.v2.0.0", runs("winch.v1.0.0"));
    const actions = actionsOf([change], quay([CATALOG]));
    expect(actionLines(actions)).toEqual([
      `update CustomResourceDefinition ${CRD}`,
      "create Role winch.v2.0.0-winch",
      "create RoleBinding winch.v2.0.0-winch",
      "update ServiceAccount winch",
      "replace ClusterServiceVersion winch.v2.0.0",
      "create PriorityClass urgent",
      "update Service api",
      "create Service metrics",
    ]);
    expect(actionSentence(actions[3])).toBe("update ServiceAccount winch to what winch.v2.0.0 has");
    expect(actionSentence(actions[4])).toBe("replace ClusterServiceVersion winch.v1.0.0 by winch.v2.0.0");
  });

  test("records what is really replaced, not what the author wrote (OLM case E29)", () => {
    const replacing = (change: PlannedChange): unknown =>
      actionsOf([change], quay([CATALOG])).find(({ kind }) => kind === "ClusterServiceVersion")?.manifest?.spec;
    expect(replacing(update("winch.v2.0.0", runs("winch.v0.9.0")))).toMatchObject({ replaces: "winch.v0.9.0" });
    expect(replacing(update("winch.v2.0.0", undefined))).not.toHaveProperty("replaces");
  });

  test("overrides the author's namespace and properties", () => {
    const stated = { ...csv("bell.v1.0.0"), metadata: { annotations: { a: "b", [PROPERTIES]: "{}" }, namespace: "x" } };
    const catalog = catalogWith(
      packageOf("bell", { "1.0.0": [stated, { type: "olm.csv.metadata", value: {} }, { type: "x.y", value: [1] }] }),
    );
    const [made] = actionsOf([comes(catalog, "bell.v1.0.0")], quay([catalog]));
    expect(made?.manifest?.metadata).toEqual({
      namespace: "quay",
      annotations: {
        a: "b",
        [PROPERTIES]:
          '{"properties":[{"type":"olm.package","value":{"packageName":"bell","version":"1.0.0"}},{"type":"x.y","value":[1]}]}',
      },
    });
  });

  test("applies what the former bundle may have had", () => {
    const image = update("buoy.v2.0.0", runs("buoy.v1.0.0"));
    expect(does([image])).toEqual(["replace ClusterServiceVersion buoy.v2.0.0", "apply ConfigMap colours"]);
    expect(does([update("buoy.v2.0.0", runs("buoy.v0.1.0"))])).toContain("apply ConfigMap colours");
    expect(does([update("raft.v2.0.0", runs("raft.v1.0.0"))])).toContain("apply Service raft");
    expect(actionSentence(actionsOf([image], quay([CATALOG]))[1])).toBe(
      "create ConfigMap colours of buoy.v2.0.0, or update it if it exists",
    );
  });

  test("finds the former bundle in another catalog, and of an operator whose package is not known", () => {
    const other = catalogWith(packageOf("winch", { "0.9.0": [csv("winch.v0.9.0"), object("Service", "metrics")] }));
    const change = update("winch.v2.0.0", runs("winch.v0.9.0", { package: undefined }));
    expect(does([change], { catalogs: [other, CATALOG] })).toEqual(
      expect.arrayContaining(["update Service metrics", "create Service api"]),
    );
    expect(does([change])).toEqual(expect.arrayContaining(["apply Service metrics", "apply Service api"]));
  });

  test("searches the catalog of the successor first, and there also the package of the successor (OLM case E18)", () => {
    const other = catalogWith(packageOf("winch", { "1.0.0": [csv("winch.v1.0.0"), object("Service", "metrics")] }));
    const change = update("winch.v2.0.0", runs("winch.v1.0.0", { package: "capstan" }));
    expect(does([change], { catalogs: [other, CATALOG] })).toEqual(
      expect.arrayContaining(["update Service api", "create Service metrics"]),
    );
  });

  test("does not take objects of another group for the same", () => {
    const service = (version: string, group: string) => [csv(`bell.v${version}`), object("Service", "api", group)];
    const catalog = catalogWith(
      packageOf("bell", { "1.0.0": service("1.0.0", "v1"), "2.0.0": service("2.0.0", "serving.example.com/v1") }),
    );
    const change = comes(catalog, "bell.v2.0.0", { from: runs("bell.v1.0.0") });
    const actions = actionsOf([change], quay([catalog]));
    expect(actionLines(actions)).toContain("create Service api");
  });

  test("includes the content of all replaced bundles", () => {
    const change = update("winch.v2.0.0", runs("buoy.v2.0.0"), { alsoFrom: [runs("winch.v1.0.0")] });
    const actions = actionsOf([change], quay([CATALOG]));
    expect(actionLines(actions)).toEqual(expect.arrayContaining(["update Service api", "create Service metrics"]));
    expect(actionSentence(actions.find(({ verb }) => verb === "replace"))).toBe(
      "replace ClusterServiceVersion buoy.v2.0.0 and winch.v1.0.0 by winch.v2.0.0",
    );
    expect(does([update("winch.v2.0.0", runs("winch.v1.0.0"), { alsoFrom: [runs("ghost.v1")] })])).toEqual(
      expect.arrayContaining(["update Service api", "apply Service metrics"]),
    );
  });

  test.each<[string, Partial<Problem>]>([
    [
      "the cluster has it",
      { definitions: [{ definition: definition(definitionObject(["v1*"])), objects: undefined }] },
    ],
    ["an operator owns its kind", { installed: [runs("w", { owned: ["quay.example.com/v1/Winch"] })] }],
    [
      "one elsewhere provides it",
      {
        elsewhere: [
          runs("w", {
            properties: [{ type: "olm.gvk", value: { group: "quay.example.com", version: "v9", kind: "Winch" } }],
          }),
        ],
      },
    ],
  ])("updates a definition if %s", (_, more) => {
    expect(does([comes(CATALOG, "winch.v1.0.0")], more)[0]).toBe(`update CustomResourceDefinition ${CRD}`);
  });
});

test("a definition that no bundle had is created, even if the former content is unknown", () => {
  expect(does([update("hoist.v1.0.0", runs("hoist.v0.1.0"))])[0]).toBe(`create CustomResourceDefinition ${CRD}`);
});

describe("a joint step", () => {
  const changes = [comes(CATALOG, "winch.v1.0.0"), comes(CATALOG, "hoist.v1.0.0"), comes(CATALOG, "buoy.v1.0.0")];

  test("does one stage for all its bundles before the next, and creates a definition once", () => {
    expect(does(changes)).toEqual([
      "unpack Bundle buoy.v1.0.0",
      `create CustomResourceDefinition ${CRD}`,
      `update CustomResourceDefinition ${CRD}`,
      "create ServiceAccount zz",
      "create Role winch.v1.0.0-winch",
      "create RoleBinding winch.v1.0.0-winch",
      "create ServiceAccount winch",
      "create ClusterServiceVersion buoy.v1.0.0",
      "create ClusterServiceVersion hoist.v1.0.0",
      "create ClusterServiceVersion winch.v1.0.0",
      "create Service api",
    ]);
  });

  test("has the same order for any order of its changes", () => {
    const all = [...changes, goes(runs("raft.v1.0.0"))];
    const expected = does(all);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(does(shuffled)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a removed version", () => {
  const migrate = (objects: number | undefined, isPartial?: true, scope = "Namespaced") => {
    const there = { ...definition(definitionObject(["-v1", "v2*"]), ["v1", "v2"]), scope };
    const kept = objects === undefined ? undefined : Array.from({ length: objects }, (_, n) => winch("v1", `w${n}`));
    const problem = quay([CATALOG], { definitions: [{ definition: there, objects: kept, isPartial }] });
    const migrations = migrationsFor(problem, [bundleIn(CATALOG, "winch.v3.0.0")]);
    return [...migrationActions(migrations), ...actionsOf([update("winch.v3.0.0", runs("winch.v2.0.0"))], problem)];
  };

  test("has its objects moved before the definition is changed (seed 004: removing a version)", () => {
    const [rewrite, patch, next] = migrate(2);
    expect(rewrite).toEqual({
      verb: "rewrite",
      kind: "CustomResourceDefinition",
      name: CRD,
      bundle: "winch.v3.0.0",
      detail: {
        kind: "stored-objects",
        allNamespaces: true,
        count: 2,
        storage: "v2",
        removed: ["v1"],
        loss: [],
      },
      command: `kubectl get ${CRD} -A -o json | kubectl replace -f -`,
    });
    expect(actionSentence(rewrite)).toBe(
      `write every object of ${CRD} in all namespaces (2) again before winch.v3.0.0 comes, unchanged, so that it is stored in v2 and no longer in v1`,
    );
    expect(actionSentence(patch)).toBe(`set status.storedVersions of ${CRD} to [v2] before winch.v3.0.0 comes`);
    expect(patch).toMatchObject({
      verb: "patch",
      manifest: { status: { storedVersions: ["v2"] } },
      command: `kubectl patch customresourcedefinitions.apiextensions.k8s.io ${CRD} --subresource=status --type=merge -p '{"status":{"storedVersions":["v2"]}}'`,
    });
    expect(next).toMatchObject({ verb: "update", name: CRD });
  });

  test("is a matter of all namespaces, unless its objects are in none", () => {
    expect(actionSentence(migrate(2, undefined, "Cluster")[0])).toContain(`every object of ${CRD} (2) again`);
  });

  test("has the number of objects only if it is known", () => {
    expect(actionSentence(migrate(undefined)[0])).toContain(`every object of ${CRD} in all namespaces again`);
    expect(actionSentence(migrate(2, true)[0])).toContain(`every object of ${CRD} in all namespaces again`);
  });
});
