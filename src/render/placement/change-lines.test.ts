import { expect, test } from "vitest";
import { celError, check, chosen, cluster, placed, shown, WRONG } from "../../../test/placement/sample-placement.ts";
import type { MovedCluster, PlacementChange } from "../../placement/compare/placement-change.ts";
import type { ClusterReport } from "../../placement/placement-result.ts";
import { makeStyle } from "../kit/style.ts";
import { changeLines } from "./change-lines.ts";
import { renderPlacements } from "./render-placement.ts";

const LOOK = { style: makeStyle(false), width: undefined, all: false };

/** A cluster that is not selected in the other state, since it is only in a set that is not bound. */
function moved(name: string, set: string): MovedCluster {
  const reason = { kind: "outside", own: [set], unbound: [set], wanted: [], namespace: "apps" } as const;
  return { name, report: cluster(name, "outside", { reason }) };
}

function unbound(set: string): string {
  return `it is only in ${set}, not bound to the namespace apps`;
}

function change(more: Partial<PlacementChange> = {}): PlacementChange {
  const one = { key: "apps/lights", namespace: "apps", name: "lights", gained: [], lost: [] };
  return { ...one, kept: 9, before: 12, after: 9, isNew: false, isGone: false, basis: "given", ...more };
}

function changeText(more: Partial<PlacementChange>, all = false): string {
  return changeLines(change(more), "old.yaml", { ...LOOK, all }).join("\n");
}

test("what is lost and gained, those with the same reason together", () => {
  const both = {
    lost: [moved("a", "dev"), moved("b", "test"), moved("c", "dev")],
    gained: [moved("d", "prod")],
  };
  expect(changeText(both)).toBe(`\
Compared with old.yaml (12 clusters): loses 3, gains 1
  - a, c: ${unbound("dev")}
  - b: ${unbound("test")}
  + d: before, ${unbound("prod")}`);
});

test("only what there is", () => {
  expect(changeText({ gained: [moved("d", "was not prod")] })).toMatch(
    /^Compared with old.yaml \(12 clusters\): gains 1, loses none\n/,
  );
  expect(changeText({ lost: [moved("a", "x")] })).toMatch(
    /^Compared with old.yaml \(12 clusters\): loses 1, gains none\n/,
  );
  expect(changeText({})).toBe("Compared with old.yaml: no change, all 12 clusters stay");
  expect(changeText({ before: 1 })).toBe("Compared with old.yaml: no change, the 1 cluster stays");
  expect(changeText({ before: 0 })).toBe("Compared with old.yaml: no change");
});

test("an unknown past is shown as unknown", () => {
  expect(changeText({ basis: "assumed" })).toBe(
    "Compared with old.yaml: no change, all 12 clusters stay; the Placement is not in old.yaml, so taken as unchanged",
  );
  expect(changeText({ basis: "unknown", before: 0 })).toBe(
    "Compared with old.yaml: no change; but nothing could be decided before, and which clusters it had is not known without its PlacementDecisions",
  );
});

test("an exceeded limit shows how many are allowed", () => {
  const two = { lost: [moved("a", "x"), moved("b", "x")] };
  expect(changeText({ ...two, exceeded: { text: "10%", amount: 10, isShare: true } })).toContain(
    "Too many are lost: --max-removed 10% allows 1.",
  );
  expect(changeText({ ...two, exceeded: { text: "0", amount: 0, isShare: false } })).toContain("allows none.");
});

test("a Placement that is new or gone", () => {
  expect(changeText({ isNew: true, before: 0, gained: [{ name: "a" }] })).toBe(
    "Compared with old.yaml: new, gains 1 cluster\n  + a: before, the Placement is new",
  );
  expect(changeText({ isGone: true, before: 1, lost: [{ name: "a" }] })).toBe(
    "- apps/lights: gone, and with it its 1 cluster\n  - a: the Placement is gone",
  );
  expect(changeText({ isGone: true, before: 0 })).toBe("- apps/lights: gone, and with it no cluster");
});

test("a cluster that is new or gone", () => {
  expect(changeText({ lost: [{ name: "a" }], gained: [{ name: "b" }] })).toMatch(
    /- a: the cluster is gone\n {2}\+ b: before, the cluster is new$/,
  );
});

