// Does a plan lose what is stored? Objects are written again while the webhook that converts them is still there, and not at all
// where that would drop what they have. Each plan is taken step by step on the model of the API server.

import { describe, expect, test } from "vitest";
import type { Property } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { ClusterDefinition, Problem, ResolveOptions } from "../../src/model/problem.ts";
import type { Action } from "../../src/plan/plan.ts";
import type { FoundPlan, PlannedStep } from "../../src/plan/plan-draft.ts";
import { actionText } from "../../src/render/sentence/action.ts";
import { byName } from "../../src/render/sentence/names.ts";
import { warningText } from "../../src/render/sentence/warning.ts";
import { brings, definition, definitionObject, winch } from "../crd/winch-definitions.ts";
import { explainedAnswer as resolve } from "../explanations/explained-answer.ts";
import { explanationText } from "../explanations/explanation-text.ts";
import { actionsIn } from "../worlds/api-server.ts";
import { replay } from "../worlds/replay.ts";
import { request, running, scene, stocked, type Versions } from "../worlds/scene.ts";
import { planned, summaryLines, target } from "./summary-lines.ts";

const COLOUR = { colour: { type: "string", enum: ["red", "blue"] } };
const ROPE = { ...COLOUR, rope: { type: "string" } };
const WEBHOOK = { conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } } };

/** A definition whose v1alpha1 has a field that v1beta1 does not have. */
function crd(versions: readonly string[], more: JsonObject = {}): JsonObject {
  const object = definitionObject(versions, COLOUR, more) as unknown as {
    readonly spec: { readonly versions: readonly JsonObject[] };
  };
  const roped = definitionObject(versions, ROPE) as unknown as {
    readonly spec: { readonly versions: readonly JsonObject[] };
  };
  const mixed = object.spec.versions.map((version, index) =>
    version.name === "v1alpha1" ? (roped.spec.versions[index] as JsonObject) : version,
  );
  return { ...object, spec: { ...object.spec, versions: mixed } } as unknown as JsonObject;
}

interface Story {
  /** The versions of winch; the first runs. */
  readonly versions: Versions;
  readonly cluster: JsonObject;
  readonly stored?: readonly string[];
  readonly objects?: ClusterDefinition["objects"];
  readonly owners?: 1 | 2;
  readonly options?: Partial<ResolveOptions>;
}

function story({
  versions,
  cluster,
  stored = ["v1alpha1", "v1beta1"],
  objects,
  owners = 1,
  options = {},
}: Story): Problem {
  const [version, properties] = Object.entries(versions)[0] as [string, readonly Property[]];
  const here = running(`winch.v${version}`, properties);
  return scene(
    {
      catalogs: [stocked({ winch: versions })],
      requests: [request("winch", { installed: here.name, place: { source: "cluster.yaml", line: 1, column: 1 } })],
      installed: [here],
      elsewhere: owners === 1 ? [] : [{ ...here, namespace: "there" }],
      definitions: [{ definition: definition(cluster, stored), objects }],
    },
    options,
  );
}

/** The plan, and what it would lose on a cluster. */
function tried(
  problem: Problem,
  options: Parameters<typeof planned>[1] = {},
): { readonly plan: FoundPlan; readonly faults: readonly string[] } {
  const plan = planned(problem, options);
  return { plan, faults: replay([problem], [plan]).faults };
}

/** What is done to the definition, generation by generation. */
function verbs({ generations }: FoundPlan): readonly string[] {
  return generations.map(({ steps }) =>
    steps
      .flatMap((step) =>
        actionsIn(step)
          .filter(({ kind }) => kind === "CustomResourceDefinition")
          .map(({ verb }) => verb),
      )
      .join(" "),
  );
}

function why(plan: FoundPlan): string {
  return plan.last.heldBack.map(({ explanation }) => explanationText(explanation)).join("\n");
}

