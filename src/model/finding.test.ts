// Are findings kept in bounded memory without losing the ones that count?

import { expect, test } from "vitest";
import { FindingList, finding } from "./finding.ts";
import { wholeSource } from "./place.ts";

test("remarks never push out an error", () => {
  const list = new FindingList();
  const place = wholeSource("file");
  for (let index = 0; index < 60_000; index++) list.report(finding("PL041", place, { message: "a remark" }));
  list.report(finding("PL023", place, { message: "an error" }));
  expect(list.kept).toHaveLength(50_001);
  expect(list.kept.at(-1)?.code).toBe("PL023");
});

test("a text of a finding is bounded", () => {
  expect(finding("PL023", wholeSource("file"), { message: "x".repeat(1_000_000) }).message).toHaveLength(1000);
});
