// Does the model of the cluster refuse what a cluster refuses, and do the rules see what is wrong?

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import type { ClusterDefinition, Installed, Problem } from "../../src/model/problem.ts";
import type { Action } from "../../src/plan/plan.ts";
import type { PlannedChange } from "../../src/plan/plan-draft.ts";
import { clusterOf, problemIn, replayed } from "./api-server.ts";
import { csvManifest, type KindDraft, manifestOf, manifestProperty, onCluster } from "./definitions.ts";
import { brokenRules, stepFaults } from "./plan-rules.ts";
import { chosenBundle, needs, needsPackage, provides, request, running, scene, stocked } from "./scene.ts";

function kind(...versions: readonly string[]): KindDraft {
  const drafts = versions.map((text) => ({
    name: text.split(" ")[0] as string,
    served: !text.includes("off"),
    storage: text.includes("stored"),
  }));
  return { kind: "Lamp", plural: "lamps", scope: "Namespaced", versions: drafts, colours: ["red"], needsColour: false };
}

/** A cluster with anchor 1.0.0, of which 1.1.0 brings the kind changed. */
function lampWorld(there: ClusterDefinition, after: KindDraft): Problem {
  const manifests = [manifestOf(after), csvManifest("anchor.v1.1.0", [])].map(manifestProperty);
  return scene({
    catalogs: [stocked({ anchor: { "1.0.0": [], "1.1.0": manifests } })],
    installed: [running("anchor.v1.0.0")],
    requests: [request("anchor", { installed: "anchor.v1.0.0" })],
    definitions: [there],
  });
}

function move(problem: Problem, from: string | undefined, to: string): PlannedChange {
  return {
    package: to.split(".v")[0] as string,
    from: problem.installed.find(({ name }) => name === from) as Installed,
    alsoFrom: [],
    to: { ...chosenBundle(problem.catalogs, `main/${to}`), channel: "stable" },
    request: undefined,
    generatedSubscription: undefined,
    requiredBy: [],
    reason: { kind: "way" },
  };
}

function action(verb: Action["verb"], manifest?: JsonObject, kindOf = "CustomResourceDefinition"): Action {
  return {
    verb,
    kind: kindOf,
    name: "lamps.example.com",
    bundle: "anchor.v1.1.0",
    detail: { kind: "object" },
    manifest,
  };
}

/** What is refused of a step that moves anchor, and does this before. */
function refusals(there: ClusterDefinition, after: KindDraft, ...before: readonly Action[]): readonly string[] {
  const problem = lampWorld(there, after);
  const actions = [
    ...before,
    action("update", manifestOf(after)),
    action("replace", undefined, "ClusterServiceVersion"),
  ];
  const refused: string[] = [];
  const changes = [move(problem, "anchor.v1.0.0", "anchor.v1.1.0")];
  replayed(clusterOf([problem]), problem, changes, actions, (text) => refused.push(text));
  return refused;
}

const REWRITE = action("rewrite");
const PATCH = action("patch", { status: { storedVersions: ["v1"] } });

