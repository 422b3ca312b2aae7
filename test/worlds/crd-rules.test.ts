// Would the judges of definitions notice? Each rule is violated by hand: the judge of small worlds, the checker and the
// resolver must all reject it, and all accept what only looks like it.

import { describe, expect, test } from "vitest";
import { check } from "../../src/check/check.ts";
import type { Bundle, Property } from "../../src/model/catalog.ts";
import type { Installed, Problem, ResolveOptions } from "../../src/model/problem.ts";
import { explainedIn } from "../explanations/explained.ts";
import { explainedAnswer as resolve } from "../explanations/explained-answer.ts";
import { faultsOf } from "../explanations/faults.ts";
import { forbiddenChanges, missingApis } from "./crd-rules.ts";
import { apiOf, csvManifest, type KindDraft, manifestOf, manifestProperty, onCluster } from "./definitions.ts";
import { answer, constraint, gvk, needs, needsPackage, provides, request, running, scene, stocked } from "./scene.ts";

const V1 = { name: "v1", served: true, storage: true };
const BETA = { name: "v1beta1", served: true, storage: false };
const LAMP: KindDraft = {
  kind: "Lamp",
  plural: "lamps",
  scope: "Namespaced",
  versions: [V1, BETA],
  colours: ["red", "blue"],
  needsColour: false,
};
const UNSERVED: KindDraft = { ...LAMP, versions: [V1, { ...BETA, served: false }] };
const NARROWED: KindDraft = { ...LAMP, colours: ["red"] };
const needsBeta: Property = { type: "olm.gvk.required", value: apiOf(LAMP, "v1beta1") };

interface Circumstances {
  readonly stored?: readonly string[];
  /** Colours of objects. */
  readonly objects?: readonly string[];
  readonly here?: readonly Installed[];
  readonly elsewhere?: readonly Installed[];
  readonly owned?: readonly string[];
  readonly options?: Partial<ResolveOptions>;
}

/** lamp 1.0.0 runs and may go to 1.1.0, which makes this of the kind. */
function update(after: KindDraft, circumstances: Circumstances = {}): Problem {
  const { stored = ["v1"], objects, here = [], elsewhere = [], owned, options = {} } = circumstances;
  const csv =
    owned === undefined
      ? []
      : [
          csvManifest(
            "lamp.v1.1.0",
            owned.map((version) => [after, version] as const),
          ),
        ];
  const manifests = [manifestOf(after), ...csv].map(manifestProperty);
  return scene(
    {
      catalogs: [stocked({ lamp: { "1.0.0": [provides("Lamp")], "1.1.0": [provides("Lamp"), ...manifests] } })],
      requests: [request("lamp", { installed: "lamp.v1.0.0" })],
      installed: [running("lamp.v1.0.0", [provides("Lamp")]), ...here],
      elsewhere,
      definitions: [
        onCluster(
          LAMP,
          stored,
          objects?.map((colour) => ({ version: "v1", colour })),
        ),
      ],
    },
    options,
  );
}

/** All verdicts on the update: the judge's codes, the codes of the checker, and whether the resolver does it. */
function verdicts(problem: Problem) {
  const bundle = problem.catalogs[0]?.packages.get("lamp")?.bundles.get("lamp.v1.1.0") as Bundle;
  const others = problem.installed.filter(({ name }) => name !== "lamp.v1.0.0").map(({ name }) => name);
  const violations = check(problem, answer(problem, others, ["main/lamp.v1.1.0"], ["lamp"]));
  const codes = violations.map(({ rule, text }) => (rule === "crd-upgrade" ? /\((CRD\d+)\)$/.exec(text)?.[1] : rule));
  const isEnded = problem.installed.some(
    (running) =>
      running.name !== "lamp.v1.0.0" &&
      missingApis(problem, { properties: running.properties, running }, bundle).length > 0,
  );
  const judged = [...forbiddenChanges(problem, bundle), ...(isEnded ? ["CRD103"] : [])];
  return {
    judged,
    checked: [...new Set(codes)].sort(),
    done: resolve(problem).operators.some(({ name }) => name === "lamp.v1.1.0"),
  };
}

const elsewhere = (properties: readonly Property[], more: Partial<Installed> = {}): readonly Installed[] => [
  running("stranger.v1.0.0", properties, { namespace: "there", ...more }),
];
const twin = elsewhere([], { package: "lamp", owned: ["example.com/v1/Lamp"] });

