// Does our engine pass every official test that needs no protobuf message, and is every waiver needed?
import { describe, expect, test } from "vitest";
import { everyCase, outcomeOf } from "./outcome.ts";
import { mistakesInWaivers, waivers } from "./waivers.ts";

const cases = everyCase();
const sections = [...new Set(cases.map(({ section }) => section))];

describe("conformance", () => {
  test("the official tests are all there, each once", () => {
    expect(cases.filter(({ corpus }) => corpus === "official")).toHaveLength(2344);
    expect(new Set(cases.map(({ key }) => key)).size).toBe(cases.length);
  });

  test("waivers name a test and a message that is in it", () => {
    expect(mistakesInWaivers(waivers, cases)).toEqual([]);
  });

  test.each(sections)("%s", (section) => {
    const outcomes = cases.filter((each) => each.section === section).map((each) => outcomeOf(each, waivers));
    const failures = outcomes.filter(({ kind }) => kind === "failed");
    expect(failures.map(({ test: { key, expression }, got }) => ({ key, expression, got }))).toEqual([]);
  });
});
