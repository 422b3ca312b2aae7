// What holds for every answer, with any fleet? Laws that need no second implementation.

import { expect, test } from "vitest";
import type { Placement } from "../../src/model/placement.ts";
import { PlacementEngine } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../../src/placement/placement-mode.ts";
import type { Check, ClusterReport, Tally } from "../../src/placement/placement-result.ts";
import { ruleText } from "../../src/render/sentence/placement-check.ts";
import { Dice } from "../worlds/dice.ts";
import { type Fleet, readFleet } from "../worlds/placement-fleet.ts";
import { generatePlacementWorld, START } from "../worlds/placement-generator.ts";
import { expectSame } from "../worlds/same-value.ts";
import { answerOf, type PlacementAnswer } from "./answer-of.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 5_000 : 40;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 250_000;

interface Case {
  readonly world: string;
  readonly objects: Fleet;
  readonly mode: PlacementMode;
  readonly engine: PlacementEngine;
  readonly placement: Placement;
  readonly key: string;
  readonly result: PlacementAnswer;
}

/** Every Placement of every world that chose clusters. */
function* placedCases(): Iterable<Case> {
  for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
    const mode = seed % 2 === 0 ? DEFAULT_MODE : OCM_MODE;
    const objects = readFleet([...generatePlacementWorld(seed).manifests.values()]);
    const engine = new PlacementEngine(objects, { now: START, mode });
    for (const placement of objects.placements) {
      const key = `${placement.namespace}/${placement.name}`;
      const result = answerOf(engine, key) as PlacementAnswer;
      const world = `${seed} ${mode.name} ${key}`;
      if (result.state === "placed") yield { world, objects, mode, engine, placement, key, result };
    }
  }
}

/** The answer if the Placement were another. */
function answerTo({ objects, mode, key }: Case, placement: Placement): PlacementAnswer {
  const others = objects.placements.filter((one) => `${one.namespace}/${one.name}` !== key);
  const fleet = { ...objects, placements: [...others, placement] };
  return answerOf(new PlacementEngine(fleet, { now: START, mode }), key) as PlacementAnswer;
}

test("the reports, the selection and the tally agree", () => {
  for (const { world, engine, key, result } of placedCases()) {
    const reports = engine.reports(key);
    const named = (accepts: (report: ClusterReport) => boolean) => reports.filter(accepts).map(({ name }) => name);
    expect({ world, names: named(({ verdict }) => verdict === "selected") }).toEqual({ world, names: result.selected });
    expect({ world, names: named(({ selected }) => selected) }).toEqual({ world, names: result.selected });
    const count = (verdict: keyof Tally) => named((report) => report.verdict === verdict).length;
    const { tally } = result;
    const counted = Object.fromEntries(Object.keys(tally).map((verdict) => [verdict, count(verdict as keyof Tally)]));
    expect({ world, tally: counted }).toEqual({ world, tally });
    const inSlices = result.slices.flatMap(({ clusters }) => clusters).sort();
    const inGroups = result.groups.flatMap(({ clusters }) => clusters).sort();
    expect({ world, inSlices, inGroups }).toEqual({ world, inSlices: result.selected, inGroups: result.selected });
  }
});

test("it does not matter what is asked first", () => {
  for (const { world, objects, mode, engine, key, result } of placedCases()) {
    const fresh = () => new PlacementEngine(objects, { now: START, mode });
    expectSame(() => world, fresh().reports(key), engine.reports(key));
    expectSame(() => world, fresh().writes(key), engine.writes(key));
    expectSame(() => world, fresh().wakeAt, engine.wakeAt);
    for (const { name } of objects.managedClusters.slice(0, 2)) {
      const [one, other] = [fresh(), engine].map((asked) => asked.report(key, name) as ClusterReport);
      expectSame(() => world, one, other);
    }
    expectSame(() => world, answerOf(engine, key), result);
  }
});

test("a score is the sum of its parts, and the order of scores is that of ranks", () => {
  for (const { world, engine, key, placement, result } of placedCases()) {
    const ranked = engine.reports(key).filter(({ rank }) => rank !== undefined);
    for (const { name, score, parts } of ranked) {
      const sum = parts.reduce((total, part) => total + part.score * part.weight, 0);
      expect({ world, name, score }).toEqual({ world, name, score: sum });
      for (const part of parts) expect(Math.abs(part.score)).toBeLessThanOrEqual(100);
    }
    const byRank = [...ranked].sort((a, b) => (a.rank as number) - (b.rank as number));
    const ranks = byRank.map(({ rank }) => rank);
    expect({ world, ranks }).toEqual({ world, ranks: byRank.map((_, index) => index + 1) });
    if (placement.spreadConstraints.length > 0) continue;
    const inOrder = [...ranked].sort(
      (a, b) =>
        Number(a.isSoftTainted) - Number(b.isSoftTainted) ||
        (b.score as number) - (a.score as number) ||
        (a.name < b.name ? -1 : 1),
    );
    expect({ world, order: namesOf(byRank) }).toEqual({ world, order: namesOf(inOrder) });
    expect({ world, first: namesOf(byRank).slice(0, result.selected.length).sort() }).toEqual({
      world,
      first: result.selected,
    });
  }
});