describe("forbidden", () => {
  test.each<readonly [string, string, KindDraft, Circumstances]>([
    ["no storage version", "CRD001", { ...LAMP, versions: [{ ...V1, storage: false }, BETA] }, {}],
    ["a version that is owned and not there", "CRD003", LAMP, { owned: ["v1", "v2"] }],
    ["a version that is owned and not served", "CRD004", UNSERVED, { owned: ["v1", "v1beta1"] }],
    ["a version twice", "CRD005", { ...LAMP, versions: [V1, BETA, BETA] }, {}],
    ["a stored version goes", "CRD101", LAMP, { stored: ["v1", "v1alpha1"] }],
    ["a served version goes", "CRD102", { ...LAMP, versions: [V1] }, {}],
    ["a required version goes out of service", "CRD103", UNSERVED, { elsewhere: elsewhere([needsBeta]) }],
    [
      "… required among others",
      "CRD103",
      UNSERVED,
      {
        elsewhere: elsewhere([constraint({ all: { constraints: [gvk("Lamp"), { gvk: apiOf(LAMP, "v1beta1") }] } })]),
      },
    ],
    ["… required by an operator that stays here", "CRD103", UNSERVED, { here: [running("user.v1.0.0", [needsBeta])] }],
    ["another scope", "CRD104", { ...LAMP, scope: "Cluster" }, {}],
    ["another plural", "CRD105", { ...LAMP, plural: "lampen" }, {}],
    ["a new demand, two owners", "CRD202", { ...LAMP, needsColour: true }, { elsewhere: twin }],
    ["fewer values, two owners", "CRD203", NARROWED, { elsewhere: twin }],
    [
      "an info finding with a raised severity",
      "CRD108",
      {
        ...LAMP,
        versions: [
          { ...V1, storage: false },
          { ...BETA, storage: true },
        ],
      },
      { options: { crdSeverities: { CRD108: "error" } } },
    ],
    [
      "fewer values where objects are stored from now on, two owners",
      "CRD203",
      {
        ...NARROWED,
        versions: [
          { ...V1, storage: false },
          { ...BETA, storage: true },
        ],
      },
      { elsewhere: twin },
    ],
    [
      "a version that another owner works with",
      "CRD106",
      UNSERVED,
      { elsewhere: elsewhere([], { package: "lamp", owned: ["example.com/v1beta1/Lamp"] }) },
    ],
  ])("%s", (_, code, after, circumstances) => {
    expect(verdicts(update(after, circumstances))).toEqual({ judged: [code], checked: [code], done: false });
  });

  test("an object becomes invalid, two owners", () => {
    const codes = ["CRD203", "CRD301"];
    const problem = update(NARROWED, { elsewhere: twin, objects: ["red", "blue"] });
    expect(verdicts(problem)).toEqual({ judged: codes, checked: codes, done: false });
  });

  test("an object is invalid in a version that is the only one left to read it in, two owners", () => {
    const unserved = { ...V1, served: false };
    const another = elsewhere([], { package: "lamp", owned: ["example.com/v9/Lamp"] });
    const objects = ["red", "blue"];
    const codes = ["CRD203", "CRD301"];
    for (const isStorage of [true, false]) {
      const fresh = { name: "v2", served: true, storage: isStorage };
      const versions = [{ ...unserved, storage: !isStorage }, { ...BETA, served: false }, fresh];
      const problem = update({ ...NARROWED, versions }, { elsewhere: another, objects });
      expect(verdicts(problem)).toEqual({ judged: codes, checked: codes, done: false });
    }
  });
});

test("the operator that stays and requires it is named, and so is what the definition would break", async () => {
  const causesAndFaults = async (problem: Problem): Promise<readonly unknown[]> => {
    const [explained] = explainedIn(problem);
    const causes = explained?.causes.map((one) =>
      one.kind === "refusal" ? one.refused[0]?.refusal.detail.rule : one.kind,
    );
    return [causes?.sort(), explained && (await faultsOf(explained))];
  };
  expect(await causesAndFaults(update(UNSERVED, { here: [running("user.v1.0.0", [needsBeta])] }))).toEqual([
    ["stays", "unserved", "wanted"],
    [],
  ]);
  expect(await causesAndFaults(update({ ...LAMP, scope: "Cluster" }))).toEqual([["crd-upgrade", "wanted"], []]);
});

