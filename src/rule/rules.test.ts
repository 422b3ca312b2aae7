import { expect, test } from "vitest";
import type { Constraint, RuntimeConstraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import { matches } from "../constraint/predicate.ts";
import { ConstraintReader } from "../constraint/read-requirements.ts";
import { readRuntimeConstraint } from "../constraint/read-runtime-constraint.ts";
import type { ChannelEntry, Property } from "../model/catalog.ts";
import type { InstallMode } from "../model/installed-operator.ts";
import type { Json } from "../model/json.ts";
import type { Place } from "../model/place.ts";
import type { Installed, TargetNamespaces } from "../model/problem.ts";
import { sentence } from "../render/sentence/constraint.ts";
import { brokenText, detailText, one, platformNoteText } from "../render/sentence/rule.ts";
import { parseRange, type Range } from "../semver/blang-range.ts";
import { parseVersion, type Version } from "../semver/version.ts";
import { deprecation } from "./deprecation.ts";
import { featureGate } from "./feature-gate.ts";
import { installMode } from "./install-mode.ts";
import { malformedConstraint } from "./malformed-constraint.ts";
import { kubernetesVersion, openShiftVersion, platformNotes } from "./platform-version.ts";
import { requirementDetail } from "./requirement.ts";
import { readableRuntime, runtimeConstraint } from "./runtime-constraint.ts";
import type { Alone, Surroundings, UnaryRule } from "./shape/unary-rule.ts";
import { edgeFrom, hasEdge } from "./upgrade-edge.ts";

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
])("the text of a requirement: %s %j", (type, value, name, text) => {
  const { requirements } = reader.of([{ type, value }]);
  const [requirement] = requirements;
  if (requirement === undefined) throw new Error("the requirement cannot be read");
  const detail = requirementDetail(requirement);
  expect(detail.rule).toBe(name);
  expect(detailText(detail, one("a.v1"))).toBe(text);
});

test("sentences are short, for any constraint", () => {
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
});

const alone: Alone = {
  package: "a",
  properties: [],
  place: undefined,
  facts: { deprecated: false },
  requirements: { requirements: [], problems: [], hasCompounds: false },
  provides: [],
  crdUpgrade: () => undefined,
};

const around: Surroundings = {
  namespace: "n",
  node: { properties: [] },
  targets: undefined,
  compoundConstraints: true,
  removed: new Set(),
  unreadable: undefined,
  runtime: [],
  matches,
  elsewhere: new Map(),
};

/** The refusal of an operator by a rule; undefined if it keeps the rule. */
function refusalText(
  rule: UnaryRule,
  { name = "a.v1", ...own }: Partial<Alone> & { readonly name?: string },
  there: Partial<Surroundings> = {},
): string | undefined {
  const refusal = rule.refusal({ ...alone, ...own }, { ...around, ...there });
  return refusal && detailText(refusal.detail, one(name));
}

test("rules about several", () => {
  const names = (...all: readonly string[]): readonly { name: string }[] => all.map((name) => ({ name }));
  expect(brokenText({ detail: { rule: "one-provider", api: "g/v1/K", providers: names("a.v1", "b.v1") } })).toBe(
    "a.v1 and b.v1 provide K (g/v1), and only one operator may",
  );
  expect(brokenText({ detail: { rule: "one-bundle", package: "a", members: names("a.v1", "a.v2") } })).toBe(
    "a.v1 and a.v2 are of package a, and only one of them may run in a namespace",
  );
});

test("deprecation and the gate", () => {
  expect(refusalText(deprecation, {})).toBeUndefined();
  expect(refusalText(deprecation, { facts: { deprecated: true } })).toMatch(/^a\.v1 is marked olm\.deprecated/);
  const requirements = { ...alone.requirements, hasCompounds: true };
  expect(refusalText(featureGate, { requirements })).toBeUndefined();
  expect(refusalText(featureGate, {}, { compoundConstraints: false })).toBeUndefined();
  expect(refusalText(featureGate, { requirements }, { compoundConstraints: false })).toContain(
    "CompoundConstraintsV1Alpha1",
  );
});

test("a malformed constraint is reported at its place", () => {
  const requirements = reader.of([
    { type: "x", value: 1 },
    { type: "olm.constraint", value: { cel: { rule: "tru" }, mesage: "m" } },
  ]);
  expect(refusalText(malformedConstraint, { requirements })).toBe(
    'a.v1 has a constraint that cannot be read: a constraint has no field "mesage" (did you mean message?); the rule cannot be compiled: no such variable `tru` (the variables here are `properties`)',
  );
  const at = (own: Partial<Alone>): Place | undefined =>
    malformedConstraint.refusal({ ...alone, requirements, ...own }, around)?.place;
  expect(at({ place })).toMatchObject({ path: ["properties", 1, "value", "mesage"], ofKey: true });
  const second = { ...requirements, problems: requirements.problems.slice(1) };
  expect(at({ place, requirements: second })).toMatchObject({
    path: ["properties", 1, "value", "cel", "rule"],
    offset: 0,
  });
  expect(at({})).toBeUndefined();
  expect(refusalText(malformedConstraint, {})).toBeUndefined();
});

