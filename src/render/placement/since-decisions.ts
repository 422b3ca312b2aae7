// What is different from the PlacementDecisions that were given? Which clusters stay, come and go.

import { type Look, namesText } from "../kit/look.ts";
import { paragraph } from "./paragraph.ts";
import { changeOf, type ShownPlacement, type ShownPlacements } from "./shown.ts";

const NONE: ReadonlySet<string> = new Set();

/** The clusters that were not selected before, as far as it is known what was. */
export function addedClusters({ result, decided }: ShownPlacement, shown: ShownPlacements): ReadonlySet<string> {
  const change = changeOf(result, shown);
  if (change !== undefined) return change.isNew ? NONE : new Set(change.gained.map(({ name }) => name));
  if (decided === undefined) return NONE;
  return new Set(result.selected.filter((name) => !decided.has(name)));
}

/** "Of the PlacementDecisions given: 2 stay, 1 is new (bergen), none goes". */
export function decidedLines(placed: ShownPlacement, shown: ShownPlacements, look: Look): string[] {
  const { result, decided } = placed;
  if (decided === undefined || result.state !== "placed" || changeOf(result, shown) !== undefined) return [];
  const selected = new Set(result.selected);
  const added = [...selected].filter((name) => !decided.has(name));
  const gone = [...decided].filter((name) => !selected.has(name));
  const stay = selected.size - added.length;
  const few = { ...look, all: false };
  const told = (names: readonly string[], one: string, many: string): string =>
    names.length === 0
      ? `none ${one}`
      : `${names.length} ${names.length === 1 ? one : many} (${namesText(names, few)})`;
  const stays = stay === 0 ? "none stays" : stay === 1 ? "1 stays" : `${stay} stay`;
  const text = `Compared with the PlacementDecisions given: ${stays}, ${told(added, "is new", "are new")}, ${told(gone, "goes", "go")}`;
  return paragraph("", text, look);
}