function namesOf(reports: readonly ClusterReport[]): readonly string[] {
  return reports.map(({ name }) => name);
}

test("a Placement that asks for one more cluster loses none, if nothing is spread", () => {
  for (const given of placedCases()) {
    const { world, placement, result } = given;
    if (placement.numberOfClusters === undefined || placement.spreadConstraints.length > 0) continue;
    const more = answerTo(given, { ...placement, numberOfClusters: placement.numberOfClusters + 1 }).selected;
    expect({ world, lost: result.selected.filter((name) => !more.includes(name)) }).toEqual({ world, lost: [] });
  }
});

test("a predicate that is always true is as good as none", () => {
  for (const given of placedCases()) {
    const { world, placement } = given;
    const always = { place: placement.place, requiredClusterSelector: { claimRequirements: [], celExpressions: [] } };
    const { selected, tally } = answerTo(given, { ...placement, predicates: [...placement.predicates, always] });
    const without = answerTo(given, { ...placement, predicates: [] });
    expect({ world, selected, tally }).toEqual({ world, selected: without.selected, tally: without.tally });
    expect(tally.unmatched + tally.failed).toBe(0);
  }
});

test("a label that no rule reads changes nothing, unless it is the first", () => {
  for (const { world, objects, mode, key, result } of placedCases()) {
    const managedClusters = objects.managedClusters.map((cluster) => {
      // An expression can distinguish a cluster without labels from one without a certain label.
      if (Object.keys(cluster.labels).length === 0) return cluster;
      const labels = { ...cluster.labels, noise: cluster.name };
      const metadata = { ...(cluster.object.metadata as object), labels };
      return { ...cluster, labels, object: { ...cluster.object, metadata } };
    });
    const engine = new PlacementEngine({ ...objects, managedClusters }, { now: START, mode });
    expect({ world, result: answerOf(engine, key) }).toEqual({ world, result });
  }
});

test("the checks imply the verdict", () => {
  for (const { world, engine, key, placement } of placedCases()) {
    for (const report of engine.reports(key)) {
      const { name, verdict, checks } = report;
      const predicates = placement.predicates.map((_, index) => checks.filter(({ predicate }) => predicate === index));
      const isMatched = predicates.length === 0 || predicates.some((list) => list.every(isTrue));
      const hasFailed = checks.some(({ kind, outcome }) => kind === "cel" && outcome === "error");
      const isTainted = checks.some(({ kind, outcome }) => kind === "taint" && outcome === "false");
      const expected = !isMatched ? (hasFailed ? "failed" : "unmatched") : isTainted ? "tainted" : "feasible";
      const got = verdict === "selected" || verdict === "left" ? "feasible" : verdict;
      if (verdict !== "terminating") expect({ world, name, got }).toEqual({ world, name, got: expected });
    }
  }
});

test("every rule that a check names has a place that is known without the clusters, except for taints", () => {
  for (const { world, engine, key } of placedCases()) {
    const places = new Set(engine.rulePlaces(key));
    const checks = engine.reports(key, { allChecks: true }).flatMap((report) => report.checks);
    const unknown = checks.filter(({ kind, place }) => kind !== "taint" && !places.has(place));
    expect({ world, unknown }).toEqual({ world, unknown: [] });
  }
});

test("all checks agree with those that are not skipped", () => {
  const dice = new Dice(FIRST);
  for (const { world, engine, key, result, objects } of placedCases()) {
    const { name } = dice.pick(objects.managedClusters);
    const short = engine.report(key, name) as ClusterReport;
    const all = engine.report(key, name, { allChecks: true }) as ClusterReport;
    const { checks: shortChecks, ...rest } = short;
    expect({ world, ...all, checks: [] }).toEqual({ world, ...rest, checks: [] });
    expect({ world, length: all.checks.length }).toEqual({ world, length: shortChecks.length });
    for (const [index, check] of shortChecks.entries()) {
      const other = all.checks[index] as Check;
      if (check.outcome !== "skipped") expect({ world, check: other }).toEqual({ world, check });
      else expect(positionOf(other)).toEqual(positionOf(check));
    }
    expect(answerOf(engine, key)).toEqual(result);
  }
});

function isTrue({ outcome }: Check): boolean {
  return outcome === "true";
}

function positionOf(check: Check): readonly unknown[] {
  return [check.kind, check.predicate, check.index, ruleText(check)];
}
