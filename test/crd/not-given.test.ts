// What is known of CustomResourceDefinitions that were not given? What the bundles of installed operators define; and where no
// catalog has that, there is one warning.

import { describe, expect, test } from "vitest";
import { readProblem } from "../../src/input/read-problem.ts";
import type { Catalog } from "../../src/model/catalog.ts";
import type { ClusterObjects } from "../../src/model/cluster-objects.ts";
import type { InstalledOperator } from "../../src/model/installed-operator.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { DEFAULT_OPTIONS, type Problem } from "../../src/model/problem.ts";
import { findPlans } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS } from "../../src/plan/plan.ts";
import { byName } from "../../src/render/sentence/names.ts";
import { warningText } from "../../src/render/sentence/warning.ts";
import { prepareProblems } from "../../src/resolve/prepare/prepare-problems.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import { bundle, catalogOf } from "../catalog/lantern-catalog.ts";
import { explainedAnswer as resolve } from "../explanations/explained-answer.ts";
import { explanationText } from "../explanations/explanation-text.ts";
import { summaryLines } from "../plan/summary-lines.ts";
import { given, operator, operatorGroup, recorded, subscription } from "../resolve/prepare-given.ts";
import { actionsIn } from "../worlds/api-server.ts";
import { replay } from "../worlds/replay.ts";
import { brings, definition, definitionObject, needsVersion, winch } from "./winch-definitions.ts";

const CRD = "winches.quay.example.com";
const COLOUR = { colour: { type: "string", enum: ["red", "blue"] } };
const ONE = definitionObject(["v1alpha1*"], COLOUR);
const BOTH = definitionObject(["v1alpha1", "v1beta1*"], COLOUR);
const UNSERVED = definitionObject(["-v1alpha1", "v1beta1*"], COLOUR);
const LATER = definitionObject(["v1beta1*"], COLOUR);

/** A package `winch`; each version replaces the one before it. */
function winches(
  versions: { readonly [version: string]: JsonObject | undefined },
  more: readonly JsonObject[] = [],
): Catalog {
  const names = Object.keys(versions).map((version) => `winch.v${version}`);
  const entries = names.map((name, index) => ({ name, ...(index > 0 && { replaces: names[index - 1] as string }) }));
  return catalogOf([
    { schema: "olm.package", name: "winch", defaultChannel: "stable" },
    { schema: "olm.channel", package: "winch", name: "stable", entries },
    ...Object.entries(versions).map(([version, crd]) =>
      bundle("winch", version, crd === undefined ? [] : (brings(crd) as unknown as readonly JsonObject[])),
    ),
    ...more,
  ]);
}

/** winch runs at a version in a namespace. */
function runs(version: string, namespace = "ns"): Pick<ClusterObjects, "subscriptions" | "installedOperators"> {
  const apis = {
    owned: [{ group: "quay.example.com", version: "v1beta1", kind: "Winch", plural: "winches" }],
    required: [],
  };
  return {
    subscriptions: [subscription("winch", { namespace, installedCSV: `winch.v${version}` })],
    installedOperators: [recorded("winch", version, { namespace, customResourceDefinitions: apis })],
  };
}

/** The first problem, of namespace `ns`, and the warnings about what was not given. */
function prepared(catalog: Catalog, objects: Partial<ClusterObjects>, more: Parameters<typeof given>[1] = {}) {
  const all = { operatorGroups: [operatorGroup()], ...objects };
  const { problems, warnings } = prepareProblems(given(all, { catalogs: [catalog], ...more }));
  return { problem: problems[0] as Problem, warnings: warnings.filter(({ code }) => code === "crds-not-given") };
}

function running(problem: Problem): string {
  return resolve(problem)
    .operators.map(({ name }) => name)
    .join(" ");
}

