// Which updates does a CustomResourceDefinition forbid? (semantics §6, joined to resolution by §4: "no edge that §6
// excludes"; seed 004)

import { describe, expect, test } from "vitest";
import { manifestProperty } from "../../src/input/bundle-directory/manifest-property.ts";
import { readProblem } from "../../src/input/read-problem.ts";
import type { Property } from "../../src/model/catalog.ts";
import { canonicalText, type JsonObject } from "../../src/model/json.ts";
import type { Installed, Problem, ResolveOptions } from "../../src/model/problem.ts";
import { remedyText } from "../../src/render/sentence/fix.ts";
import { byName } from "../../src/render/sentence/names.ts";
import { warningText } from "../../src/render/sentence/warning.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import { Resolver } from "../../src/resolve/resolve.ts";
import { explainedAnswer as resolve } from "../explanations/explained-answer.ts";
import { explanationText } from "../explanations/explanation-text.ts";
import { afterOthers } from "../resolve/after-others.ts";
import { request, running, scene, stocked } from "../worlds/scene.ts";
import { brings, definition, definitionObject, needsVersion, winch } from "./winch-definitions.ts";

const BRAKE = { brake: { type: "string", enum: ["band", "dog"] } };
const NARROW = { brake: { type: "string", enum: ["band"] } };

/** The cluster has both versions; objects are stored in the second. */
const CLUSTER = definitionObject(["v1alpha1", "v1beta1*"], BRAKE);
const SAME = brings(CLUSTER);
const UNSERVED = brings(definitionObject(["-v1alpha1", "v1beta1*"], BRAKE));
const REMOVED = brings(definitionObject(["v1beta1*"], BRAKE));
const NARROWED = brings(definitionObject(["v1alpha1", "v1beta1*"], NARROW));

interface Story {
  /** What winch 2.0.0 brings. */
  readonly next: readonly Property[];
  readonly stored?: readonly string[];
  readonly objects?: NonNullable<Problem["definitions"]>[number]["objects"];
  readonly elsewhere?: readonly Installed[];
  readonly options?: Partial<ResolveOptions>;
}

function story({ next, stored = ["v1beta1"], objects, elsewhere = [], options = {} }: Story): Problem {
  return scene(
    {
      catalogs: [stocked({ winch: { "1.0.0": SAME, "2.0.0": next } })],
      requests: [request("winch", { installed: "winch.v1.0.0" })],
      installed: [running("winch.v1.0.0", SAME.slice(0, 2))],
      elsewhere,
      definitions: [{ definition: definition(CLUSTER, stored), objects }],
    },
    options,
  );
}

function outcome(problem: Problem): {
  readonly runs: string;
  readonly why: string;
  readonly warnings: readonly string[];
} {
  const { operators, heldBack, warnings } = resolve(problem);
  return {
    runs: operators.map(({ name }) => name).join(" "),
    why: heldBack.map(({ explanation }) => explanationText(explanation)).join("\n"),
    warnings: warnings.filter(({ code }) => code === "crd-upgrade").map((one) => warningText(one, byName)),
  };
}

const SECOND_OWNER = running("winch.v1.0.0", SAME.slice(0, 2), { namespace: "there" });

