// Does the bundled fleet give the results in the table of examples/harbour/README.md? Each row is read there and tested here.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exampleDocuments } from "../example-documents.ts";
import { inWords } from "./answer-of.ts";
import { clustersThat, HARBOUR_NOW, harbourEngine } from "./harbour-fleet.ts";

const README = readFileSync("examples/harbour/README.md", "utf8");
const ROWS = new Map(
  [...README.matchAll(/^\| `([a-z-]+\/[a-z0-9-]+)` \| ([^|]*) \| ([^|]*) \|$/gm)].map(
    ([, key = "", , selected = ""]) => [key, selected],
  ),
);

const engine = harbourEngine();
const selected = (key: string, placed = engine): readonly string[] => placed.decisions(key)?.selected ?? [];

/** The row of a Placement in the table, and its actual result. */
const SELECTED: Readonly<Record<string, readonly string[]>> = {
  "default/placement1": ["busan", "lisbon", "osaka"],
  "default/placement2": ["auckland", "bergen", "hamburg"],
  "default/placement3": ["genoa", "rotterdam", "singapore"],
  "default/placement4-corrected": ["bergen", "busan", "houston"],
  "harbour-apps/big-three": ["genoa", "hamburg", "rotterdam"],
  "harbour-apps/quiet-clusters": ["callao", "mombasa", "panama", "piraeus"],
  "harbour-apps/calm-water": ["genoa", "lisbon"],
  "harbour-apps/cloud-europe": ["durban", "genoa", "lagos", "lisbon", "mombasa"],
  "harbour-apps/on-the-edge": ["bergen", "oslo", "vancouver"],
  "harbour-apps/two-a-region": ["auckland", "busan", "durban", "halifax", "hamburg", "houston"],
  "harbour-apps/new-or-roomy": ["bergen", "genoa", "hamburg", "osaka", "piraeus", "rotterdam"],
};