describe("a CRD that was not given", () => {
  test("is what the bundle of its installed owner defines", () => {
    const { problem, warnings } = prepared(winches({ "1.0.0": BOTH, "2.0.0": LATER }), runs("1.0.0"));
    expect(problem.definitions?.map(({ definition: { name }, assumedFrom }) => [name, assumedFrom])).toEqual([
      [CRD, "winch.v1.0.0"],
    ]);
    const { heldBack } = resolve(problem);
    expect(running(problem)).toBe("winch.v1.0.0");
    expect(explanationText(heldBack[0]?.explanation)).toContain(
      `${CRD}, which was not given and is assumed to be that of winch.v1.0.0: v1alpha1 was still served`,
    );
    expect(warnings).toEqual([]);
  });

  test("is that of the newest owner, in any namespace", () => {
    const catalog = winches({ "1.0.0": ONE, "1.1.0": BOTH, "2.0.0": LATER });
    const [here, there] = [runs("1.0.0"), runs("1.1.0", "there")];
    const objects = {
      subscriptions: [...here.subscriptions, ...there.subscriptions],
      installedOperators: [...here.installedOperators, ...there.installedOperators],
    };
    const { problem } = prepared(catalog, objects);
    expect(problem.definitions?.map(({ assumedFrom }) => assumedFrom)).toEqual(["winch.v1.1.0"]);
    expect(running(problem)).toBe("winch.v1.1.0");
  });

  test("does not go from an operator of another namespace that requires a version of it", () => {
    const needing: InstalledOperator = operator("crane", "1.0.0", {
      namespace: "there",
      properties: [needsVersion("v1alpha1")],
    });
    const here = runs("1.0.0");
    const catalog = winches({ "1.0.0": BOTH, "2.0.0": UNSERVED });
    expect(running(prepared(catalog, here).problem)).toBe("winch.v2.0.0");
    const objects = { ...here, installedOperators: [...here.installedOperators, needing] };
    expect(running(prepared(catalog, objects).problem)).toBe("winch.v1.0.0");
  });

  test("has the objects of its kind that were given", () => {
    const objects = { ...runs("1.0.0"), customResources: [winch("v1beta1", "old-faithful")] };
    const { problem } = prepared(winches({ "1.0.0": BOTH }), objects);
    expect(problem.definitions?.[0]?.objects?.map(({ name }) => name)).toEqual(["old-faithful"]);
  });

  test("is as it was given where it was given, also under another name", () => {
    const catalog = winches({ "1.0.0": BOTH, "2.0.0": LATER });
    const crd = definition(LATER, ["v1beta1"]);
    const named = { ...crd, name: `winchs.${crd.group}` };
    for (const one of [crd, named]) {
      const { problem } = prepared(catalog, { ...runs("1.0.0"), customResourceDefinitions: [one] });
      expect(problem.definitions?.map(({ definition: { name }, assumedFrom }) => [name, assumedFrom])).toEqual([
        [one.name, undefined],
      ]);
    }
  });

  test("is not looked at with --compat olm", () => {
    const options = { ...DEFAULT_OPTIONS, compat: true };
    const { problem, warnings } = prepared(winches({ "1.0.0": BOTH, "2.0.0": LATER }), runs("1.0.0"), { options });
    expect(problem.definitions).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test("is part of a saved problem", () => {
    const { problem } = prepared(winches({ "1.0.0": BOTH, "2.0.0": LATER }), runs("1.0.0"));
    const again = readProblem(saveProblem(problem), "problem.json").problem as Problem;
    expect(again.definitions?.[0]?.assumedFrom).toBe("winch.v1.0.0");
    expect(saveProblem(again)).toBe(saveProblem(problem));
  });
});

test("if no catalog has the manifests of the owner, there is one warning with its help", () => {
  const catalog = winches({ "1.0.0": undefined, "2.0.0": LATER });
  expect(
    prepared(catalog, runs("1.0.0")).warnings.map((one) => ({ code: one.code, message: warningText(one, byName) })),
  ).toEqual([
    {
      code: "crds-not-given",
      message: `the CRD of Winch (quay.example.com) is not in the input, and no catalog has the manifests of the installed owners; whether an update changes it safely is not checked (in files: kubectl get customresourcedefinitions.apiextensions.k8s.io -o yaml)`,
    },
  ]);
});

test.each<[string, Catalog, Partial<ClusterObjects>]>([
  ["it was given", winches({ "1.0.0": undefined, "2.0.0": LATER }), { customResourceDefinitions: [definition(BOTH)] }],
  ["nothing could change it", winches({ "1.0.0": undefined }), {}],
  [
    "the owner is of another namespace and package",
    winches({ "1.0.0": undefined, "2.0.0": LATER }),
    { subscriptions: [], installedOperators: runs("1.0.0", "there").installedOperators },
  ],
])("there is no warning if %s", (_, catalog, objects) => {
  expect(prepared(catalog, { ...runs("1.0.0"), ...objects }).warnings).toEqual([]);
});

test("a plan has every object written again before a version goes in which it may be stored", () => {
  const catalog = winches({ "1.0.0": BOTH, "1.1.0": UNSERVED, "2.0.0": LATER });
  const [plan] = findPlans([prepared(catalog, runs("1.0.0")).problem], DEFAULT_PLAN_OPTIONS);
  expect(plan && summaryLines(plan)).toEqual(["1: winch 1.0.0 → 1.1.0", "2: winch 1.1.0 → 2.0.0"]);
  const [first, second] = (plan?.generations ?? []).flatMap(({ steps }) => steps.map(actionsIn));
  const actions = second ?? [];
  const ofCrd = actions.filter(({ kind }) => kind === "CustomResourceDefinition");
  expect(ofCrd.map(({ verb }) => verb)).toEqual(["rewrite", "patch", "update"]);
  expect(actions[1]?.manifest).toEqual({ status: { storedVersions: ["v1beta1"] } });
  expect(first?.map(({ verb }) => verb)).not.toContain("rewrite");
});

test("two namespaces do not put back an older definition", () => {
  const catalog = winches({ "1.0.0": ONE, "1.1.0": BOTH, "1.2.0": UNSERVED, "2.0.0": LATER });
  const [here, there] = [runs("1.0.0"), runs("1.1.0", "there")];
  const all = given(
    {
      operatorGroups: [operatorGroup(), operatorGroup({ namespace: "there" })],
      subscriptions: [...here.subscriptions, ...there.subscriptions],
      installedOperators: [...here.installedOperators, ...there.installedOperators],
    },
    { catalogs: [catalog], namespaces: ["ns", "there"] },
  );
  const { problems } = prepareProblems(all);
  const plans = findPlans(problems, DEFAULT_PLAN_OPTIONS);
  expect(plans.map(summaryLines)).toEqual([
    ["1: winch 1.0.0 → 1.1.0", "2: winch 1.1.0 → 1.2.0", "3: winch 1.2.0 → 2.0.0"],
    ["1: winch 1.1.0 → 1.2.0", "2: winch 1.2.0 → 2.0.0"],
  ]);
  expect(replay(problems, plans).faults).toEqual([]);
});