const properties: readonly Property[] = [{ type: "olm.package", value: { packageName: "p", version: "1.0.0" } }];
const runtime = (value: Json): RuntimeConstraint =>
  readRuntimeConstraint({ type: "olm.constraint", value }, reader).constraint as RuntimeConstraint;
const error: Json = { cel: { rule: "properties[9].type == ''" } };

/** The refusal of p 1.0.0 by a runtime constraint. */
const demanded = (value: object, match = matches): string | undefined =>
  refusalText(
    runtimeConstraint,
    { name: "p.v1", properties },
    { runtime: [{ ...runtime(value as Json), place, number: 1 }], matches: match },
  );

test("what the administrator demands", () => {
  const conflict = { action: { id: "conflict" } };
  expect(demanded(P as object)).toBeUndefined();
  expect(demanded({ ...(K as object), ...conflict })).toBeUndefined();
  expect(demanded({ ...(K as object), message: "m" })).toBe(
    'the administrator requires an operator that provides K (g/v1), and p.v1 is not such an operator (the administrator says: "m")',
  );
  expect(demanded({ ...(P as object), ...conflict })).toBe(
    "the administrator forbids p >=1.0.0, and p.v1 is such an operator",
  );
  expect(demanded({ ...(P as object), ...conflict, message: "no\nmore" })).toBe(
    'the administrator forbids p.v1: "no more"',
  );
  expect(demanded({ package: { name: "p", versionRange: "1.0.0" }, ...conflict })).toBe(
    "the administrator forbids p.v1",
  );
  expect(demanded({ cel: { rule: "properties.size() > 1" }, message: "m" })).toBe(
    'p.v1 does not meet a rule of the administrator (the administrator says: "m"; rule properties.size() > 1)',
  );
  expect(demanded({ cel: { rule: "properties.size() == 1" }, ...conflict })).toBe(
    "the administrator forbids p.v1 by a rule (rule properties.size() == 1)",
  );
  expect(demanded(P as object, () => false)).toBeDefined();
  expect(refusalText(readableRuntime, {})).toBeUndefined();
  expect(refusalText(readableRuntime, {}, { unreadable: {} })).toContain("cannot be read");
});

test("a runtime constraint that cannot be evaluated refuses, for any action", () => {
  for (const id of ["require", "conflict"])
    expect(demanded({ ...(error as object), action: { id } })).toContain("for p.v1 that cannot be evaluated: ");
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
  const facts = { minKubeVersion, deprecated: false };
  expect(refusalText(kubernetesVersion, { facts }, { node: node("kubernetes.version", version) })).toBe(
    fits ? undefined : `a.v1 needs Kubernetes ${minKubeVersion} or newer, and the cluster has ${version}`,
  );
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
  expect(refusalText(openShiftVersion, { facts }, { node: node("openshift.version", version) })).toBe(
    fits ? undefined : `a.v1 needs OpenShift ${maxOpenShiftVersion} or older, and the cluster has ${version}`,
  );
});

test("what cannot be enforced is noted", () => {
  const facts = { minKubeVersion: "1.20", maxOpenShiftVersion: "x", deprecated: false };
  expect(platformNotes(facts, { properties: [] }).map((note) => platformNoteText(note, "a.v1"))).toEqual([
    "a.v1 needs at least Kubernetes 1.20, and the version of the cluster is not known: it is not enforced (--kube-version VERSION)",
    'a.v1 runs at most on OpenShift "x", which is not a version: it is not enforced',
  ]);
  expect(platformNotes({ minKubeVersion: "1.20", deprecated: false }, node("kubernetes.version", "?"))).toHaveLength(1);
  expect(platformNotes({ minKubeVersion: "1.20", deprecated: false }, node("kubernetes.version", "1"))).toEqual([]);
  expect(platformNotes({ deprecated: false }, { properties: [] })).toEqual([]);
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
  const modesRefusal = (installModes: readonly InstallMode[]): string | undefined =>
    refusalText(installMode, { facts: { deprecated: false, installModes } }, { targets: { all, names } });
  expect(modesRefusal(supported)).toBeUndefined();
  expect(modesRefusal(others)).toBe(
    `a.v1 does not support the install mode ${modes}, which the OperatorGroup of n needs`,
  );
});

test("unknown modes or targets forbid nothing; a mode that is not supported is none", () => {
  const none = [{ type: "OwnNamespace", supported: false }];
  const targets = { all: false, names: ["n"] };
  const modesRefusal = (installModes: readonly InstallMode[] | undefined, there: TargetNamespaces | undefined) =>
    refusalText(installMode, { facts: { deprecated: false, installModes } }, { targets: there });
  expect(modesRefusal(none, targets)).toBeDefined();
  expect(modesRefusal(none, undefined)).toBeUndefined();
  expect(modesRefusal([], targets)).toBeUndefined();
  expect(modesRefusal(undefined, targets)).toBeUndefined();
  expect(modesRefusal(none, { all: false, names: [] })).toBeUndefined();
});
