// What came out, in the words of a case? And the reverse: which words of a case are not true of it?

import { parseTimestamp, type Timestamp } from "../../../src/cel/value/timestamp.ts";
import { canonicalText, type Json } from "../../../src/model/json.ts";
import { printPath } from "../../../src/model/place.ts";
import type { PlacementEngine } from "../../../src/placement/engine.ts";
import type { Check, ClusterReport, Mistake } from "../../../src/placement/placement-result.ts";
import { checkText, ruleText } from "../../../src/render/sentence/placement-check.ts";
import { faultText } from "../../../src/render/sentence/placement-fault.ts";
import { clusterReasonText } from "../../../src/render/sentence/placement-reason.ts";
import { statusCondition } from "../../../src/render/sentence/placement-status.ts";
import { answerOf, type PlacementAnswer } from "../answer-of.ts";
import { BEGINNING, placementKey } from "./manifests.ts";
import type { Expected } from "./notation.ts";

/** The result for one cluster. */
interface CaseCluster {
  readonly verdict: string;
  readonly reason: string;
  readonly score: number | null;
  readonly parts: { readonly [prioritizer: string]: number };
  readonly weights: readonly string[];
  readonly rank: number | null;
  readonly checks: readonly string[];
}

/** An answer as cases write it, everything in full. */
interface CaseAnswer {
  readonly state: string;
  readonly selected: readonly string[];
  readonly unscheduled: number;
  readonly mistakes: readonly string[];
  readonly warnings: readonly string[];
  readonly brokenSets: readonly string[];
  readonly eligible: readonly string[];
  readonly conditions: { readonly [type: string]: string };
  readonly groups: readonly string[];
  readonly slices: readonly string[];
  readonly writes: readonly string[];
  readonly wakeAt: string | null;
  readonly clusters: { readonly [name: string]: CaseCluster };
}

/** The answers to all Placements, by key. */
export interface Answers {
  readonly [key: string]: CaseAnswer;
}

/** The answer to every Placement. */
export function caseAnswers(engine: PlacementEngine): Answers {
  return Object.fromEntries(engine.keys().map((key) => [key, caseAnswer(engine, key)]));
}

function caseAnswer(engine: PlacementEngine, key: string): CaseAnswer {
  const result = answerOf(engine, key) as PlacementAnswer;
  return {
    state: result.state,
    selected: result.selected,
    unscheduled: result.unscheduled,
    mistakes: result.mistakes.map(mistakeLine),
    warnings: result.warnings.map(mistakeLine),
    brokenSets: result.brokenSets.map(mistakeLine),
    eligible: result.eligibleSets,
    conditions: Object.fromEntries(
      result.conditions
        .map(statusCondition)
        .map(({ type, status, reason, message, observedGeneration }) => [
          type,
          `${status} ${reason}: ${message}${observedGeneration === undefined ? "" : ` (generation ${observedGeneration})`}`,
        ]),
    ),
    groups: result.groups.map(({ name, index, clusters }) => `${name}/${index}: ${clusters.join(" ")}`),
    slices: result.slices.map(
      ({ name, groupName, groupIndex, clusters }) => `${name} ${groupName}/${groupIndex}: ${clusters.join(" ")}`,
    ),
    writes: engine.writes(key).writes.map(({ call, name }) => `${call} ${name}`),
    wakeAt: result.wakeAt === undefined ? null : relative((parseTimestamp(result.wakeAt) as Timestamp).seconds),
    clusters: Object.fromEntries(
      engine.reports(key, { allChecks: true }).map((report) => [report.name, caseCluster(report)]),
    ),
  };
}

function relative(seconds: number): string {
  const distance = seconds - BEGINNING;
  return `${distance < 0 ? "" : "+"}${distance}s`;
}

function mistakeLine({ plugin, fault, place }: Mistake): string {
  const { message, hint } = faultText(fault);
  const path = place.path === undefined ? "" : printPath(place.path);
  const offset = place.offset === undefined ? "" : ` character ${place.offset}`;
  return `${plugin}:${message}${hint === undefined ? "" : `; ${hint}`} at ${path}${offset}`;
}

function caseCluster(report: ClusterReport): CaseCluster {
  return {
    verdict: report.verdict,
    reason: clusterReasonText(report),
    score: report.score ?? null,
    parts: Object.fromEntries(report.parts.map(({ name, score }) => [name, score])),
    weights: report.parts.map(({ name, weight }) => `${name} ${weight}`),
    rank: report.rank ?? null,
    checks: report.checks.map(checkLine),
  };
}

function checkLine(check: Check): string {
  const { kind, predicate, index, outcome } = check;
  const position = predicate === undefined ? index : `${predicate}.${index}`;
  return `${kind} ${position} ${outcome}: ${checkText(check)} | ${ruleText(check)}`;
}