describe("allowed", () => {
  test.each<readonly [string, KindDraft, Circumstances]>([
    ["nothing changes", LAMP, {}],
    ["a version is no longer served that no operator requires", UNSERVED, { elsewhere: elsewhere([needs("Lamp")]) }],
    [
      "… or requires only optionally",
      UNSERVED,
      {
        here: [
          running("user.v1.0.0", [
            constraint({ gvk: apiOf(LAMP, "v1beta1"), action: { id: "require", optional: true } }),
          ]),
        ],
      },
    ],
    [
      "… or requires only as one of two alternatives",
      UNSERVED,
      {
        here: [
          running("user.v1.0.0", [
            constraint({ any: { constraints: [gvk("Lamp"), { gvk: apiOf(LAMP, "v1beta1") }] } }),
          ]),
        ],
      },
    ],
    [
      "storage moves",
      {
        ...LAMP,
        versions: [
          { ...V1, storage: false },
          { ...BETA, storage: true },
        ],
      },
      {},
    ],
    ["fewer values, one owner", NARROWED, {}],
    ["an object becomes invalid, one owner", NARROWED, { objects: ["blue"] }],
    ["fewer values, two owners, and all objects are fine", NARROWED, { elsewhere: twin, objects: ["red"] }],
    ["fewer values, two owners, and there are no objects", NARROWED, { elsewhere: twin, objects: [] }],
    [
      "a served version is removed, with a lowered severity",
      { ...LAMP, versions: [V1] },
      {
        options: { crdSeverities: { CRD102: "warning" } },
      },
    ],
    [
      "a required version is no longer served, with a lowered severity",
      UNSERVED,
      {
        here: [running("user.v1.0.0", [needsBeta])],
        elsewhere: elsewhere([needsBeta]),
        options: { crdSeverities: { CRD103: "off" } },
      },
    ],
    ["another scope, as OLM does it", { ...LAMP, scope: "Cluster" }, { options: { compat: true } }],
  ])("%s", (_, after, circumstances) => {
    expect(verdicts(update(after, circumstances))).toEqual({ judged: [], checked: [], done: true });
  });

  test("an operator that requires a version that is no longer served may leave at the same time", () => {
    const { catalogs, ...problem } = update(UNSERVED, { here: [running("user.v1.0.0", [needsBeta])] });
    const user = stocked({ user: { "1.0.0": [needsBeta], "2.0.0": [needs("Lamp")] } }, { name: "other" });
    const requests = [...problem.requests, request("user", { installed: "user.v1.0.0" })];
    const { operators } = resolve({ ...problem, catalogs: [...catalogs, user], requests });
    expect(operators.map(({ name }) => name)).toEqual(["lamp.v1.1.0", "user.v2.0.0"]);
  });
});

describe("two bundles that come together", () => {
  const brings = (draft: KindDraft, version: string): readonly Property[] => [
    { type: "olm.gvk", value: apiOf(draft, version) },
    manifestProperty(manifestOf(draft)),
  ];
  const onlyBeta: KindDraft = { ...LAMP, versions: [{ ...V1, served: false }, BETA] };
  const node = { properties: [provides("Lamp")] };

  test("one requires what the other brings without serving it", () => {
    const catalogs = [stocked({ lamp: { "1.0.0": brings(onlyBeta, "v1beta1") }, user: { "1.0.0": [needs("Lamp")] } })];
    const problem = scene({ catalogs, node, requests: [request("lamp"), request("user")] });
    const both = answer(problem, [], ["main/lamp.v1.0.0", "main/user.v1.0.0"], ["lamp", "user"]);
    expect(check(problem, both).map(({ rule }) => rule)).toEqual(["crd-upgrade"]);
    expect(resolve(problem).operators.map(({ name }) => name)).toEqual(["lamp.v1.0.0"]);
  });

  test("that one package excludes two of its versions is another reason", async () => {
    const any = constraint({
      any: {
        constraints: [
          { package: { packageName: "user", versionRange: ">=2.0.0" } },
          { package: { packageName: "lamp", versionRange: ">=0.0.0" } },
        ],
      },
    });
    const catalogs = [
      stocked({
        chart: { "1.0.0": [any] },
        lamp: { "1.0.0": brings(onlyBeta, "v1beta1") },
        user: { "1.0.0": [needs("Lamp")], "2.0.0": [needs("Lamp")] },
      }),
    ];
    const requests = [request("chart", { priority: 1 }), request("user", { startingCSV: "user.v1.0.0" })];
    const [explained] = explainedIn(scene({ catalogs, node, requests }));
    expect(explained?.causes.map(({ kind }) => kind).sort()).toEqual([
      "demand",
      "one-bundle",
      "unserved",
      "wanted",
      "wanted",
    ]);
    expect(explained && (await faultsOf(explained))).toEqual([]);
  });

  test("a definition counts that the bundle does not announce as an API, where the cluster has the kind", async () => {
    const catalogs = [
      stocked({
        lamp: { "1.0.0": [manifestProperty(manifestOf(onlyBeta))] },
        user: { "1.0.0": [needs("Lamp"), needsPackage("lamp")] },
      }),
    ];
    const definitions = [onCluster(onlyBeta, ["v1beta1"], [])];
    const [explained] = explainedIn(scene({ catalogs, node, definitions, requests: [request("user")] }));
    expect(explained?.causes.map(({ kind }) => kind)).toContain("unserved");
    expect(explained && (await faultsOf(explained))).toEqual([]);
    expect(explainedIn(scene({ catalogs, node, requests: [request("user")] }))).toEqual([]);
  });
});
