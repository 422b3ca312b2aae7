import { expect, test } from "vitest";
import {
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
  UNTOLERATED,
} from "../../../test/placement/sample-placement.ts";
import type { CelCheck, CelDetail } from "../../placement/placement-result.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlacements } from "./render-placement.ts";
import type { ShownPlacement, ShownPlacements } from "./shown.ts";

/** The values that an expression read. */
function reads(...values: readonly [expression: string, value: string][]): CelDetail {
  return { kind: "values", values: values.map(([expression, value]) => ({ expression, value })) };
}

function text(run: ShownPlacement, more: Partial<ShownPlacements> = {}): string {
  return renderPlacements(shown([run], more), { output: "text", style: makeStyle(false), width: undefined });
}

test("several predicates: what fails in each", () => {
  const checks = [
    check({ outcome: "false" }),
    cel("a\n  && b", { predicate: 1, outcome: "false", detail: reads(["a", "1"]) }),
    cel("c", { predicate: 1, index: 1, outcome: "false" }),
  ];
  expect(text(placed([cluster("a", "unmatched", { checks })]))).toContain(`
    1  none of the 2 predicates holds
         predicates[0] fails at label env In (prod)
         predicates[1] fails at CEL a && b
         a
`);
});

test("the value that a rule saw, without repeating its cluster; a long one is left out", () => {
  const failing = (name: string, value?: string) =>
    cluster(name, "unmatched", { checks: [check({ outcome: "false", ...(value !== undefined && { value }) })] });
  const clusters = [failing("a", "dev"), failing("b"), failing("c", "it is so"), failing("d", "x".repeat(60))];
  expect(text(placed(clusters))).toContain('a ("dev"), b (no label env), c ("it is so"), d\n');
  const reading = (name: string, ...values: readonly [string, string][]) =>
    cluster(name, "unmatched", { checks: [cel("env > b", { outcome: "false", detail: reads(...values) })] });
  expect(text(placed([reading("e", ["env", "1"], ["b", "2"])]))).toContain("e (env is 1, b is 2)\n");
  expect(text(placed([reading("f", ["env", "1"])]))).toContain("f (1)\n");
  expect(text(placed([reading("g", ["tier…", "1"])]))).toContain("g (tier… is 1)\n");
});

test("clusters that could be selected are listed by rank", () => {
  const left = (name: string, rank: number) => cluster(name, "left", { rank, score: 10 - rank });
  const run = placed([left("a", 9), left("b", 2), chosen("c", 1, 9)], {
    placement: placement({ numberOfClusters: 1 }),
  });
  expect(text(run)).toContain(
    "but only 1 is requested; the last selected has 9\n         b (rank 2, score 8), a (rank 9, score 1)\n",
  );
});

test("what is not decided at all has one reason, in the headline", () => {
  expect(text(placed([cluster("a", "left")], { state: "kept" }))).not.toContain("Why");
});

test("spread is a reason of its own", () => {
  const counts = { value: "emea", count: 2, least: { value: "apac", count: 1 } };
  expect(text(placed([cluster("a", "left", { checks: [spread({ outcome: "false", counts })] })]))).toContain(
    '1  kept out by the spread over label region, maxSkew 1, DoNotSchedule\n         a (region "emea" has 2 selected already, and region "apac" has only 1: one more would exceed maxSkew 1)\n',
  );
});

test("the most frequent reason of a kind comes first, and few of many names are listed", () => {
  const failing = (name: string, rule: string) =>
    cluster(name, "unmatched", { checks: [cel(rule, { index: rule === "x" ? 0 : 1, outcome: "false" })] });
  const names = ["b", "c", "d", "e", "f", "g"];
  const output = text(placed([failing("a", "x"), ...names.map((name) => failing(name, "y"))]));
  expect(output).toContain(`Why none
    6  CEL y does not hold
         b, c, d, e and 2 more
    1  CEL x does not hold
         a
`);
});

test("many reasons are counted", () => {
  const clusters = Array.from({ length: 30 }, (_, index) =>
    cluster(`c${index}`, "unmatched", { checks: [check({ rule: `k${index} Exists`, index, outcome: "false" })] }),
  );
  expect(text(placed(clusters))).toContain("… 18 more for 18 other reasons; -o wide lists each");
});

test("an expression of a million characters is not a problem", () => {
  const rule = "a".repeat(1_000_000);
  const checks = [celError(rule, rule)];
  const clusters = Array.from({ length: 100 }, (_, index) => cluster(`c${index}`, "failed", { checks }));
  expect(text(placed(clusters)).length).toBeLessThan(1000);
});