/** Where an answer is not what a case expects; empty if it is. */
export function differences(all: Answers, expected: Expected): readonly string[] {
  const key = placementKey(expected.of ?? "placement1");
  const answer = all[key];
  const asked = Object.keys(expected).filter((name) => !["of", "affected", "evaluations"].includes(name));
  if (answer === undefined) return asked.length === 0 ? [] : [`there is no ${key}`];
  return [
    ...(expected.selected === undefined ? [] : wholeAnswer(answer, expected)),
    ...lists(answer, expected),
    ...texts("conditions", answer.conditions, expected.conditions ?? {}),
    ...clusterDifferences(answer, expected),
  ];
}

/** With `selected`, what a case does not mention must not be there. */
function wholeAnswer(answer: CaseAnswer, expected: Expected): readonly string[] {
  const selected = typeof expected.selected === "number" ? answer.selected.length : answer.selected;
  const mistakes = expected.mistakes ?? [];
  return [
    ...unlike("selected", selected, sorted(expected.selected)),
    ...unlike("unscheduled", answer.unscheduled, expected.unscheduled ?? 0),
    ...eachContains("mistakes", answer.mistakes, mistakes),
    ...eachContains("warnings", answer.warnings, expected.warnings ?? []),
    ...eachContains("brokenSets", answer.brokenSets, expected.brokenSets ?? []),
  ];
}

function lists(answer: CaseAnswer, expected: Expected): readonly string[] {
  return [
    ...(expected.state === undefined ? [] : unlike("state", answer.state, expected.state)),
    ...(expected.eligible === undefined ? [] : unlike("eligible", answer.eligible, expected.eligible)),
    ...(expected.groups === undefined
      ? []
      : unlike("groups", counted(answer.groups, expected.groups), expected.groups)),
    ...(expected.slices === undefined
      ? []
      : unlike("slices", counted(answer.slices, expected.slices), expected.slices)),
    ...(expected.writes === undefined ? [] : unlike("writes", answer.writes, expected.writes)),
    ...(expected.wakeAt === undefined ? [] : unlike("wakeAt", answer.wakeAt, expected.wakeAt)),
  ];
}

/** Lines `name: a b c`, as `name: 3` where the case counts only. */
function counted(lines: readonly string[], expected: readonly string[]): readonly string[] {
  return lines.map((line, index) => {
    const [head = "", clusters = ""] = line.split(": ");
    if (!/: \d+$/.test(expected[index] ?? "")) return line.trimEnd();
    return `${head}: ${clusters === "" ? 0 : clusters.split(" ").length}`;
  });
}

function clusterDifferences(answer: CaseAnswer, expected: Expected): readonly string[] {
  const names = Object.keys(answer.clusters).sort();
  const clusters = names.map((name) => answer.clusters[name] as CaseCluster);
  const ranked = names.filter((name) => answer.clusters[name]?.rank !== null);
  const order = ranked.sort((a, b) => Number(answer.clusters[a]?.rank) - Number(answer.clusters[b]?.rank));
  const weights = [...new Set(clusters.flatMap((cluster) => cluster.weights))].sort();
  const found: string[] = [];
  if (expected.order !== undefined) found.push(...unlike("order", order, expected.order));
  if (expected.weights !== undefined) found.push(...unlike("weights", weights, expected.weights));
  for (const [prioritizer, scores] of Object.entries(expected.scores ?? {})) {
    const actual = clusters.map(({ parts }) => parts[prioritizer] ?? null);
    found.push(...unlike(`scores of ${prioritizer}`, actual, scores));
  }
  if (expected.totals !== undefined) {
    found.push(
      ...unlike(
        "totals",
        clusters.map(({ score }) => score),
        expected.totals,
      ),
    );
  }
  for (const [name, verdict] of Object.entries(expected.verdicts ?? {}))
    found.push(...unlike(`verdict of ${name}`, answer.clusters[name]?.verdict, verdict));
  for (const [name, reason] of Object.entries(expected.reasons ?? {}))
    found.push(...texts("reasons", { [name]: answer.clusters[name]?.reason ?? "" }, { [name]: reason }));
  for (const [name, checks] of Object.entries(expected.checks ?? {}))
    for (const wanted of checks)
      if (!answer.clusters[name]?.checks.some((check) => check.includes(wanted)))
        found.push(`no check of ${name} is ${wanted}: ${answer.clusters[name]?.checks.join("; ")}`);
  return found;
}

function eachContains(what: string, actual: readonly string[], wanted: readonly string[]): readonly string[] {
  const fits = actual.length === wanted.length && wanted.every((text, index) => actual[index]?.includes(text));
  return fits ? [] : [`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`];
}

function texts(
  what: string,
  actual: { readonly [key: string]: string },
  wanted: { readonly [key: string]: string },
): readonly string[] {
  return Object.entries(wanted)
    .filter(([key, text]) => !`${actual[key]}$`.includes(text))
    .map(([key, text]) => `${what}.${key}: ${actual[key]} instead of ${text}`);
}

function unlike(what: string, actual: unknown, wanted: unknown): readonly string[] {
  if (canonicalText(actual as Json) === canonicalText(wanted as Json)) return [];
  return [`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`];
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value;
}
