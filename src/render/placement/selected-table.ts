// Which clusters were selected, and how did each come to its score? Where all came to the same, once.

import type { ClusterReport, ScorePart, TaintCheck } from "../../placement/placement-result.ts";
import { visibleEscape } from "../../text/one-line.ts";
import { wrapWords } from "../kit/display-width.ts";
import { type Look, namesText } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { taintText } from "../sentence/placement-check.ts";
import { paragraph } from "./paragraph.ts";
import { partsText, scoreTable } from "./score-columns.ts";
import type { ListedPlacement } from "./shown.ts";

const MAX_ROWS = 20;
/** The width of the table without a terminal. */
const PAGE = 80;

/** The selected clusters, the best first, with the parts of their scores; `added` were not selected before. */
export function selectedLines(
  { clusters, decisions }: ListedPlacement,
  added: ReadonlySet<string>,
  look: Look,
): string[] {
  const selected = clusters.filter((report) => report.selected).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const [first] = selected;
  if (first === undefined) return [];
  if (selected.every(({ score }) => score === undefined))
    return paragraph("Kept: ", namesText(decisions.selected, look), look);
  const shown = selected.slice(0, MAX_ROWS);
  const more = selected.length - shown.length;
  const isLikeFirst = likeTo(first);
  if (shown.every(isLikeFirst)) {
    const areAll = selected.every(isLikeFirst);
    const who = !areAll ? `the first ${shown.length} ` : selected.length === 1 ? "" : "all ";
    return listLines(who, shown, more, added, look);
  }
  return [
    ...rowLines(shown, added, look),
    ...(more > 0 ? [look.style.dim(`… and ${more} more; -o wide lists all`)] : []),
  ];
}

/** "Selected, all with score 100 (Balance 100, Steady 0):" and the names. */
function listLines(
  who: string,
  shown: readonly ClusterReport[],
  more: number,
  added: ReadonlySet<string>,
  look: Look,
): string[] {
  const first = shown[0] as ClusterReport;
  const parts = first.parts.length === 0 ? "" : ` (${partsText(first.parts)})`;
  // No name has a blank; in one that has, no line ends.
  const names = shown.map(({ name }) => `${name.replaceAll(" ", visibleEscape)}${added.has(name) ? " (new)" : ""}`);
  const room = Math.max(20, (look.width ?? PAGE) - 4);
  const list = `${names.join(", ")}${more > 0 ? ` and ${more} more; -o wide lists all` : ""}`;
  const comesLast = lastResortText(first);
  return [
    ...paragraph(
      "",
      `Selected, ${who}with score ${first.score}${parts}${comesLast === "" ? "" : `; ${comesLast}`}:`,
      look,
    ),
    ...wrapWords(safeText(list), room).map((line) => `  ${line}`),
  ];
}

function rowLines(shown: readonly ClusterReport[], added: ReadonlySet<string>, look: Look): string[] {
  const notes = shown.map((report) =>
    [...(added.has(report.name) ? ["new"] : []), lastResortText(report)].filter((note) => note !== "").join("; "),
  );
  const hasNotes = notes.some((note) => note !== "");
  const rows = shown.map((report, index) => ({
    report,
    before: [report.name],
    behind: hasNotes ? [notes[index] as string] : [],
  }));
  return scoreTable([{ header: "CLUSTER" }], rows, hasNotes ? [{ header: "NOTE", isText: true }] : [], look);
}

/** "comes last: taint key=value (PreferNoSelect)". */
function lastResortText({ isSoftTainted, checks }: ClusterReport): string {
  if (!isSoftTainted) return "";
  const soft = checks.find(
    (check): check is TaintCheck =>
      check.kind === "taint" && check.tolerance?.kind === "untolerated" && check.tolerance.isSoft,
  );
  return soft === undefined ? "comes last" : `comes last: taint ${taintText(soft.taint)} (PreferNoSelect)`;
}

/** Does another cluster have the same score, made of the same parts? */
function likeTo({ score, isSoftTainted, parts }: ClusterReport): (other: ClusterReport) => boolean {
  return (other) => {
    if (other.score !== score || other.isSoftTainted !== isSoftTainted) return false;
    const others = other.parts;
    return others.length === parts.length && others.every((part, index) => isSamePart(part, parts[index] as ScorePart));
  };
}

function isSamePart(a: ScorePart, b: ScorePart): boolean {
  if (a.name !== b.name || a.score !== b.score || a.weight !== b.weight) return false;
  return a.score !== 0 || isCounted(a) === isCounted(b);
}

/** Is there such a score, and has it not expired? */
function isCounted({ detail: { kind } }: ScorePart): boolean {
  return kind !== "missing" && kind !== "expired";
}