describe("the table", () => {
  test.each(Object.entries(SELECTED))("%s", (key, clusters) => {
    expect(selected(key)).toEqual(clusters);
    expect(ROWS.get(key)?.startsWith(clusters.join(", "))).toBe(true);
    expect(engine.result(key)).toMatchObject({ state: "placed", unscheduled: 0, mistakes: [] });
  });

  test("has a row for every Placement, and each of them is tested", () => {
    const tested = [
      ...Object.keys(SELECTED),
      ...["default/placement4", "fleet-ops/everything", "harbour-apps/canary-first", "harbour-apps/headroom"],
      ...["harbour-apps/headroom-shipped", "harbour-apps/in-the-museum", "harbour-apps/patient"],
    ].sort();
    expect([...ROWS.keys()].sort()).toEqual(tested);
    expect(engine.keys()).toEqual(tested);
  });

  test("placement1: dakar matches but is tainted; halifax and houston have a vendor suffix", () => {
    expect(clustersThat(engine, "default/placement1", "tainted")).toEqual(["dakar"]);
    expect(clustersThat(engine, "default/placement1", "unmatched")).toEqual(
      expect.arrayContaining(["halifax", "houston"]),
    );
  });

  test("placement2: five match untainted; halifax is an error", () => {
    expect(clustersThat(engine, "default/placement2", "left")).toEqual(["busan", "lisbon"]);
    expect(clustersThat(engine, "default/placement2", "failed")).toEqual(["halifax"]);
  });

  test("placement3: six are greater; houston is not, halifax is an error", () => {
    expect(clustersThat(engine, "default/placement3", "left")).toEqual(["auckland", "bergen", "hamburg"]);
    expect(clustersThat(engine, "default/placement3", "unmatched")).toContain("houston");
    expect(clustersThat(engine, "default/placement3", "failed")).toEqual(["halifax"]);
  });

  test("placement4: nothing is selected, and nothing would be taken away", () => {
    const result = engine.result("default/placement4");
    expect(result).toMatchObject({ state: "kept", tally: { selected: 0 }, mistakes: [{ plugin: "Predicate" }] });
    expect(inWords(result?.mistakes ?? [])[0]?.hint).toContain('managedCluster.score("default", "cpuAvailable") < 2');
    const writes = engine.writes("default/placement4").writes;
    expect(writes.filter(({ call }) => call === "update" || call === "delete")).toEqual([]);
  });

  test("placement4-corrected: who is tainted and who is an error", () => {
    expect(clustersThat(engine, "default/placement4-corrected", "tainted")).toEqual(["dakar", "santos"]);
    expect(clustersThat(engine, "default/placement4-corrected", "failed")).toEqual(["durban", "halifax", "hamburg"]);
  });

  test("quiet-clusters: the expired score of durban counts 0, with a warning, and the idlest comes first", () => {
    const result = engine.result("harbour-apps/quiet-clusters");
    expect(result?.warnings).toMatchObject([{ fault: { kind: "expired-scores", scores: ["durban/default"] } }]);
    expect(engine.decisions("harbour-apps/quiet-clusters")?.slices.map(({ clusters }) => clusters)).toEqual([
      ["panama", "callao", "piraeus", "mombasa"],
    ]);
    const durban = engine.report("harbour-apps/quiet-clusters", "durban");
    expect(durban?.parts).toContainEqual(
      expect.objectContaining({ name: "AddOn/default/cpuAvailable", score: 0, weight: 2 }),
    );
  });

  test("on-the-edge: oslo comes last, sydney stays out", () => {
    expect(engine.report("harbour-apps/on-the-edge", "oslo")).toMatchObject({ rank: 3, isSoftTainted: true });
    expect(clustersThat(engine, "harbour-apps/on-the-edge", "tainted")).toEqual(["sydney"]);
  });

  test("patient: dakar is in for a day", () => {
    const early = harbourEngine({ now: "2026-11-02T12:00:00Z" });
    const key = "harbour-apps/patient";
    expect(selected(key, early)).toHaveLength(14);
    expect(early.result(key)).toMatchObject({ unscheduled: 0 });
    expect(early.result(key)?.wakeAt).toBe("2026-11-03T03:12:00Z");
    for (const now of ["2026-11-03T03:12:00Z", HARBOUR_NOW]) {
      const late = harbourEngine({ now });
      expect(selected(key, late)).toEqual(selected(key, early).filter((name) => name !== "dakar"));
      expect(late.result(key)).toMatchObject({ unscheduled: 1 });
    }
    expect(selected(key, harbourEngine({ now: "2026-11-03T03:11:59Z" }))).toContain("dakar");
  });

  test("canary-first: groups of at most three", () => {
    expect(engine.decisions("harbour-apps/canary-first")?.groups).toEqual([
      { index: 0, name: "canary", clusters: ["lisbon", "osaka"] },
      { index: 1, name: "europe", clusters: ["bergen", "durban", "genoa"] },
      { index: 2, name: "europe", clusters: ["hamburg", "rotterdam"] },
      { index: 3, name: "", clusters: ["auckland", "busan", "halifax"] },
      { index: 4, name: "", clusters: ["houston", "singapore"] },
    ]);
  });

  test("headroom: the same four with and without the guard", () => {
    const four = ["lisbon", "osaka", "rotterdam", "singapore"];
    expect(selected("harbour-apps/headroom")).toEqual(four);
    expect(selected("harbour-apps/headroom-shipped")).toEqual(four);
    expect(clustersThat(engine, "harbour-apps/headroom", "failed")).toEqual([]);
    expect(clustersThat(engine, "harbour-apps/headroom-shipped", "failed")).toEqual(["durban", "halifax"]);
  });

  test("in-the-museum: none, with the reason in the condition", () => {
    const result = engine.result("harbour-apps/in-the-museum");
    expect(selected("harbour-apps/in-the-museum")).toEqual([]);
    expect(result?.conditions).toContainEqual(
      expect.objectContaining({ type: "PlacementSatisfied", status: "False", reason: "NoIntersection" }),
    );
  });

  test("everything: 23, all but mumbai", () => {
    expect(selected("fleet-ops/everything")).toHaveLength(23);
    expect(clustersThat(engine, "fleet-ops/everything", "terminating")).toEqual(["mumbai"]);
  });
});

test("with what-if/decisions.yaml placement2 keeps two, and auckland is busy", () => {
  const documents = exampleDocuments("what-if").filter(({ kind }) => kind === "PlacementDecision");
  const placed = harbourEngine({ more: documents });
  expect(selected("default/placement2", placed)).toEqual(["bergen", "hamburg", "lisbon"]);
  const parts = (name: string) =>
    Object.fromEntries((placed.report("default/placement2", name)?.parts ?? []).map((part) => [part.name, part.score]));
  expect(parts("hamburg")).toMatchObject({ Steady: 100 });
  expect(parts("auckland")).toMatchObject({ Balance: -100, Steady: 0 });
});
