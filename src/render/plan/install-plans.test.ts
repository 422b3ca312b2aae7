import { describe, expect, test } from "vitest";
import { definition, definitionObject } from "../../../test/crd/winch-definitions.ts";
import {
  bundleIn,
  catalogWith,
  comes,
  csv,
  goes,
  object,
  packageOf,
  planOf,
  quay,
  runs,
  stepOf,
} from "../../../test/plan/plan-step.ts";
import { request } from "../../../test/resolve/sample-resolution.ts";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { Documents } from "../../input/read-documents.ts";
import type { JsonObject } from "../../model/json.ts";
import { canonicalText } from "../../model/json.ts";
import type { Request } from "../../model/problem.ts";
import { actionsOf } from "../../plan/actions/actions-of.ts";
import { migrationsFor } from "../../plan/migration.ts";
import type { Plan } from "../../plan/plan.ts";
import { installPlanManifests } from "./install-plans.ts";
import { subscriptionManifests } from "./subscriptions.ts";

const API = { type: "olm.gvk", value: { group: "g", version: "v1", kind: "Buoy" } };
const CATALOG = catalogWith(
  packageOf("winch", {
    "1.0.0": [csv("winch.v1.0.0"), definitionObject(["-v1", "v2*"]), object("Service", "api")],
    "2.0.0": [csv("winch.v2.0.0"), definitionObject(["v2*"])],
  }),
  packageOf("buoy", { "1.0.0": [API, { type: "olm.csv.metadata", value: { displayName: "Buoy" } }] }),
);
const SUBSCRIPTION = {
  name: "buoy-stable-harbour-quay",
  namespace: "quay",
  package: "buoy",
  channel: "stable",
  source: "harbour",
  sourceNamespace: "quay",
  startingCSV: "buoy.v1.0.0",
};
const problem = quay([CATALOG]);
const installsWinch = stepOf(problem, [comes(CATALOG, "winch.v1.0.0")]);
const installsBuoy = stepOf(problem, [comes(CATALOG, "buoy.v1.0.0", { generatedSubscription: SUBSCRIPTION })]);

/** The documents of a text, read by a plain YAML parser. */
function documents(text: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const reader = new Documents({
    source: "x.yaml",
    limits: DEFAULT_LIMITS,
    report: ({ message }) => expect.fail(message),
    sink: (value) => found.push(value),
  });
  reader.push(new TextEncoder().encode(text));
  reader.end();
  return found;
}

function installPlans(...plans: readonly Plan[]): readonly JsonObject[] {
  return documents(installPlanManifests({ plans }));
}

/** A ClusterServiceVersion of winch as OLM creates it. */
function installed({ metadata, ...rest }: JsonObject, version: string): JsonObject {
  const properties = [{ type: "olm.package", value: { packageName: "winch", version } }];
  const annotations = { "operatorframework.io/properties": canonicalText({ properties }) };
  return { ...rest, metadata: { ...(metadata as JsonObject), namespace: "quay", annotations } };
}

function part(object: JsonObject | undefined, key: string): JsonObject {
  return object?.[key] as JsonObject;
}

function steps(installPlan: JsonObject | undefined): readonly JsonObject[] {
  return part(installPlan, "status").plan as readonly JsonObject[];
}

