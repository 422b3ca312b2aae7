// Do the examples of the proposal "Select clusters with CEL expressions" (002) work, letter by letter, on the bundled fleet?

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PlacementEngine } from "../../src/placement/engine.ts";
import { OCM_MODE } from "../../src/placement/placement-mode.ts";
import { checkText } from "../../src/render/sentence/placement-check.ts";
import { answerOf, inWords, type PlacementAnswer } from "./answer-of.ts";
import { clustersThat, harbourEngine } from "./harbour-fleet.ts";

const PAGE = readFileSync("test/placement/ocm-cases/seeds.md", "utf8");
const KEY = "default/placement1";

/** The example under a heading. */
function example(heading: string): string {
  const from = PAGE.indexOf(`### ${heading}\n`);
  const [, text] = /^```yaml\n([\s\S]*?)^```$/m.exec(PAGE.slice(from)) ?? [];
  if (from < 0 || text === undefined) throw new Error(`there is no example ${heading}`);
  return text;
}

function resultOf(engine: PlacementEngine): PlacementAnswer {
  return answerOf(engine, KEY) as PlacementAnswer;
}

/** The detail of the only expression of a cluster. */
function detail(engine: PlacementEngine, cluster: string): string | undefined {
  const check = engine.report(KEY, cluster)?.checks.find(({ kind }) => kind === "cel");
  return check && checkText(check);
}

/** A decision that was there before. */
const DECIDED = {
  apiVersion: "cluster.open-cluster-management.io/v1beta1",
  kind: "PlacementDecision",
  metadata: {
    name: "placement1-decision-1",
    namespace: "default",
    labels: {
      "cluster.open-cluster-management.io/placement": "placement1",
      "cluster.open-cluster-management.io/decision-group-index": "0",
      "cluster.open-cluster-management.io/decision-group-name": "",
    },
  },
  status: { decisions: [{ clusterName: "genoa", reason: "" }] },
};

describe.each(["default", "ocm"])("in mode %s", (name) => {
  const mode = name === "ocm" ? { mode: OCM_MODE } : {};

  test("story 1: by a field, with a capital S", () => {
    const engine = harbourEngine({ text: example("by a field"), ...mode });
    const { selected, unscheduled, warnings, mistakes } = resultOf(engine);
    expect(selected).toEqual(["busan", "lisbon", "osaka"]);
    expect(unscheduled).toBe(0);
    expect(mistakes).toEqual([]);
    expect(inWords(warnings)).toMatchObject([{ message: expect.stringContaining("`Status` is called `status`") }]);
    expect(clustersThat(engine, KEY, "tainted")).toEqual(["dakar"]);
  });

  test("story 2: by a regular expression", () => {
    const engine = harbourEngine({ text: example("by a regular expression"), ...mode });
    expect(resultOf(engine)).toMatchObject({ selected: ["auckland", "bergen", "busan"], unscheduled: 0, warnings: [] });
    expect(clustersThat(engine, KEY, "left")).toEqual(["hamburg", "lisbon"]);
    expect(clustersThat(engine, KEY, "failed")).toEqual(["halifax"]);
    expect(detail(engine, "halifax")).toContain("no such key: version");
  });

  test("story 3: by a comparison of versions", () => {
    const engine = harbourEngine({ text: example("by a version"), ...mode });
    expect(resultOf(engine)).toMatchObject({ selected: ["auckland", "bergen", "genoa"], unscheduled: 0, warnings: [] });
    expect(clustersThat(engine, KEY, "left")).toEqual(["hamburg", "rotterdam", "singapore"]);
    expect(clustersThat(engine, KEY, "failed")).toEqual(["halifax"]);
    expect(clustersThat(engine, KEY, "unmatched")).toContain("houston");
  });

  test("story 4: by a score, with its missing quote put back", () => {
    const text = example("by a score").replace('("default, ', '("default", ');
    const engine = harbourEngine({ text, ...mode });
    expect(resultOf(engine)).toMatchObject({ selected: ["bergen", "busan", "houston"], unscheduled: 0, mistakes: [] });
    expect(clustersThat(engine, KEY, "tainted")).toEqual(["dakar", "santos"]);
  });
});

test("story 4: scores that cannot be read are errors of their clusters", () => {
  const engine = harbourEngine({ text: example("by a score").replace('("default, ', '("default", ') });
  expect(clustersThat(engine, KEY, "failed")).toEqual(["durban", "halifax", "hamburg"]);
  expect(detail(engine, "durban")).toContain("expired at 2026-03-01T00:00:00Z");
  expect(detail(engine, "halifax")).toContain('no AddOnPlacementScore "default"');
  expect(detail(engine, "hamburg")).toContain('no score "cpuAvailable"');
});

test("story 4: the missing quote is a mistake with its place and the corrected call; no Placement loses a cluster", () => {
  const engine = harbourEngine({ text: example("by a score"), more: [DECIDED] });
  const { state, selected, mistakes, conditions } = resultOf(engine);
  expect(state).toBe("kept");
  expect(selected).toEqual(["genoa"]);
  expect(engine.writes(KEY).writes).toEqual([]);
  expect(mistakes).toHaveLength(1);
  expect(inWords(mistakes)[0]).toMatchObject({
    plugin: "Predicate",
    hint: expect.stringContaining('managedCluster.score("default", "cpuAvailable") < 2'),
    place: {
      source: "more.yaml",
      path: ["spec", "predicates", 0, "requiredClusterSelector", "celSelector", "celExpressions", 0],
    },
  });
  expect(mistakes[0]?.place.offset).toBeTypeOf("number");
  expect(conditions).toContainEqual(
    expect.objectContaining({ type: "PlacementMisconfigured", status: "True", reason: "Misconfigured" }),
  );
});

test("story 4: OCM takes everything back because of the missing quote", () => {
  const engine = harbourEngine({ text: example("by a score"), more: [DECIDED], mode: OCM_MODE });
  expect(resultOf(engine)).toMatchObject({ state: "emptied", selected: [] });
  expect(engine.writes(KEY).writes).toMatchObject([{ call: "update", name: "placement1-decision-1", decisions: [] }]);
});
