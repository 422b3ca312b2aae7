import { expect, test } from "vitest";
import { at, check, cluster, placed, WRONG } from "../../../test/placement/sample-placement.ts";
import { exceedsCostLimit, isAboutUnread, placesOf } from "./shown.ts";

const RULE = at(9);
const MISTAKE = { ...WRONG, place: at(1) };
const BROKEN = { ...MISTAKE, place: at(2) };
const WARNING = { ...MISTAKE, place: at(3) };
const PLACED = placed([cluster("a", "left", { checks: [check({ place: RULE })] })], {
  mistakes: [MISTAKE],
  brokenSets: [BROKEN],
  warnings: [WARNING],
});
const RUN = [{ ...PLACED, rulePlaces: [RULE, RULE] }];

test("a text has the places of mistakes, but not of rules", () => {
  expect(placesOf(RUN, "text")).toEqual([MISTAKE.place, BROKEN.place, WARNING.place]);
});

test.each(["json", "yaml", "explanation"])("%s has the place of each rule once", (output) => {
  expect(placesOf(RUN, output)).toEqual([MISTAKE.place, BROKEN.place, WARNING.place, RULE]);
});

test("a Placement exceeds its limit if that is all that is wrong with it", () => {
  const limit = { ...MISTAKE, isLimit: true as const };
  expect(exceedsCostLimit({ mistakes: [] })).toBe(false);
  expect(exceedsCostLimit({ mistakes: [limit] })).toBe(true);
  expect(exceedsCostLimit({ mistakes: [limit, MISTAKE] })).toBe(false);
});

test("a Placement is undecided because of what could not be read if nothing else is wrong with it", () => {
  const unread = { ...MISTAKE, fault: { kind: "unread-set", object: "ManagedCluster", isSupposed: true } } as const;
  expect(isAboutUnread({ mistakes: [] })).toBe(false);
  expect(isAboutUnread({ mistakes: [unread] })).toBe(true);
  expect(isAboutUnread({ mistakes: [unread, MISTAKE] })).toBe(false);
});