describe("an InstallPlan", () => {
  test("has the objects of a step in their order, with their manifests", () => {
    const [made, ...others] = installPlans(planOf(problem, [installsWinch]));
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "InstallPlan",
      metadata: {
        name: "install-g1-1",
        namespace: "quay",
        labels: { "plimsoll.dev/plan-generation": "1", "plimsoll.dev/step": "1" },
      },
      spec: {
        approval: "Automatic",
        approved: true,
        clusterServiceVersionNames: ["winch.v1.0.0"],
        generation: 1,
      },
      status: { phase: "Installing", catalogSources: ["harbour"] },
    });
    expect(made?.metadata).not.toHaveProperty("annotations");
    expect(made?.status).not.toHaveProperty("bundleLookups");
    const source = { sourceName: "harbour", sourceNamespace: "quay" };
    expect(steps(made)).toEqual(
      [
        {
          group: "apiextensions.k8s.io",
          version: "v1",
          kind: "CustomResourceDefinition",
          name: "winches.quay.example.com",
          manifest: canonicalText(definitionObject(["-v1", "v2*"])),
        },
        {
          group: "operators.coreos.com",
          version: "v1alpha1",
          kind: "ClusterServiceVersion",
          name: "winch.v1.0.0",
          manifest: canonicalText(installed(csv("winch.v1.0.0"), "1.0.0")),
        },
        { group: "", version: "v1", kind: "Service", name: "api", manifest: canonicalText(object("Service", "api")) },
      ].map((resource) => ({ resolving: "winch.v1.0.0", resource: { ...resource, ...source }, status: "Unknown" })),
    );
  });

  test("looks up a bundle that is only an image, and has its Subscription (OLM case E08)", () => {
    const update = stepOf(problem, [
      comes(CATALOG, "buoy.v1.0.0", { generatedSubscription: SUBSCRIPTION, from: runs("buoy.v0.9.0") }),
    ]);
    const [, made] = installPlans(planOf(problem, [installsWinch], [update]));
    expect(part(made, "status").bundleLookups).toMatchObject([
      {
        catalogSourceRef: { name: "harbour", namespace: "quay" },
        conditions: [
          { type: "BundleLookupNotPersisted", status: "True", reason: "BundleNotUnpacked" },
          { type: "BundleLookupPending", status: "True", reason: "JobNotStarted" },
        ],
        identifier: "buoy.v1.0.0",
        path: "example.com/buoy:v1.0.0",
        properties: canonicalText({
          properties: [{ type: "olm.package", value: { packageName: "buoy", version: "1.0.0" } }, API],
        }),
        replaces: "buoy.v0.9.0",
      },
    ]);
    expect(steps(made)).toMatchObject([
      { resolving: "buoy.v1.0.0", resource: { kind: "Subscription", name: "buoy-stable-harbour-quay" } },
    ]);
    const { manifest } = part(steps(made)[0], "resource");
    expect(JSON.parse(manifest as string)).toMatchObject({
      metadata: { annotations: { "olm.generated-by": "install-g2-1" } },
    });
    expect(installPlanManifests({ plans: [planOf(problem, [installsBuoy])] })).toContain("replaces: ''");
  });

  test("has nothing to look up where there is no image", () => {
    const change = comes(CATALOG, "buoy.v1.0.0");
    const to = change.to && { ...change.to, bundle: { ...change.to.bundle, image: "" } };
    const [made] = installPlans(planOf(problem, [stepOf(problem, [{ ...change, to }])]));
    expect(part(made, "status")).toEqual({ phase: "Installing", catalogSources: ["harbour"], plan: [] });
  });

  test("has the namespace of the catalog, if it has one", () => {
    const catalog = { ...CATALOG, namespace: "olm" };
    const changes = [comes(catalog, "winch.v1.0.0"), comes(catalog, "buoy.v1.0.0")];
    const [made] = installPlans(planOf(problem, [stepOf(problem, changes)]));
    expect(new Set(steps(made).map((one) => part(one, "resource").sourceNamespace))).toEqual(new Set(["olm"]));
    expect(part(made, "status").bundleLookups).toMatchObject([{ catalogSourceRef: { namespace: "olm" } }]);
  });

  test("is one for each step, generation by generation, counted by namespace", () => {
    const there = { ...problem, namespace: "dock" };
    const lanes = [planOf(there, [installsWinch], [installsBuoy]), planOf(problem, [installsBuoy, installsWinch])];
    const made = installPlans(...lanes).map((one) => {
      const { namespace, name } = part(one, "metadata");
      return `${namespace} ${name} ${part(one, "spec").generation}`;
    });
    expect(made).toEqual(["dock install-g1-1 1", "quay install-g1-1 1", "quay install-g1-2 2", "dock install-g2-1 2"]);
  });

  test("names what has to be done before it, which is not one of its steps", () => {
    const there = quay([CATALOG], {
      definitions: [{ definition: definition(definitionObject(["-v1", "v2*"]), ["v1", "v2"]), objects: [] }],
    });
    const migrations = migrationsFor(there, [bundleIn(CATALOG, "winch.v2.0.0")]);
    const step = stepOf(there, [comes(CATALOG, "winch.v2.0.0", { from: runs("winch.v1.0.0") })], migrations);
    const [made] = installPlans(planOf(there, [step]));
    expect(part(made, "metadata").annotations).toEqual({
      "plimsoll.dev/before": [
        "write every object of winches.quay.example.com in all namespaces (0) again before winch.v2.0.0 comes, unchanged, so that it is stored in v2 and no longer in v1",
        "  kubectl get winches.quay.example.com -A -o json | kubectl replace -f -",
        "set status.storedVersions of winches.quay.example.com to [v2] before winch.v2.0.0 comes",
        `  kubectl patch customresourcedefinitions.apiextensions.k8s.io winches.quay.example.com --subresource=status --type=merge -p '{"status":{"storedVersions":["v2"]}}'`,
      ].join("\n"),
    });
    expect(steps(made).map((one) => part(one, "resource").kind)).toEqual([
      "CustomResourceDefinition",
      "ClusterServiceVersion",
    ]);
  });

  test.each<[string, Partial<Request>, boolean]>([
    ["is Manual", { approval: "Manual" }, false],
    ["was approved", { isApproved: true }, true],
  ])("is Manual where a Subscription %s, and joint where several move together", (_, more, approved) => {
    const manual = request("winch", more);
    const joint = stepOf(problem, [comes(CATALOG, "winch.v1.0.0", { request: manual }), comes(CATALOG, "buoy.v1.0.0")]);
    const [made] = installPlans(planOf(problem, [joint]));
    expect(part(made, "status").bundleLookups).toMatchObject([{ identifier: "buoy.v1.0.0" }]);
    expect(made?.spec).toEqual({
      approval: "Manual",
      approved,
      clusterServiceVersionNames: ["buoy.v1.0.0", "winch.v1.0.0"],
      generation: 1,
    });
  });

  test("goes on counting where the namespace has InstallPlans (OLM case L10)", () => {
    const later = { ...problem, installPlans: 4 };
    const made = installPlans(planOf(later, [installsWinch], [installsWinch]));
    expect(made.map(({ spec }) => spec)).toMatchObject([{ generation: 5 }, { generation: 6 }]);
  });

  test("removes nothing: removals are in comments", () => {
    const prune = (name: string) => stepOf(problem, [goes(runs(name))]);
    const steps = [[prune("bell\u202e.v1")], [installsWinch], [prune("bell.v1")]];
    const text = installPlanManifests({ plans: [planOf(problem, ...steps)] });
    expect(documents(text)).toHaveLength(1);
    const comments = text.split("\n").filter((line) => line.startsWith("#"));
    expect(comments).toHaveLength(3);
    expect(comments[0]).toMatch(/^# delete ClusterServiceVersion quay\/.*bell/);
    expect(text).not.toContain("\u202e");
    expect(comments[2]).toBe("#   kubectl delete clusterserviceversions.operators.coreos.com bell.v1 -n quay");
    expect(text.endsWith(`${comments[1]}\n${comments[2]}\n`)).toBe(true);
    expect(installPlanManifests({ plans: [planOf(problem)] })).toBe("");
  });
});

