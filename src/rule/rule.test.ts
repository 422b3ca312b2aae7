import { expect, test } from "vitest";
import type { Constraint, RuntimeConstraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import { ConstraintReader } from "../constraint/read-requirements.ts";
import { readRuntimeConstraint } from "../constraint/read-runtime-constraint.ts";
import type { ChannelEntry, Property } from "../model/catalog.ts";
import type { Json } from "../model/json.ts";
import type { Place } from "../model/place.ts";
import type { Installed, Request } from "../model/problem.ts";
import { sentence } from "../render/sentence/constraint.ts";
import { parseRange, type Range } from "../semver/blang-range.ts";
import { parseVersion, type Version } from "../semver/version.ts";
import { deprecationRule } from "./deprecation.ts";
import { featureGateRule } from "./feature-gate.ts";
import { holdRule } from "./held-operator.ts";
import { installModeRule } from "./install-mode.ts";
import { malformedConstraintRule } from "./malformed-constraint.ts";
import { oneBundleRule } from "./one-bundle.ts";
import { oneProviderRule } from "./one-provider.ts";
import { kubernetesVersionRule, openShiftVersionRule, platformNotes } from "./platform-version.ts";
import { requirementRule } from "./requirement.ts";
import { runtimeConstraintRule, unreadableRuntimeRule } from "./runtime-constraint.ts";
import { subscriptionRule } from "./subscription.ts";
import { edgeFrom, hasEdge, upgradeEdgeRule } from "./upgrade-edge.ts";

const reader = new ConstraintReader({ compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1_000_000 });
const place: Place = { source: "catalog.yaml", line: 3, column: 1 };
const range = (text: string): Range => parseRange(text) as Range;

const K: Json = { gvk: { group: "g", version: "v1", kind: "K" } };
const K2: Json = { gvk: { group: "g", version: "v2", kind: "K" } };
const Q: Json = { package: { name: "q", versionRange: "2.0.0" } };
const C: Json = { cel: { rule: 'properties.exists(p, p.type == "c")' } };
const E: Json = { propertyEquals: { name: "n", value: 1 } };
const P: Json = { package: { name: "p", versionRange: ">=1.0.0" } };

test.each<[string, Json, string, string]>([
  ["olm.gvk.required", { group: "g", version: "v1", kind: "K" }, "dependency", "a.v1 requires the API K (g/v1)"],
  ["olm.gvk.required", { group: "", version: "v1", kind: "Pod" }, "dependency", "a.v1 requires the API Pod (v1)"],
  ["olm.label.required", { label: "lts" }, "dependency", "a.v1 requires an operator with the label lts"],
  [
    "olm.constraint",
    { ...(P as object), message: "it keeps the keys" },
    "dependency",
    'a.v1 requires p >=1.0.0 (a.v1\'s author says: "it keeps the keys")',
  ],
  ["olm.package.required", { packageName: "p", versionRange: "=1.2.0" }, "dependency", "a.v1 requires p 1.2.0"],
  [
    "olm.constraint",
    { cel: { rule: "true" }, failureMessage: "m" },
    "cel-constraint",
    'a.v1 requires an operator that meets the rule true (a.v1\'s author says: "m")',
  ],
  [
    "olm.constraint",
    { cel: { rule: 'properties.exists(p, p.type == "tier" && p.value == "gold")' } },
    "cel-constraint",
    'a.v1 requires an operator with the property tier = "gold"',
  ],
  [
    "olm.constraint",
    { propertyEquals: { name: "n", value: { b: 1, a: "x" } } },
    "property-equals",
    'a.v1 requires the property n = {"a":"x","b":1}, of an operator or of the cluster',
  ],
  [
    "olm.constraint",
    { message: "out", all: { constraints: [{ ...(K as object), message: "in" }, { any: { constraints: [P] } }] } },
    "compound",
    'a.v1 requires the API K (g/v1) and p >=1.0.0 (a.v1\'s author says: "out" and "in")',
  ],
  [
    "olm.constraint",
    { all: { constraints: [K, { any: { constraints: [P, Q] } }, { none: { constraints: [K2, Q] } }] } },
    "compound",
    "a.v1 requires the API K (g/v1), [p >=1.0.0 or q 2.0.0] and [neither an operator that provides K (g/v2) nor q 2.0.0]",
  ],
  [
    "olm.constraint",
    { any: { constraints: [K, K2, E] } },
    "compound",
    "a.v1 requires the API K (g, v1 or v2) or the property n = 1",
  ],
  [
    "olm.constraint",
    {
      any: {
        constraints: Array.from({ length: 9 }, (_, index) => ({
          package: { name: `p${index}`, versionRange: "1.0.0" },
        })),
      },
    },
    "compound",
    "a.v1 requires p0 1.0.0, p1 1.0.0, p2 1.0.0, p3 1.0.0, p4 1.0.0, p5 1.0.0 or 3 more",
  ],
  [
    "olm.constraint",
    { all: { constraints: [P, { none: { constraints: [K] } }] } },
    "compound",
    "a.v1 requires p >=1.0.0 and no operator that provides K (g/v1)",
  ],
  [
    "olm.constraint",
    { all: { constraints: [P, { none: { constraints: [{ none: { constraints: [K] } }] } }] } },
    "compound",
    "a.v1 requires p >=1.0.0 and the API K (g/v1), from another operator",
  ],
  [
    "olm.constraint",
    { all: { constraints: [P, { none: { constraints: [Q, { none: { constraints: [K, E] } }] } }] } },
    "compound",
    "a.v1 requires p >=1.0.0 and [[the API K (g/v1) or the property n = 1], from another operator and no q 2.0.0]",
  ],
  [
    "olm.constraint",
    { all: { constraints: [P, { none: { constraints: [{ any: { constraints: [K, Q] } }] } }] } },
    "compound",
    "a.v1 requires p >=1.0.0 and neither an operator that provides K (g/v1) nor q 2.0.0",
  ],
  [
    "olm.constraint",
    { any: { constraints: [P, { none: { constraints: [{ all: { constraints: [K, Q] } }] } }] } },
    "compound",
    "a.v1 requires p >=1.0.0 or not both an operator that provides K (g/v1) and q 2.0.0",
  ],
  [
    "olm.constraint",
    { none: { constraints: [{ none: { constraints: [K] } }, Q] } },
    "compound",
    "a.v1 cannot run beside q 2.0.0 or without an operator that provides K (g/v1)",
  ],
  [
    "olm.constraint",
    { all: { scope: "bundle", constraints: [K, { none: { constraints: [{ none: { constraints: [P] } }] } }] } },
    "compound",
    "a.v1 requires one operator that provides K (g/v1) and is p >=1.0.0",
  ],
  [
    "olm.constraint",
    { all: { scope: "bundle", constraints: [K, { none: { constraints: [{ all: { constraints: [P, E] } }] } }] } },
    "compound",
    "a.v1 requires one operator that provides K (g/v1) and is not one that is p >=1.0.0 and has the property n = 1",
  ],
  [
    "olm.constraint",
    { all: { scope: "bundle", constraints: [K, P] } },
    "compound",
    "a.v1 requires one operator that provides K (g/v1) and is p >=1.0.0",
  ],
  [
    "olm.constraint",
    { all: { scope: "bundle", constraints: [C, E, { none: { constraints: [K] } }] } },
    "compound",
    "a.v1 requires one operator that has the property c, has the property n = 1 and is no operator that provides K (g/v1)",
  ],
  ["olm.constraint", { any: { constraints: [] } }, "compound", "a.v1 requires any of nothing"],
  ["olm.constraint", { none: { constraints: [P] } }, "compound", "a.v1 cannot run beside p >=1.0.0"],
  [
    "olm.constraint",
    { none: { constraints: [{ none: { constraints: [P, K] } }] } },
    "compound",
    "a.v1 cannot run without p >=1.0.0 or an operator that provides K (g/v1)",
  ],
  [
    "olm.constraint",
    { none: { constraints: [{ none: { constraints: [{ none: { constraints: [P, K] } }] } }] } },
    "compound",
    "a.v1 cannot run beside p >=1.0.0 or an operator that provides K (g/v1)",
  ],
  [
    "olm.constraint",
    {
      none: { constraints: [{ none: { constraints: [{ none: { constraints: [{ none: { constraints: [P] } }] } }] } }] },
    },
    "compound",
    "a.v1 cannot run without p >=1.0.0",
  ],
  [
    "olm.constraint",
    {
      all: { constraints: [{ none: { constraints: [{ none: { constraints: [{ none: { constraints: [P] } }] } }] } }] },
    },
    "compound",
    "a.v1 requires no p >=1.0.0",
  ],
  [
    "olm.constraint",
    { none: { constraints: [P, K, K2] } },
    "compound",
    "a.v1 cannot run beside p >=1.0.0 or an operator that provides K (g, v1 or v2)",
  ],
  [
    "olm.constraint",
    { ...(P as object), message: "m", action: { id: "conflict" } },
    "conflict",
    'a.v1 cannot run beside p >=1.0.0 (a.v1\'s author says: "m")',
  ],
  ["olm.constraint", { ...(P as object), action: { optional: true } }, "optional", "a.v1 would like p >=1.0.0"],
  [
    "olm.constraint",
    { ...(P as object), action: { id: "conflict", optional: true } },
    "optional",
    "a.v1 would rather not run beside p >=1.0.0",
  ],
])("a requirement says itself: %s %j", (type, value, name, text) => {
  const { requirements } = reader.of([{ type, value }]);
  const [requirement] = requirements;
  if (requirement === undefined) throw new Error("the requirement cannot be read");
  expect(requirementRule("a.v1", requirement)).toEqual({ name, subject: "a.v1", text });
  expect(requirementRule("a.v1", requirement, place)).toEqual({ name, subject: "a.v1", text, place });
});

test("sentences are short, whatever the constraint", () => {
  let deep: Json = K;
  for (let level = 0; level < 8; level++) deep = { any: { constraints: Array.from({ length: 3 }, () => deep) } };
  const long = { cel: { rule: `"${"😀".repeat(3000)}" == ""` } };
  for (const value of [deep, long, { any: { constraints: Array.from({ length: 900 }, () => K) } }]) {
    const { requirements, problems } = new ConstraintReader({ ...reader.options, maxBytes: 1e9 }).of([
      { type: "olm.constraint", value },
    ]);
    expect(problems).toEqual([]);
    const text = sentence(outlineOf(requirements[0]?.constraint as Constraint));
    expect(text.length).toBeLessThan(1500);
    expect(() => encodeURIComponent(text)).not.toThrow();
  }
});

const installed: Installed = {
  namespace: "n",
  name: "a.v1",
  package: "a",
  version: parseVersion("1.0.0") as Version,
  properties: [],
  minKubeVersion: undefined,
  installModes: [],
  hold: undefined,
  place,
};

const entry = (detail: Partial<ChannelEntry>): ChannelEntry => ({
  name: "a.v3",
  replaces: undefined,
  skips: [],
  skipRange: undefined,
  bundle: undefined,
  ...detail,
});

test("edges: replaces, skips and skipRange", () => {
  expect(edgeFrom(installed, entry({ replaces: "a.v1" }))).toBe("replaces");
  expect(edgeFrom(installed, entry({ replaces: "a.v2", skips: ["a.v0", "a.v1"] }))).toBe("skips");
  expect(edgeFrom(installed, entry({ skipRange: range(">=1.0.0 <3.0.0") }))).toBe("skipRange");
  expect(hasEdge(installed, entry({ skipRange: range(">1.0.0") }))).toBe(false);
  expect(hasEdge(installed, entry({ replaces: "a.v2" }))).toBe(false);
  expect(hasEdge({ ...installed, version: undefined }, entry({ skipRange: range(">=0.0.0") }))).toBe(false);
  expect(hasEdge(installed, entry({ name: "a.v1", skipRange: range(">=1.0.0") }))).toBe(false);
  expect(upgradeEdgeRule(installed, ["a.v3", "a.v2"]).text).toBe("a.v1 stays, or is updated to a.v3 or a.v2");
  expect(upgradeEdgeRule(installed, [])).toMatchObject({ name: "upgrade-edge", subject: "a.v1", place });
});

test("a request says what it asks for", () => {
  const request: Request = { id: "n/a", name: "a", priority: 0, package: "a", approval: "Automatic" };
  expect(subscriptionRule(request, []).text).toBe("n/a asks for a, and there is no candidate");
  const more: Request = {
    ...request,
    channel: "stable",
    catalog: { name: "cat" },
    range: range("1.x"),
    startingCSV: "a.v1",
  };
  expect(subscriptionRule(more, ["a.v2", "a.v1"]).text).toBe(
    "n/a asks for a 1.x in channel stable from catalog cat beginning with a.v1, and it can be given a.v2 or a.v1",
  );
  expect(subscriptionRule(request, ["7", "6", "5", "4", "3", "2", "1"]).text).toMatch(/3 or 2 older ones$/);
});

test("rules about several", () => {
  expect(oneProviderRule({ group: "g", version: "v1", kind: "K" }, ["a.v1", "b.v1"])).toEqual({
    name: "one-provider",
    subject: "K (g/v1)",
    text: "a.v1 and b.v1 provide K (g/v1), and only one operator may",
  });
  expect(oneBundleRule("a", ["a.v1", "a.v2"]).text).toBe(
    "a.v1 and a.v2 are of package a, and only one of them may run in a namespace",
  );
});

test("deprecation, the gate and a hold", () => {
  expect(deprecationRule("a.v1", { deprecated: false })).toBeUndefined();
  expect(deprecationRule("a.v1", { deprecated: true })?.text).toMatch(/^a\.v1 is marked olm\.deprecated/);
  expect(featureGateRule("a.v1", { hasCompounds: true }, true)).toBeUndefined();
  expect(featureGateRule("a.v1", { hasCompounds: false }, false)).toBeUndefined();
  expect(featureGateRule("a.v1", { hasCompounds: true }, false)?.text).toContain("CompoundConstraintsV1Alpha1");
  expect(holdRule(installed)).toBeUndefined();
  expect(holdRule({ ...installed, hold: { by: "condition", text: "migrating" } })?.text).toBe(
    "a.v1 stays as it is: it says that it is not upgradeable: migrating",
  );
  expect(holdRule({ ...installed, hold: { by: "flag", text: "" } })?.text).toBe(
    "a.v1 stays as it is: it is to be held",
  );
});

test("a constraint that cannot be read is shown where it stands", () => {
  const requirements = reader.of([
    { type: "x", value: 1 },
    { type: "olm.constraint", value: { cel: { rule: "tru" }, mesage: "m" } },
  ]);
  const rule = malformedConstraintRule("a.v1", requirements, place);
  expect(rule?.text).toBe(
    'a.v1 has a constraint that cannot be read: a constraint has no field "mesage" (did you mean message?); the rule cannot be compiled: no such variable `tru` (the variables here are `properties`)',
  );
  expect(rule?.place).toMatchObject({ path: ["properties", 1, "value", "mesage"], ofKey: true });
  const second = malformedConstraintRule("a.v1", { problems: requirements.problems.slice(1) }, place);
  expect(second?.place).toMatchObject({ path: ["properties", 1, "value", "cel", "rule"], offset: 0 });
  expect(malformedConstraintRule("a.v1", requirements)?.place).toBeUndefined();
  expect(malformedConstraintRule("a.v1", { problems: [] })).toBeUndefined();
});

const properties: readonly Property[] = [{ type: "olm.package", value: { packageName: "p", version: "1.0.0" } }];
const runtime = (value: Json): RuntimeConstraint =>
  readRuntimeConstraint({ type: "olm.constraint", value }, reader).constraint as RuntimeConstraint;
const error: Json = { cel: { rule: "properties[9].type == ''" } };

test("what the administrator demands", () => {
  const conflict = { action: { id: "conflict" } };
  expect(runtimeConstraintRule("p.v1", properties, runtime(P))).toBeUndefined();
  expect(runtimeConstraintRule("p.v1", properties, runtime({ ...(K as object), ...conflict }))).toBeUndefined();
  expect(runtimeConstraintRule("p.v1", properties, runtime({ ...(K as object), message: "m" }), place)).toEqual({
    name: "runtime-constraint",
    subject: "p.v1",
    text: 'the administrator requires an operator that provides K (g/v1), and p.v1 is no such operator (the administrator says: "m")',
    place,
  });
  expect(runtimeConstraintRule("p.v1", properties, runtime({ ...(P as object), ...conflict }))?.text).toBe(
    "the administrator forbids p >=1.0.0, and p.v1 is such an operator",
  );
  const told = (value: object): string | undefined =>
    runtimeConstraintRule("p.v1", properties, runtime(value as Json))?.text;
  expect(told({ ...(P as object), ...conflict, message: "no\nmore" })).toBe(
    'the administrator forbids p.v1: "no more"',
  );
  expect(told({ package: { name: "p", versionRange: "1.0.0" }, ...conflict })).toBe("the administrator forbids p.v1");
  expect(told({ cel: { rule: "properties.size() > 1" }, message: "m" })).toBe(
    'p.v1 does not meet a rule of the administrator (the administrator says: "m"; rule properties.size() > 1)',
  );
  expect(told({ cel: { rule: "properties.size() == 1" }, ...conflict })).toBe(
    "the administrator forbids p.v1 by a rule (rule properties.size() == 1)",
  );
  expect(runtimeConstraintRule("p.v1", properties, runtime(P), place, () => false)).toBeDefined();
  expect(unreadableRuntimeRule("p.v1").text).toContain("cannot be read");
});

test("a runtime constraint that cannot be evaluated refuses, whatever the action", () => {
  for (const id of ["require", "conflict"])
    expect(
      runtimeConstraintRule("p.v1", properties, runtime({ ...(error as object), action: { id } }))?.text,
    ).toContain("of p.v1 that cannot be told: ");
});

const node = (type: string, value: Json): { properties: readonly Property[] } => ({ properties: [{ type, value }] });

test.each<[string, Json, boolean]>([
  ["1.20.0", "1.20.0", true],
  ["1.20.0", "v1.19.9", false],
  ["v1.20", "1.20.0-gke.100", true],
  ["1.20", "1.20.0-rc.1", true],
  ["1.28.0-0", "1.28.0-rc.1", true],
  ["1.28.0-0", "v1.27.9+k3s1", false],
  ["v1.28.0-rc.2", "1.28.0-alpha.1", true],
  ["1.20", 1.21, true],
  ["nonsense", "1.0.0", true],
  ["1.20", "nonsense", true],
  ["1.20", null, true],
])("minKubeVersion %s on Kubernetes %s: %s", (minKubeVersion, version, fits) => {
  const rule = kubernetesVersionRule(
    "a.v1",
    { minKubeVersion, deprecated: false },
    node("kubernetes.version", version),
  );
  expect(rule === undefined).toBe(fits);
  if (!fits)
    expect(rule?.text).toBe(`a.v1 needs Kubernetes ${minKubeVersion} or newer, and the cluster has ${version}`);
});

test.each<[string, Json, boolean]>([
  ["4.9", "4.9", true],
  ["4.9", "4.9.33", true],
  ["4.9", "4.10", false],
  ["4.9", "5.1", false],
  ["4.10", "4.9", true],
  ["x", "4.10", true],
])("maxOpenShiftVersion %s on OpenShift %s: %s", (maxOpenShiftVersion, version, fits) => {
  const facts = { maxOpenShiftVersion, deprecated: false };
  const rule = openShiftVersionRule("a.v1", facts, node("openshift.version", version));
  expect(rule === undefined).toBe(fits);
  if (!fits)
    expect(rule?.text).toBe(`a.v1 needs OpenShift ${maxOpenShiftVersion} or older, and the cluster has ${version}`);
});

test("what cannot be enforced is noted", () => {
  const facts = { minKubeVersion: "1.20", maxOpenShiftVersion: "x", deprecated: false };
  expect(platformNotes("a.v1", facts, { properties: [] })).toEqual([
    "a.v1 needs at least Kubernetes 1.20, and the version of the cluster is not known: it is not enforced",
    'a.v1 runs at most on OpenShift "x", which is no version: it is not enforced',
  ]);
  expect(
    platformNotes("a.v1", { minKubeVersion: "1.20", deprecated: false }, node("kubernetes.version", "?")),
  ).toHaveLength(1);
  expect(platformNotes("a.v1", { minKubeVersion: "1.20", deprecated: false }, node("kubernetes.version", "1"))).toEqual(
    [],
  );
  expect(platformNotes("a.v1", { deprecated: false }, { properties: [] })).toEqual([]);
});

test.each<[readonly string[], boolean, string]>([
  [[], true, "AllNamespaces"],
  [["n"], false, "OwnNamespace"],
  [["m"], false, "SingleNamespace"],
  [["m", "o"], false, "MultiNamespace"],
  [["m", "n"], false, "MultiNamespace and OwnNamespace"],
])("targets %j (all: %s) need %s", (names, all, modes) => {
  const supported = modes.split(" and ").map((type) => ({ type, supported: true }));
  const others = ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"]
    .filter((type) => !modes.includes(type))
    .map((type) => ({ type, supported: true }));
  expect(installModeRule("a.v1", supported, { all, names }, "n")).toBeUndefined();
  expect(installModeRule("a.v1", others, { all, names }, "n")?.text).toBe(
    `a.v1 does not support the install mode ${modes}, which the OperatorGroup of n needs`,
  );
});

test("unknown modes or targets forbid nothing; a mode that is not supported is none", () => {
  const none = [{ type: "OwnNamespace", supported: false }];
  const targets = { all: false, names: ["n"] };
  expect(installModeRule("a.v1", none, targets, "n")).toBeDefined();
  expect(installModeRule("a.v1", none, undefined, "n")).toBeUndefined();
  expect(installModeRule("a.v1", [], targets, "n")).toBeUndefined();
  expect(installModeRule("a.v1", undefined, targets, "n")).toBeUndefined();
  expect(installModeRule("a.v1", none, { all: false, names: [] }, "n")).toBeUndefined();
});
