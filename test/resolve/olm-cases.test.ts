// Does the resolver behave as OLM does, or as docs/how-it-resolves.md defines where that is different? Each document of
// test/resolve/olm-cases/*.yaml is a case with the id of the behaviour. It is resolved in both modes, and once more with every
// document given in the opposite order.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { differences } from "./olm-cases/answer.ts";
import { readCases } from "./olm-cases/notation.ts";
import { answerTo } from "./olm-cases/resolve-world.ts";
import { worldOf } from "./olm-cases/world.ts";

const DIRECTORY = "test/resolve/olm-cases";
const sections = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith(".yaml"))
  .sort()
  .map((file) => ({ file, cases: readCases(file, readFileSync(join(DIRECTORY, file))) }));

for (const { file, cases } of sections)
  describe(file, () => {
    for (const given of cases) {
      test(`${given.id}: ${given.says}`, () => {
        const answer = answerTo(worldOf(given, false), given.options);
        expect(differences(answer, given.expect)).toEqual([]);
        expect(answerTo(worldOf(given, true), given.options)).toEqual(answer);
      });

      test(`${given.id} with --compat=olm`, () => {
        const options = { ...given.options, compat: true };
        const answer = answerTo(worldOf(given, false), options);
        expect(differences(answer, given.compat ?? given.expect)).toEqual([]);
        expect(answerTo(worldOf(given, true), options)).toEqual(answer);
      });

      test(`${given.id} reports the errors of its input`, () => {
        const errors = worldOf(given, false).findings.filter(({ severity }) => severity === "error");
        expect(errors.map(({ code }) => code).sort()).toEqual(given.findings ?? []);
      });
    }
  });

test("no id is given twice", () => {
  const ids = sections.flatMap(({ cases }) => cases.map(({ id }) => id));
  expect(ids).toEqual([...new Set(ids)]);
});
