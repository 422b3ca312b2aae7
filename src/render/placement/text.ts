// How are the answers of `place` printed as text? Placement by Placement: a headline, the selected clusters, the reasons for
// the others, and then only what needs attention.

import type { Mistake, PlacementDecisions, PlacementResult } from "../../placement/placement-result.ts";
import { counted } from "../../text/words.ts";
import { colourOf, excerptLines, marginOf } from "../finding/finding-text.ts";
import { indented, narrower } from "../kit/lines.ts";
import { type Look, namesText } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { faultText } from "../sentence/placement-fault.ts";
import { conditionText } from "../sentence/placement-status.ts";
import { changeLines } from "./change-lines.ts";
import { everyClusterLines } from "./every-cluster.ts";
import { headline } from "./headline.ts";
import { paragraph } from "./paragraph.ts";
import { whyNotLines } from "./reasons.ts";
import { selectedLines } from "./selected-table.ts";
import {
  changeOf,
  compatLines,
  goneChanges,
  type ListedPlacement,
  listed,
  type ShownPlacement,
  type ShownPlacements,
  warningsOf,
} from "./shown.ts";
import { summaryLines } from "./summary.ts";
import { wakeLines } from "./wake.ts";

/** How many decision groups are listed, except in format `wide`. */
const MAX_GROUPS = 20;

/** The lines of all answers, one Placement after the other; for several, a summary follows at the end. */
export function* placementBlocks(shown: ShownPlacements, look: Look): Generator<readonly string[]> {
  let isFirst = true;
  for (const block of blocks(shown, look)) {
    if (block.length === 0) continue;
    yield isFirst ? block : ["", ...block];
    isFirst = false;
  }
}

function* blocks(shown: ShownPlacements, look: Look): Generator<readonly string[]> {
  const results: PlacementResult[] = [];
  for (const placed of shown.placements) {
    results.push(placed.result);
    yield oneLines(listed(placed), shown, look);
  }
  for (const change of goneChanges(shown)) yield changeLines(change, shown.against ?? "before", look);
  if (results.length > 1) yield summaryLines(results, look);
  if (results.length > 0) yield compatLines(shown, look);
}

function oneLines(placed: ListedPlacement, shown: ShownPlacements, look: Look): string[] {
  const { result } = placed;
  const inner = narrower(look);
  const change = changeOf(result, shown);
  const added = addedClusters(placed, shown);
  const sections = [
    result.mistakes.flatMap((mistake) => mistakeLines("error", mistake, shown, inner)),
    change === undefined ? decidedLines(placed, shown, inner) : changeLines(change, shown.against ?? "before", inner),
    look.all ? everyClusterLines(placed, added, inner) : selectedLines(placed, added, inner),
    groupLines(placed.decisions, inner),
    look.all ? [] : whyNotLines(placed, shown, inner),
    warningsOf(result).flatMap((mistake) => mistakeLines("warning", mistake, shown, inner)),
    look.all ? conditionLines(result, inner) : [],
    wakeLines(placed, shown, inner),
  ];
  return [
    ...headline(placed, look, change),
    ...sections.filter((lines) => lines.length > 0).flatMap((lines) => ["", ...indented(lines)]),
  ];
}

/** A mistake, its place with the line and a caret, and what to do. */
export function mistakeLines(
  severity: "error" | "warning",
  { fault, place }: Mistake,
  { at, spot }: ShownPlacements,
  look: Look,
): string[] {
  const { style } = look;
  const { message, hint } = faultText(fault);
  const colour = colourOf(severity, style);
  const found = spot(place);
  const margin = marginOf(found);
  const [first = "", ...more] = paragraph(`${severity}: `, message, look);
  return [
    `${colour(severity)}: ${style.bold(first.slice(severity.length + 2))}`,
    ...more.map(style.bold),
    `${margin}${style.dim("-->")} ${safeText(at(place))}`,
    ...excerptLines(found, colour, style),
    ...(hint === undefined ? [] : helpLines(`${margin} `, hint, look)),
  ];
}

function helpLines(start: string, hint: string, look: Look): string[] {
  const [first = "", ...more] = paragraph(`${start}= help: `, hint, look);
  return [`${start}${look.style.dim("=")}${first.slice(start.length + 1)}`, ...more];
}

/** The decision groups, if the clusters are not all in one that has no name. */
function groupLines({ groups }: PlacementDecisions, look: Look): string[] {
  const [only] = groups;
  if (only === undefined || (groups.length === 1 && only.name === "")) return [];
  const shown = look.all ? groups : groups.slice(0, MAX_GROUPS);
  const width = String(groups.length - 1).length;
  const left = groups.length - shown.length;
  return [
    look.style.bold("Decision groups, in the order in which they are rolled out"),
    ...shown.flatMap(({ index, name, clusters }) =>
      paragraph(
        `  ${String(index).padStart(width)}  `,
        `${name === "" ? "(others)" : name}, ${counted(clusters.length, "cluster")}: ${namesText(clusters, look)}`,
        look,
      ),
    ),
    ...(left === 0 ? [] : [look.style.dim(`  … and ${left} more; -o wide lists all`)]),
  ];
}

function conditionLines({ conditions }: PlacementResult, look: Look): string[] {
  if (conditions.length === 0) return [];
  return [
    look.style.bold("Conditions"),
    // The table shows which clusters could not be evaluated, and why.
    ...conditions.flatMap(({ type, status, reason, message }) =>
      paragraph("  ", `${type}=${status} ${reason}: ${conditionText(message, true)}`, look),
    ),
  ];
}

const NONE: ReadonlySet<string> = new Set();

/** The clusters that were not selected before, if the earlier selection is known. */
function addedClusters({ result, decisions, decided }: ShownPlacement, shown: ShownPlacements): ReadonlySet<string> {
  const change = changeOf(result, shown);
  if (change !== undefined) return change.isNew ? NONE : new Set(change.gained.map(({ name }) => name));
  if (decided === undefined) return NONE;
  return new Set(decisions.selected.filter((name) => !decided.has(name)));
}

/** "Of the PlacementDecisions given: 2 stay, 1 is new (bergen), none goes". */
function decidedLines(placed: ShownPlacement, shown: ShownPlacements, look: Look): string[] {
  const { result, decisions, decided } = placed;
  if (decided === undefined || result.state !== "placed" || changeOf(result, shown) !== undefined) return [];
  const selected = new Set(decisions.selected);
  const added = [...selected].filter((name) => !decided.has(name));
  const gone = [...decided].filter((name) => !selected.has(name));
  const stay = selected.size - added.length;
  const few = { ...look, all: false };
  const changeText = (names: readonly string[], one: string, many: string): string =>
    names.length === 0
      ? `none ${one}`
      : `${names.length} ${names.length === 1 ? one : many} (${namesText(names, few)})`;
  const stays = stay === 0 ? "none stays" : stay === 1 ? "1 stays" : `${stay} stay`;
  const text = `Compared with the PlacementDecisions given: ${stays}, ${changeText(added, "is new", "are new")}, ${changeText(gone, "goes", "go")}`;
  return paragraph("", text, look);
}
