// Do the values show why a rule is false?

import { describe, expect, test } from "vitest";
import type { Property } from "../model/catalog.ts";
import { bundleRule } from "./bundle-environment.ts";
import type { CelConstraint, Constraint } from "./constraint.ts";
import { missOf } from "./rule-values.ts";

function cel(rule: string): CelConstraint {
  const { program } = bundleRule(rule);
  if (program === undefined) throw new Error(`the rule cannot be compiled: ${rule}`);
  return { kind: "cel", rule, program, path: [] };
}

const TIERS: readonly Property[] = [
  { type: "depth", value: 12 },
  { type: "tier", value: "silver" },
];

/** The values for which a rule is not true. */
function valuesOf(constraint: Constraint): string | undefined {
  return missOf(constraint, TIERS)
    ?.values.map(({ expression, value }) => `${expression} is ${value}`)
    .join(", ");
}

describe("why a rule is not true", () => {
  test.each<[string, string | undefined]>([
    ['properties.exists(p, p.type == "tier" && p.value == "gold")', 'p.value is "silver"'],
    ['properties.exists(p, p.type == "depth" && p.value > 16.0)', "p.value is 12.0"],
    ['properties.exists(p, p.type == "depth" && p.value > 16.0 && p.value < 20.0)', "p.value is 12.0"],
    ['properties.exists(p, p.type == "nothing" && p.value == "gold")', undefined],
    ["size(properties) > 5", "size(properties) is 2"],
    ['properties.exists(p, p.type == "tier" && p.value == "silver")', undefined],
  ])("%s", (rule, text) => {
    expect(valuesOf(cel(rule))).toBe(text);
  });

  test("an error is reported as it is", () => {
    const miss = missOf(cel("properties.all(p, p.value.size() > 3)"), TIERS);
    expect(miss).toMatchObject({ error: expect.any(String), values: [], score: 0 });
  });

  test("of a compound, the first rule that is not true; none that must not be", () => {
    const [silver, gold] = ["silver", "gold"].map((tier) =>
      cel(`properties.exists(p, p.type == "tier" && p.value == "${tier}")`),
    ) as [CelConstraint, CelConstraint];
    const of = (kind: "all" | "none", ...constraints: readonly Constraint[]): Constraint => ({
      kind,
      scope: "bundle",
      constraints,
      path: [],
    });
    expect(valuesOf(of("all", silver, gold))).toBe('p.value is "silver"');
    expect(missOf(of("none", gold), TIERS)).toBeUndefined();
  });
});
