// What does a terminal show of a comparison that was cut off, and how much in each of the text formats?

import { expect, test } from "vitest";
import { constraint, request, scene, stocked } from "../../../test/worlds/scene.ts";
import type { JsonObject } from "../../model/json.ts";
import { type BlastRadius, blastRadius } from "../../resolve/blast-radius/blast-radius.ts";
import { makeStyle } from "../kit/style.ts";
import { renderBlastRadius } from "./blast-radius.ts";

const catalog = stocked({ lamp: { "1.0.0": [], "2.0.0": [{ type: "tier", value: "tin" }] } });
const PROBLEM = scene({ catalogs: [catalog], requests: [request("lamp")] });

function radius(isOver: () => boolean, ...values: readonly JsonObject[]): BlastRadius {
  const entries = values.map((value) => ({ property: constraint(value), place: undefined }));
  const demands = { runtime: { entries, problems: [] }, node: { properties: [] } };
  return blastRadius({ problems: [PROBLEM], demands, isOver, isExplained: true });
}

function lines(shown: BlastRadius, output = "text"): readonly string[] {
  const look = { output, style: makeStyle(false), width: undefined };
  const text = renderBlastRadius({ radius: shown, warnings: [], at: ({ source }) => source }, look);
  return text.split("\n").filter((line) => line !== "");
}

const NO_TIN = { propertyEquals: { name: "tier", value: "tin" }, action: { id: "conflict" } };
const MISSPELT = { propertyEquals: { name: "teir", value: "tin" }, action: { id: "conflict" } };

test("what refuses nothing is named, unless not every bundle was evaluated", () => {
  expect(lines(radius(() => true, MISSPELT))).toEqual([
    "Undecided: nothing found so far; 0 of 1 namespace compared in time",
  ]);
  expect(lines(radius(() => false, MISSPELT))).toEqual([
    "No effect: hides no bundle and changes no answer",
    "Constraints",
    '  constraint 1 forbids an operator with the property teir = "tin"',
    "    refuses no bundle",
  ]);
});

test("only wide shows constraints that hide nothing more", () => {
  const before = {
    ...PROBLEM,
    runtime: { entries: [{ property: constraint(NO_TIN), place: undefined }], problems: [] },
  };
  const demands = { runtime: before.runtime, node: { properties: [] } };
  const same = blastRadius({ problems: [before], demands });
  expect(lines(same)).toEqual(["No effect: hides no bundle and changes no answer"]);
  expect(lines(same, "wide").at(-1)).toBe("    refuses 1 of 2 bundles, which are refused already");
});

test("what gets worse has its reason below", () => {
  expect(lines(radius(() => false, NO_TIN))).toEqual([
    "Gets worse: hides 1 of 2 bundles, holds back 1 operator (here/lamp)",
    "Constraints",
    '  constraint 1 forbids an operator with the property tier = "tin"',
    "    hides 1 of 2 bundles: lamp 2.0.0",
    "Would be held back",
    "  here/lamp: now install 2.0.0; then install 1.0.0",
    "    lamp 2.0.0 cannot be installed.",
    '    The administrator forbids an operator with the property tier = "tin", and lamp 2.0.0 is such an operator.',
  ]);
});
