// Does `--compat=ocm` decide as OCM does: the same clusters, scores, decision groups, PlacementDecisions and conditions?
//
// The table was made by OCM's own controller and scheduler on random fleets (make-ocm-placement.mjs).
import { expect, test } from "vitest";
import { type AnsweredFleet, disagreements } from "./ocm-placement/compare.ts";
import { readTable, type Table } from "./table.ts";

const table = readTable<Table<AnsweredFleet>>("ocm-placement.json");

test("every Placement of every fleet", () => {
  expect(table.rows.flatMap(disagreements)).toEqual([]);
});

test("the table has something of everything", () => {
  const answers = table.rows.flatMap(({ placements }) => placements.map(({ answer }) => answer));
  expect(answers.length).toBeGreaterThan(300);
  const count = (holds: (answer: (typeof answers)[number]) => boolean): number => answers.filter(holds).length;
  expect(count(({ selected }) => selected !== undefined && selected !== "")).toBeGreaterThan(200);
  expect(count(({ misconfigured }) => misconfigured !== undefined)).toBeGreaterThan(20);
  expect(count(({ unscheduled }) => unscheduled !== undefined)).toBeGreaterThan(20);
  expect(count(({ warning }) => warning === true)).toBeGreaterThan(20);
  expect(count(({ groups = [] }) => groups.length > 1)).toBeGreaterThan(20);
});
