// Does a plan follow the procedures of the proposal about upgrades (004) for the versions of a custom kind? A version is
// added, no longer served, and removed, each in its turn, and nothing that is stored or needed is lost on the way.

import { describe, expect, test } from "vitest";
import type { Property } from "../../src/model/catalog.ts";
import type { ClusterDefinition, Installed, Problem, Request } from "../../src/model/problem.ts";
import type { FoundPlan } from "../../src/plan/plan-draft.ts";
import { brings, definition, definitionObject, needsVersion, winch } from "../crd/winch-definitions.ts";
import { explanationText } from "../explanations/explanation-text.ts";
import { casePlan } from "../resolve/olm-cases/plan-answer.ts";
import { soundPlan } from "../resolve/olm-cases/plan-world.ts";
import { actionsIn } from "../worlds/api-server.ts";
import { request, running, scene, stocked, type Versions } from "../worlds/scene.ts";

const FIRST = definitionObject(["v1alpha1*"]);
const ALPHA = brings(FIRST);
const ADDED = brings(definitionObject(["v1alpha1", "v1beta1*"]));
const UNSERVED = brings(definitionObject(["-v1alpha1", "v1beta1*"]));
const REMOVED = brings(definitionObject(["v1beta1*"]));

const WINCH: Versions = { "1.0.0": ALPHA, "2.0.0": ADDED, "3.0.0": UNSERVED, "4.0.0": REMOVED };

/** They are asked for by Subscriptions. */
const PLACE = { source: "cluster.yaml", line: 1, column: 1 };

/** Winch 1.0.0 runs, with objects that are stored in its only version; others as given. */
function quay(packages: Readonly<Record<string, Versions>>, compat = false): Problem {
  const installed: Installed[] = [];
  const requests: Request[] = [];
  for (const [owner, versions] of Object.entries(packages)) {
    const [version, properties] = Object.entries(versions)[0] as [string, readonly Property[]];
    installed.push(running(`${owner}.v${version}`, properties));
    requests.push(request(owner, { installed: `${owner}.v${version}`, place: PLACE }));
  }
  const kind: ClusterDefinition = { definition: definition(FIRST, ["v1alpha1"]), objects: [winch("v1alpha1", "port")] };
  return scene({ catalogs: [stocked(packages)], installed, requests, definitions: [kind] }, { compat });
}

/** What each generation does, in the notation of test/resolve/olm-cases. */
function steps(plan: FoundPlan): readonly (readonly (string | readonly string[])[])[] {
  return casePlan(plan, []).generations;
}

/** What is done in a generation to definitions and operators, in its order. */
function actions(plan: FoundPlan, number: number): readonly string[] {
  const generation = plan.generations[number - 1];
  return (generation?.steps ?? []).flatMap((step) =>
    actionsIn(step)
      .filter(({ verb }) => verb !== "unpack")
      .map(({ verb, kind }) => `${verb} ${kind}`),
  );
}

function stored(plan: FoundPlan): readonly string[] {
  return plan.after.definitions?.[0]?.definition.storedVersions ?? [];
}

function why(plan: FoundPlan, owner: string): string {
  return explanationText(plan.last.heldBack.find((one) => one.package === owner)?.explanation) ?? "";
}

describe("a version is added, no longer served, and removed", () => {
  test("in three generations; before the last, objects are stored again and the status is patched", () => {
    const plan = soundPlan(quay({ winch: WINCH }));
    expect(steps(plan)).toEqual([
      ["winch.v1.0.0 -> winch.v2.0.0"],
      ["winch.v2.0.0 -> winch.v3.0.0"],
      ["winch.v3.0.0 -> winch.v4.0.0"],
    ]);
    const update = ["update CustomResourceDefinition", "replace ClusterServiceVersion"];
    expect(actions(plan, 1)).toEqual(update);
    expect(actions(plan, 2)).toEqual(update);
    expect(actions(plan, 3)).toEqual(["rewrite CustomResourceDefinition", "patch CustomResourceDefinition", ...update]);
    expect(stored(plan)).toEqual(["v1beta1"]);
  });

  test("OLM looks neither at what is stored nor for migrations", () => {
    const plan = soundPlan(quay({ winch: WINCH }, true));
    expect(steps(plan)).toHaveLength(3);
    expect(actions(plan, 3)).toEqual(["update CustomResourceDefinition", "replace ClusterServiceVersion"]);
  });

  test("a version that was never unserved is not removed: the author has to ship that first", () => {
    const plan = soundPlan(quay({ winch: { "1.0.0": ALPHA, "2.0.0": ADDED, "3.0.0": REMOVED } }));
    expect(steps(plan)).toEqual([["winch.v1.0.0 -> winch.v2.0.0"]]);
    expect(why(plan, "winch")).toContain("v1alpha1");
    expect(why(plan, "winch")).toContain("served");
    expect(stored(plan)).toEqual(["v1alpha1", "v1beta1"]);
  });
});

describe("an operator needs the version that is removed", () => {
  test("and cannot do without: it is served as long as that operator runs", () => {
    const plan = soundPlan(quay({ crane: { "1.0.0": [needsVersion("v1alpha1")] }, winch: WINCH }));
    expect(steps(plan)).toEqual([["winch.v1.0.0 -> winch.v2.0.0"]]);
    expect(why(plan, "winch")).toContain("crane 1.0.0");
    expect(why(plan, "winch")).toContain("v1alpha1");
  });

  test("and moves on to the new one: as soon as that is there, and before the old one goes", () => {
    const yard = { "1.0.0": [needsVersion("v1alpha1")], "2.0.0": [needsVersion("v1beta1")] };
    const plan = soundPlan(quay({ winch: WINCH, yard }));
    expect(steps(plan)).toEqual([
      ["winch.v1.0.0 -> winch.v2.0.0", "yard.v1.0.0 -> yard.v2.0.0"],
      ["winch.v2.0.0 -> winch.v3.0.0"],
      ["winch.v3.0.0 -> winch.v4.0.0"],
    ]);
  });

  test("and moves on only later: the winch waits a generation for it", () => {
    const yard = {
      "1.0.0": [needsVersion("v1alpha1")],
      "1.1.0": [needsVersion("v1alpha1")],
      "2.0.0": [needsVersion("v1beta1")],
    };
    const plan = soundPlan(quay({ winch: WINCH, yard }));
    expect(steps(plan)).toEqual([
      ["winch.v1.0.0 -> winch.v2.0.0", "yard.v1.0.0 -> yard.v1.1.0"],
      ["yard.v1.1.0 -> yard.v2.0.0", "winch.v2.0.0 -> winch.v3.0.0"],
      ["winch.v3.0.0 -> winch.v4.0.0"],
    ]);
  });
});
