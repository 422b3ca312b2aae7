import { describe, expect, test } from "vitest";
import {
  at,
  check,
  chosen,
  cluster,
  FLEET,
  placed,
  placement,
  satisfied,
  shown,
  WAKE,
  WRONG,
} from "../../../test/placement/sample-placement.ts";
import { OCM_MODE } from "../../placement/placement-mode.ts";
import type { Mistake, PlacementResult } from "../../placement/placement-result.ts";
import { listed, shortText } from "../../text/words.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { conditionText } from "../sentence/placement-status.ts";
import { renderPlacements } from "./render-placement.ts";
import type { ShownPlacement, ShownPlacements } from "./shown.ts";

function text(run: ShownPlacements | ShownPlacement, output = "text", width?: number): string {
  return renderPlacements("placements" in run ? run : shown([run]), { output, style: makeStyle(false), width });
}

test("a headline, the selected clusters, why not the others, and when it may change", () => {
  expect(text(placed(FLEET, { wakeAt: WAKE, placement: placement({ numberOfClusters: 2 }) }))).toBe(`\
✓ apps/lights: 2 clusters selected of 8 candidates, as many as requested; 1 could not be evaluated

  CLUSTER  SCORE  Balance
  genoa      100      100
  bergen      80       80

  Why not the others
    1  could not be evaluated, which counts as no match: CEL a.b > 1
         halifax  no such key: b
    2  label env In (prod) does not hold
         durban ("test"), lagos ("dev")
    1  tainted: fog=thick:NoSelect, not tolerated
         dakar
    1  being deleted
         mumbai
    1  matches, but only 2 are requested; the last selected has 80
         lisbon (rank 3, score 60)

  May change by itself at 2026-11-03T03:12:00Z.
`);
});

test("wide: every cluster with its verdict, rank, score and reason, and the conditions", () => {
  expect(text(placed(FLEET.slice(0, 3)), "wide")).toBe(`\
✓ apps/lights: 1 cluster selected of 3 candidates

  CLUSTER  VERDICT   RANK  SCORE  Balance  REASON
  bergen   selected     2     80       80  predicates[0] holds
  dakar    tainted      –      –        –  tainted: fog=thick:NoSelect, not tolerated
  durban   no match     –      –        –  label env In (prod) does not hold: "test"

  Conditions
    PlacementSatisfied=True AllDecisionsScheduled: All cluster decisions scheduled
`);
});

test("name: a line for each selected cluster, easy for scripts", () => {
  expect(text(shown([placed(FLEET), placed([])]), "name")).toBe("apps/lights bergen\napps/lights genoa\n");
});

