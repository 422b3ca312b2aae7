import { describe, expect, test } from "vitest";
import type { PlacementChange } from "../../placement/compare/placement-change.ts";
import type { Mistake, PlacementResult } from "../../placement/placement-result.ts";
import { makeStyle } from "../../render/kit/style.ts";
import { brakeSentences, mistakeTexts, unshownSentences } from "./stderr.ts";

const PLACE = { source: "a.yaml", line: 3, column: 1 };
const WRONG: Mistake = { fault: { kind: "negative-number", value: -1 }, place: PLACE, plugin: "" };
const LATE: Mistake = { ...WRONG, fault: { kind: "time-over" } };
const TEXT = "numberOfClusters is -1, and cannot be negative";
const HELP = "leave it out to select every cluster that matches";

function result(name: string, more: Partial<PlacementResult> = {}): PlacementResult {
  const nothing = {
    mistakes: [],
    brokenSets: [],
    warnings: [],
    unscheduled: 0,
    state: "placed",
    tally: { selected: 1 },
  };
  return { placement: { namespace: "apps", name }, ...nothing, ...more } as unknown as PlacementResult;
}

describe("what a list of clusters does not show", () => {
  test("is nothing where everything is in order", () => {
    expect(unshownSentences([result("a"), result("b")])).toEqual([]);
  });

  test("is reported in one sentence for each kind", () => {
    const results = [
      result("a", { mistakes: [WRONG], state: "kept" }),
      result("b", { mistakes: [{ ...WRONG, isLimit: true }], state: "kept" }),
      result("c", { unscheduled: 2 }),
      result("d", { unscheduled: 1 }),
      result("e", { state: "ignored" }),
      result("f", { tally: { selected: 0 } as PlacementResult["tally"] }),
    ];
    expect(unshownSentences(results)).toEqual([
      "1 Placement is misconfigured: apps/a",
      "1 Placement hits a limit: apps/b",
      "2 Placements have fewer clusters than they ask for: apps/c, apps/d; -o text says why",
      "1 Placement gets no cluster, and asks for no number: apps/f; -o text says why",
      "1 Placement is passed over, since it is being deleted or its annotation disables scheduling: apps/e",
    ]);
  });
});

describe("a mistake", () => {
  const results = [result("a", { mistakes: [WRONG], warnings: [LATE] })];
  const style = makeStyle(false);

  test("is reported with its Placement and its help, also if its line cannot be shown", () => {
    expect(mistakeTexts(results, () => undefined, style, { errors: true, warnings: false })).toEqual([
      `error: ${TEXT}\n  --> a.yaml:3:1 (Placement apps/a)\n  = help: ${HELP}\n`,
    ]);
  });

  test("that is also an unusable set is reported once", () => {
    const stopped = [result("a", { mistakes: [WRONG], brokenSets: [{ ...WRONG }, LATE] })];
    const texts = mistakeTexts(stopped, () => undefined, style, { errors: true, warnings: true });
    expect(texts.map((text) => text.split("\n")[0])).toEqual([
      `error: ${TEXT}`,
      "warning: the time limit was reached before all clusters were evaluated",
    ]);
  });

  test("is shown with its line", () => {
    const spot = { line: 7, column: 3, excerpt: "  x: -1", caret: 2 };
    expect(mistakeTexts(results, () => spot, style, { errors: false, warnings: true })).toEqual([
      "warning: the time limit was reached before all clusters were evaluated\n --> a.yaml:7:3 (Placement apps/a)\n  |\n7 |   x: -1\n  |   ^\n  = help: raise the time limit\n",
    ]);
  });
});

test("the limit on losses names who loses how much", () => {
  const limit = { text: "10%", amount: 10, isShare: true };
  const change = { key: "apps/a", lost: [{}, {}], before: 3 } as unknown as PlacementChange;
  expect(brakeSentences([change])).toEqual([]);
  expect(brakeSentences([{ ...change, exceeded: limit }])).toEqual([
    "Placement apps/a would lose 2 of 3 clusters, and --max-removed allows 10%",
  ]);
});
