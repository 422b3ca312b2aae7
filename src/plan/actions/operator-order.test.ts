import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { actionLines, catalogWith, comes, csv, packageOf, quay, runs } from "../../../test/plan/plan-step.ts";
import type { Catalog, Property } from "../../model/catalog.ts";
import type { PlannedChange } from "../plan-draft.ts";
import { actionsOf } from "./actions-of.ts";

function api(kind: string): Property {
  return { type: "olm.gvk", value: { group: "g", version: "v1", kind } };
}

/** What each package provides before and after: `Lamp,Buoy → Bell`. */
type ExplanationBody = { readonly [owner: string]: string };

function changesOf(body: ExplanationBody): { readonly catalog: Catalog; readonly changes: readonly PlannedChange[] } {
  const sides = Object.entries(body).map(([owner, text]) => {
    const [had, has] = text.split("→").map((side) => (side.match(/\w+/g) ?? []).map(api));
    return { owner, had: had as readonly Property[], has: has as readonly Property[] };
  });
  const catalog = catalogWith(
    ...sides.map(({ owner, has }) => packageOf(owner, { "2.0.0": [csv(`${owner}.v2.0.0`), ...has] })),
  );
  const changes = sides.map(({ owner, had }) =>
    comes(catalog, `${owner}.v2.0.0`, { from: runs(`${owner}.v1.0.0`, { properties: had }) }),
  );
  return { catalog, changes };
}

function order(body: ExplanationBody): string {
  const { catalog, changes } = changesOf(body);
  const expected = actionLines(actionsOf(changes, quay([catalog])));
  fc.assert(
    fc.property(fc.shuffledSubarray([...changes], { minLength: changes.length }), (shuffled) => {
      expect(actionLines(actionsOf(shuffled, quay([catalog])))).toEqual(expected);
    }),
    { numRuns: 10 },
  );
  return expected.map((one) => one.replace(/.* (\w+)\.v2\.0\.0$/, "$1")).join(" ");
}

describe("an API that passes from one operator to another in a joint step", () => {
  test("is given up before it is taken", () => {
    expect(order({ a: "→ Lamp", z: "Lamp →" })).toBe("z a");
    expect(order({ a: "→ Bell", b: "Bell → Lamp", c: "Lamp → Rope", d: "→" })).toBe("c b a d");
  });

  test("is not given up by one that keeps it, or that takes nothing from others", () => {
    expect(order({ a: "→ Lamp", z: "Lamp → Lamp" })).toBe("a z");
    expect(order({ a: "→ Lamp", z: "Bell →" })).toBe("a z");
  });

  test("also counts for those that make room as well", () => {
    const { catalog, changes } = changesOf({ a: "→ Lamp", z: "→" });
    const [a, z] = changes as readonly [PlannedChange, PlannedChange];
    const also = { ...z, alsoFrom: [runs("y.v1.0.0", { properties: [api("Lamp")] })] };
    expect(actionLines(actionsOf([a, also], quay([catalog])))).toEqual([
      "replace ClusterServiceVersion z.v2.0.0",
      "replace ClusterServiceVersion a.v2.0.0",
    ]);
  });

  test("a cycle is ordered by name, and what only follows the cycle comes after it", () => {
    expect(order({ b: "Lamp → Bell", c: "Bell → Lamp" })).toBe("b c");
    expect(order({ a: "→ Rope", b: "Lamp,Rope → Bell", c: "Bell → Lamp" })).toBe("b a c");
    expect(order({ a: "→ Rope", b: "Bell → Lamp", c: "Lamp,Rope → Bell" })).toBe("b c a");
    expect(order({ a: "→ Z,Y", b: "Bell → Lamp", c: "Lamp,Y → Bell", d: "Raft → Oar", e: "Oar,Z → Raft" })).toBe(
      "b c d e a",
    );
    expect(order({ x: "Bell → Buoy", y: "Buoy → Lamp", z: "Lamp → Bell" })).toBe("x z y");
  });
});