describe("an update that changes a definition of the cluster", () => {
  test("goes on where nothing is wrong with it", () => {
    expect(outcome(story({ next: UNSERVED })).runs).toBe("winch.v2.0.0");
  });

  test.each([
    ["a stored version is gone", "CRD101", { next: REMOVED, stored: ["v1alpha1", "v1beta1"] }],
    ["a version was still served", "CRD102", { next: REMOVED }],
    [
      "an operator of another namespace requires a version that is no longer served",
      "CRD103",
      { next: UNSERVED, elsewhere: [running("crane.v1.0.0", [needsVersion("v1alpha1")], { namespace: "there" })] },
    ],
    ["no version is served any more", "CRD118", { next: brings(definitionObject(["-v1alpha1", "-v1beta1*"], BRAKE)) }],
    [
      "the scope changes",
      "CRD104",
      { next: brings(definitionObject(["v1alpha1", "v1beta1*"], BRAKE, { scope: "Cluster" })) },
    ],
    [
      "an object is no longer valid, and another operator owns the kind, too",
      "CRD301",
      { next: NARROWED, objects: [winch("v1beta1", "old-faithful", { brake: "dog" })], elsewhere: [SECOND_OWNER] },
    ],
    [
      "a schema is narrower, the objects are unknown, and there are two owners",
      "CRD203",
      { next: NARROWED, elsewhere: [SECOND_OWNER] },
    ],
  ] as const)("is held back where %s", (_, code, change) => {
    const { runs, why } = outcome(story(change));
    expect(runs).toBe("winch.v1.0.0");
    expect(why).toContain(`(${code})`);
    expect(why).toContain("winches.quay.example.com");
  });

  test("an author's own finding may be made less serious, or be left out", () => {
    const severities = { CRD102: "warning" } as const;
    const { runs, warnings } = outcome(story({ next: REMOVED, options: { crdSeverities: severities } }));
    expect(runs).toBe("winch.v2.0.0");
    expect(warnings.filter((text) => text.includes("(CRD102)"))).toHaveLength(1);
    expect(outcome(story({ next: REMOVED, options: { crdSeverities: { CRD102: "off" } } })).runs).toBe("winch.v2.0.0");
  });

  test("one owner gets a warning about an object, and the update", () => {
    const objects = [winch("v1beta1", "old-faithful", { brake: "dog" })];
    const { runs, warnings } = outcome(story({ next: NARROWED, objects }));
    expect(runs).toBe("winch.v2.0.0");
    expect(warnings.some((text) => text.includes("old-faithful") && text.includes("(CRD301)"))).toBe(true);
  });

  test("objects that are fine show nothing where others could not be read", () => {
    const objects = [winch("v1beta1", "fine", { brake: "band" })];
    const problem = story({ next: NARROWED, objects, elsewhere: [SECOND_OWNER] });
    expect(outcome(problem).runs).toBe("winch.v2.0.0");
    const definitions = (problem.definitions ?? []).map((one) => ({ ...one, isPartial: true as const }));
    expect(outcome({ ...problem, definitions }).runs).toBe("winch.v1.0.0");
  });

  test("M17: the same operator in a second namespace is a second owner; its own old version is not", () => {
    const objects = [winch("v1beta1", "old-faithful", { brake: "dog" })];
    expect(outcome(story({ next: NARROWED, objects, elsewhere: [SECOND_OWNER] })).runs).toBe("winch.v1.0.0");
    const stranger = running("crane.v1.0.0", [], { namespace: "there" });
    expect(outcome(story({ next: NARROWED, objects, elsewhere: [stranger] })).runs).toBe("winch.v2.0.0");
  });

  test("OLM chooses without looking", () => {
    expect(outcome(story({ next: REMOVED, options: { compat: true } })).runs).toBe("winch.v2.0.0");
  });

  test("integers beyond 2^53 are no difference between a file and a manifest", () => {
    const most = { size: { type: "integer", maximum: 9223372036854775807n } };
    const object = definitionObject(["v1alpha1", "v1beta1*"], { ...BRAKE, ...most });
    const problem = {
      ...story({ next: brings(object), elsewhere: [SECOND_OWNER] }),
      definitions: [{ definition: definition(object, ["v1beta1"]), objects: undefined }],
    };
    expect(outcome(problem)).toMatchObject({ runs: "winch.v2.0.0", warnings: [] });
  });
});

