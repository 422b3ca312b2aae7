import { expect, test } from "vitest";
import { check, chosen, cluster, placed, placement, shown } from "../../../test/placement/sample-placement.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlacements } from "./render-placement.ts";
import type { ShownPlacement, ShownPlacements } from "./shown.ts";

function text(run: ShownPlacement, more: Partial<ShownPlacements> = {}): string {
  return renderPlacements(shown([run], more), { output: "text", style: makeStyle(false), width: undefined });
}

test("of several predicates, what fails in each", () => {
  const checks = [
    check({ outcome: "false" }),
    check({ predicate: 1, kind: "cel", rule: "a\n  && b", outcome: "false", detail: "a = 1" }),
    check({ predicate: 1, kind: "cel", index: 1, rule: "c", outcome: "false" }),
  ];
  expect(text(placed([cluster("a", "unmatched", { checks })]))).toContain(`
    1  none of the 2 predicates holds
         predicates[0] fails at label env In (prod)
         predicates[1] fails at CEL a && b
         a
`);
});

test("the value that a rule met, without saying again whose it is; a long one is left out", () => {
  const failing = (name: string, detail: string) =>
    cluster(name, "unmatched", { checks: [check({ outcome: "false", detail })] });
  const long = `env is "${"x".repeat(60)}"`;
  const clusters = [failing("a", 'env is "dev"'), failing("b", "no label env"), failing("c", "tier is 1")];
  expect(text(placed([...clusters, failing("d", long)]))).toContain('a ("dev"), b (no label env), c (tier is 1), d\n');
  expect(text(placed([failing("e", "env is 1, b is 2")]))).toContain("e (env is 1, b is 2)\n");
});

test("those that could be selected are told by rank", () => {
  const left = (name: string, rank: number) => cluster(name, "left", { rank, score: 10 - rank });
  const run = placed([left("a", 9), left("b", 2), chosen("c", 1, 9)], {
    placement: placement({ numberOfClusters: 1 }),
  });
  expect(text(run)).toContain(
    "but only 1 is asked for; the last selected has 9\n         b (rank 2, score 8), a (rank 9, score 1)\n",
  );
});

test("what is not decided at all has one reason, in the headline", () => {
  expect(text(placed([cluster("a", "left")], { state: "kept" }))).not.toContain("Why");
});

test("spread is a reason of its own", () => {
  const checks = [check({ kind: "spread", predicate: undefined, rule: "region", outcome: "false", detail: "emea" })];
  expect(text(placed([cluster("a", "left", { checks })]))).toContain(
    "1  kept out by the spread over region\n         a (emea)\n",
  );
});

test("the most frequent reason of a kind comes first, and few of many names are told", () => {
  const failing = (name: string, rule: string) =>
    cluster(name, "unmatched", { checks: [check({ rule, index: rule === "x Exists" ? 0 : 1, outcome: "false" })] });
  const names = ["b", "c", "d", "e", "f", "g"];
  const told = text(placed([failing("a", "x Exists"), ...names.map((name) => failing(name, "y Exists"))]));
  expect(told).toContain(`Why none
    6  label y Exists does not hold
         b, c, d, e and 2 more
    1  label x Exists does not hold
         a
`);
});

test("many reasons are counted", () => {
  const clusters = Array.from({ length: 30 }, (_, index) =>
    cluster(`c${index}`, "unmatched", { checks: [check({ rule: `k${index} Exists`, index, outcome: "false" })] }),
  );
  expect(text(placed(clusters))).toContain("… 18 more for 18 other reasons; -o wide tells each");
});

test("an expression of a million characters is not a problem", () => {
  const rule = "a".repeat(1_000_000);
  const checks = [check({ kind: "cel", rule, outcome: "error", detail: rule })];
  const clusters = Array.from({ length: 100 }, (_, index) => cluster(`c${index}`, "failed", { checks }));
  expect(text(placed(clusters)).length).toBeLessThan(1000);
});

