// With which code does a comparison end?

import { expect, test } from "vitest";
import { type BlastRadius, blastRadius } from "../../resolve/blast-radius/blast-radius.ts";
import { codesOf } from "./what-if-constraints.ts";

const RADIUS = blastRadius({
  problems: [],
  demands: { runtime: { entries: [], problems: [] }, node: { properties: [] } },
});

test.each<[string, Partial<BlastRadius>, readonly number[]]>([
  ["nothing gets worse", {}, []],
  ["an operator is held back", { heldBack: 1 }, [1]],
  ["a request is refused", { refused: 2 }, [1]],
  ["a request is undecided", { undecided: 1 }, [5]],
  ["not everything was compared", { isComplete: false, heldBack: 1 }, [5, 1]],
  ["the proposed constraints cannot be read", { isReadable: false, undecided: 1 }, [3, 5]],
  ["an answer is not proven", { unproven: 1 }, []],
  ["a bug", { bugs: [{ namespace: "ops", constraints: "proposed", message: "…" }] }, [70]],
])("%s", (_, more, codes) => {
  expect(codesOf({ ...RADIUS, ...more }, {})).toEqual(codes);
});

test("an answer that is not proven, where proof is required", () => {
  expect(codesOf({ ...RADIUS, unproven: 1 }, { requireProof: true })).toEqual([5]);
});