describe("an operator of the same namespace that requires a version", () => {
  const crane = (...versions: readonly (readonly Property[])[]) =>
    Object.fromEntries(versions.map((properties, index) => [`${index + 1}.0.0`, properties]));
  const pair = (next: readonly Property[], craneNext: readonly Property[] | undefined): Problem => {
    const before = [needsVersion("v1alpha1")];
    return {
      ...story({ next }),
      catalogs: [
        stocked({
          winch: { "1.0.0": SAME, "2.0.0": next },
          crane: craneNext === undefined ? crane(before) : crane(before, craneNext),
        }),
      ],
      requests: [request("crane", { installed: "crane.v1.0.0" }), request("winch", { installed: "winch.v1.0.0" })],
      installed: [running("crane.v1.0.0", before), running("winch.v1.0.0", SAME.slice(0, 2))],
    };
  };

  test("holds back what ends it", () => {
    const { runs, why } = outcome(pair(UNSERVED, undefined));
    expect(runs).toBe("crane.v1.0.0 winch.v1.0.0");
    expect(why).toContain("crane 1.0.0 (running) needs the API Winch (quay.example.com/v1alpha1)");
    expect(why).toContain("winch 2.0.0 brings a CRD that does not serve this version");
  });

  test("may move in the same step", () => {
    expect(outcome(pair(UNSERVED, [needsVersion("v1beta1")])).runs).toBe("crane.v2.0.0 winch.v2.0.0");
  });

  test("does not, where its next version still requires it: what is not served is of no use", () => {
    expect(outcome(pair(UNSERVED, [needsVersion("v1alpha1")])).runs).toBe("crane.v2.0.0 winch.v1.0.0");
  });

  test("is not installed beside a provider that does not serve it", () => {
    const problem = { ...pair(UNSERVED, undefined), installed: [], requests: [request("crane")], definitions: [] };
    expect(outcome(problem).runs).toBe("crane.v1.0.0 winch.v1.0.0");
    const compat = { ...problem, options: { ...problem.options, compat: true } };
    expect(outcome(compat).runs).toBe("crane.v1.0.0 winch.v2.0.0");
  });

  test("holds back what ends it, even if an operator elsewhere still claims to own it", () => {
    const problem = { ...pair(REMOVED, undefined), elsewhere: [SECOND_OWNER] };
    const options = { ...problem.options, crdSeverities: { CRD102: "off" } as const };
    const { runs, why } = outcome({ ...problem, options });
    expect(runs).toBe("crane.v1.0.0 winch.v1.0.0");
    expect(why).toContain("winch 2.0.0 brings a CRD that does not serve this version");
  });

  test("does not hold it back where that finding is no error", () => {
    const problem = pair(UNSERVED, undefined);
    const options = { ...problem.options, crdSeverities: { CRD103: "warning" } as const };
    expect(outcome({ ...problem, options }).runs).toBe("crane.v1.0.0 winch.v2.0.0");
  });

  test("a kept solver remembers the pair, and forgets it when the operator has gone", () => {
    const resolver = new Resolver();
    const problem = pair(UNSERVED, undefined);
    const runs = (one: Problem) => resolver.resolve(one).operators.map(({ name }) => name);
    expect(runs(problem)).toEqual(["crane.v1.0.0", "winch.v1.0.0"]);
    const alone = { ...problem, requests: problem.requests.slice(1), installed: problem.installed.slice(1) };
    expect(runs(alone)).toEqual(["winch.v2.0.0"]);
    expect(runs(problem)).toEqual(["crane.v1.0.0", "winch.v1.0.0"]);
    const later = new Resolver();
    const laterRuns = (one: Problem) => later.resolve(one).operators.map(({ name }) => name);
    expect(laterRuns(alone)).toEqual(["winch.v2.0.0"]);
    expect(laterRuns(problem)).toEqual(["crane.v1.0.0", "winch.v1.0.0"]);
  });
});

test("a new operator that requires a version which the cluster has but does not serve is installed with a warning", () => {
  const problem = {
    ...story({ next: UNSERVED }),
    catalogs: [stocked({ crane: { "1.0.0": [needsVersion("v1alpha1")] } })],
    requests: [request("crane")],
    definitions: [{ definition: definition(definitionObject(["-v1alpha1", "v1beta1*"])), objects: [] }],
  };
  const { operators, warnings } = resolve(problem);
  expect(operators.map(({ name }) => name)).toEqual(["crane.v1.0.0", "winch.v1.0.0"]);
  expect(warnings.map(({ code }) => code)).toContain("crd-not-served");
});