describe("the Subscriptions of a plan", () => {
  test("are those that it creates, without an origin: OLM would wait for an InstallPlan that never comes", () => {
    const named = request("winch", { place: undefined });
    const winch = stepOf(quay([CATALOG], { requests: [named] }), [comes(CATALOG, "winch.v1.0.0", { request: named })]);
    const text = subscriptionManifests({ plans: [planOf(problem, [winch, installsBuoy])] });
    expect(documents(text)).toEqual([
      {
        apiVersion: "operators.coreos.com/v1alpha1",
        kind: "Subscription",
        metadata: { name: "winch", namespace: "quay" },
        spec: {
          channel: "stable",
          name: "winch",
          source: "harbour",
          sourceNamespace: "quay",
          startingCSV: "winch.v1.0.0",
          installPlanApproval: "Automatic",
        },
      },
      {
        apiVersion: "operators.coreos.com/v1alpha1",
        kind: "Subscription",
        metadata: { name: "buoy-stable-harbour-quay", namespace: "quay" },
        spec: {
          channel: "stable",
          name: "buoy",
          source: "harbour",
          sourceNamespace: "quay",
          startingCSV: "buoy.v1.0.0",
          installPlanApproval: "Automatic",
        },
      },
    ]);
  });

  test("are also those that a bundle has inside, when they are new", () => {
    const inside = (name: string) => [csv(name), object("Subscription", "lamp", "operators.coreos.com/v1alpha1")];
    const catalog = catalogWith(packageOf("bell", { "1.0.0": inside("bell.v1.0.0"), "2.0.0": inside("bell.v2.0.0") }));
    const first = stepOf(problem, [comes(catalog, "bell.v1.0.0")]);
    const second = stepOf(problem, [comes(catalog, "bell.v2.0.0", { from: runs("bell.v1.0.0") })]);
    expect(documents(subscriptionManifests({ plans: [planOf(problem, [first], [second])] }))).toEqual([
      object("Subscription", "lamp", "operators.coreos.com/v1alpha1"),
    ]);
  });

  test("keep all other content of a bundle about them", () => {
    const annotations = { "olm.generated-by": "install-x", a: "b" };
    const lamp = { ...object("Subscription", "lamp"), metadata: { name: "lamp", annotations } };
    const plain = { ...object("Subscription", "oil"), metadata: { name: "oil", annotations: {} } };
    const catalog = catalogWith(packageOf("bell", { "1.0.0": [csv("bell.v1.0.0"), lamp, plain] }));
    const step = stepOf(problem, [comes(catalog, "bell.v1.0.0")]);
    expect(documents(subscriptionManifests({ plans: [planOf(problem, [step])] }))).toEqual([
      { ...lamp, metadata: { name: "lamp", annotations: { a: "b" } } },
      plain,
    ]);
  });

  test("are none where it creates none; those that go are not among them", () => {
    const subscribed = quay([CATALOG], { requests: [request("winch", { installed: "winch.v1.0.0" })] });
    const prune = stepOf(subscribed, [goes(runs("winch.v1.0.0"))]);
    expect(actionsOf(prune.changes, prune.problem).some(({ kind }) => kind === "Subscription")).toBe(true);
    expect(subscriptionManifests({ plans: [planOf(subscribed, [installsWinch, prune])] })).toBe("");
  });
});
