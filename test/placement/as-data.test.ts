// Is an answer of placement plain data? It is the same after a trip through JSON, and looks the same in every format.

import { expect, test } from "vitest";
import type { Place } from "../../src/model/place.ts";
import { placementChanges } from "../../src/placement/compare/placement-change.ts";
import { PlacementEngine } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../../src/placement/placement-mode.ts";
import type { ClusterReport, PlacementDecisions, PlacementResult } from "../../src/placement/placement-result.ts";
import type { ReportOptions } from "../../src/placement/report/cluster-report.ts";
import type { SliceWrites } from "../../src/placement/write/writes.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { FORMATS } from "../../src/render/output-formats.ts";
import { renderPlacementExplanation, renderPlacements, shownOf } from "../../src/render/placement/render-placement.ts";
import type { ShownPlacement, ShownPlacements } from "../../src/render/placement/shown.ts";
import { readFleet } from "../worlds/placement-fleet.ts";
import { generatePlacementWorld, START } from "../worlds/placement-generator.ts";
import { harbourEngine } from "./harbour-fleet.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 2_000 : 60;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 4) * 1_000_000 + 300_000;

/** What crosses a worker or an HTTP answer, for one Placement. */
interface Value {
  readonly result: PlacementResult;
  readonly decisions: PlacementDecisions;
  readonly clusters: readonly ClusterReport[];
  /** One cluster with the values of all parts of expressions. */
  readonly traced: readonly ClusterReport[];
  readonly writes: SliceWrites;
}

function dataOf(engine: PlacementEngine, key: string, name: string): Value {
  const traced = engine.report(key, name, { trace: true });
  return {
    result: engine.result(key) as PlacementResult,
    decisions: engine.decisions(key) as PlacementDecisions,
    clusters: engine.reports(key),
    traced: traced === undefined ? [] : [traced],
    writes: engine.writes(key),
  };
}

function valuesOf(engine: PlacementEngine, name: string): readonly Value[] {
  return engine.keys().map((key) => dataOf(engine, key, name));
}

/** Strictly equal after JSON, and after a structured clone; gives what came through JSON. */
function travelled<Thing>(thing: Thing, where: string): Thing {
  const through = JSON.parse(JSON.stringify(thing)) as Thing;
  expect({ where, thing: through }).toStrictEqual({ where, thing });
  expect({ where, thing: structuredClone(thing) }).toStrictEqual({ where, thing });
  return through;
}

/** Every format of the answers, and the explanation of the one cluster in each of its formats. */
function formats(values: readonly Value[], mode: PlacementMode, more: Partial<ShownPlacements>): readonly string[] {
  const shown = (placements: readonly ShownPlacement[]): ShownPlacements => ({
    placements,
    ...{ mode, now: START, spot: () => undefined },
    at: ({ source, line, column, path = [] }: Place) => `${source}:${line}:${column} ${path.join(".")}`,
    ...more,
  });
  const look = { style: makeStyle(false), width: 100 };
  return [
    ...FORMATS.place.map((output) => renderPlacements(shown(values), { ...look, output })),
    ...FORMATS["place --explain"].map((output) =>
      renderPlacementExplanation(shown(values.map((value) => ({ ...value, clusters: value.traced }))), "c1", {
        ...look,
        output,
      }),
    ),
  ];
}

test("answers, reports, writes and changes come whole through JSON and a structured clone, and look the same in every format", () => {
  const seen = new Set<string>();
  for (let number = 0; number < WORLDS; number++) {
    const seed = FIRST + number;
    const mode = number % 3 === 0 ? OCM_MODE : DEFAULT_MODE;
    const { manifests } = generatePlacementWorld(seed);
    const engine = new PlacementEngine(readFleet([...manifests.values()]), { now: START, mode });
    const earlier = new PlacementEngine(readFleet([...manifests.values()].slice(0, -5)), { now: START, mode });
    const changes = placementChanges(earlier, engine, { text: "0", amount: 0, isShare: false });
    const name = `c${1 + (number % 12)}`;
    const values = valuesOf(engine, name);
    const before = formats(values, mode, { changes, against: "earlier.yaml" });
    const through = travelled(values, `${seed}`);
    expect({
      seed,
      formats: formats(through, mode, { changes: travelled(changes, `${seed}`), against: "earlier.yaml" }),
    }).toEqual({
      seed,
      formats: before,
    });
    for (const { result, clusters } of values) {
      seen.add(result.state);
      for (const { fault } of [...result.mistakes, ...result.warnings, ...result.brokenSets]) seen.add(fault.kind);
      for (const { verdict, checks, parts } of clusters) {
        seen.add(verdict);
        for (const { kind } of checks) seen.add(kind);
        for (const { detail } of parts) seen.add(detail.kind);
      }
    }
    if (changes.some(({ lost }) => lost.length > 0)) seen.add("lost");
  }
  const states = ["placed", "kept", "emptied", "expression", "broken-set", "expired-scores", "lost"];
  const verdicts = ["selected", "left", "tainted", "unmatched", "failed", "terminating"];
  const rules = ["set", "label", "claim", "cel", "taint", "spread", "balance", "steady", "allocatable", "missing"];
  expect([...seen]).toEqual(expect.arrayContaining([...states, ...verdicts, ...rules]));
}, 3_600_000);

test("what a format leaves out of the reports does not show", () => {
  const engines = [DEFAULT_MODE, OCM_MODE].flatMap((mode) => [
    { mode, engine: harbourEngine({ mode }) },
    ...Array.from({ length: WORLDS / 2 }, (_, number) => {
      const { manifests } = generatePlacementWorld(FIRST + number);
      return { mode, engine: new PlacementEngine(readFleet([...manifests.values()]), { now: START, mode }) };
    }),
  ]);
  for (const { mode, engine } of engines) {
    const shown = (options: ReportOptions): ShownPlacements => ({
      placements: engine.keys().map((key) => ({
        ...dataOf(engine, key, "dakar"),
        clusters: engine.reports(key, options),
        closely: (cluster) => engine.report(key, cluster),
      })),
      ...{ mode, now: START, spot: () => undefined, at: ({ source, line }: Place) => `${source}:${line}` },
    });
    for (const output of FORMATS.place) {
      const look = { output, style: makeStyle(false), width: 100 };
      const short = renderPlacements(shown(shownOf(output)), look);
      expect({ output, text: short }).toEqual({ output, text: renderPlacements(shown({}), look) });
    }
  }
}, 3_600_000);

test("the answers of the example fleet are data, and stay what they were when the fleet changes", () => {
  const engine = harbourEngine();
  const values = valuesOf(engine, "dakar");
  const before = JSON.stringify(travelled(values, "harbour"));
  engine.apply([{ kind: "ManagedCluster", name: "lisbon", object: undefined }]);
  expect(JSON.stringify(values)).toBe(before);
  expect(JSON.stringify(valuesOf(engine, "dakar"))).not.toBe(before);
});

test("an answer has no sentence that a renderer makes", () => {
  const values = valuesOf(harbourEngine(), "halifax");
  const texts: string[] = [];
  JSON.stringify(values, (key, value) => {
    if (typeof value === "string" && !["message", "hint", "why", "reason", "result"].includes(key)) texts.push(value);
    return value;
  });
  expect(texts.filter((text) => / (?:is|are|has|have|was|were) (?:not )?[a-z]/.test(text))).toEqual([]);
});
