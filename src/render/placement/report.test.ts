import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import {
  at,
  cel,
  check,
  chosen,
  cluster,
  FLEET,
  part,
  placed,
  placement,
  shown,
  taint,
  WAKE,
  WRONG,
} from "../../../test/placement/sample-placement.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Mistake } from "../../placement/placement-result.ts";
import { isUnsafe } from "../kit/safe-text.ts";
import { makeStyle } from "../kit/style.ts";
import { printYaml } from "../kit/yaml.ts";
import { REPORT_VERSION } from "../output-formats.ts";
import { renderPlacements } from "./render-placement.ts";
import { answerReport, clusterReport, placementExplanation, restReport } from "./report.ts";
import { placementReportText, placementReportYaml } from "./report-text.ts";
import type { ShownPlacements } from "./shown.ts";

const JSON_LOOK = { output: "json", style: makeStyle(false), width: undefined };

/** The whole report as one value; the command writes it piece by piece. */
function placementReport(shown: ShownPlacements): JsonObject {
  return {
    apiVersion: REPORT_VERSION,
    kind: "PlacementReport",
    now: shown.now.toString(),
    placements: Array.from(shown.placements, (placed) => ({
      ...answerReport(placed, shown),
      clusters: Array.from(placed.clusters, (report) => clusterReport(report, shown)),
    })),
    ...restReport(shown),
  };
}

/** One Placement's part of the report. */
function reported(run: ShownPlacements): Record<string, unknown> {
  const { placements } = placementReport(run) as unknown as { placements: Record<string, unknown>[] };
  return placements[0] as Record<string, unknown>;
}

test("a PlacementReport has the fields of docs/cli.md", () => {
  const genoa = chosen("genoa", 1, 100);
  const unusableSets = [{ name: "attic", why: "missing" as const }];
  const run = shown([placed([genoa], { wakeAt: WAKE, unusableSets })]);
  expect(placementReport(run)).toEqual({
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "PlacementReport",
    inputFindings: [],
    now: "2026-11-02T12:00:00Z",
    placements: [
      {
        namespace: "apps",
        name: "lights",
        state: "placed",
        selected: ["genoa"],
        unscheduled: 0,
        misconfigured: null,
        mistakes: [],
        brokenSets: [],
        warnings: [],
        eligibleSets: ["harbour"],
        unusableSets: [{ name: "attic", why: "missing" }],
        tally: { terminating: 0, unmatched: 0, failed: 0, tainted: 0, left: 0, selected: 1 },
        decisions: [{ name: "lights-decision-1", groupName: "", groupIndex: 0, clusters: ["genoa"] }],
        groups: [{ decisionGroupIndex: 0, decisionGroupName: "", decisions: ["lights-decision-1"], clusterCount: 1 }],
        conditions: [
          {
            type: "PlacementSatisfied",
            status: "True",
            reason: "AllDecisionsScheduled",
            message: "All cluster decisions scheduled",
          },
        ],
        wakeAt: "2026-11-03T03:12:00Z",
        clusters: [
          {
            name: "genoa",
            selected: true,
            verdict: "selected",
            reason: "predicates[0] holds",
            score: 100,
            rank: 1,
            scores: { Balance: 100 },
            weights: { Balance: 1 },
            lastResort: false,
            checks: [
              {
                kind: "label",
                predicate: 0,
                index: 0,
                rule: "env In (prod)",
                at: "placements.yaml:9:3",
                outcome: "true",
                detail: 'env is "prod"',
              },
            ],
          },
        ],
      },
    ],
  });
});

test("what was not ranked has no score and no rank; what is no part of a predicate has none", () => {
  const checks = [taint({ index: 2 })];
  const report = reported(shown([placed([cluster("dakar", "tainted", { checks })])]));
  expect(report.clusters).toMatchObject([
    { name: "dakar", score: null, rank: null, scores: {}, checks: [{ kind: "taint", predicate: null, index: 2 }] },
  ]);
});