test("a kind that is renamed is found by the name of its definition", () => {
  const renamed = definitionObject(["v1alpha1", "v1beta1*"], BRAKE, { names: { kind: "Crane", plural: "winches" } });
  expect(outcome(story({ next: [...SAME.slice(0, 2), manifestProperty(renamed)] })).why).toContain("(CRD105)");
});

test("two new bundles that bring the same kind serve each other, or are not both installed", () => {
  const csv = (version: string) =>
    manifestProperty({
      kind: "ClusterServiceVersion",
      spec: { customresourcedefinitions: { owned: [{ name: "winches.quay.example.com", version, kind: "Winch" }] } },
    });
  const catalogs = [
    stocked({
      winch: { "1.0.0": [...brings(definitionObject(["v1*"])), csv("v1")] },
      hoist: { "1.0.0": [...brings(definitionObject(["v2*"])), csv("v2")] },
    }),
  ];
  const problem = scene({ catalogs, requests: [request("hoist"), request("winch")] });
  expect(
    resolve(problem)
      .unsatisfied.map(({ explanation }) => explanationText(explanation))
      .join(),
  ).toContain("hoist 1.0.0 brings a CRD that does not serve this version");
});

test("what a bundle without manifests makes of a CRD is unknown, which is reported", () => {
  const { operators, warnings } = resolve(story({ next: SAME.slice(0, 2) }));
  expect(operators.map(({ name }) => name)).toEqual(["winch.v2.0.0"]);
  expect(warnings.map(({ code }) => code)).toContain("crd-not-checked");
});

describe("a definition without an owner", () => {
  test("is changed by an installation as by an update", () => {
    const install = (next: readonly Property[]): Problem => ({
      ...story({ next }),
      catalogs: [stocked({ winch: { "2.0.0": next } })],
      requests: [request("winch")],
      installed: [],
    });
    expect(resolve(install(SAME)).outcome).toBe("Resolved");
    const { outcome: verdict, unsatisfied } = resolve(install(REMOVED));
    expect(verdict).toBe("Unsatisfiable");
    expect(explanationText(unsatisfied[0]?.explanation)).toContain("(CRD102)");
  });
});

test("another package of the same namespace that owns the kind is an owner, too, unless it has to make room", () => {
  const narrowed = brings(definitionObject(["v1alpha1", "v1beta1*"], NARROW));
  const both = (others: readonly Property[]): Problem => {
    const problem = story({ next: narrowed });
    return { ...problem, installed: [...problem.installed, running("hoist.v1.0.0", others)] };
  };
  const other = { type: "olm.gvk", value: { group: "quay.example.com", version: "v1", kind: "Winch" } };
  expect(outcome(both([other])).why).toContain("(CRD203)");
  expect(outcome(both([])).runs).toBe("hoist.v1.0.0 winch.v2.0.0");
});

test("a reused solver recounts the owners when others run", () => {
  const resolver = new Resolver();
  const problem = story({ next: NARROWED });
  const other = { type: "olm.gvk", value: { group: "quay.example.com", version: "v1", kind: "Winch" } };
  const crowded = { ...problem, installed: [...problem.installed, running("hoist.v1.0.0", [other])] };
  const runs = (one: Problem) => resolver.resolve(one).operators.map(({ name }) => name);
  expect(runs(problem)).toEqual(["winch.v2.0.0"]);
  expect(runs(crowded)).toEqual(["hoist.v1.0.0", "winch.v1.0.0"]);
});

test("versions with the same objections are one fact, whatever version each stores objects in", () => {
  const later = brings(definitionObject(["v1beta1", "v1*"], BRAKE));
  const problem = scene({
    catalogs: [stocked({ winch: { "2.0.0": REMOVED, "3.0.0": later } })],
    requests: [request("winch")],
    definitions: [{ definition: definition(CLUSTER, ["v1alpha1", "v1beta1"]), objects: undefined }],
  });
  const [refused] = resolve(problem).unsatisfied;
  const text = refused === undefined ? "" : explanationText(refused.explanation);
  expect(text).toMatch(
    /\nEvery version of winch would change the CRD winches\.quay\.example\.com: .*\(CRD101\).*\(CRD102\)/,
  );
  expect(text.match(/would change/g)).toHaveLength(1);
});

