import { expect, test } from "vitest";
import { at, check, cluster, placed } from "../../../test/sample-placement.ts";
import { isTooDear, placesOf } from "./shown.ts";

const RULE = at(9);
const TAINT = at(90);
const MISTAKE = { message: "wrong", place: at(1), plugin: "" as const };
const BROKEN = { ...MISTAKE, place: at(2) };
const WARNING = { ...MISTAKE, place: at(3) };
const CHECKS = [check({ place: RULE }), check({ kind: "taint", predicate: undefined, place: TAINT })];
const RUN = [
  placed(
    ["a", "b"].map((name) => cluster(name, "left", { checks: CHECKS })),
    { mistakes: [MISTAKE], brokenSets: [BROKEN], warnings: [WARNING] },
  ),
];

test("a text speaks of what is wrong; rules have no places in it", () => {
  expect(placesOf(RUN, "text")).toEqual([MISTAKE.place, BROKEN.place, WARNING.place]);
});

test.each(["json", "yaml", "explanation"])("%s says where each rule stands, once, but looks up no taints", (output) => {
  expect(placesOf(RUN, output)).toEqual([MISTAKE.place, BROKEN.place, WARNING.place, RULE]);
});

test("a Placement is too dear if a limit is all that is wrong with it", () => {
  const limit = { ...MISTAKE, isLimit: true as const };
  expect(isTooDear({ mistakes: [] })).toBe(false);
  expect(isTooDear({ mistakes: [limit] })).toBe(true);
  expect(isTooDear({ mistakes: [limit, MISTAKE] })).toBe(false);
});