test("all mistakes are in one text, with their places and hints", () => {
  const known = ["Additive", "Exact"];
  const mode = { kind: "unknown-word", field: "mode", value: "exact", known, meant: "Exact" } as const;
  const mistakes = [
    { fault: mode, place: at(4), plugin: "" as const },
    { ...WRONG, place: at(7) },
  ];
  const broken = [{ fault: { kind: "no-add-on" } as const, place: at(20), plugin: "" as const }];
  const report = reported(shown([placed([], { state: "kept", mistakes, brokenSets: broken, warnings: broken })]));
  expect(report).toMatchObject({
    state: "kept",
    misconfigured:
      "placements.yaml:4:3: incorrect prioritizer policy mode: exact (did you mean Exact?); placements.yaml:7:3: maxSkew is 0, and must be at least 1",
    mistakes: [
      {
        message: "incorrect prioritizer policy mode: exact",
        hint: "did you mean Exact?",
        at: "placements.yaml:4:3",
      },
      { message: "maxSkew is 0, and must be at least 1", hint: null, at: "placements.yaml:7:3" },
    ],
    brokenSets: [{ message: "addOn should not be empty", at: "placements.yaml:20:3" }],
    warnings: [{ message: "addOn should not be empty", at: "placements.yaml:20:3" }],
  });
});

test("a Placement that only costs too much is not misconfigured", () => {
  const limit = { ...WRONG, fault: { kind: "time-over" }, isLimit: true } as const;
  const one = (...mistakes: readonly Mistake[]) => reported(shown([placed([], { state: "kept", mistakes })]));
  expect(one(limit)).toMatchObject({
    misconfigured: null,
    mistakes: [{ message: "the time limit was reached before all clusters were evaluated" }],
  });
  expect(one(WRONG, limit)).toMatchObject({
    misconfigured:
      "placements.yaml:3:3: maxSkew is 0, and must be at least 1; placements.yaml:3:3: the time limit was reached before all clusters were evaluated (raise the time limit)",
  });
});

test("a score may be called __proto__, and one that is configured twice counts twice", () => {
  const parts = [part("__proto__", 7, 2), part("__proto__", 7, 3)];
  const text = renderPlacements(shown([placed([cluster("genoa", "selected", { score: 35, parts })])]), JSON_LOOK);
  expect(text).toContain('"scores":{"__proto__":7}');
  expect(text).toContain('"weights":{"__proto__":5}');
});

test("a group has the names of its slices", () => {
  const slices = [
    { name: "lights-decision-1", groupIndex: 0, groupName: "canary", clusters: ["a"] },
    { name: "lights-decision-2", groupIndex: 0, groupName: "canary", clusters: ["b"] },
    { name: "lights-decision-3", groupIndex: 1, groupName: "", clusters: [] },
  ];
  const groups = [
    { index: 0, name: "canary", clusters: ["a", "b"] },
    { index: 1, name: "", clusters: [] },
  ];
  expect(reported(shown([placed([], {}, { slices, groups })])).groups).toEqual([
    {
      decisionGroupIndex: 0,
      decisionGroupName: "canary",
      decisions: ["lights-decision-1", "lights-decision-2"],
      clusterCount: 2,
    },
    { decisionGroupIndex: 1, decisionGroupName: "", decisions: ["lights-decision-3"], clusterCount: 0 },
  ]);
});

test("changes are listed with their Placement, and removed Placements at the end", () => {
  const change = {
    key: "apps/lights",
    namespace: "apps",
    name: "lights",
    gained: [{ name: "oslo", report: cluster("oslo", "terminating") }],
    lost: [{ name: "bergen", report: cluster("bergen", "left", { rank: 2 }) }],
    kept: 4,
    before: 5,
    after: 5,
    isNew: false,
    isGone: false,
    basis: "assumed" as const,
    exceeded: { text: "0", amount: 0, isShare: false },
  };
  const gone = { ...change, key: "apps/old", name: "old", gained: [], isGone: true };
  const run = shown([placed([])], { changes: [change, gone] });
  expect(reported(run).against).toEqual({
    isNew: false,
    isGone: false,
    basis: "assumed",
    before: 5,
    after: 5,
    kept: 4,
    gained: [{ name: "oslo", reason: "the cluster is being deleted" }],
    lost: [{ name: "bergen", reason: "rank 2, and 1 is selected" }],
    exceeded: "0",
  });
  expect(placementReport(run).gone).toMatchObject([
    { namespace: "apps", name: "old", isGone: true, lost: [{ name: "bergen", reason: "the Placement is gone" }] },
  ]);
});

/** Checks of one place that read the same and are not. */
const PLACE = at(9);
const ALIKE = [
  check({ place: PLACE, value: "a" }),
  check({ place: PLACE, value: "b" }),
  check({ place: PLACE, value: "b", outcome: "false" }),
  check({ place: PLACE, index: 1 }),
  check({ place: PLACE, predicate: 1 }),
  check({ place: PLACE, kind: "claim" }),
  check({ place: at(10) }),
  check({ place: PLACE }),
];

