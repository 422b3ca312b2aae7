// Can the brute force be trusted with what filters? It is put to OCM's own cases, by their ids.

import { describe, expect, test } from "vitest";
import { Timestamp } from "../../src/cel/value/timestamp.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Placement } from "../../src/model/placement.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../../src/placement/placement-mode.ts";
import { bruteForce, nextChange } from "../worlds/placement-brute-force.ts";
import {
  clusterSet,
  decision,
  managedCluster,
  placement,
  readFleet,
  SET_LABEL,
  setBinding,
} from "../worlds/placement-fleet.ts";

const T0 = new Timestamp(Date.UTC(2022, 0, 1) / 1000, 0);
const BOUND = [clusterSet("set1"), setBinding("ns1", "set1")];

function situationOf(manifests: readonly JsonObject[], mode: PlacementMode) {
  return { objects: readFleet([...BOUND, ...manifests]), now: T0, mode };
}

/** The answer to the only Placement. */
function place(
  spec: JsonObject,
  clusters: readonly JsonObject[],
  more: readonly JsonObject[] = [],
  mode = DEFAULT_MODE,
) {
  const input = situationOf([placement("ns1", "test", spec), ...clusters, ...more], mode);
  return bruteForce(input, input.objects.placements[0] as Placement);
}

interface Draft {
  readonly labels?: JsonObject;
  readonly claims?: Readonly<Record<string, string>>;
  readonly taints?: readonly JsonObject[];
  readonly allocatable?: JsonObject;
  readonly capacity?: JsonObject;
}

/** Clusters c1, c2 and so on, in set1. */
function clusters(...drafts: readonly Draft[]): readonly JsonObject[] {
  return drafts.map(({ labels, claims = {}, taints = [], allocatable, capacity = allocatable }, index) => {
    const clusterClaims = Object.entries(claims).map(([name, value]) => ({ name, value }));
    const status = { clusterClaims, ...(allocatable && { allocatable }), ...(capacity && { capacity }) };
    return managedCluster(`c${index + 1}`, { [SET_LABEL]: "set1", ...labels }, { spec: { taints }, status });
  });
}

function required(...selectors: readonly Json[]): JsonObject {
  return { predicates: selectors.map((requiredClusterSelector) => ({ requiredClusterSelector })) };
}

describe("B: labels and claims", () => {
  const claim = (key: string, ...values: string[]) => ({ matchExpressions: [{ key, operator: "In", values }] });
  const amazon = { labelSelector: { matchLabels: { cloud: "Amazon" } } };
  test.each<[string, JsonObject, Draft[], string[]]>([
    ["B1", required(amazon), [{ labels: { cloud: "Amazon" } }, { labels: { cloud: "Google" } }], ["c1"]],
    [
      "B2",
      required({ claimSelector: claim("cloud", "Amazon") }),
      [{ claims: { cloud: "Amazon" } }, { claims: { cloud: "Google" } }],
      ["c1"],
    ],
    [
      "B4",
      required({ ...amazon, claimSelector: claim("region", "us-east-1") }),
      [{ labels: { region: "us-east-1" }, claims: { cloud: "Amazon" } }],
      [],
    ],
    [
      "B5",
      required(amazon, { claimSelector: claim("region", "us-east-1") }),
      [{ labels: { cloud: "Amazon" } }, { claims: { region: "us-east-1" } }, { claims: { region: "us-east-2" } }],
      ["c1", "c2"],
    ],
    ["B6", {}, [{}, {}], ["c1", "c2"]],
    ["B8", required({}), [{}, {}], ["c1", "c2"]],
    [
      "B9",
      required({ labelSelector: { matchExpressions: [{ key: "env", operator: "NotIn", values: ["prod"] }] } }),
      [{}, { labels: { env: "prod" } }],
      ["c1"],
    ],
  ])("%s", (_, spec, drafts, selected) => {
    for (const mode of [DEFAULT_MODE, OCM_MODE]) {
      expect(place(spec, clusters(...drafts), [], mode)).toMatchObject({ state: "placed", selected });
    }
  });

  test("B10, I17: what is misconfigured keeps its decisions, or loses them", () => {
    const spec = required({ labelSelector: { matchExpressions: [{ key: "a", operator: "In", values: [] }] } });
    const more = [decision("ns1", "test-decision-1", "test", ["c1", "gone"])];
    expect(place(spec, clusters({}, {}), more)).toMatchObject({ state: "kept", selected: ["c1"] });
    expect(place(spec, clusters({}, {}), more, OCM_MODE)).toMatchObject({ state: "emptied", selected: [] });
  });
});

