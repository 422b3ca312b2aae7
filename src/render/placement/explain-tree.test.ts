import { describe, expect, test } from "vitest";
import {
  at,
  cel,
  celError,
  check,
  chosen,
  cluster,
  part,
  placed,
  placement,
  set,
  shown,
  spread,
  taint,
  WRONG,
} from "../../../test/placement/sample-placement.ts";
import type { Program } from "../../cel/program.ts";
import { traceTree } from "../../cel/trace-tree.ts";
import { CelError } from "../../cel/value/value.ts";
import { clusterBindings, placementExpression } from "../../placement/cel/placement-environment.ts";
import type { CelCheck, ClusterReport, PlacementResult } from "../../placement/placement-result.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlacementExplanation } from "./render-placement.ts";

const LOOK = { output: "text", style: makeStyle(false), width: undefined };

/** The explanation of the cluster `bergen`. */
function explained(report: ClusterReport, more: Partial<PlacementResult> = {}, width?: number): string {
  return renderPlacementExplanation(shown([placed([report], more)]), "bergen", { ...LOOK, width });
}

/** An expression that was evaluated on a cluster, with all its values. */
function traced(rule: string, outcome: "true" | "false" | "error"): CelCheck {
  const program = (placementExpression(rule) as { program: Program }).program;
  const bindings = clusterBindings({ metadata: { name: "bergen", labels: { env: "prod" } } });
  const { trace } = program.trace(bindings);
  const { result } = trace;
  const detail = result instanceof CelError && { detail: { kind: "error" as const, message: result.message } };
  return cel(rule, { outcome, trace: traceTree(trace, rule), ...detail });
}

const SET = set("harbour");

test("the verdict first, then everything that led to it", () => {
  const balance = { name: "Balance", score: 80, weight: 1, detail: { kind: "balance", count: 1, most: 10 } } as const;
  const parts = [balance, part("AddOn/default/cpu", -20, 2)];
  const checks = [
    SET,
    set("sea", { index: 1, outcome: "false", detail: { kind: "unlabelled" } }),
    check({ predicate: 0, outcome: "false", value: "test" }),
    check({ predicate: 0, index: 1, rule: "tier Exists", outcome: "skipped" }),
    { ...traced('managedCluster.metadata.labels["env"] == "prod"', "true"), predicate: 1 },
    taint(),
    spread({ counts: { value: "emea", count: 2 } }),
  ];
  const tally = { terminating: 0, unmatched: 0, failed: 0, tainted: 0, left: 2, selected: 3 };
  const report = { ...chosen("bergen", 2, 40), parts, checks, reason: { kind: "selected", predicate: 1 } } as const;
  expect(explained(report, { tally })).toBe(`\
✓ bergen is selected by apps/lights
  predicates[1] holds
├─ ✓ set harbour
├─ ✗ predicates[0] does not hold
│  ├─ ✗ label env In (prod): env is "test"
│  └─ · label tier Exists: not evaluated
├─ ✓ predicates[1] holds
│  └─ ✓ CEL managedCluster.metadata.labels["env"] == "prod" → true
│       └─ managedCluster.metadata.labels["env"] → "prod"
├─ ✓ taint fog:NoSelect: tolerated by tolerations[0]
├─ ✓ spread over label region, maxSkew 1, DoNotSchedule: region "emea": 2 selected
├─ score 40
│  ├─ Balance            1 × 80 = 80: 1 decision of other Placements (maximum 10)
│  └─ AddOn/default/cpu  2 × -20 = -40
└─ rank 2 of 5; the first 3 are selected
`);
});

describe("an error", () => {
  function failed(rule: string): string {
    return explained(cluster("bergen", "failed", { checks: [SET, traced(rule, "error")] }));
  }

  test("is shown once, with its meaning, the place of the rule, and what would help", () => {
    expect(failed('managedCluster.metadata.labels["x"] == "y"')).toBe(`\
✗ bergen is not selected by apps/lights
  no such key: x; an error counts as no match
├─ ✓ set harbour
├─ ! predicates[0] could not be evaluated, which counts as no match
│  └─ ! CEL managedCluster.metadata.labels["x"] == "y" → error
│       └─ managedCluster.metadata.labels["x"] → error
│          └─ managedCluster.metadata.labels → {"env": "prod"}
│       --> placements.yaml:9:3
│       = help: "x" in managedCluster.metadata.labels && … makes it a plain no
└─ ✓ no taints
`);
  });

  test("of a score: hasScore helps; the whole cluster is not shown", () => {
    const text = failed('managedCluster.score("default", "cpu") < 2');
    expect(text).toContain('= help: managedCluster.hasScore("default", "cpu") && … makes it a plain no\n');
    expect(text).not.toContain("managedCluster →");
  });

  test("that something else made up for is not the one that is helped with", () => {
    const labels = "managedCluster.metadata.labels";
    const text = failed(`(${labels}["a"] == "b" || true) && ${labels}["x"] == "y"`);
    expect(text).toContain(`= help: "x" in ${labels} && …`);
  });

  test("that nothing is known about has no help", () => {
    expect(failed("1 / managedCluster.metadata.labels.size() == 1 / 0")).not.toContain("help");
  });

  test("of a set that cannot be read is not the reason", () => {
    const checks = [set("dry", { outcome: "error" }), celError("a", "no a")];
    expect(explained(cluster("bergen", "failed", { checks }))).toContain("\n  no a; an error counts as no match\n");
  });

  test("after a rule that is false is not the reason", () => {
    const checks = [
      check({ predicate: 0, outcome: "false" }),
      { ...celError("a", "no a"), predicate: 0 },
      { ...celError("b", "no b"), predicate: 1 },
    ];
    expect(explained(cluster("bergen", "failed", { checks }))).toContain("\n  no b; an error counts as no match\n");
  });
});

