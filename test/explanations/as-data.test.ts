// Is what `explain` answers plain data? After a trip through JSON it is the same, and looks the same in every form.

import { expect, test } from "vitest";
import { renderExplanation } from "../../src/render/explain/render-explanation.ts";
import { declarationsOf } from "../../src/render/explain/shown.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { FORMATS } from "../../src/render/output-formats.ts";
import { flagsOf } from "../../src/render/sentence/flags.ts";
import { explain, type SubjectExplanation } from "../../src/resolve/explain/subject.ts";
import { generateWorld } from "../worlds/generate.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 400 : 30;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 800_000;

test("an explanation comes whole through JSON and a structured clone, and looks the same in every form", () => {
  const seen = new Set<string>();
  for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
    const problem = generateWorld(seed);
    for (const owner of problem.catalogs.flatMap(({ packages }) => [...packages.values()])) {
      const oldest = [...owner.bundles.values()].at(-1);
      for (const version of [undefined, oldest?.version]) {
        const answer = explain(problem, { package: owner.name, version }, { withLoss: seed % 2 === 0 });
        const about = `${seed} ${owner.name} ${version === undefined ? "" : oldest?.name}`;
        const text = JSON.stringify(answer);
        const travelled = JSON.parse(text) as SubjectExplanation;
        expect({ about, answer: travelled }).toStrictEqual({ about, answer });
        expect({ about, text: JSON.stringify(structuredClone(answer)) }).toEqual({ about, text });
        for (const output of FORMATS.explain)
          expect({ about, text: rendered(travelled, output) }).toEqual({ about, text: rendered(answer, output) });
        for (const kind of kindsIn(answer)) seen.add(kind);
      }
    }
  }
  const verdicts = ["chosen", "heldBack", "refused", "notRequested"];
  const stories = ["proof", "facts", "waits", "preferred", "not-requested", "perhaps-better"];
  expect([...seen]).toEqual(expect.arrayContaining([...verdicts, ...stories]));
}, 3_600_000);

function kindsIn({ verdict, explanation }: SubjectExplanation): readonly string[] {
  return [verdict, explanation.body.kind, ...explanation.notes.map(({ kind }) => kind)];
}

function rendered(answer: SubjectExplanation, output: string): string {
  const shown = { answer, declarations: declarationsOf(answer), warnings: [] };
  const [at, tryCommand] = [(): string => "file:1:1", (): string => ""];
  const command = ({ changes }: SubjectExplanation["explanation"]["fixes"][number]): string =>
    changes.flatMap(flagsOf).join(" ");
  return renderExplanation({ ...shown, at, command, tryCommand }, { output, style: makeStyle(false), width: 100 });
}
