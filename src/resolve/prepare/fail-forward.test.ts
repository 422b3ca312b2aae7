// Which replaced operators are ignored after a failed update? Cases F of the reference, by their ids.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operator } from "../../../test/resolve/prepare-given.ts";
import type { InstalledOperator } from "../../model/installed-operator.ts";
import { chainText } from "../../render/sentence/warning.ts";
import type { ChainFault } from "../warning.ts";
import { endsInFailure, failForward, replacementChains } from "./fail-forward.ts";

/** Operators foo.v1, foo.v2… in these phases, each replacing the one before. */
function chain(...phases: readonly string[]): InstalledOperator[] {
  return phases.map((phase, index) =>
    operator("foo", `${index + 1}`, { phase, ...(index > 0 && { replaces: `foo.v${index}` }) }),
  );
}

describe("the end of a chain", () => {
  test("F01: nothing", () => expect(endsInFailure([])).toEqual({ kind: "empty" }));
  test("F02: one failed", () => expect(endsInFailure(chain("Failed"))).toBe(true));
  test("one that succeeded", () => expect(endsInFailure(chain("Succeeded"))).toBe(false));
  test("F04: success at the end", () =>
    expect(endsInFailure(chain("Replacing", "Replacing", "Succeeded"))).toBe(false));
  test("F05: failure at the end", () => expect(endsInFailure(chain("Replacing", "Replacing", "Failed"))).toBe(true));
  test("F06: failure in the middle", () =>
    expect(chainText(endsInFailure(chain("Replacing", "Failed", "Failed")) as ChainFault)).toBe(
      "foo.v2 is in phase Failed instead of Replacing",
    ));
});

test("those before the failed one are ignored, in every chain separately", () => {
  const other = operator("bar", "1", { phase: "Replacing" });
  const { dropped, problems } = failForward([...chain("Replacing", "Replacing", "Failed"), other]);
  expect([...dropped]).toEqual(["foo.v1", "foo.v2"]);
  expect(problems).toEqual([]);
});

test("nothing of a chain with a failure in the middle is ignored", () => {
  const { dropped, problems } = failForward(chain("Failed", "Replacing", "Failed"));
  expect(dropped.size).toBe(0);
  expect(problems.map(({ fault, operator: { name } }) => [name, chainText(fault)])).toEqual([
    ["foo.v1", "foo.v1 is in phase Failed instead of Replacing"],
  ]);
});

test("operators that replace each other in a cycle are a problem", () => {
  const [first, ...rest] = chain("Replacing", "Replacing", "Replacing") as [InstalledOperator, ...InstalledOperator[]];
  const { dropped, problems } = failForward([{ ...first, replaces: "foo.v3" }, ...rest]);
  expect(dropped.size).toBe(0);
  expect(problems.map(({ fault }) => chainText(fault))).toEqual([
    "foo.v1 is replaced by itself, through 3 replacements",
  ]);
  const itself = failForward([{ ...first, replaces: "foo.v1" }]);
  expect(itself.problems).toHaveLength(1);
});

test("an operator that two others replace ends its chain", () => {
  const [first, second] = chain("Replacing", "Failed") as [InstalledOperator, InstalledOperator];
  const third = operator("foo", "3", { phase: "Failed", replaces: "foo.v1" });
  expect(failForward([first, second, third]).dropped.size).toBe(0);
});

test("every operator is in exactly one chain, for any replacements in any order", () => {
  const names = ["a.v1", "b.v1", "c.v1", "d.v1", "e.v1"];
  const replaces = fc.array(fc.option(fc.constantFrom(...names, "gone"), { nil: undefined }), {
    minLength: names.length,
    maxLength: names.length,
  });
  fc.assert(
    fc.property(replaces, fc.shuffledSubarray(names, { minLength: names.length }), (edges, order) => {
      const operators = names.map((name, index) => operator("x", "1", { name, replaces: edges[index] }));
      const chains = replacementChains(operators);
      const members = chains.flatMap((one) => [...new Set(one)].map(({ name }) => name));
      expect(members.toSorted()).toEqual(names);
      for (const one of chains)
        for (const [index, { replaces: before }] of one.entries())
          if (index > 0) expect(before).toBe(one[index - 1]?.name);
      const shuffled = order.map((name) => operators[names.indexOf(name)] as InstalledOperator);
      expect(replacementChains(shuffled)).toEqual(chains);
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 20_000 : 300 },
  );
});

test("a hundred thousand replacements are followed in a moment", () => {
  const many = Array.from({ length: 100_000 }, (_, index) =>
    operator("foo", `${index}`, { phase: "Replacing", ...(index > 0 && { replaces: `foo.v${index - 1}` }) }),
  );
  expect(failForward(many).dropped.size).toBe(0);
});