test("of very many predicates some are told", () => {
  const checks = Array.from({ length: 5000 }, (_, predicate) => check({ predicate, outcome: "false" }));
  const told = text(placed([cluster("a", "unmatched", { checks })]));
  expect(told).toContain("none of the 5000 predicates holds\n");
  expect(told).toContain(
    "predicates[4] fails at label env In (prod)\n         … and 4995 more predicates\n         a\n",
  );
});

test("errors of one rule stand together, each with its clusters", () => {
  const failed = (name: string, detail: string) =>
    cluster(name, "failed", { checks: [check({ kind: "cel", rule: "a > 1", outcome: "error", detail })] });
  expect(
    text(placed([failed("a", "failed to get score: none"), failed("bb", "no such key"), failed("c", "no such key")])),
  ).toContain(`
    3  could not be judged, which counts as no: CEL a > 1
         a      none
         bb, c  no such key
`);
  const many = Array.from({ length: 9 }, (_, index) => failed(`c${index}`, `error ${index}`));
  expect(text(placed(many))).toContain("c4  error 4\n         … and 4 more errors; -o wide tells each\n");
  const long = ["a", "b"].map((name) => failed(name.repeat(40), "no such key"));
  expect(text(placed(long))).toMatch(/ a{40}, b{40}: no such key\n/);
});

test("an error is that of a predicate, not of a set that cannot be read; which predicate it is, of several", () => {
  const set = check({ kind: "set", predicate: undefined, outcome: "error", rule: "foundry", detail: "broken" });
  const error = check({ kind: "cel", predicate: 1, rule: "a > 1", outcome: "error", detail: "no a" });
  const told = text(placed([cluster("a", "failed", { checks: [set, check({ outcome: "false" }), error] })]));
  expect(told).toContain("which counts as no: predicates[1], CEL a > 1\n         a  no a\n");
  expect(told).not.toContain("foundry");
});

test("when a toleration ended is each cluster's own", () => {
  const tainted = (name: string, detail: string) =>
    cluster(name, "tainted", {
      checks: [check({ kind: "taint", predicate: undefined, rule: "fog:NoSelect", outcome: "false", detail })],
    });
  const told = text(
    placed([
      tainted("a", "tolerations[0] ended at 1"),
      tainted("b", "tolerations[0] ended at 2"),
      tainted("c", "no toleration matches"),
    ]),
  );
  expect(told).toContain(`
    2  tainted: fog:NoSelect, no longer tolerated by tolerations[0]
         a (ended at 1), b (ended at 2)
    1  tainted: fog:NoSelect, not tolerated
         c
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
    2  match, but only 1 is asked for; same score as the last selected, so the name decides (--tie-break)
         b (rank 2), c (rank 3)
    1  matches, but only 1 is asked for; the last selected has 9
         d (rank 4, score 8)
    1  matches, but only 1 is asked for; those with a PreferNoSelect taint come last
         e (rank 5)
`);
  const lasts = [{ ...chosen("a", 1, 9), isSoftTainted: true }, left("b", 2, 8, true)];
  expect(text(placed(lasts, asked))).toContain("; the last selected has 9\n         b (rank 2, score 8)\n");
  expect(text(run, { tieBreak: "hash" })).toContain("so a hash decides (--tie-break)");
  const spread = [{ name: "Spread", score: 100, weight: 2, detail: "" }];
  expect(text(placed([{ ...chosen("a", 1, 200), parts: spread }, left("b", 2, 0)], asked))).toContain(
    "; Spread counts when a cluster is picked, and others came first\n         b (rank 2)\n",
  );
});

test("values that were read are looked up for those clusters that are named", () => {
  const failing = (name: string, detail: string) =>
    cluster(name, "unmatched", { checks: [check({ kind: "cel", rule: "a > 1", outcome: "false", detail })] });
  const asked: string[] = [];
  const closely = (name: string) => {
    asked.push(name);
    return failing(name, `a is ${asked.length}`);
  };
  const run = placed(["a", "b", "c", "d", "e", "f", "g"].map((name) => failing(name, "")));
  expect(text({ ...run, closely })).toContain("a (1), b (2), c (3), d (4) and 3 more\n");
  expect(asked.length).toBeLessThanOrEqual(5);
});
