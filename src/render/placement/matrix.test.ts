import { describe, expect, test } from "vitest";
import {
  cel,
  check,
  cluster,
  FLEET,
  placed,
  placement,
  satisfied,
  set,
  shown,
  spread,
  taint,
} from "../../../test/placement/sample-placement.ts";
import type { Check } from "../../placement/placement-result.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { matrixBlocks } from "./matrix.ts";
import { MAX_COLUMNS } from "./matrix-columns.ts";

function matrixLines(...given: Parameters<typeof matrixBlocks>): readonly string[] {
  return [...matrixBlocks(...given)].flat();
}

const LOOK = { style: makeStyle(false), width: undefined, all: true };

test("a row for each cluster, a column for each check, and what they stand for", () => {
  const sets = [set("harbour", { outcome: "false" }), set("sea", { index: 1 })];
  const clusters = FLEET.map((report) => ({ ...report, checks: [...sets, ...report.checks] }));
  const run = shown([placed(clusters, { eligibleSets: ["harbour", "sea"], placement: placement() })]);
  expect(`${matrixLines(run, LOOK).join("\n")}\n`).toBe(`\
✓ apps/lights: 2 clusters selected of 8 candidates; 1 could not be evaluated

CLUSTER    selected  set     P0   P0  taint  rank  score
                          label  cel
                            [0]  [0]
how many:
  true                 8      5    0      0
  false                0      2    0      1
  error                0      0    1      0
  skipped              0      0    0      0
────────────────────────────────────────────────────────
bergen          yes    ✓      ✓                 2     80
dakar            no    ✓      ✓           ✗
durban           no    ✓      ✗
genoa           yes    ✓      ✓                 1    100
halifax          no    ✓      ✓    !
lagos            no    ✓      ✗
lisbon           no    ✓      ✓                 3     60
mumbai           no    ✓

P0           predicates[0]: all of its rules must hold
set          is a member of one of harbour, sea
P0.label[0]  label env In (prod)
P0.cel[0]    CEL a.b > 1
taint        all taints are tolerated; blank if there are none

✓ true  ✗ false  ! error  · skipped (an earlier check had already decided; --all-checks evaluates it too)
`);
});

describe("columns", () => {
  function heads(checks: readonly Check[]): string {
    const lines = matrixLines(shown([placed([cluster("a", "left", { checks })])]), LOOK);
    return (
      lines[2]
        ?.replace(/CLUSTER +selected/, "")
        .replace(/ rank.*/, "")
        .trim()
        .replace(/ +/g, " ") ?? ""
    );
  }

  test("are in the order in which a cluster passes the checks, for any order of the reports", () => {
    const rules = [
      spread(),
      taint(),
      check({ predicate: 1 }),
      cel("a"),
      check({ kind: "claim", predicate: 0 }),
      check({ kind: "label", predicate: 0 }),
      set("harbour"),
    ];
    expect(heads(rules)).toBe("set P0 P0 P0 P1 taint spread");
    expect(heads(rules.toReversed())).toBe("set P0 P0 P0 P1 taint spread");
  });

  test("of taints: one that is not tolerated decides", () => {
    const checks = [taint(), taint({ index: 1, outcome: "false" }), taint({ index: 2 })];
    const lines = matrixLines(shown([placed([cluster("a", "tainted", { checks })])]), LOOK);
    expect(lines.find((line) => line.startsWith("a "))).toMatch(/^a +no +✗$/);
  });

  test("several predicates: their combined result; of very many, some", () => {
    const legend = (count: number): string => {
      const checks = Array.from({ length: count }, (_, predicate) => check({ predicate }));
      const lines = matrixLines(shown([placed([cluster("a", "left", { checks })])]), LOOK);
      return lines.find((line) => line.startsWith("P0, ")) ?? "";
    };
    expect(legend(2)).toMatch(
      /^P0, P1 +predicates\[0\], predicates\[1\]: one is enough, but all of its rules must hold$/,
    );
    expect(legend(5000)).toMatch(/^P0, P1, P2, P3, P4, P5, … +predicates\[0\], .*predicates\[5\], …: one is enough/);
  });

  test("beyond a limit are counted", () => {
    const checks = Array.from({ length: MAX_COLUMNS + 3 }, (_, index) => check({ index }));
    const lines = matrixLines(shown([placed([cluster("a", "left", { checks })])]), LOOK);
    expect(lines).toContain(`… and 3 more checks than the ${MAX_COLUMNS} shown; -o json has all`);
  });

  test("that do not fit beside each other come below, with every cluster again", () => {
    const checks = Array.from({ length: 12 }, (_, index) => check({ index, rule: `key-${index} Exists` }));
    const clusters = ["a", "b"].map((name) => cluster(name, "selected", { checks }));
    const lines = matrixLines(shown([placed(clusters)]), { ...LOOK, width: 40 });
    expect(lines.filter((line) => line.startsWith("CLUSTER"))).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith("b "))).toHaveLength(4);
    expect(lines.join("\n").match(/\[\d+\](?= |$)/gm)?.length).toBeGreaterThanOrEqual(12);
    expect(Math.max(...lines.slice(1).map(displayWidth))).toBeLessThanOrEqual(40);
  });
});

test("a cluster that was not evaluated is neither selected nor not", () => {
  const lines = matrixLines(shown([placed([cluster("a", "undecided")])]), LOOK);
  expect(lines.find((line) => line.startsWith("a "))).toMatch(/^a +undecided/);
});

test("a rule that is very long is cut", () => {
  const rule = "x".repeat(10_000);
  const [line] = matrixLines(shown([placed([cluster("a", "left", { checks: [check({ rule })] })])]), LOOK).filter(
    (one) => one.includes("xxx"),
  );
  expect(line).toMatch(/^P0\.label\[0\] {2}label x+…$/);
  expect(line?.length).toBeLessThan(330);
});

test("an empty choice is shown in the headline", () => {
  const conditions = [satisfied("SomethingElse", { kind: "none-asked-for" })];
  const lines = matrixLines(shown([placed([], { conditions })]), LOOK);
  expect(lines[0]).toBe(
    "– apps/lights: no cluster selected (numberOfClusters is not set): No ManagedCluster is requested",
  );
});

test("hostile names do nothing to a terminal", () => {
  const rule = "a\u001b[2J";
  const lines = matrixLines(shown([placed([cluster("\u001b[31m", "left", { checks: [check({ rule })] })])]), LOOK);
  expect(lines.join("")).not.toContain("\u001b");
  expect(lines.join("")).toContain("\\u{1b}[31m");
});
