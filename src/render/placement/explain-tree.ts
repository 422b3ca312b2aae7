// Why is one cluster selected, or why not? First the verdict, then everything that led to it as a tree: sets, predicates
// down to the values of sub-expressions, taints, scores, the rank.

import type { Placement } from "../../model/placement.ts";
import { placementKey } from "../../placement/placement-name.ts";
import type { Check, ClusterReport, PlacementResult, ScorePart } from "../../placement/placement-result.ts";
import { shortText } from "../../text/words.ts";
import { padEnd, widestOf } from "../kit/display-width.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { type Branch, leaf, treeLines } from "../kit/tree.ts";
import { celText, scoreText } from "../sentence/placement-check.ts";
import { firstError, reasonInShort } from "../sentence/placement-why-not.ts";
import { predicateBranches, ruleLeaf, setBranches, taintBranches } from "./explain-rules.ts";
import { paragraph } from "./paragraph.ts";
import { compatLines, type ShownPlacement, type ShownPlacements } from "./shown.ts";
import { mistakeLines } from "./text.ts";

/** Texts of the input that are longer are cut. */
const MAX_LENGTH = 400;

export function explanationLines(shown: ShownPlacements, cluster: string, look: Look): string[] {
  const blocks = [
    ...Array.from(shown.placements, (placed) => oneExplanation(placed, cluster, shown, look)),
    compatLines(shown, look),
  ];
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

function oneExplanation(
  { result, clusters }: ShownPlacement,
  cluster: string,
  shown: ShownPlacements,
  look: Look,
): string[] {
  const { style } = look;
  const [report] = clusters;
  const key = placementKey(result.placement);
  const isSelected = report?.selected === true;
  const isUndecided = report?.verdict === "undecided";
  // A failing Placement: that it selects the cluster is not a success yet.
  const yes = result.unscheduled > 0 || result.mistakes.length > 0 ? style.yellow("–") : style.green("✓");
  const mark = isSelected ? yes : isUndecided ? style.dim("·") : style.red("✗");
  const head = `${mark} ${style.bold(safeText(`${cluster} ${verbOf(report)} by ${key}`))}`;
  const mistakes = result.mistakes.flatMap((mistake) => mistakeLines("error", mistake, shown, look));
  if (report === undefined)
    return [head, ...paragraph("  ", "There is no ManagedCluster of that name in the input.", look)];
  const error = errorOf(report);
  const reason =
    error === undefined ? reasonInShort(report) : `${shortText(error, MAX_LENGTH)}; an error counts as no match`;
  return [
    head,
    ...paragraph("  ", reason, look),
    ...mistakes.map((line) => `  ${line}`),
    ...treeLines(branchesOf(report, result, error ?? "", shown, look), style),
  ];
}

function verbOf(report: ClusterReport | undefined): string {
  if (report?.verdict === "undecided") return "is left undecided";
  return report?.selected !== true ? "is not selected" : report.verdict === "kept" ? "stays selected" : "is selected";
}

/** The first error that kept a cluster from being evaluated. */
function errorOf({ verdict, checks }: ClusterReport): string | undefined {
  if (verdict !== "failed") return undefined;
  const detail = firstError(checks)?.detail;
  return detail && celText(detail);
}

function branchesOf(
  report: ClusterReport,
  result: PlacementResult,
  error: string,
  shown: ShownPlacements,
  look: Look,
): readonly Branch[] {
  // Of a cluster that could not be read, or whose score could not be, no rule is reported.
  if (report.reason.kind === "unread") return [];
  // For a cluster that is outside of the sets or terminating, skipped checks are not printed.
  const isFar = report.verdict === "outside" || report.verdict === "terminating";
  const checks = isFar ? report.checks.filter(({ outcome }) => outcome !== "skipped") : report.checks;
  const of = (kind: Check["kind"]): readonly Check[] => checks.filter((check) => check.kind === kind);
  return [
    ...setBranches(of("set"), look),
    ...(isFar && checks.every(({ predicate }) => predicate === undefined)
      ? []
      : predicateBranches(checks, result, error, shown, look)),
    ...(isFar ? [] : taintBranches(of("taint"), look)),
    ...of("spread").map((check) => ruleLeaf(check, look)),
    ...scoreBranches(report, result, look),
  ];
}

/** What the score is made of, and how far down the list the cluster is. */
function scoreBranches(report: ClusterReport, result: PlacementResult, look: Look): readonly Branch[] {
  const { score, parts, rank, isSoftTainted } = report;
  if (score === undefined) return [];
  const names = parts.map(({ name }) => safeText(name));
  const width = widestOf(names);
  const { left, selected } = result.tally;
  const cut = left === 0 ? "all of them are selected" : `the first ${selected} are selected`;
  const behind = isSoftTainted ? ", behind all that have no PreferNoSelect taint" : "";
  return [
    {
      lines: [`score ${look.style.bold(String(score))}`],
      below: [
        ...parts.map((part, index) => leaf(`${padEnd(names[index] as string, width)}  ${partText(part)}`, look)),
        ...(isWithoutSpread(report, result.placement)
          ? [leaf(`${padEnd("Spread", width)}  counted only when a cluster is picked`, look)]
          : []),
      ],
    },
    ...(rank === undefined ? [] : [leaf(`rank ${rank} of ${left + selected}${behind}; ${cut}`, look)]),
  ];
}

/** Is the score that of a cluster that was never picked, where Spread counts for those that are? */
function isWithoutSpread({ verdict, checks, parts }: ClusterReport, { prioritizerPolicy }: Placement): boolean {
  if (verdict !== "left" || parts.some(({ name }) => name === "Spread")) return false;
  if (!checks.some(({ kind }) => kind === "spread")) return false;
  const last = prioritizerPolicy.configurations.findLast(
    ({ scoreCoordinate }) => scoreCoordinate?.builtIn === "Spread",
  );
  return last === undefined ? prioritizerPolicy.mode !== "Exact" : last.weight !== 0;
}

/** "2 × 80 = 160: …". */
function partText({ score, weight, detail }: ScorePart): string {
  const text = safeText(shortText(scoreText(detail), MAX_LENGTH));
  return `${weight} × ${score} = ${weight * score}${text === "" ? "" : `: ${text}`}`;
}