describe("what has to be done on the cluster first", () => {
  const remedies = (problem: Problem): readonly string[] => {
    const [held] = resolve(problem).heldBack;
    return (held?.explanation.remedies ?? []).map(remedyText);
  };

  test("in the order of the steps, with the version in between that a catalog has", () => {
    const problem = story({ next: REMOVED, stored: ["v1alpha1", "v1beta1"] });
    const crane = running("crane.v1.0.0", [needsVersion("v1alpha1")], { namespace: "there" });
    expect(remedies({ ...problem, elsewhere: [crane] })).toEqual([]);
    const catalogs = [stocked({ winch: { "1.0.0": SAME, "1.5.0": UNSERVED, "2.0.0": REMOVED } })];
    const requests = [request("winch", { installed: "winch.v1.5.0" })];
    const installed = [running("winch.v1.5.0", SAME.slice(0, 2))];
    expect(remedies({ ...problem, catalogs, requests, installed, elsewhere: [crane] })).toEqual([
      "Update crane 1.0.0 in there to a version that does not require v1alpha1, or remove it.",
      "Update to winch 1.5.0 before that: it has v1alpha1 but no longer serves it.",
      "Rewrite every stored object of winches.quay.example.com, so that none is stored in v1alpha1, then remove v1alpha1 from its status.storedVersions.",
    ]);
  });

  test("objects that are in the way; or to give them, if they are unknown", () => {
    const objects = [winch("v1beta1", "old-faithful", { brake: "dog" })];
    const known = story({ next: NARROWED, objects, elsewhere: [SECOND_OWNER] });
    expect(remedies(known)).toEqual(["Change winches objects/old-faithful."]);
    expect(remedies(story({ next: NARROWED, elsewhere: [SECOND_OWNER] }))).toEqual([
      expect.stringContaining("Give the objects of winches.quay.example.com with -f"),
    ]);
  });

  test("not a field of an object that the definition which is there would drop", () => {
    const gear = (properties: JsonObject, required: readonly string[]): JsonObject =>
      definitionObject(["v1alpha1", "v1beta1*"], { gear: { type: "object", properties, required } });
    const drum = { drum: { type: "string" } };
    const held = (before: JsonObject): Problem => ({
      ...story({ next: brings(gear(drum, ["drum"])), elsewhere: [SECOND_OWNER] }),
      definitions: [
        { definition: definition(before, ["v1beta1"]), objects: [winch("v1beta1", "old-faithful", { gear: {} })] },
      ],
    });
    expect(remedies(held(gear(drum, [])))).toEqual(["Change winches objects/old-faithful."]);
    expect(remedies(held(gear({}, [])))).toEqual([]);
    expect(resolve(held(gear({}, []))).operators.map(({ name }) => name)).toEqual(["winch.v1.0.0"]);
  });
});

