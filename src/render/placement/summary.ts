// What do the answers to several Placements sum up to? How many have what they ask for, which have not, and how much is odd.

import { placementKey } from "../../placement/placement-name.ts";
import type { PlacementResult } from "../../placement/placement-result.ts";
import { counted, listed } from "../../text/words.ts";
import { padEnd, widestOf } from "../kit/display-width.ts";
import { paintedStart } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";
import { isEmptyResult, isGood } from "./headline.ts";
import { paragraph } from "./paragraph.ts";
import { exceedsCostLimit, isAboutUnread, warningsOf } from "./shown.ts";

/** How many Placements of a kind are listed, except in format `wide`. */
const MAX_NAMES = 12;

/** "18 Placements: 16 have what they ask for", and a line for each kind of the others. */
export function summaryLines(results: readonly PlacementResult[], look: Look): string[] {
  const good = results.filter(isGood);
  const unevaluated = good.filter(({ tally }) => tally.failed > 0).length;
  const doubt = unevaluated === 0 ? "" : ` (${unevaluated} of them with clusters that could not be evaluated)`;
  const warnings = results.reduce((sum, result) => sum + warningsOf(result).length, 0);
  const odd = warnings === 0 ? "" : `; ${counted(warnings, "warning")}`;
  const have = good.length === 1 ? "1 has what it asks for" : `${good.length} have what they ask for`;
  const start = `${results.length} Placements`;
  const lines = paragraph("", `${start}: ${have}${doubt}${odd}`, look);
  return [...paintedStart(lines, start, look.style.bold), ...othersLines(results, look)];
}

function othersLines(results: readonly PlacementResult[], look: Look): string[] {
  const { style } = look;
  const isStuck = ({ state }: PlacementResult): boolean => state === "kept" || state === "emptied";
  const isOpen = (result: PlacementResult): boolean => exceedsCostLimit(result) || isAboutUnread(result);
  const kinds: readonly [string, string, (text: string) => string, (result: PlacementResult) => boolean][] = [
    ["✗", "misconfigured", style.red, (result) => isStuck(result) && !isOpen(result)],
    ["✗", "undecided", style.red, (result) => isStuck(result) && isOpen(result)],
    ["✗", "too few clusters", style.red, ({ state, unscheduled }) => state === "placed" && unscheduled > 0],
    ["–", "no cluster", style.yellow, isEmptyResult],
    ["·", "ignored", style.dim, ({ state }) => state === "ignored"],
  ];
  const found = kinds.flatMap(([mark, name, paint, isMeant]) => {
    const keys = results.filter(isMeant).map(({ placement }) => placementKey(placement));
    return keys.length === 0 ? [] : [{ mark, name, paint, keys }];
  });
  const width = widestOf(found.map(({ name }) => name));
  return found.flatMap(({ mark, name, paint, keys }) => {
    const start = `  ${mark} ${padEnd(name, width)}  `;
    const [first = "", ...more] = paragraph(start, listed(keys, look.all ? keys.length : MAX_NAMES), look);
    return [`  ${paint(first.slice(2, start.length - 2))}${first.slice(start.length - 2)}`, ...more];
  });
}