const RUNS: readonly [string, ShownPlacements][] = [
  ["nothing", shown([])],
  ["a Placement without clusters", shown([placed([])])],
  ["a fleet", shown([placed(FLEET, { wakeAt: WAKE }), placed(FLEET)])],
  ["rules that read the same", shown([placed(["a", "b"].map((name) => cluster(name, "left", { checks: ALIKE })))])],
  ["a comparison without changes", shown([placed(FLEET)], { changes: [] })],
  [
    "hostile names",
    shown([
      placed(
        [
          cluster('"\\\u0000\u202e', "selected", {
            reason: { kind: "outside", own: ["→\n"], unbound: ["→\n"], wanted: [], namespace: "apps" },
            checks: [check({ rule: '}"\u2028', value: "\ud800" }), check({ rule: '}"\u2028', index: 1 })],
          }),
        ],
        { placement: placement({ name: "é}" }) },
      ),
    ]),
  ],
];

test.each(RUNS)("the text is the report, written line by line: %s", (_, run) => {
  const text = [...placementReportText(run)].join("");
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(placementReport(run))));
  expect(text).toMatch(/\n}\n$/);
  expect(isUnsafe(text.replaceAll("\n", ""))).toBe(false);
});

test.each(RUNS)("YAML has the same content: %s", (_, run) => {
  const text = renderPlacements(run, { ...JSON_LOOK, output: "yaml" });
  expect(load(text)).toEqual(JSON.parse([...placementReportText(run)].join("")));
});

test("ten thousand clusters of three Placements are written", () => {
  const checks = [check(), cel("managedCluster.metadata.name != 'x'")];
  const clusters = Array.from({ length: 10_000 }, (_, index) => cluster(`cluster-${index}`, "left", { checks }));
  const run = shown([placed(clusters), placed(clusters), placed(clusters)]);
  const text = [...placementReportText(run)].join("");
  expect(text.length).toBeGreaterThan(3_000_000);
});

test("an explanation has one cluster, and the result of each Placement for it", () => {
  const run = shown([
    placed([cluster("dakar", "terminating", { checks: [check()] })]),
    placed([], { placement: placement({ name: "other" }) }),
  ]);
  expect(placementExplanation(run, "dakar")).toMatchObject({
    kind: "PlacementExplanation",
    cluster: "dakar",
    placements: [
      {
        namespace: "apps",
        name: "lights",
        cluster: {
          name: "dakar",
          verdict: "terminating",
          reason: "the cluster is being deleted",
          checks: [{ kind: "label" }],
        },
      },
      { name: "other", cluster: null },
    ],
  });
});

describe("made while it is written", () => {
  /** Clusters and Placements that are created on first access, and counted while they are alive. */
  function streamed(run: ShownPlacements): { readonly run: ShownPlacements; readonly most: () => number } {
    let now = 0;
    let most = 0;
    function* each<Thing>(things: Iterable<Thing>): Generator<Thing> {
      for (const thing of things) {
        most = Math.max(most, ++now);
        yield thing;
        now--;
      }
    }
    const placements = Array.from(run.placements, (one) => ({ ...one, clusters: each(one.clusters) }));
    return { run: { ...run, placements: each(placements) }, most: () => most };
  }

  const clusters = ["a", "b", "c"].map((name, rank) => chosen(name, rank + 1, 100));
  const changes = [
    { key: "apps/x", namespace: "apps", name: "x", gained: [], lost: [], kept: 0, before: 0, after: 0 },
  ].map((change) => ({ ...change, basis: "given" as const, isNew: false, isGone: true }));
  const runs: readonly ShownPlacements[] = [
    shown([placed(clusters), placed([]), placed(clusters.slice(1), { unscheduled: 2 })]),
    shown([placed(clusters)], { changes }),
    shown([]),
    shown([], { changes }),
  ];

  test.each(runs)("as JSON it is the same value as the whole", (run) => {
    const { run: pieces, most } = streamed(run);
    expect(JSON.parse([...placementReportText(pieces)].join(""))).toEqual(
      JSON.parse(JSON.stringify(placementReport(run))),
    );
    // A Placement and one of its clusters.
    expect(most()).toBeLessThanOrEqual(2);
  });

  test.each(runs)("as YAML it is the same text as the whole", (run) => {
    const { run: pieces, most } = streamed(run);
    expect([...placementReportYaml(pieces)].join("")).toBe(printYaml(placementReport(run)));
    expect(most()).toBeLessThanOrEqual(2);
  });
});