describe("one operator at two versions in two namespaces that share a definition", () => {
  const STORIES = stocked({ winch: { "1.0.0": SAME, "2.0.0": UNSERVED, "3.0.0": REMOVED } });
  const namespace = (name: string, runs: string, stored: readonly string[]): Problem => {
    const own = (where: string, what: string) =>
      running(what, SAME.slice(0, 2), { namespace: where, owned: ["quay.example.com/v1beta1/Winch"] });
    return {
      ...story({ next: UNSERVED, stored }),
      namespace: name,
      catalogs: [STORIES],
      requests: [request("winch", { id: `${name}/winch`, installed: runs })],
      installed: [own(name, runs)],
      elsewhere: [own(name === "north" ? "south" : "north", "winch.v1.0.0")],
    };
  };

  test("the second is checked against the state after the first", () => {
    const problem = namespace("north", "winch.v1.0.0", ["v1alpha1"]);
    const resolution = resolve(problem);
    expect(resolution.operators.map(({ name }) => name)).toEqual(["winch.v2.0.0"]);
    const south = afterOthers(namespace("south", "winch.v1.0.0", ["v1alpha1"]), [{ problem, resolution }]);
    const [there] = south.definitions ?? [];
    expect(there?.definition.versions.map(({ name, served }) => [name, served])).toEqual([
      ["v1alpha1", false],
      ["v1beta1", true],
    ]);
    expect(there?.definition.storedVersions).toEqual(["v1alpha1", "v1beta1"]);
    expect(resolve(south).operators.map(({ name }) => name)).toEqual(["winch.v2.0.0"]);
  });

  test("the old storage version is remembered if no status has it", () => {
    const definitions = [{ definition: definition(definitionObject(["v1alpha1*", "v1beta1"], BRAKE)), objects: [] }];
    const problem = { ...namespace("north", "winch.v1.0.0", []), definitions };
    const resolution = resolve(problem);
    const south = afterOthers({ ...namespace("south", "winch.v1.0.0", []), definitions }, [{ problem, resolution }]);
    expect(south.definitions?.[0]?.definition.storedVersions).toEqual(["v1alpha1", "v1beta1"]);
  });

  test("the objects of a kind that was not given, and that another namespace brings, are unknown", () => {
    const problem = namespace("north", "winch.v1.0.0", ["v1alpha1"]);
    const resolution = resolve(problem);
    const south = { ...namespace("south", "winch.v1.0.0", []), definitions: [] };
    const [there] = afterOthers(south, [{ problem, resolution }]).definitions ?? [];
    expect(there).toMatchObject({ definition: { name: "winches.quay.example.com" }, objects: undefined });
  });

  test("an owner that stays is not broken: neither elsewhere nor here", () => {
    const owned = ["quay.example.com/v1alpha1/Winch"];
    const elsewhere = [{ ...SECOND_OWNER, owned }];
    const { runs, why } = outcome(story({ next: UNSERVED, elsewhere }));
    expect(runs).toBe("winch.v1.0.0");
    expect(why).toContain("(CRD106)");
    const beside = story({ next: UNSERVED });
    const hoist = running("hoist.v1.0.0", [], { owned });
    const here = outcome({ ...beside, installed: [...beside.installed, hoist] });
    expect(here.runs).toBe("hoist.v1.0.0 winch.v1.0.0");
    expect(here.why).toContain("hoist 1.0.0 (running) needs the API Winch (quay.example.com/v1alpha1)");
  });

  test("neither loses stored objects: the last step waits for storedVersions", () => {
    const now = (stored: readonly string[]): Problem => ({
      ...namespace("north", "winch.v2.0.0", stored),
      definitions: [
        { definition: definition(definitionObject(["-v1alpha1", "v1beta1*"], BRAKE), stored), objects: [] },
      ],
    });
    expect(outcome(now(["v1alpha1", "v1beta1"]))).toMatchObject({ runs: "winch.v2.0.0" });
    expect(outcome(now(["v1alpha1", "v1beta1"])).why).toContain("(CRD101)");
    expect(outcome(now(["v1beta1"])).runs).toBe("winch.v3.0.0");
  });
});

test("a saved problem has the definitions, the objects and what is chosen about findings", () => {
  const problem = story({
    next: NARROWED,
    stored: ["v1alpha1", "v1beta1"],
    objects: [winch("v1beta1", "old-faithful", { brake: "dog" })],
    elsewhere: [{ ...SECOND_OWNER, owned: ["quay.example.com/v1alpha1/Winch"] }],
    options: { crdSeverities: { CRD301: "warning" } },
  });
  const text = saveProblem(problem);
  const { problem: read, findings } = readProblem(text, "problem.json");
  expect(findings).toEqual([]);
  expect(read === undefined ? "" : saveProblem(read)).toBe(text);
  expect(canonicalText(read?.definitions?.[0]?.objects?.[0]?.object ?? null)).toContain("old-faithful");
  expect(outcome(read as Problem)).toEqual(outcome(problem));
});