test("a rule that does not hold decides, for any result of the others", () => {
  const checks = [check({ outcome: "error" }), check({ index: 1, outcome: "false" }), check({ index: 2 })];
  expect(explained(cluster("bergen", "unmatched", { checks }))).toContain("✗ predicates[0] does not hold\n");
});

test("a cluster outside of all sets shows sets only, each with the reason", () => {
  const checks = [
    set("harbour", { outcome: "false", detail: { kind: "other-set", set: "sea" } }),
    set("lake", { outcome: "false", index: 1 }),
    check({ outcome: "skipped" }),
    taint({ outcome: "skipped" }),
  ];
  const reason = { kind: "outside", own: ["sea"], unbound: ["sea"], wanted: [], namespace: "apps" } as const;
  expect(explained(cluster("bergen", "outside", { checks, reason }))).toBe(`\
✗ bergen is not selected by apps/lights
  it is only in sea, not bound to the namespace apps
├─ ✗ set harbour: the cluster is in the set "sea"
└─ ✗ set lake
`);
});

test("without predicates every cluster matches; one that was not needed is marked", () => {
  const alone = explained(cluster("bergen", "selected", { checks: [SET] }));
  expect(alone).toContain("├─ ✓ no predicates: every cluster of the sets matches\n");
  const checks = [check({ predicate: 0 }), check({ predicate: 1, outcome: "skipped" })];
  const two = explained(cluster("bergen", "selected", { checks }));
  expect(two).toContain("├─ ✓ predicates[0] holds\n");
  expect(two).toContain("├─ · predicates[1] was not needed\n│  └─ · label env In (prod): not evaluated\n");
});

test("a score without Spread is marked, if Spread counts", () => {
  const checks = [spread()];
  const left = cluster("bergen", "left", { rank: 4, score: 1, checks });
  const spreadLine = "└─ Spread  counted only when a cluster is picked\n";
  expect(explained(left)).toContain(spreadLine);
  const policy = (mode: string, builtIn: string, weight = 1) => {
    const configurations = [{ place: at(1), weight, scoreCoordinate: { type: "BuiltIn", builtIn } }];
    return { placement: placement({ prioritizerPolicy: { mode, configurations } }) };
  };
  expect(explained(left, policy("Exact", "Spread"))).toContain(spreadLine);
  expect(explained(left, policy("Exact", "Steady"))).not.toContain(spreadLine);
  expect(explained(left, policy("Additive", "Spread", 0))).not.toContain(spreadLine);
  expect(explained({ ...left, verdict: "selected" })).not.toContain(spreadLine);
  expect(explained({ ...left, checks: [] })).not.toContain(spreadLine);
});

test("of very many predicates and rules some are shown, including those that decided", () => {
  const many = Array.from({ length: 5000 }, (_, predicate) =>
    check({ predicate, outcome: predicate === 4000 ? "true" : "false" }),
  );
  const text = explained(cluster("bergen", "selected", { checks: many }));
  expect(text).toContain("├─ ✓ predicates[4000] holds\n");
  expect(text).toContain("├─ … and 4980 more predicates\n");
  const rules = Array.from({ length: 5000 }, (_, index) => check({ index, outcome: index < 4999 ? "true" : "false" }));
  const other = explained(cluster("bergen", "unmatched", { checks: rules }));
  expect(other).toContain("│  ├─ ✗ label env In (prod): no label env\n│  └─ … and 4950 more rules\n");
});

test("who comes last, and who is among all", () => {
  const report = { ...chosen("bergen", 1, 40), isSoftTainted: true };
  expect(explained(report)).toContain(
    "└─ rank 1 of 1, behind all that have no PreferNoSelect taint; all of them are selected\n",
  );
});

test("a misconfigured Placement is marked before the tree", () => {
  const text = explained(cluster("bergen", "kept", { checks: [SET] }), { state: "kept", mistakes: [WRONG] });
  expect(text).toMatch(
    /^– bergen stays selected by apps\/lights\n {2}it was decided before, and is kept\n {2}error: maxSkew is 0, and must be at least 1\n/,
  );
});

