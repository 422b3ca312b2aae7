// Which columns does the matrix of a Placement have? Its checks, in the order in which a cluster passes them, and what came
// of them.

import type { Check, CheckKind, ClusterReport, Outcome } from "../../placement/placement-result.ts";
import { safeText } from "../kit/safe-text.ts";
import { namedRuleText } from "../sentence/placement-check.ts";
import type { ListedPlacement } from "./shown.ts";

export interface MatrixColumn {
  /** `P0.label[0]`. */
  readonly name: string;
  /** The same split into lines, to keep the column narrow. */
  readonly heads: readonly string[];
  /** What it means; empty if the name is enough. */
  readonly meaning: string;
  /** For a column that is not a check: its cell for a cluster. */
  readonly cell?: (report: ClusterReport) => string;
}

/** A Placement with more checks than this is cut. */
export const MAX_COLUMNS = 200;

const KINDS: readonly CheckKind[] = ["set", "label", "claim", "cel", "taint", "spread"];

/** The columns, and how many checks found no room. */
export function columnsOf({ clusters, result }: ListedPlacement): {
  readonly columns: readonly MatrixColumn[];
  readonly left: number;
} {
  const first = new Map<string, Check>();
  for (const { checks } of clusters)
    for (const check of checks) {
      const key = nameOf(check);
      if (!first.has(key)) first.set(key, check);
    }
  const all = [...first].sort(([, a], [, b]) => stageOf(a) - stageOf(b) || byPlace(a, b));
  const shown = all.slice(0, MAX_COLUMNS);
  const columns = shown.map(
    ([name, check]): MatrixColumn => ({
      name,
      heads: headsOf(check),
      meaning: meaningOf(check, result.eligibleSets),
    }),
  );
  return { columns: [SELECTED, ...columns, ...RESULTS], left: all.length - shown.length };
}

const RESULTS: readonly MatrixColumn[] = [
  { name: "rank", heads: ["rank"], meaning: "", cell: ({ rank }) => (rank === undefined ? "" : String(rank)) },
  { name: "score", heads: ["score"], meaning: "", cell: ({ score }) => (score === undefined ? "" : String(score)) },
];

const SELECTED: MatrixColumn = {
  name: "selected",
  heads: ["selected"],
  meaning: "",
  cell: ({ selected, verdict }) => (selected ? "yes" : verdict === "undecided" ? "undecided" : "no"),
};

/** Sets and taints are one column each: a cluster may be in many sets, and taints are the cluster's. */
function nameOf({ kind, predicate, index }: Check): string {
  if (kind === "set" || kind === "taint") return kind;
  return `${predicate === undefined ? "" : `P${predicate}.`}${kind}[${index}]`;
}

function headsOf({ kind, predicate, index }: Check): readonly string[] {
  if (kind === "set" || kind === "taint") return [kind];
  return [...(predicate === undefined ? [] : [`P${predicate}`]), kind, `[${index}]`];
}

/** Sets, then predicates, then taints, then spreading. */
function stageOf({ kind }: Check): number {
  return kind === "set" ? 0 : kind === "taint" ? 2 : kind === "spread" ? 3 : 1;
}

function byPlace(a: Check, b: Check): number {
  return (a.predicate ?? 0) - (b.predicate ?? 0) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.index - b.index;
}

function meaningOf(check: Check, sets: readonly string[]): string {
  const { kind } = check;
  if (kind === "set") return `is a member of ${sets.length === 1 ? "set" : "one of"} ${sets.map(safeText).join(", ")}`;
  if (kind === "taint") return "all taints are tolerated; blank if there are none";
  return namedRuleText(check).replace(/\s+/g, " ");
}

/** How many predicates are listed one by one. */
const MAX_PREDICATES = 6;

/** What `P0` and `P1` are; nothing if there are no predicates. */
export function predicatesLegend(
  clusters: readonly ClusterReport[],
): readonly [name: string, meaning: string] | undefined {
  const positions = new Set<number>();
  for (const { checks } of clusters)
    for (const { predicate } of checks) if (predicate !== undefined) positions.add(predicate);
  const all = [...positions].sort((a, b) => a - b);
  if (all.length === 0) return undefined;
  const shown = all.slice(0, MAX_PREDICATES);
  const more = all.length > shown.length ? ", …" : "";
  const name = `${shown.map((position) => `P${position}`).join(", ")}${more}`;
  const fields = `${shown.map((position) => `predicates[${position}]`).join(", ")}${more}`;
  return [
    name,
    `${fields}: ${all.length === 1 ? "all of its rules must hold" : "one is enough, but all of its rules must hold"}`,
  ];
}

/** The outcome of each column for a cluster, by the name of the column: one set is enough, each taint has to be tolerated. */
export function outcomesOf({ checks }: ClusterReport): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const check of checks) {
    const name = nameOf(check);
    const decides = check.kind === "set" ? "true" : "false";
    if (!outcomes.has(name) || check.outcome === decides) outcomes.set(name, check.outcome);
  }
  return outcomes;
}