describe("a webhook goes", () => {
  const CONVERTED = crd(["-v1alpha1", "v1beta1*"], WEBHOOK);
  const PLAIN = crd(["-v1alpha1", "v1beta1*"]);
  const versions: Versions = { "1.0.0": brings(CONVERTED), "2.0.0": brings(PLAIN), "3.0.0": brings(crd(["v1beta1*"])) };

  test("after every object was written again, not before", () => {
    const { plan, faults } = tried(story({ versions, cluster: CONVERTED }));
    expect(summaryLines(plan)).toEqual(["1: winch 1.0.0 → 2.0.0", "2: winch 2.0.0 → 3.0.0"]);
    expect(verbs(plan)).toEqual(["rewrite patch update", "update"]);
    expect(faults).toEqual([]);
    expect(plan.warnings.filter(({ code }) => code === "crd-migration")).toEqual([]);
  });

  test("also if the stored versions are unknown", () => {
    const { plan, faults } = tried(story({ versions, cluster: CONVERTED, stored: [] }));
    expect(verbs(plan)).toEqual(["rewrite patch update", "update"]);
    expect(faults).toEqual([]);
  });

  test("not on the way to a version either", () => {
    const { plan, faults } = tried(story({ versions, cluster: CONVERTED }), { to: target("winch@3.0.0") });
    expect(verbs(plan)).toEqual(["rewrite patch update", "update"]);
    expect(faults).toEqual([]);
  });

  test("not at all where storage moves in the same step: nothing could be written again", () => {
    const before = crd(["v1alpha1*", "v1beta1"], WEBHOOK);
    const atOnce: Versions = { "1.0.0": brings(before), "2.0.0": brings(crd(["v1alpha1", "v1beta1*"])) };
    const { plan, faults } = tried(story({ versions: atOnce, cluster: before, stored: ["v1alpha1"] }));
    expect(summaryLines(plan)).toEqual([]);
    expect(why(plan)).toContain("which only the webhook converted to v1beta1");
    expect(why(plan)).toContain("(CRD119)");
    expect(faults).toEqual([]);
  });

  test("resolve does not take the update, and names what has to be done first", () => {
    const { operators, heldBack } = resolve(story({ versions, cluster: CONVERTED }));
    expect(operators.map(({ name }) => name)).toEqual(["winch.v1.0.0"]);
    expect(explanationText(heldBack[0]?.explanation)).toContain("(CRD119)");
  });

  test("the model sees what would be lost otherwise", () => {
    const problem = story({ versions, cluster: CONVERTED });
    const { plan } = tried(problem);
    const generations = plan.generations.map((generation) => ({
      ...generation,
      steps: generation.steps.map((step) => ({ ...step, migrations: [] })),
    }));
    expect(replay([problem], [{ ...plan, generations }]).faults[0]).toBe(
      "here, generation 1, step 1: winches.quay.example.com loses its webhook: an object that is stored in v1alpha1 loses rope",
    );
  });

  test("without more ado where everything is stored in one version", () => {
    const { plan } = tried(story({ versions, cluster: CONVERTED, stored: ["v1beta1"] }));
    expect(verbs(plan)).toEqual(["update", "update"]);
  });
});

describe("writing objects again drops what only the old version has", () => {
  const UNSERVED = crd(["-v1alpha1", "v1beta1*"]);
  const versions: Versions = { "1.0.0": brings(UNSERVED), "2.0.0": brings(crd(["v1beta1*"])) };
  const roped = winch("v1alpha1", "old-faithful", { colour: "red", rope: "hemp" });
  const plain = winch("v1alpha1", "old-faithful", { colour: "red" });

  test("refused where an object is known to have it, and the value is named", () => {
    const { plan, faults } = tried(story({ versions, cluster: UNSERVED, objects: [roped] }));
    expect(summaryLines(plan)).toEqual([]);
    expect(why(plan)).toContain("(CRD101)");
    expect(why(plan)).toContain("to write them again would lose .spec.rope of objects/old-faithful (CRD101)");
    expect(faults).toEqual([]);
  });

  test("done where no object has it", () => {
    const { plan, faults } = tried(story({ versions, cluster: UNSERVED, objects: [plain], owners: 2 }));
    expect(verbs(plan)).toEqual(["rewrite patch update"]);
    expect(faults).toEqual([]);
  });

  test("reported if objects are unknown and there is one owner", () => {
    const { plan, faults } = tried(story({ versions, cluster: UNSERVED }));
    expect(verbs(plan)).toEqual(["rewrite patch update"]);
    expect(faults).toEqual([
      "here, generation 1, step 1: winches.quay.example.com is rewritten: an object that is stored in v1alpha1 loses rope",
    ]);
    expect(plan.warnings.filter(({ code }) => code === "crd-migration").map((one) => warningText(one, byName))).toEqual(
      [
        "before winch.v2.0.0, every object of winches.quay.example.com is written again; where an object was stored in v1alpha1, this loses what v1beta1 does not have: .spec.rope (CRD209)",
      ],
    );
    const step = plan.generations[0]?.steps[0] as PlannedStep;
    expect(actionText(actionsIn(step)[0] as Action)).toMatch(/this loses \.spec\.rope$/);
  });

  test("refused where objects are not known and there are several owners", () => {
    const { plan, faults } = tried(story({ versions, cluster: UNSERVED, owners: 2 }));
    expect(summaryLines(plan)).toEqual([]);
    expect(why(plan)).toContain("to write them again would lose .spec.rope (CRD101)");
    expect(faults).toEqual([]);
  });

  test("also refused if the stored versions are unknown", () => {
    const { plan, faults } = tried(story({ versions, cluster: UNSERVED, stored: [], objects: [roped] }));
    expect(summaryLines(plan)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("done and reported if settings call it harmless", () => {
    const options = { crdSeverities: { CRD302: "warning" } } as const;
    const { plan } = tried(story({ versions, cluster: UNSERVED, objects: [roped], options }));
    expect(summaryLines(plan)).toEqual(["1: winch 1.0.0 → 2.0.0"]);
    expect(plan.warnings.map((one) => warningText(one, byName)).join("\n")).toContain(
      ".spec.rope of objects/old-faithful",
    );
  });

  test("is not for a way to a version either", () => {
    const { plan } = tried(story({ versions, cluster: UNSERVED, objects: [roped] }), { to: target("winch@2.0.0") });
    expect(plan.end).toBe("no-way");
  });
});
