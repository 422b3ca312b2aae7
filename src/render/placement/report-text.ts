// How is a PlacementReport written, for very many clusters? Piece by piece, without building it first: no text could hold all of
// it. It is the same value as in report.ts. In JSON, what clusters have in common is made once, and each check is a line.

import type { Json } from "../../model/json.ts";
import type { Check, ClusterReport } from "../../placement/placement-result.ts";
import { safeJson } from "../kit/safe-text.ts";
import { printYaml } from "../kit/yaml.ts";
import { REPORT_VERSION } from "../output-formats.ts";
import { checkText, ruleText } from "../sentence/placement-check.ts";
import { clusterReasonText } from "../sentence/placement-reason.ts";
import { answerReport, clusterReport, restReport, ruleReport, scoresOf, traceReport, weightsOf } from "./report.ts";
import type { ShownPlacement, ShownPlacements } from "./shown.ts";

/** The report as pieces of JSON text, the last of which ends with a line end. */
export function* placementReportText(shown: ShownPlacements): Generator<string> {
  const head = { apiVersion: REPORT_VERSION, kind: "PlacementReport", now: shown.now.toString() };
  yield `${open(indented(head, ""))},\n  "placements": [`;
  let isEmpty = true;
  for (const placed of shown.placements) {
    yield isEmpty ? "\n" : ",\n";
    yield* onePlacement(placed, shown);
    isEmpty = false;
  }
  yield isEmpty ? "]" : "\n  ]";
  for (const [key, value] of Object.entries(restReport(shown)))
    yield `,\n  ${JSON.stringify(key)}: ${indented(value, "  ")}`;
  yield "\n}\n";
}

function* onePlacement(placed: ShownPlacement, shown: ShownPlacements): Generator<string> {
  const rules = new RuleTexts(shown);
  yield `    ${open(indented(answerReport(placed, shown), "    "))},\n      "clusters": [`;
  let isEmpty = true;
  for (const report of placed.clusters) {
    let text = `${isEmpty ? "" : ","}\n        ${clusterText(report)}`;
    for (const [number, check] of report.checks.entries())
      text += `${number === 0 ? "" : ","}\n          ${rules.text(check)}`;
    yield `${text}]}`;
    isEmpty = false;
  }
  yield isEmpty ? "]\n    }" : "\n      ]\n    }";
}

export function* placementReportYaml(shown: ShownPlacements): Generator<string> {
  yield printYaml({ apiVersion: REPORT_VERSION, kind: "PlacementReport", now: shown.now.toString() });
  let isEmpty = true;
  for (const placed of shown.placements) {
    if (isEmpty) yield "placements:\n";
    isEmpty = false;
    yield afterLines(1, printYaml({ placements: [answerReport(placed, shown)] }));
    let hasNone = true;
    for (const report of placed.clusters) {
      const text = printYaml({ placements: [{ clusters: [clusterReport(report, shown)] }] });
      yield hasNone ? `    clusters:\n${afterLines(2, text)}` : afterLines(2, text);
      hasNone = false;
    }
    if (hasNone) yield "    clusters: []\n";
  }
  if (isEmpty) yield "placements: []\n";
  yield printYaml(restReport(shown));
}

/** A text without its first lines: those that open what is open already. */
function afterLines(count: number, text: string): string {
  let start = 0;
  for (let line = 0; line < count; line++) start = text.indexOf("\n", start) + 1;
  return text.slice(start);
}

/** The report of a cluster, up to its checks. */
function clusterText(report: ClusterReport): string {
  const { name, selected, verdict, parts, isSoftTainted } = report;
  const ranked = `"score":${report.score ?? null},"rank":${report.rank ?? null}`;
  const scores = `"scores":${numbersText(scoresOf(parts))},"weights":${numbersText(weightsOf(parts))}`;
  return `{"name":${compact(name)},"selected":${selected},"verdict":"${verdict}","reason":${compact(clusterReasonText(report))},${ranked},${scores},"lastResort":${isSoftTainted},"checks":[`;
}

function numbersText(numbers: ReadonlyMap<string, number>): string {
  let text = "";
  for (const [name, number] of numbers) text += `${text === "" ? "" : ","}${compact(name)}:${number}`;
  return `{${text}}`;
}

/** A rule, and the texts written for it so far. */
interface WrittenRule {
  readonly check: Check;
  readonly start: string;
  /** The texts of checks, by outcome and detail. */
  readonly texts: Map<string, string>;
}

/** How many texts are cached for a rule. */
const MAX_TEXTS = 1000;

/** The texts of checks: many clusters have the same rule, and the same value under it. */
class RuleTexts {
  readonly #shown: ShownPlacements;
  readonly #rules = new Map<string, WrittenRule>();

  constructor(shown: ShownPlacements) {
    this.#shown = shown;
  }

  text(check: Check): string {
    const { outcome } = check;
    const detail = checkText(check);
    const trace = check.kind === "cel" ? check.trace : undefined;
    const { start, texts } = this.#written(check);
    const key = detail === "" ? outcome : `${outcome} ${detail}`;
    const known = trace === undefined ? texts.get(key) : undefined;
    if (known !== undefined) return known;
    const traced = trace === undefined ? "" : `,"trace":${compact(traceReport(trace))}`;
    const text = `${start},"outcome":"${outcome}","detail":${compact(detail)}${traced}}`;
    if (trace === undefined && texts.size < MAX_TEXTS) texts.set(key, text);
    return text;
  }

  /** What is known of the rule of a check; if several have the same text, the last one. */
  #written(check: Check): WrittenRule {
    const rule = ruleText(check);
    const last = this.#rules.get(rule);
    if (last !== undefined && isSameRule(last.check, check)) return last;
    const written = { check, start: open(compact(ruleReport(check, this.#shown))), texts: new Map<string, string>() };
    this.#rules.set(rule, written);
    return written;
  }
}

function isSameRule(a: Check, b: Check): boolean {
  return a.place === b.place && a.kind === b.kind && a.predicate === b.predicate && a.index === b.index;
}

/** An object that something is to be added to: without its end. */
function open(object: string): string {
  return object.slice(0, object.lastIndexOf("}")).trimEnd();
}

function compact(value: Json): string {
  return safe(JSON.stringify(value));
}

/** Nothing in a report is a bigint. */
function indented(value: Json, indent: string): string {
  return safe(JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${indent}`));
}

/** Most of it is plain: only the rest is looked at closely. */
function safe(json: string): string {
  return json.replace(/[^\x20-\x7e\n]+|##[a-z]*\[/g, (part) => safeJson(part));
}
