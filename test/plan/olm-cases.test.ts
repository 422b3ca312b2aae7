// Does a plan lead where OLM leads, or as the documents define where that is different? Each case of test/resolve/olm-cases/*.yaml that
// has an expected plan is planned in both modes, and once more with every document given in the opposite order.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCases } from "../resolve/olm-cases/notation.ts";
import { planDifferences } from "../resolve/olm-cases/plan-answer.ts";
import { planFor } from "../resolve/olm-cases/plan-world.ts";
import { worldOf } from "../resolve/olm-cases/world.ts";

const DIRECTORY = "test/resolve/olm-cases";
const sections = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith(".yaml"))
  .sort()
  .map((file) => ({ file, cases: readCases(file, readFileSync(join(DIRECTORY, file))) }))
  .filter(({ cases }) => cases.some(({ plan }) => plan !== undefined));

/** Sections E, F, H, L and P, and further cases of plans: each has an expected plan. */
const PLANNED = /^[efhlp]/;

for (const { file, cases } of sections)
  describe(file, () => {
    for (const { id, says, plan, compatPlan, options, ...given } of cases) {
      if (plan === undefined) continue;
      const one = { id, says, ...given };

      test(`${id}: ${says}`, () => {
        const made = planFor(worldOf(one, false), options);
        expect(planDifferences(made, plan)).toEqual([]);
        expect(planFor(worldOf(one, true), options)).toEqual(made);
      });

      test(`${id} with --compat=olm`, () => {
        const made = planFor(worldOf(one, false), { ...options, compat: true });
        expect(planDifferences(made, compatPlan ?? plan)).toEqual([]);
        expect(planFor(worldOf(one, true), { ...options, compat: true })).toEqual(made);
      });
    }
  });

test("every case of a section about plans has an expected plan", () => {
  const silent = sections.flatMap(({ file, cases }) =>
    PLANNED.test(file) ? cases.filter(({ plan }) => plan === undefined).map(({ id }) => id) : [],
  );
  expect(silent).toEqual([]);
});
