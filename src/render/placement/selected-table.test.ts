import { expect, test } from "vitest";
import { chosen, cluster, part, placed, shown, taint, UNTOLERATED } from "../../../test/placement/sample-placement.ts";
import type { ClusterReport, ScoreDetail } from "../../placement/placement-result.ts";
import { displayWidth } from "../kit/display-width.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlacements } from "./render-placement.ts";

function text(clusters: readonly ClusterReport[], output = "text", width?: number): string {
  return renderPlacements(shown([placed(clusters)]), { output, style: makeStyle(false), width });
}

function scored(name: string, rank: number, detail: ScoreDetail, score = 0): ClusterReport {
  const parts = [{ name: "AddOn/sea/calm", score, weight: 1, detail }];
  return cluster(name, "selected", { rank, score, parts });
}

const MANY = Array.from({ length: 100 }, (_, index) => chosen(`c${String(index).padStart(3, "0")}`, index + 1, 0));

test("clusters with the same score, made of the same parts, are listed by name", () => {
  expect(text([chosen("b", 2, 7), chosen("a", 1, 7)])).toContain(`
  Selected, all with score 7 (Balance 7):
    a, b
`);
  expect(text([chosen("a", 1, 7)])).toContain("\n  Selected, with score 7 (Balance 7):\n    a\n");
  expect(text([{ ...chosen("a", 1, 7), parts: [] }])).toContain("\n  Selected, with score 7:\n    a\n");
});

test("twenty are listed, the others counted; wide lists all", () => {
  expect(text(MANY)).toMatch(/\n {4}.*c019 and 80 more; -o wide lists\n {4}all\n/);
  expect(text(MANY)).not.toContain("c020");
  expect(text(MANY, "wide")).toContain("c099");
  const other = [...MANY, chosen("last", 101, -1)];
  expect(text(other)).toContain("\n  Selected, the first 20 with score 0 (Balance 0):\n");
  const table = text([chosen("first", 0, 5), ...MANY]);
  expect(table).toContain("\n  c018         0        0\n  … and 81 more; -o wide lists all\n");
});

test("names are broken where the terminal ends, or the page", () => {
  const widest = (width?: number): number =>
    Math.max(...text(MANY, "text", width).split("\n").slice(1).map(displayWidth));
  expect(widest()).toBeLessThanOrEqual(80);
  expect(widest()).toBeGreaterThan(60);
  expect(widest(50)).toBeLessThanOrEqual(50);
});

test("a score that does not exist, or has expired, is no 0", () => {
  const absent = scored("a", 1, { kind: "missing" });
  const expired = scored("b", 2, { kind: "expired", validUntil: "2026-03-01T00:00:00Z" });
  const real = scored("c", 3, { kind: "add-on" });
  expect(text([absent, expired, real])).toMatch(/\n {2}a +0 +–\n {2}b +0 +expired\n {2}c +0 +0\n/);
  expect(text([absent])).toContain("(AddOn/sea/calm –)");
});

test("weights stand with the parts of a score, those of one part added up, with what they mean", () => {
  const parts = [part("Steady", 100), part("AddOn/default/cpu", 80, -3), part("AddOn/default/cpu", 80)];
  const oslo = cluster("oslo", "selected", { rank: 1, score: -60, parts });
  expect(text([oslo, chosen("a", 2, 1)])).toContain(`
  CLUSTER  SCORE  Steady  -2×AddOn/default/cpu  Balance
  oslo       -60     100                    80        –
  a            1       –                     –        1
  The columns are before the weight: -2× 80 counts as -160.
`);
  const nothing = { ...oslo, name: "nil", parts: [part("AddOn/x/y", 0, 5)] };
  expect(text([nothing, oslo])).toContain("-2× 80 counts as -160.");
  expect(text([nothing, chosen("a", 2, 1)])).toContain("5× 0 counts as 0.");
  expect(text([oslo])).toContain("(Steady 100, -2× AddOn/default/cpu 80)");
  expect(text([oslo], "wide")).toContain("The columns are before the weight");
  expect(text([chosen("a", 1, 2), chosen("b", 2, 1)])).not.toContain("weight");
});

test("the last one has a reason", () => {
  const effect = "PreferNoSelect";
  const soft = taint({
    taint: { key: "small", value: "true", effect },
    tolerance: { ...UNTOLERATED, isSoft: true },
  });
  const tolerated = taint({ taint: { key: "old", value: "", effect } });
  const oslo = { ...chosen("oslo", 2, 5), isSoftTainted: true, checks: [tolerated, soft] };
  const why = "comes last: taint small=true (PreferNoSelect)";
  expect(text([chosen("a", 1, 5), oslo])).toContain(`\n  oslo         5        5  ${why}\n`);
  expect(text([oslo])).toContain(`(Balance 5); ${why}:\n`);
});
