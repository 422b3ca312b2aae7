// Is every example of docs/placement.md true?
//
// A block `yaml example` is the spec of a Placement in the namespace harbour-apps of the bundled fleet; the paragraph
// behind it lists who is selected and, if there are any, who is tainted or an error. In the table of expressions each row
// is a predicate over the set prod. The tables of scores are computed. Commands are run by docs.test.ts.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PlacementEngine } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE } from "../../src/placement/placement-mode.ts";
import { type Amount, allocatableScore, amountOf } from "../../src/placement/score/allocatable-score.ts";
import { balanceScore } from "../../src/placement/score/ratio-score.ts";
import { clustersThat, harbourEngine } from "./harbour-fleet.ts";

const PAGE = readFileSync("docs/placement.md", "utf8");
const NOW = "2026-11-02T12:00:00Z";
const KEY = "harbour-apps/example";

/** An engine over the fleet with one Placement of that spec. */
function placing(spec: string): PlacementEngine {
  const head = `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: example, namespace: harbour-apps }
spec:
`;
  return harbourEngine({ text: head + spec.replace(/^(?=.)/gm, "  "), now: NOW });
}

/** The names in a list, or none. */
function names(list: string): readonly string[] {
  return list === "–" ? [] : list.split(", ");
}

/** The cells of the rows of the table with that head. */
function rows(head: string): readonly (readonly string[])[] {
  const [, after] = PAGE.split(`\n${head}\n`);
  if (after === undefined) throw new Error(`there is no table ${head}`);
  const lines = after.split("\n").slice(1);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) =>
    line
      .slice(2, -2)
      .split(/ \| /)
      .map((cell) => cell.replaceAll("\\|", "|")),
  );
}

describe("examples", () => {
  const examples = [...PAGE.matchAll(/^```yaml example\n([\s\S]*?)^```\n\n(.*)\n/gm)].map(
    ([, spec = "", answer = ""]) => ({
      spec,
      answer,
    }),
  );

  test("are there, each with an answer", () => {
    expect(examples).toHaveLength(PAGE.split("```yaml example\n").length - 1);
    expect(examples.length).toBeGreaterThan(4);
  });

  test.each(examples)("$answer", ({ spec, answer }) => {
    const engine = placing(spec);
    const documented = (what: string): readonly string[] =>
      names(new RegExp(`${what}: ([a-z, ]+)\\.`).exec(answer)?.[1] ?? "–");
    expect(engine.result(KEY)).toMatchObject({ state: "placed", warnings: [], brokenSets: [], unscheduled: 0 });
    expect(engine.decisions(KEY)?.selected).toEqual(documented("Selected"));
    expect(clustersThat(engine, KEY, "tainted")).toEqual(documented("Tainted"));
    expect(clustersThat(engine, KEY, "failed")).toEqual(documented("Errors"));
  });
});

test("the Placement at the beginning is one of the fleet", () => {
  const [, manifest] = /^```yaml\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
  expect(readFileSync("examples/harbour/fleet/cel-placements.yaml", "utf8")).toContain(manifest);
});

describe("expressions", () => {
  test.each(rows("| expression | holds for | error for |"))("%s", (text = "", holds = "", fails = "") => {
    const expression = JSON.stringify(text.slice(1, -1));
    const engine = placing(`clusterSets: [prod]
predicates:
  - requiredClusterSelector: { celSelector: { celExpressions: [${expression}] } }
`);
    const outcomes = (outcome: string): readonly string[] =>
      engine
        .reports(KEY)
        .flatMap(({ name, checks }) =>
          checks.some((one) => one.kind === "cel" && one.outcome === outcome) ? name : [],
        );
    expect({ holds: outcomes("true"), fails: outcomes("error") }).toEqual({ holds: names(holds), fails: names(fails) });
  });
});

describe("scores", () => {
  test.each(rows("| other decisions | most | Balance | with `--compat ocm` |"))(
    "Balance %s of %s",
    (count, most, ...scores) => {
      expect([DEFAULT_MODE, OCM_MODE].map((mode) => balanceScore(Number(count), Number(most), mode))).toEqual(
        scores.map(Number),
      );
    },
  );

  test.each(rows("| allocatable | least | most | score | with `--compat ocm` |"))(
    "allocatable %s, %s to %s",
    (...cells) => {
      const [amount, least, most] = cells.slice(0, 3).map((cell) => amountOf(cell) as Amount) as [
        Amount,
        Amount,
        Amount,
      ];
      const scores = [DEFAULT_MODE, OCM_MODE].map((mode) => allocatableScore(amount, least, most, mode));
      expect(scores).toEqual(cells.slice(3).map(Number));
    },
  );
});