describe("the headline", () => {
  test.each([
    [["dry"], "the ManagedClusterSet dry, which is bound to the namespace apps, is not given"],
    [["dry", "wet"], "the ManagedClusterSets dry, wet, which are bound to the namespace apps, are not given"],
  ])("sets that are bound and not given: %j", (lackingSets, why) => {
    const conditions = [satisfied("NoManagedClusterSetBindings", { kind: "no-bindings" })];
    const [line] = text({ ...placed([], { conditions }), lackingSets }).split("\n");
    expect(line).toBe(`– apps/lights: no cluster selected (numberOfClusters is not set): ${why}`);
  });

  const unsatisfied = (reason: string) => ({ conditions: [satisfied(reason, { kind: "no-bindings" })] });
  const broken: Mistake = {
    ...WRONG,
    fault: { kind: "broken-set", set: "dry", fault: { kind: "values-missing", operator: "In" } },
  };
  test.each<[string, Partial<PlacementResult>, readonly string[]]>([
    ["✓ apps/lights: 2 clusters selected of 2 candidates", {}, ["a", "b"]],
    [
      "✓ apps/lights: 1 cluster selected of 1 candidate, as many as requested",
      { placement: placement({ numberOfClusters: 1 }) },
      ["a"],
    ],
    [
      "✗ apps/lights: 1 cluster selected of 1 candidate, 4 too few: 5 are requested",
      { unscheduled: 4, placement: placement({ numberOfClusters: 5 }) },
      ["a"],
    ],
    [
      "✗ apps/lights: misconfigured, so nothing is decided; the 2 clusters that were selected before stay",
      { state: "kept", mistakes: [WRONG] },
      ["a", "b"],
    ],
    [
      "✗ apps/lights: misconfigured, so nothing is decided; nothing was decided before either",
      { state: "kept", mistakes: [WRONG] },
      [],
    ],
    [
      "✗ apps/lights: undecided: maxSkew is 0, and must be at least 1; the 1 cluster that was selected before stays",
      { state: "kept", mistakes: [{ ...WRONG, isLimit: true }] },
      ["a"],
    ],
    [
      "✗ apps/lights: misconfigured, so nothing is decided; the 1 cluster that was selected before stays",
      { state: "kept", mistakes: [WRONG, { ...WRONG, isLimit: true }] },
      ["a"],
    ],
    [
      '– apps/lights: no cluster selected (numberOfClusters is not set): the ManagedClusterSet "dry" cannot be used: In needs at least one value',
      { ...unsatisfied("AllManagedClusterSetsEmpty"), brokenSets: [broken] },
      [],
    ],
    [
      "✗ apps/lights: misconfigured, so all its clusters are taken back (as OCM does it)",
      { state: "emptied", mistakes: [WRONG] },
      [],
    ],
    ["· apps/lights: ignored, since its annotation disables scheduling", { state: "ignored" }, []],
    [
      "· apps/lights: ignored, since it is being deleted",
      { state: "ignored", placement: placement({ terminating: true }) },
      [],
    ],
    [
      "– apps/lights: no cluster selected (numberOfClusters is not set): no ManagedClusterSet is bound to the namespace apps; a ManagedClusterSetBinding does that",
      unsatisfied("NoManagedClusterSetBindings"),
      [],
    ],
    [
      "– apps/lights: no cluster selected (numberOfClusters is not set): the ManagedClusterSet museum is not bound to the namespace apps, or does not exist",
      { ...unsatisfied("NoIntersection"), placement: placement({ clusterSets: ["museum"] }) },
      [],
    ],
    [
      "– apps/lights: no cluster selected (numberOfClusters is not set): the ManagedClusterSet attic does not exist; the ManagedClusterSets a, b are not bound to the namespace apps",
      {
        ...unsatisfied("NoIntersection"),
        unusableSets: [
          { name: "a", why: "unbound" },
          { name: "attic", why: "missing" },
          { name: "b", why: "unbound" },
        ],
      },
      [],
    ],
    [
      "✗ apps/lights: no cluster selected: No ManagedCluster is requested",
      {
        unscheduled: 2,
        placement: placement({ numberOfClusters: 2 }),
        conditions: [satisfied("SomethingElse", { kind: "none-asked-for" })],
      },
      [],
    ],
    [
      "– apps/lights: no cluster selected (numberOfClusters is not set): none of the ManagedClusterSets a, b is bound to the namespace apps",
      { ...unsatisfied("NoIntersection"), placement: placement({ clusterSets: ["a", "b"] }) },
      [],
    ],
    [
      "– apps/lights: no cluster selected (numberOfClusters is not set): the ManagedClusterSet harbour has no members",
      unsatisfied("AllManagedClusterSetsEmpty"),
      [],
    ],
    [
      "– apps/lights: no cluster selected (numberOfClusters is not set): No valid ManagedClusterSetBindings found in placement namespace",
      unsatisfied("SomethingElse"),
      [],
    ],
  ])("%s", (expected, more, names) => {
    const clusters = names.map((name, index) => chosen(name, index + 1, 100));
    expect(text(placed(clusters, more)).split("\n")[0]).toBe(expected);
  });

  test("none is as good as asked for, if none is requested", () => {
    const run = placed([cluster("a", "left", { rank: 1 })], { placement: placement({ numberOfClusters: 0 }) });
    expect(text(run)).toMatch(/^✓ apps\/lights: no cluster selected of 1 candidate, as requested\n/);
    expect(text(run)).toContain("matches, but none is requested");
  });
});

test("what is kept has no scores; what is not decided is called so", () => {
  const clusters = [cluster("a", "kept"), cluster("b", "undecided"), cluster("c", "kept")];
  const run = placed(clusters, { state: "kept" });
  expect(text(run)).toContain("\n\n  Kept: a, c\n");
  expect(text(run, "wide")).toMatch(/\n {2}a +kept +.*\n {2}b +undecided +/);
});

test("decision groups stand in their order", () => {
  const groups = [
    { index: 0, name: "canary", clusters: ["a"] },
    { index: 1, name: "", clusters: ["b", "c"] },
  ];
  expect(text(placed([], {}, { groups }))).toContain(`
  Decision groups, in the order in which they are rolled out
    0  canary, 1 cluster: a
    1  (others), 2 clusters: b, c
`);
  expect(text(placed([], {}, { groups: groups.slice(0, 1) }))).toContain("\n    0  canary, 1 cluster: a\n");
  expect(text(placed([], {}, { groups: groups.slice(1) }))).not.toContain("Decision groups");
});

test("mistakes are shown in full, with their line and a caret", () => {
  const issue = { line: 1, column: 9, message: 'missing "', hint: 'write score("a", "b")' };
  const fault = { kind: "expression", predicate: 0, index: 0, ...issue } as const;
  const mistakes = [{ fault, place: at(17), plugin: "Predicate" as const }];
  const spot = { line: 17, column: 9, excerpt: '    - score("a, "b")', caret: 8 };
  const run = shown([placed([], { state: "kept", mistakes })], { spot: () => spot, at: () => "p.yaml:17:9" });
  expect(text(run)).toContain(`
  error: predicates[0].celExpressions[0], column 9: missing "
    --> p.yaml:17:9
     |
  17 |     - score("a, "b")
     |         ^
     = help: write score("a", "b")
`);
});