test("a Placement with too few clusters has no ✓ in its headline, for any selected cluster", () => {
  expect(explained(chosen("bergen", 1, 40))).toMatch(/^✓ bergen is selected/);
  expect(explained(chosen("bergen", 1, 40), { unscheduled: 1 })).toMatch(/^– bergen is selected/);
});

test("a cluster that was not evaluated is neither selected nor not", () => {
  expect(explained(cluster("bergen", "undecided"), { state: "kept", mistakes: [WRONG] })).toMatch(
    /^· bergen is left undecided by apps\/lights\n/,
  );
});

describe("what could not be read", () => {
  const score = { cluster: "bergen", name: "default" };

  test("has no rules below the reason", () => {
    const reason = { kind: "unread", isSupposed: false, score, reason: { kind: "withheld" } } as const;
    expect(explained(cluster("bergen", "unread", { reason }))).toBe(`\
✗ bergen is not selected by apps/lights
  the AddOnPlacementScore bergen/default could not be read; it was not selected before, and is not newly selected
`);
  });

  test("leaves a predicate open, if the cluster is excluded by something else", () => {
    const unread = cel("a > 1", { outcome: "skipped", detail: { kind: "unread-score", score } });
    const checks = [SET, check(), unread, taint({ outcome: "false" })];
    const text = explained(cluster("bergen", "tainted", { checks }));
    expect(text).toContain("· predicates[0] is unknown, because of a score that could not be read\n");
    expect(text).toContain("· CEL a > 1: the AddOnPlacementScore bergen/default could not be read\n");
  });
});

describe("the rounds of a macro", () => {
  const roundLines = (list: string, rule: string) =>
    explained(cluster("bergen", "unmatched", { checks: [traced(`${list}.exists(n, ${rule})`, "false")] }))
      .split("\n")
      .filter((line) => / n = |more/.test(line))
      .map((line) => line.replace(/^[ │├└─]*/, ""));

  test("that are all false are shown in part", () => {
    expect(roundLines("[1, 2, 3, 4, 5]", "n > 9")).toEqual([
      "n = 1: n > 9 → false",
      "n = 2: n > 9 → false",
      "… and 3 more, all of them → false",
    ]);
  });

  test("are all shown if only one more would be left out, or one is not false", () => {
    expect(roundLines("[1, 2, 3]", "n > 9").at(-1)).toBe("n = 3: n > 9 → false");
    expect(roundLines("[1, 2, 3, 4]", "n > 3")).toHaveLength(4);
  });

  test("of which there are very many are shown as they are", () => {
    const many = `[${Array.from({ length: 40 }, (_, index) => index)}]`;
    expect(roundLines(many, "n > 99").at(-1)).toMatch(/^… \d+ more$/);
    expect(roundLines(many, "n > 99").join()).not.toContain("all of them");
  });
});

test("several Placements one after the other; an unknown cluster", () => {
  const run = shown([placed([chosen("bergen", 1, 1)]), placed([], { placement: placement({ name: "other" }) })]);
  expect(renderPlacementExplanation(run, "bergen", LOOK)).toMatch(
    /are selected\n\n✗ bergen is not selected by apps\/other\n {2}There is no ManagedCluster of that name in the input\.\n$/,
  );
});

test("as JSON with the values of sub-expressions", () => {
  const checks = [traced('managedCluster.metadata.labels["env"] == "prod"', "true")];
  const run = shown([placed([cluster("bergen", "selected", { checks })])]);
  const report = JSON.parse(renderPlacementExplanation(run, "bergen", { ...LOOK, output: "json" }));
  expect(report.placements[0].cluster.checks[0].trace).toEqual({
    expression: 'managedCluster.metadata.labels["env"] == "prod"',
    outcome: "value",
    value: "true",
    parts: [{ expression: 'managedCluster.metadata.labels["env"]', outcome: "value", value: '"prod"' }],
  });
});

test("as JSON, everything around a part that failed has its error", () => {
  const rule = 'managedCluster.metadata.labels["x"].matches("y") && true';
  const run = shown([placed([cluster("bergen", "failed", { checks: [traced(rule, "error")] })])]);
  const report = JSON.parse(renderPlacementExplanation(run, "bergen", { ...LOOK, output: "json" }));
  const { trace } = report.placements[0].cluster.checks[0];
  expect(trace).toMatchObject({ outcome: "error", error: "no such key: x" });
  expect(trace.parts[0]).toMatchObject({ outcome: "error", error: "no such key: x" });
  expect(JSON.stringify(trace)).not.toContain('"error":null');
});

test("long texts are broken or cut, hostile ones do nothing", () => {
  const message = "word ".repeat(1_000_000);
  const checks = [celError("a", message), check({ rule: "\u001b[2J", value: "\u202e", outcome: "false" })];
  const text = explained(cluster("bergen", "unmatched", { checks }), {}, 60);
  expect(text.length).toBeLessThan(2000);
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("\u202e");
  expect(Math.max(...text.split("\n").map(displayWidth))).toBeLessThanOrEqual(60);
});
