// Where is everything in the picture of a plan? Operators below each other, time from left to right: a column for
// what runs now, and one for each generation or stretch of generations in which nothing but ordinary updates happens.

import { addTo } from "../../model/grouped.ts";
import type { Step } from "../../plan/plan.ts";
import { cutMiddle, widestOf } from "../kit/display-width.ts";
import { safeText } from "../kit/safe-text.ts";
import { versionText } from "../resolve/shown.ts";
import { scopeName } from "../sentence/names.ts";
import { cutEnd, endTexts } from "./lane-ends.ts";
import { hasMigration, type Lane, lanesOf, type Move } from "./lanes.ts";
import { isRename, packageBefore, type ShownPlans } from "./shown.ts";
import { movesIn, type Stretch, steadyStretches, stretchesOf } from "./stretches.ts";

/** More columns are drawn as one, more lanes are only counted, longer texts are cut. */
const MAX_COLUMNS = 24;
const MAX_LANES = 400;
const MAX_LABEL_WIDTH = 24;
const MAX_NAME_WIDTH = 36;
const MAX_END_WIDTH = 48;

/** In pixels. */
export const SIZES = { letter: 7, boldLetter: 8, row: 34, box: 22, padding: 8, margin: 16, gap: 34, head: 40 } as const;

export interface PictureBox {
  readonly left: number;
  readonly width: number;
  readonly label: string;
  readonly kind: "running" | "moved" | "added" | "removed";
  /** The text above the arrow that leads to it. */
  readonly steps: string;
  /** "joint" where it moves together with others, "migration" where objects are written again, "at 3" where time goes on. */
  readonly mark: string;
}

export interface PictureLane {
  /** The middle of its row. */
  readonly middle: number;
  readonly name: string;
  readonly boxes: readonly PictureBox[];
  /** Why it is not updated further, in a few words and in full. */
  readonly end: { readonly left: number; readonly short: string; readonly long: string } | undefined;
}

/** Boxes of one column that move together, from row to row. */
export interface PictureJoint {
  readonly left: number;
  readonly width: number;
  /** The middles of the rows, from the top. */
  readonly middles: readonly number[];
}

export interface PictureText {
  readonly left: number;
  readonly middle: number;
  readonly text: string;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly heads: readonly PictureText[];
  readonly namespaces: readonly PictureText[];
  readonly lanes: readonly PictureLane[];
  readonly joints: readonly PictureJoint[];
  /** The number of operators for which there was no room. */
  readonly left: number;
}

interface Column extends Stretch {
  readonly left: number;
  readonly width: number;
}

export function pictureOf(shown: ShownPlans): Picture {
  const all = shown.plans.flatMap(lanesOf);
  const lanes = all.slice(0, MAX_LANES);
  const names = lanes.map((lane) => cutMiddle(safeText(lane.package), MAX_NAME_WIDTH));
  const start = SIZES.margin + widest([...names, "generation"], SIZES.boldLetter) + SIZES.gap / 2;
  const columns = columnsOf(lanes, start);
  const right = columns.reduce((_, { left, width }) => left + width, start);
  const ends = lanes.map((lane) => endTexts(lane));
  const room = widest(ends.map((end) => cutEnd(safeText(end?.short ?? ""), MAX_END_WIDTH)));
  const { middles, namespaces, height } = rowsOf(lanes, shown.plans.length > 1);
  const drawn = lanes.map((lane, index): PictureLane => {
    const boxes = boxesOf(lane, columns);
    const last = boxes.at(-1);
    const end = ends[index];
    return {
      middle: middles[index] as number,
      name: names[index] as string,
      boxes,
      end: end && {
        left: last === undefined ? start : last.left + last.width + SIZES.padding,
        short: cutEnd(safeText(end.short), MAX_END_WIDTH),
        long: end.long,
      },
    };
  });
  return {
    width: right + SIZES.margin + (room === 0 ? 0 : room + SIZES.gap + 2 * SIZES.padding),
    height: height + SIZES.margin + (all.length > lanes.length ? SIZES.row : 0),
    heads: headsOf(columns),
    namespaces,
    lanes: drawn,
    joints: jointsOf(lanes, columns, middles),
    left: all.length - lanes.length,
  };
}

function widest(texts: readonly string[], letter: number = SIZES.letter): number {
  return letter * widestOf(texts);
}

/** The first column is for what runs now: generation 0. */
function columnsOf(lanes: readonly Lane[], start: number): readonly Column[] {
  const columns: Column[] = [];
  let left: number = start;
  for (const stretch of [{ first: 0, last: 0 }, ...fewStretches(lanes)]) {
    const cells = lanes.map((lane) => cellOf(lane, stretch)).filter((cell) => cell !== undefined);
    const gap = stretch.last === 0 ? 0 : Math.max(SIZES.gap, widest(cells.map(({ steps }) => steps)) + SIZES.padding);
    const width =
      widest([...cells.map(({ label, mark }) => (mark === "" ? label : `${label} ${mark}`)), headText(stretch)]) +
      2 * SIZES.padding;
    columns.push({ ...stretch, left: left + gap, width });
    left += gap + width;
  }
  return columns;
}