describe("definitions", () => {
  const there = onCluster(kind("v1alpha1 off", "v1 stored"), ["v1alpha1", "v1"], undefined);

  test("a version goes after its objects were rewritten and forgotten", () => {
    expect(refusals(there, kind("v1 stored"), REWRITE, PATCH)).toEqual([]);
  });

  test("a stored version is not lost", () => {
    expect(refusals(there, kind("v1 stored"))).toEqual([
      "lamps.example.com would lose v1alpha1, which is recorded as stored",
      "lamps.example.com would lose v1alpha1, and an object with it",
    ]);
    expect(refusals(there, kind("v1 stored"), REWRITE)).toEqual([
      "lamps.example.com would lose v1alpha1, which is recorded as stored",
    ]);
    expect(refusals(there, kind("v1 stored"), PATCH, REWRITE)).toEqual([
      "lamps.example.com: objects are still stored in v1alpha1, which a patch drops",
    ]);
  });

  test("what cannot be read cannot be rewritten", () => {
    const lost = onCluster(kind("v1 stored"), ["v0", "v1"], undefined);
    expect(refusals(lost, kind("v1 stored"), REWRITE, PATCH)).toEqual([
      "lamps.example.com has no v0: such objects cannot be read",
    ]);
    const silent = onCluster(kind("v1alpha1 off", "v1 off stored"), ["v1alpha1", "v1"], undefined);
    expect(refusals(silent, kind("v1 off stored"), REWRITE, PATCH)).toEqual([
      "no version of lamps.example.com is served: its objects cannot be rewritten",
    ]);
  });

  test("they have one version to store in, and keep their scope", () => {
    expect(refusals(there, kind("v1alpha1", "v1"))).toEqual(["lamps.example.com would be stored in 0 versions"]);
    expect(refusals(there, { ...kind("v1alpha1", "v1 stored"), scope: "Cluster" })).toEqual([
      "lamps.example.com would change its scope",
    ]);
  });

  test("what is stored is recorded", () => {
    const after = kind("v1alpha1 off", "v1", "v2 stored");
    const problem = lampWorld(there, after);
    const changes = [move(problem, "anchor.v1.0.0", "anchor.v1.1.0")];
    const actions = [action("update", manifestOf(after)), action("replace", undefined, "ClusterServiceVersion")];
    const { definitions, requests } = problemIn(
      replayed(clusterOf([problem]), problem, changes, actions, () => undefined),
      problem,
    );
    expect(definitions?.map(({ definition }) => definition.storedVersions)).toEqual([["v1alpha1", "v1", "v2"]]);
    expect(requests.map(({ installed }) => installed)).toEqual(["anchor.v1.1.0"]);
  });
});

describe("steps", () => {
  const catalogs = [
    stocked({
      anchor: { "1.0.0": [provides("Lamp"), needs("Rope")], "1.1.0": [needsPackage("buoy", "1.1.0")] },
      buoy: { "1.0.0": [provides("Rope")], "1.1.0": [provides("Rope"), needsPackage("anchor", "1.1.0")], "1.2.0": [] },
      cable: { "1.0.0": [provides("Lamp")] },
    }),
  ];
  const here = ["anchor.v1.0.0", "buoy.v1.0.0"].map((name) =>
    running(name, chosenBundle(catalogs, `main/${name}`).bundle.properties),
  );
  const problem = scene({
    catalogs,
    installed: here,
    requests: [
      request("anchor", { installed: "anchor.v1.0.0" }),
      request("buoy", { installed: "buoy.v1.0.0", approval: "Manual" }),
    ],
  });

  function faults(...moves: readonly (readonly [string | undefined, string])[]): readonly string[] {
    const changes = moves.map(([from, to]) => move(problem, from, to));
    const before = clusterOf([problem]);
    const after = replayed(before, problem, changes, [], () => undefined);
    return stepFaults(before, after, problem, changes, [problem], brokenRules(before, [problem]), before);
  }

  test("everything must have what it needs", () => {
    expect(faults(["anchor.v1.0.0", "anchor.v1.1.0"])).toEqual([
      "here/anchor.v1.1.0 does not have what its property 2 demands (package)",
    ]);
  });

  test("no operator moves without approval, or without an upgrade edge", () => {
    expect(faults(["anchor.v1.0.0", "anchor.v1.1.0"], ["buoy.v1.0.0", "buoy.v1.1.0"])).toEqual([
      "buoy.v1.0.0 becomes buoy.v1.1.0, but it is not approved",
    ]);
    expect(faults(["buoy.v1.0.0", "buoy.v1.2.0"])).toEqual([
      "buoy.v1.0.0 becomes buoy.v1.2.0, but it is not approved",
      "buoy.v1.0.0 becomes buoy.v1.2.0, but no edge leads there",
      "here/anchor.v1.0.0 does not have what its property 4 demands (gvk)",
    ]);
  });

  test("one provider, and no operator comes without a Subscription", () => {
    expect(faults([undefined, "cable.v1.0.0"])).toEqual([
      "cable.v1.0.0 comes without a Subscription",
      "here/anchor.v1.0.0 and here/cable.v1.0.0 both provide example.com/v1/Lamp",
    ]);
  });
});