test("a cluster that was selected but not decided yet is marked (the given decisions are older)", () => {
  expect(changeText({ gained: [{ name: "a", report: chosen("a", 1, 1) }] })).toContain(
    "+ a: before, it was not decided yet",
  );
});

test("many that lost their rank are one reason", () => {
  const many = Array.from({ length: 30 }, (_, index) => {
    const report = cluster(`c${index}`, "left", { rank: 40 - index, score: 1 });
    return { name: `c${index}`, report };
  });
  expect(changeText({ lost: many })).toContain(
    "- c29 (rank 11, score 1), c28 (rank 12, score 1), c27 (rank 13, score 1), c26 (rank 14, score 1) and 26 more: match, but others rank higher",
  );
});

test("many reasons are counted unless everything is wanted", () => {
  const many = { lost: Array.from({ length: 30 }, (_, index) => moved(`c${index}`, `reason ${index}`)) };
  expect(changeText(many)).toMatch(/\n {2}- … and 18 more; -o wide lists all$/);
  expect(changeText(many, true)).toContain(`- c29: ${unbound("reason 29")}`);
});

test("is listed with its Placement; removed Placements at the end", () => {
  const changes = [change({ lost: [moved("a", "x")] }), change({ key: "apps/old", name: "old", isGone: true })];
  const run = shown([placed([chosen("b", 1, 1)])], { changes, against: "old.yaml" });
  const text = renderPlacements(run, { ...LOOK, output: "text" });
  expect(text).toBe(`\
✓ apps/lights: 1 cluster selected of 1 candidate

  Compared with old.yaml (12 clusters): loses 1, gains none
    - a: ${unbound("x")}

  Selected, with score 1 (Balance 1):
    b

- apps/old: gone, and with it its 12 clusters
`);
});

test("a Placement that loses more than is allowed has no ✓ in its headline, in any format", () => {
  const exceeded = { text: "0", amount: 0, isShare: false };
  const changes = [change({ lost: [moved("a", "x")], exceeded })];
  const run = shown([placed([chosen("b", 1, 1)])], { changes, against: "old.yaml" });
  for (const output of ["text", "wide", "matrix"] as const)
    expect(renderPlacements(run, { ...LOOK, output })).toMatch(/^✗ apps\/lights: 1 cluster selected/);
});

test("the past has its own wording: rules, errors and ranks", () => {
  const reports = [
    cluster("a", "unmatched", { checks: [check({ outcome: "false", value: "1" })] }),
    cluster("b", "failed", { checks: [celError("a > 1", "no such key: a")] }),
    cluster("c", "left", { rank: 4, score: 7 }),
  ];
  const gained = reports.map((report) => ({ name: report.name, report }));
  expect(changeText({ gained }).split("\n").slice(1)).toEqual([
    "  + b: before, could not be evaluated: CEL a > 1 (no such key: a)",
    '  + a ("1"): before, label env In (prod) did not hold',
    "  + c (rank 4, score 7): before, matched, but others ranked higher",
  ]);
});

test("a misconfigured Placement shows what stays", () => {
  const kept = shown([placed([], { state: "kept", mistakes: [WRONG] })], {
    changes: [change({ before: 3, after: 3 })],
  });
  expect(renderPlacements(kept, { ...LOOK, output: "text" })).toMatch(
    /; the 3 clusters that were selected before stay\n/,
  );
});

test("what is gained is marked where it is listed", () => {
  const changes = [change({ gained: [moved("a", "x")] })];
  const text = (clusters: readonly ClusterReport[]): string =>
    renderPlacements(shown([placed(clusters)], { changes }), { ...LOOK, output: "text" });
  expect(text([chosen("a", 1, 1), chosen("b", 2, 1)])).toContain("\n    a (new), b\n");
  const isNew = shown([placed([chosen("a", 1, 1)])], {
    changes: [change({ isNew: true, gained: [moved("a", "x")] })],
  });
  expect(renderPlacements(isNew, { ...LOOK, output: "text" })).not.toContain("(new)");
  expect(text([chosen("a", 1, 5), chosen("b", 2, 1)])).toMatch(/\n {2}a +5 +5 {2}new\n {2}b +1 +1\n/);
});
