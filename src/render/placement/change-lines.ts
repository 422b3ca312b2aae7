// What would an edit change, in words? Which clusters would be lost and why, which would be gained and why they were not
// selected before.

import type { PlacementChange } from "../../placement/compare/placement-change.ts";
import { counted } from "../../text/words.ts";
import { paintedStart } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { reportAfter, reportBefore } from "./change-report.ts";
import { paragraph } from "./paragraph.ts";
import { clusterCount, MAX_REASONS, type NotSelected, namedText, reasonsOf } from "./reasons.ts";

/** What changes for one Placement, compared with some files; for a deleted one, all lines about it. */
export function changeLines(change: PlacementChange, against: string, look: Look): string[] {
  const { exceeded } = change;
  const lost = change.lost.map((moved) => ({ name: moved.name, report: reportAfter(moved, change) }));
  const gained = change.gained.map((moved) => ({ name: moved.name, report: reportBefore(moved, change) }));
  return [
    ...changeHeadline(change, against, look),
    ...movedLines("-", lost, look),
    ...movedLines("+", gained, look),
    ...(exceeded === undefined
      ? []
      : [look.style.red(`  Too many are lost: --max-removed ${exceeded.text} allows ${allowedText(change)}.`)]),
  ];
}

/** "Compared with old.yaml (12 clusters): loses 3, gains 1". */
function changeHeadline(change: PlacementChange, against: string, look: Look): string[] {
  const { isNew, isGone, key, before, lost, gained } = change;
  const { style } = look;
  if (isGone)
    return [
      `${style.red("-")} ${style.bold(safeText(key))}: gone, and with it ${before === 0 ? "no cluster" : `its ${counted(before, "cluster")}`}`,
    ];
  const start = "Compared with";
  const lines = paragraph("", `${start} ${against}${changeText()}${basisText(change, against)}`, look);
  return paintedStart(lines, start, style.bold);

  function changeText(): string {
    if (isNew) return `: new, gains ${counted(gained.length, "cluster")}`;
    if (lost.length + gained.length === 0)
      return `: no change${before === 0 ? "" : before === 1 ? ", the 1 cluster stays" : `, all ${before} clusters stay`}`;
    const gains = `gains ${gained.length === 0 ? "none" : gained.length}`;
    const loses = `loses ${lost.length === 0 ? "none" : lost.length}`;
    return ` (${counted(before, "cluster")}): ${lost.length === 0 ? `${gains}, ${loses}` : `${loses}, ${gains}`}`;
  }
}

/** What is unknown about the time before. */
function basisText({ basis }: PlacementChange, against: string): string {
  return {
    given: "",
    assumed: `; the Placement is not in ${against}, so taken as unchanged`,
    unknown:
      "; but nothing could be decided before, and which clusters it had is not known without its PlacementDecisions",
  }[basis];
}

function allowedText({ before, exceeded }: PlacementChange): string {
  if (exceeded === undefined) return "";
  const most = exceeded.isShare ? Math.floor((exceeded.amount * before) / 100) : exceeded.amount;
  return most === 0 ? "none" : String(most);
}

/** Clusters with the same reason are grouped. */
function movedLines(sign: "-" | "+", moved: readonly NotSelected[], look: Look): string[] {
  const isPast = sign === "+";
  const all = reasonsOf(moved, { tooMany: isPast ? "others ranked higher" : "others rank higher", isPast });
  const shown = look.all ? all : all.slice(0, MAX_REASONS);
  const left = clusterCount(all.slice(shown.length));
  return [
    ...shown.flatMap((reason) => {
      const { text, one, rules = [], error } = reason.words;
      const why = [reason.clusters.length === 1 ? (one ?? text) : text, ...rules].join("; ");
      const whyText = error === undefined ? why : `${why} (${error})`;
      return paragraph(`  ${sign} `, `${namedText(reason, look)}: ${isPast ? "before, " : ""}${whyText}`, look);
    }),
    ...(left === 0 ? [] : [look.style.dim(`  ${sign} … and ${left} more; -o wide lists all`)]),
  ];
}
