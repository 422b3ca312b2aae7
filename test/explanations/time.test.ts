// Does an explanation end at the time limit, and is that reported instead of "nothing would help"?

import { describe, expect, test } from "vitest";
import { noHelpTexts } from "../../src/render/resolve/sections.ts";
import { explainAnswer } from "../../src/resolve/explain/explain-answer.ts";
import { explain } from "../../src/resolve/explain/subject.ts";
import type { Explanation } from "../../src/resolve/resolution.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { needsPackage, request, scene, stocked } from "../worlds/scene.ts";
import { explanationText } from "./explanation-text.ts";

const catalogs = [
  stocked({
    net: { "1.0.0": [], "2.0.0": [] },
    watch: { "1.0.0": [needsPackage("net", "<2.0.0")] },
    scout: { "1.0.0": [needsPackage("net", ">=2.0.0")] },
  }),
];
const problem = scene({ catalogs, requests: [request("scout"), request("watch")] });

/** The explanation of the refused request, with a time limit that is reached after this number of checks. */
function explainedWithin(asks: number): Explanation {
  let left = Number.POSITIVE_INFINITY;
  const answer = resolve(problem, () => --left < 0);
  left = asks;
  return explainAnswer({ problem, answer }).unsatisfied[0]?.explanation as Explanation;
}

describe("an explanation has as much time as is left", () => {
  test("none at all: the reason is not known", () => {
    const explanation = explainedWithin(0);
    expect(explanationText(explanation)).toBe("the time limit was reached before the reason was found");
    expect([explanation.facts, explanation.fixes, explanation.isCutOff]).toEqual([[], [], true]);
    expect(noHelpTexts(explanation)).toEqual(["Give it more time (--timeout)."]);
  });

  test("enough: nothing is cut off", () => {
    const explanation = explainedWithin(Number.POSITIVE_INFINITY);
    expect(explanation.fixes.length).toBeGreaterThan(0);
    expect(explanation.isCutOff ?? false).toBe(false);
  });

  test("for any time limit, the reason is whole or missing, and a cut is reported", () => {
    const whole = explainedWithin(Number.POSITIVE_INFINITY);
    const counts = new Set<string>();
    for (let asks = 0; asks < 400; asks += 7) {
      const { facts, fixes, isCutOff } = explainedWithin(asks);
      if (facts.length < whole.facts.length) expect([facts.length, isCutOff]).toEqual([0, true]);
      if (fixes.length < whole.fixes.length) expect(isCutOff).toBe(true);
      counts.add(`${facts.length > 0} ${isCutOff ?? false}`);
    }
    expect([...counts].sort()).toEqual(["false true", "true false", "true true"]);
  });
});

test("explain is undecided where the reason was not found in time", () => {
  let asks = 0;
  explain(problem, { package: "watch" }, { stop: () => ++asks < 0 });
  const needed = asks;
  asks = 0;
  const late = explain(problem, { package: "watch" }, { stop: () => ++asks > needed / 4 });
  expect(late.undecided).toBe(true);
});