test("broken sets and warnings are warnings", () => {
  expect(text(placed(FLEET, { brokenSets: [WRONG] }))).toContain(
    "\n  warning: maxSkew is 0, and must be at least 1\n   --> placements.yaml:3:3\n",
  );
});

test("of many names the first, but not to save a single one", () => {
  expect(listed(["a", "b", "c"], 2)).toBe("a, b, c");
  expect(listed(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});

test("a text of which not everything was looked at ends with …", () => {
  expect(shortText(`a${" ".repeat(100)}b`, 20)).toBe("a…");
  expect(shortText(" a\n b ", 20)).toBe("a b");
  expect(shortText("abcdef", 5)).toBe("abcd…");
  expect(shortText("abcde", 5)).toBe("abcde");
});

test("sentences are broken where the terminal ends", () => {
  const lines = text(placed(FLEET), "text", 50).split("\n");
  expect(Math.max(...lines.slice(1).map(displayWidth))).toBeLessThanOrEqual(50);
});

test("hostile names do nothing to a terminal", () => {
  const evil = "\u001b[2J\u202e";
  const checks = [check({ rule: evil, value: evil, outcome: "false" })];
  const outside = { kind: "outside", own: [evil], unbound: [evil], wanted: [], namespace: evil } as const;
  const run = placed(
    [
      cluster(evil, "unmatched", { checks }),
      cluster(`a${evil}`, "outside", { reason: outside }),
      chosen(`b${evil}`, 1, 1),
    ],
    {
      placement: placement({ name: evil }),
      mistakes: [{ fault: { kind: "unknown-field", path: [evil], hint: evil }, place: at(1), plugin: "" }],
      conditions: [satisfied(evil, { kind: "no-intersection", sets: [evil] })],
    },
    { groups: [{ index: 0, name: evil, clusters: [evil] }] },
  );
  for (const output of ["text", "wide", "name", "matrix"]) {
    expect(text(run, output)).not.toMatch(/[\u202e]/);
    expect(text(run, output).includes("\u001b")).toBe(false);
  }
});

test("a condition does not repeat which clusters could not be evaluated", () => {
  const first = [{ cluster: "a", predicate: 0, index: 0, detail: { kind: "error", message: "b" } }] as const;
  const unread = { count: 1, first: ["lost"] };
  const message = { kind: "problems", failed: { count: 2, first }, unread } as const;
  const condition = { type: "PlacementEvaluated", status: "False", reason: "ClusterErrors", message } as const;
  expect(text(placed(FLEET, { conditions: [condition] }), "wide")).toContain(
    "ClusterErrors: 2 clusters could not be evaluated; 1 cluster could not be read: lost\n",
  );
});

test("a condition names the scores that could not be read", () => {
  const said = (first: readonly string[], more: boolean) => {
    const scores = first.map((name) => ({ cluster: name, name: "default" }));
    const nothing = { count: 0, first: [] };
    const unreadScores = { clusters: 7, first: scores, more };
    return conditionText({ kind: "problems", failed: nothing, unread: nothing, unreadScores });
  };
  const because = "7 clusters could not be evaluated, because an AddOnPlacementScore could not be read";
  expect(said(["c1"], false)).toBe(`${because}: c1/default`);
  expect(said(["c1", "c2", "c3"], true)).toBe(`${because}: c1/default; c2/default; c3/default; …`);
});

test("OCM mode is marked once", () => {
  const run = shown([placed(FLEET), placed(FLEET)], { mode: OCM_MODE });
  for (const output of ["text", "wide", "matrix"])
    expect(text(run, output)).toMatch(/\nAll of this as Open Cluster Management does it \(--compat ocm\)\.\n$/);
  expect(text(placed(FLEET))).not.toContain("--compat");
});

test("what is different from the decisions that were given", () => {
  const run = { ...placed(FLEET), decided: new Set(["genoa", "dakar", "lisbon"]) };
  const comparison = "Compared with the PlacementDecisions given: 1 stays, 1 is new (bergen), 2 go (dakar, lisbon)";
  expect(text(run)).toContain(`\n  ${comparison}\n`);
  expect(text(run)).toMatch(/\n {2}genoa +100 +100\n {2}bergen +80 +80 {2}new\n/);
  expect(text(run, "wide")).toContain("new: predicates[0] holds");
  expect(text({ ...run, decided: new Set(["bergen", "genoa"]) })).toContain("2 stay, none is new, none goes\n");
  expect(text({ ...placed([], { state: "kept" }), decided: new Set(["a"]) })).not.toContain("Compared");
});