test("of very many predicates some are shown", () => {
  const checks = Array.from({ length: 5000 }, (_, predicate) => check({ predicate, outcome: "false" }));
  const output = text(placed([cluster("a", "unmatched", { checks })]));
  expect(output).toContain("none of the 5000 predicates holds\n");
  expect(output).toContain(
    "predicates[4] fails at label env In (prod)\n         … and 4995 more predicates\n         a\n",
  );
});

test("errors of one rule stand together, each with its clusters", () => {
  const failed = (name: string, message: string) => cluster(name, "failed", { checks: [celError("a > 1", message)] });
  const score = cel("a > 1", { outcome: "error", detail: { kind: "score-error", why: "none" } });
  expect(
    text(
      placed([cluster("a", "failed", { checks: [score] }), failed("bb", "no such key"), failed("c", "no such key")]),
    ),
  ).toContain(`
    3  could not be evaluated, which counts as no match: CEL a > 1
         a      none
         bb, c  no such key
`);
  const many = Array.from({ length: 9 }, (_, index) => failed(`c${index}`, `error ${index}`));
  expect(text(placed(many))).toContain("c4  error 4\n         … and 4 more errors; -o wide lists each\n");
  const long = ["a", "b"].map((name) => failed(name.repeat(40), "no such key"));
  expect(text(placed(long))).toMatch(/ a{40}, b{40}: no such key\n/);
});

test("an error is that of a predicate, not of an unreadable set; with several predicates, its index", () => {
  const broken = set("foundry", { outcome: "error" });
  const error = celError("a > 1", "no a", { predicate: 1 });
  const output = text(placed([cluster("a", "failed", { checks: [broken, check({ outcome: "false" }), error] })]));
  expect(output).toContain("which counts as no match: predicates[1], CEL a > 1\n         a  no a\n");
  expect(output).not.toContain("foundry");
});

test("when a toleration ended is each cluster's own", () => {
  const tainted = (name: string, expired?: { by: number; endedAt?: string }) => {
    const tolerance = { ...UNTOLERATED, ...(expired !== undefined && { expired }) };
    return cluster(name, "tainted", { checks: [taint({ outcome: "false", tolerance })] });
  };
  const output = text(
    placed([
      tainted("a", { by: 0, endedAt: "1" }),
      tainted("b", { by: 0, endedAt: "2" }),
      tainted("c"),
      tainted("d", { by: 1 }),
    ]),
  );
  expect(output).toContain(`
    2  tainted: fog:NoSelect, no longer tolerated by tolerations[0]
         a (ended at 1), b (ended at 2)
    1  tainted: fog:NoSelect, not tolerated
         c
    1  tainted: fog:NoSelect, tolerations[1] is for a time, and the taint does not say when it was added
         d
`);
});

test("what decides between those that match: the score, the name or a hash, a taint, the spread", () => {
  const left = (name: string, rank: number, score: number, isSoftTainted = false) =>
    cluster(name, "left", { rank, score, isSoftTainted });
  const asked = { placement: placement({ numberOfClusters: 1 }) };
  const run = placed(
    [chosen("a", 1, 9), left("b", 2, 9), left("c", 3, 9), left("d", 4, 8), left("e", 5, 9, true)],
    asked,
  );
  expect(text(run)).toContain(`
    2  match, but only 1 is requested; same score as the last selected, so the name decides (--tie-break)
         b (rank 2), c (rank 3)
    1  matches, but only 1 is requested; the last selected has 9
         d (rank 4, score 8)
    1  matches, but only 1 is requested; those with a PreferNoSelect taint come last
         e (rank 5)
`);
  const lasts = [{ ...chosen("a", 1, 9), isSoftTainted: true }, left("b", 2, 8, true)];
  expect(text(placed(lasts, asked))).toContain("; the last selected has 9\n         b (rank 2, score 8)\n");
  expect(text(run, { tieBreak: "hash" })).toContain("so a hash decides (--tie-break)");
  const parts = [part("Spread", 100, 2)];
  expect(text(placed([{ ...chosen("a", 1, 200), parts }, left("b", 2, 0)], asked))).toContain(
    "; Spread counts when a cluster is picked, and others came first\n         b (rank 2)\n",
  );
});

test("values that were read are looked up for those clusters that are named", () => {
  const failing = (name: string, more: Partial<CelCheck> = {}) =>
    cluster(name, "unmatched", { checks: [cel("a > 1", { outcome: "false", ...more })] });
  const asked: string[] = [];
  const closely = (name: string) => {
    asked.push(name);
    return failing(name, { detail: reads(["a", String(asked.length)]) });
  };
  const run = placed(["a", "b", "c", "d", "e", "f", "g"].map((name) => failing(name)));
  expect(text({ ...run, closely })).toContain("a (1), b (2), c (3), d (4) and 3 more\n");
  expect(asked.length).toBeLessThanOrEqual(5);
});
