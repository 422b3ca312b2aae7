// Is every object validated as the Kubernetes API server validates it: valid or not, what is wrong at which field, what is dropped
// and what is filled in?
//
// The table was made by k8s.io/apiextensions-apiserver v0.37.2 (make-crd-validation.mjs). compare-crd-live.mjs compares
// fresh random cases where Go is present.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Disagreement, disagreements, isOnPurpose, ON_PURPOSE, readGroup } from "./crd-validation/compare.ts";

const groups = readFileSync(new URL("crd-validation.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map(readGroup);

const found: Disagreement[] = [];

test.for([...new Set(groups.map(({ section }) => section))])("%s", (section) => {
  const here = groups.filter((group) => group.section === section).flatMap(disagreements);
  found.push(...here);
  expect(here.filter((one) => !isOnPurpose(one))).toEqual([]);
});

test("every difference that is meant to be is one", () => {
  expect(ON_PURPOSE.filter(({ is }) => !found.some(is)).map(({ why }) => why)).toEqual([]);
});