describe("E: taints", () => {
  const taint = (key: string, value: string, effect = "NoSelect", ago?: number): JsonObject => ({
    key,
    value,
    effect,
    ...(ago !== undefined && { timeAdded: String(new Timestamp(T0.seconds - ago, 0)) }),
  });
  const tolerate = (...tolerations: readonly JsonObject[]): JsonObject => ({ tolerations });
  const decided = [decision("ns1", "test-decision-1", "test", ["c1", "c2"])];
  const key1 = [taint("key1", "value1")];
  const ifNew = [taint("key1", "value1", "NoSelectIfNew")];
  test.each<[string, JsonObject, Draft[], JsonObject[], string[]]>([
    ["E1", {}, [{ taints: key1 }], [], []],
    ["E2", tolerate({ key: "key1", value: "value1" }), [{ taints: key1 }], [], ["c1"]],
    ["E4", tolerate({ key: "key1" }), [{ taints: key1 }], [], []],
    [
      "E5",
      tolerate({ key: "key1", value: "value1" }),
      [{ taints: [taint("key1", "value2")] }, { taints: [taint("key2", "value1")] }],
      [],
      [],
    ],
    ["E6", tolerate({ key: "key1", operator: "Exists" }), [{ taints: key1 }], [], ["c1"]],
    ["E8", tolerate({ key: "key2", operator: "Exists" }), [{ taints: key1 }], [], []],
    ["E9", {}, [{ taints: ifNew }], [], []],
    ["E10", {}, [{ taints: ifNew }], decided, ["c1"]],
    ["E12", tolerate({ key: "key2", operator: "Exists" }), [{ taints: ifNew }], decided, ["c1"]],
    ["E13", {}, [{ taints: [taint("key1", "value1", "PreferNoSelect")] }], [], ["c1"]],
    ["E16", tolerate({ key: "key1", value: "value1", effect: "NoSelectIfNew" }), [{ taints: key1 }], [], []],
    ["E17", tolerate({ key: "key1", value: "value1", effect: "NoSelect" }), [{ taints: key1 }], [], ["c1"]],
    [
      "E21",
      tolerate({ key: "key1", operator: "Exists", tolerationSeconds: 10 }),
      [8, 9, 10].map((ago) => ({ taints: [taint("key1", "", "NoSelect", ago)] })),
      [],
      ["c1", "c2"],
    ],
    ["E24", tolerate({ key: "key1", operator: "Exists", tolerationSeconds: 10 }), [{ taints: key1 }], [], []],
    [
      "E25",
      tolerate({ key: "key1", operator: "Exists", tolerationSeconds: 10 }, { key: "key1", operator: "Exists" }),
      [{ taints: [taint("key1", "", "NoSelect", 50)] }],
      [],
      ["c1"],
    ],
    ["E26", tolerate({ operator: "Exists" }), [{ taints: key1 }, { taints: ifNew }], [], ["c1", "c2"]],
  ])("%s", (_, spec, drafts, more, selected) => {
    for (const mode of [DEFAULT_MODE, OCM_MODE]) {
      expect(place(spec, clusters(...drafts), more, mode)).toMatchObject({ state: "placed", selected });
    }
  });

  test("E22: the first moment at which the answer changes", () => {
    const spec = tolerate({ key: "key1", operator: "Exists", tolerationSeconds: 10 });
    const drafts = [8, 9, 10].map((ago) => ({ taints: [taint("key1", "", "NoSelect", ago)] }));
    const input = situationOf([placement("ns1", "test", spec), ...clusters(...drafts), ...decided], DEFAULT_MODE);
    const [one] = input.objects.placements as [Placement];
    expect(String(nextChange(input, one))).toBe("2022-01-01T00:00:01Z");
  });

  test("an unwanted cluster comes last by default, and is like all others for OCM", () => {
    const drafts = [{ taints: [taint("key1", "", "PreferNoSelect")] }, {}];
    expect(place({ numberOfClusters: 1 }, clusters(...drafts)).selected).toEqual(["c2"]);
    expect(place({ numberOfClusters: 1 }, clusters(...drafts), [], OCM_MODE).selected).toEqual(["c1"]);
  });
});