/** As many stretches as can be drawn: joint steps, first moves and last moves have their own as long as there is room. */
function fewStretches(lanes: readonly Lane[]): readonly Stretch[] {
  const most = MAX_COLUMNS - 1;
  for (const fine of [steadyStretches(lanes), stretchesOf(lanes)]) if (fine.length <= most) return fine;
  const coarse = stretchesOf(lanes, ({ step }) => step.changes.length === 1);
  const last = coarse.at(-1)?.last ?? 0;
  const [rest] = coarse.slice(most - 1);
  return coarse.length <= most || rest === undefined
    ? coarse
    : [...coarse.slice(0, most - 1), { first: rest.first, last }];
}

function headText({ first, last }: Stretch): string {
  return last === 0 ? "now" : first === last ? `${first}` : `${first}–${last}`;
}

function headsOf(columns: readonly Column[]): readonly PictureText[] {
  const middle = SIZES.head / 2;
  return [
    { left: SIZES.margin, middle, text: "generation" },
    ...columns.map((column) => ({ left: column.left, middle, text: headText(column) })),
  ];
}

function cellOf(lane: Lane, stretch: Stretch): Omit<PictureBox, "left" | "width"> | undefined {
  const cut = (label: string): string => cutMiddle(safeText(label), MAX_LABEL_WIDTH);
  if (stretch.last === 0) {
    if (lane.start === undefined) return undefined;
    const [first] = lane.moves;
    const name = first === undefined ? lane.package : packageBefore(first.change);
    const version = versionText(lane.start);
    return {
      label: cut(name === lane.package ? version : `${name} ${version}`),
      kind: "running",
      steps: "",
      mark: "",
    };
  }
  const moves = movesIn(lane, stretch);
  const last = moves.at(-1);
  if (last === undefined) return undefined;
  const mark = markOf(moves, stretch);
  const steps = moves.length === 1 ? "" : `${moves.length} steps`;
  if (last.change.to === undefined) return { label: "removed", kind: "removed", steps, mark };
  const isOther = last.change.package !== lane.package || moves.some(({ change }) => isRename(change));
  const version = `${isOther ? `${last.change.package} ` : ""}${versionText(last.change.to)}`;
  const isNew = (moves[0] as Move).change.from === undefined;
  return { label: cut(isNew ? `+ ${version}` : version), kind: isNew ? "added" : "moved", steps, mark };
}

/** What is special about moves; those that are drawn as one may be joint in part, or be over before others are. */
function markOf(moves: readonly Move[], stretch: Stretch): string {
  const joint = moves.filter(({ step }) => step.changes.length > 1).length;
  const last = moves.at(-1)?.generation ?? stretch.last;
  return [
    ...(last === stretch.last ? [] : [`at ${last}`]),
    ...(joint === 0 ? [] : [moves.length === 1 ? "joint" : `${joint} joint`]),
    ...(moves.some(hasMigration) ? ["migration"] : []),
  ].join(", ");
}

function boxesOf(lane: Lane, columns: readonly Column[]): readonly PictureBox[] {
  return columns.flatMap((column) => {
    const cell = cellOf(lane, column);
    return cell === undefined ? [] : [{ ...cell, left: column.left, width: column.width }];
  });
}

/** The middle of each lane's row; with several namespaces each has a row for its name. */
function rowsOf(
  lanes: readonly Lane[],
  isList: boolean,
): Pick<Picture, "namespaces" | "height"> & { readonly middles: readonly number[] } {
  const namespaces: PictureText[] = [];
  const middles: number[] = [];
  let top: number = SIZES.head;
  let before: string | undefined;
  for (const { namespace } of lanes) {
    if (isList && namespace !== before) {
      namespaces.push({ left: SIZES.margin, middle: top + SIZES.row / 2, text: safeText(scopeName(namespace)) });
      top += SIZES.row;
    }
    before = namespace;
    middles.push(top + SIZES.row / 2);
    top += SIZES.row;
  }
  return { namespaces, middles, height: Math.max(top, SIZES.head + SIZES.row) };
}

/** Joint steps of generations that have a column by themselves. */
function jointsOf(
  lanes: readonly Lane[],
  columns: readonly Column[],
  middles: readonly number[],
): readonly PictureJoint[] {
  return columns.flatMap((column) => {
    if (column.first !== column.last) return [];
    const members = new Map<Step, number[]>();
    for (const [index, lane] of lanes.entries())
      for (const { step } of movesIn(lane, column)) {
        if (step.changes.length > 1) addTo(members, step, middles[index] as number);
      }
    return [...members.values()].map((rows) => ({ left: column.left, width: column.width, middles: rows }));
  });
}
