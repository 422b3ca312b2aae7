import { describe, expect, test } from "vitest";
import { cluster, decision, hub, NOW, PLACE, placement } from "../../../test/placement/sample-fleet.ts";
import type { RejectedObject } from "../../model/cluster-objects.ts";
import type { LostText } from "../../model/lost-text.ts";
import type { Place } from "../../model/place.ts";
import { PlacementEngine } from "../engine.ts";
import { unreadClusters, unreadPlacements, unreadSets } from "./unread.ts";

const LOST: Place = { source: "lost.yaml", line: 3, column: 1 };
const NOTHING: LostText = { words: new Map(), unseen: undefined };

/** A cluster did not return the objects of a kind. */
function unreadKind(kind: string): LostText {
  return { ...NOTHING, kinds: new Map([[kind, LOST]]) };
}

function lost(words: readonly string[], unseen?: Place): LostText {
  return { words: new Map(words.map((word) => [word, LOST])), unseen };
}

describe("clusters that are not known to be gone", () => {
  const objects = hub({
    managedClusters: [cluster("c1")],
    placementDecisions: [decision("p-decision-1", "p", "c1"), decision("q-decision-1", "q", "c2")],
  });
  const c2 = { name: "c2", place: LOST, isSupposed: true };

  test("are decided, have no ManagedCluster, and may be in what was lost", () => {
    expect(unreadClusters(objects)).toEqual([]);
    expect(unreadClusters({ ...objects, lost: NOTHING })).toEqual([]);
    expect(unreadClusters({ ...objects, lost: lost(["c1", "c3"]) })).toEqual([]);
    expect(unreadClusters({ ...objects, lost: lost(["c1", "c2"]) })).toEqual([c2]);
    expect(unreadClusters({ ...objects, lost: lost([], LOST) })).toEqual([c2]);
    expect(unreadClusters({ ...objects, lost: unreadKind("ManagedCluster") })).toEqual([c2]);
    expect(unreadClusters({ ...objects, lost: unreadKind("Placement") })).toEqual([]);
  });

  test.each<[Partial<RejectedObject>, boolean | undefined]>([
    [{ kind: "ManagedCluster" }, false],
    [{ kind: "ManagedClustr", meant: "ManagedCluster" }, true],
    [{ kind: "" }, true],
    [{ kind: "Subscription" }, undefined],
  ])("are objects that could not be used: %j", (object, isSupposed) => {
    const rejected = [{ kind: "", name: "c2", place: LOST, ...object }];
    expect(unreadClusters({ ...objects, rejected, lost: NOTHING }).map((one) => one.isSupposed)).toEqual(
      isSupposed === undefined ? [] : [isSupposed],
    );
  });
});

describe("Placements that have no answer", () => {
  const { placements } = hub({ placements: [placement("p")] });
  const rejected = (...objects: readonly Partial<RejectedObject>[]): readonly RejectedObject[] =>
    objects.map((object) => ({ kind: "Placement", place: PLACE, namespace: "ns", name: "q", ...object }));

  test("could not be used, and were not given a second time", () => {
    const all = (objects: readonly RejectedObject[], namespace?: string) =>
      unreadPlacements({ placements, rejected: objects, lost: NOTHING }, namespace);
    expect(all(rejected({}))).toEqual([PLACE]);
    expect(all(rejected({ kind: "Placment", meant: "Placement" }))).toEqual([PLACE]);
    expect(all(rejected({ name: "p" }))).toEqual([]);
    expect(all(rejected({ name: "p", namespace: "other" }))).toEqual([PLACE]);
    expect(all(rejected({ kind: "ManagedCluster" }))).toEqual([]);
    expect(all(rejected({}), "other")).toEqual([]);
    expect(all(rejected({ namespace: undefined }), "other")).toEqual([PLACE]);
  });

  test("may be in what was lost", () => {
    const all = (text: LostText) => unreadPlacements({ placements, rejected: [], lost: text });
    expect(all(lost(["ManagedCluster"]))).toEqual([]);
    expect(all(lost(["Placement"]))).toEqual([LOST]);
    expect(all(lost([], LOST))).toEqual([LOST]);
    expect(all(unreadKind("Placement"))).toEqual([LOST]);
    expect(all(unreadKind("ManagedCluster"))).toEqual([]);
  });
});

describe("sets and bindings that are not known to be gone", () => {
  const objects = { ...hub({ placements: [placement("p")] }), managedClusterSets: [] };
  const [bound] = objects.managedClusterSetBindings.map(({ name }) => name);
  const unreadWith = (text: LostText) =>
    unreadSets({ ...objects, lost: text }).map(({ kind, namespace, name }) => [kind, namespace, name]);
  const set = ["ManagedClusterSet", undefined, bound];
  const binding = ["ManagedClusterSetBinding", "ns", undefined];

  test("are sets that are bound and may be in what was lost", () => {
    expect(unreadWith(NOTHING)).toEqual([]);
    expect(unreadWith(lost(["ManagedClusterSet"]))).toEqual([]);
    expect(unreadWith(lost(["ManagedClusterSet", bound as string]))).toEqual([set]);
    expect(unreadWith(lost([], LOST))).toEqual([set]);
    expect(unreadSets({ ...objects, ...hub({}), lost: lost([], LOST) })).toEqual([]);
  });

  test("are bindings of a namespace, if the text mentions both", () => {
    expect(unreadWith(lost(["ManagedClusterSetBinding"]))).toEqual([]);
    expect(unreadWith(lost(["ManagedClusterSetBinding", "ns"]))).toEqual([binding]);
  });

  test("are all of a kind that a cluster did not return", () => {
    expect(unreadWith(unreadKind("ManagedClusterSet"))).toEqual([set]);
    expect(unreadWith(unreadKind("ManagedClusterSetBinding"))).toEqual([binding]);
    expect(unreadWith(unreadKind("ManagedCluster"))).toEqual([]);
  });

  test("have unknown members if a cluster returned no ManagedCluster at all: nothing is decided", () => {
    const whole = { ...unreadKind("ManagedCluster"), wholeKinds: new Set(["ManagedCluster"]) };
    expect(unreadWith(whole)).toEqual([["ManagedCluster", undefined, undefined]]);
    const decided = hub({
      placements: [placement("p"), placement("q", { clusterSets: ["gone"] })],
      placementDecisions: [decision("p-decision-1", "p", "c1")],
      lost: whole,
    });
    const engine = new PlacementEngine(decided, { now: NOW });
    const [kept, other] = engine.keys().map((key) => engine.result(key));
    expect([kept?.state, kept?.mistakes, kept?.warnings]).toEqual([
      "kept",
      [{ fault: { kind: "unread-set", object: "ManagedCluster", isSupposed: true }, place: LOST, plugin: "" }],
      [],
    ]);
    expect(kept?.tally.selected).toBe(1);
    expect(other?.unusableSets).toEqual([{ name: "gone", why: "missing" }]);
  });

  test("are objects that could not be used", () => {
    const rejected = [{ kind: "ManagedClusterSte", meant: "ManagedClusterSet", name: bound, place: PLACE }];
    expect(unreadSets({ ...objects, rejected, lost: lost([], LOST) })).toEqual([
      { ...rejected[0], kind: "ManagedClusterSet" },
    ]);
  });
});
