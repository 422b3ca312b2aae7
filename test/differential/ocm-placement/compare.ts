// Do we decide as OCM did? Our answer to each Placement of a fleet, in the form of the table.
import { parseTimestamp } from "../../../src/cel/value/timestamp.ts";
import { CelError } from "../../../src/cel/value/value.ts";
import { ObjectsReader } from "../../../src/input/objects/read-objects.ts";
import type { Condition } from "../../../src/model/condition.ts";
import { compareText } from "../../../src/model/json.ts";
import { wholeSource } from "../../../src/model/place.ts";
import { PlacementEngine } from "../../../src/placement/engine.ts";
import { OCM_MODE } from "../../../src/placement/placement-mode.ts";
import type { ClusterReport, PlacementDecisions, PlacementResult } from "../../../src/placement/placement-result.ts";
import { statusCondition } from "../../../src/render/sentence/placement-status.ts";
import { manifestsOf, NOW } from "./manifests.mjs";

/** The answer of OCM. Clusters are text, separated by spaces. */
export interface Answer {
  /** It is being deleted, or disabled: OCM did nothing. */
  readonly ignored?: true;
  /** OCM could not list the clusters, and did nothing. */
  readonly error?: string;
  /** OCM's controller died of it. */
  readonly panic?: string;
  /** The message of the condition: the plugin, a colon, and at most 100 characters in all. */
  readonly misconfigured?: string;
  /** Some scores have expired. */
  readonly warning?: true;
  /** Status, reason and message of the condition. */
  readonly satisfied?: string;
  readonly selected?: string;
  readonly unscheduled?: number;
  /** All clusters that could be chosen with their scores, the best first. */
  readonly ranked?: string;
  /** Each prioritizer with its weight, and its scores in the order of the ranking. */
  readonly parts?: readonly string[];
  /** Name of each decision group, and the clusters of each of its PlacementDecisions. */
  readonly groups?: readonly (readonly string[])[];
}

/** A Placement in the short form of the table. */
export interface AskedPlacement {
  readonly namespace: string;
  readonly name: string;
  readonly answer: Answer;
}

/** A row of the table. */
export interface AnsweredFleet {
  readonly placements: readonly AskedPlacement[];
}

/** A Placement with a different answer than OCM's. */
export interface Disagreement {
  readonly placement: AskedPlacement;
  readonly theirs: Answer;
  readonly ours: Answer;
}

/** Compares the answers to all Placements of a fleet. */
export function disagreements(fleet: AnsweredFleet): readonly Disagreement[] {
  return fleet.placements.flatMap((placement) => {
    const engine = engineOf(fleet, placement);
    const theirs = comparable(placement.answer);
    const key = `${placement.namespace}/${placement.name}`;
    const ours = comparable(ourAnswer(engine, key, placement.answer));
    return JSON.stringify(sorted(theirs)) === JSON.stringify(sorted(ours)) ? [] : [{ placement, theirs, ours }];
  });
}

function sorted(answer: Answer): readonly unknown[] {
  return Object.entries(answer).sort(([a], [b]) => compareText(a, b));
}

/** OCM's scheduler was asked about each Placement of the fleet alone: no other had decided anew. */
function engineOf(fleet: AnsweredFleet, { namespace, name }: AskedPlacement): PlacementEngine {
  const reader = new ObjectsReader((found) => {
    if (found.severity === "error") throw new Error(found.message);
  });
  for (const manifest of manifestsOf(fleet)) reader.add(manifest, wholeSource("fleet.json"));
  const now = parseTimestamp(NOW);
  if (now instanceof CelError) throw now;
  const objects = reader.finish();
  const placements = objects.placements.filter((one) => one.namespace === namespace && one.name === name);
  return new PlacementEngine({ ...objects, placements }, { now, mode: OCM_MODE });
}

function ourAnswer(engine: PlacementEngine, key: string, theirs: Answer): Answer {
  const result = engine.result(key) as PlacementResult;
  if (result.state === "ignored") return { ignored: true };
  if (result.brokenSets.length > 0) return result.state === "kept" ? { error: "a set cannot be used" } : {};
  if (theirs.panic !== undefined) return result.mistakes.length > 0 ? { panic: "reported as a mistake" } : {};
  const conditions = result.conditions.map(statusCondition);
  const [wrong, satisfied] = ["PlacementMisconfigured", "PlacementSatisfied"].map((type) =>
    conditions.find((condition) => condition.type === type),
  ) as [Condition, Condition];
  const decisions = engine.decisions(key) as PlacementDecisions;
  const isWrong = wrong.status === "True";
  return {
    ...(isWrong && { misconfigured: wrong.message ?? "" }),
    ...(result.warnings.some(({ fault }) => fault.kind === "expired-scores") && { warning: true }),
    satisfied: [satisfied.status, satisfied.reason, satisfied.message].join(" "),
    selected: decisions.selected.join(" "),
    ...(result.unscheduled !== 0 && { unscheduled: result.unscheduled }),
    ...(theirs.ranked !== undefined && ranking(engine.reports(key))),
    groups: groupsOf(decisions),
  };
}

function ranking(reports: readonly ClusterReport[]): Pick<Answer, "ranked" | "parts"> {
  const ranked = reports
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => (a.rank as number) - (b.rank as number));
  // A cluster without a score of a prioritizer has no such part.
  const names = new Map<string, number>();
  for (const { parts } of ranked) {
    const here = new Map<string, number>();
    for (const { name, weight } of parts) here.set(`${name}*${weight}`, (here.get(`${name}*${weight}`) ?? 0) + 1);
    for (const [name, count] of here) names.set(name, Math.max(count, names.get(name) ?? 0));
  }
  const parts = [...names].flatMap(([name, count]) => {
    const scores = ranked.map(
      (report) => report.parts.find((part) => `${part.name}*${part.weight}` === name)?.score ?? 0,
    );
    return Array.from({ length: count }, () => `${name}: ${scores.join(" ")}`);
  });
  return { ranked: ranked.map(({ name, score }) => `${name}:${score}`).join(" "), parts: parts.sort(compareText) };
}

function groupsOf({ groups, slices }: PlacementDecisions): readonly (readonly string[])[] {
  return groups.map(({ name, index }) => [
    name,
    ...slices.filter(({ groupIndex }) => groupIndex === index).map(({ clusters }) => clusters.join(" ")),
  ]);
}

/** OCM's own sentences, which are ours, too; those of Kubernetes and of cel-go are in other words with us. */
const OWN_WORDS = /^\w*:(?:If the |incorrect |scoreCoordinate |addOn )/;

function ownWords(message: string): string {
  return OWN_WORDS.test(message) ? message : message.slice(0, message.indexOf(":") + 1);
}

/** Without what may have another wording, or is missing in OCM. */
function comparable({ misconfigured, error, panic, parts, ...rest }: Answer): Answer {
  return {
    ...rest,
    ...(misconfigured !== undefined && { misconfigured: ownWords(misconfigured) }),
    ...(error !== undefined && { error: "a set cannot be used" }),
    ...(panic !== undefined && { panic: "reported as a mistake" }),
    // Without any feasible cluster, the prioritizers are unknown.
    ...(parts !== undefined && {
      parts: rest.ranked === "" ? [] : parts.filter((part) => /[1-9]/.test(part.split(": ")[1] ?? "")),
    }),
  };
}
