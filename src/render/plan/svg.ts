// How is the picture of a plan written as SVG? Self-contained: no script, and no font or style from elsewhere; light or dark
// like the reader's screen, and readable without colours.

import { inRuns } from "../../model/grouped.ts";
import { counted } from "../../text/words.ts";
import { displayWidth } from "../kit/display-width.ts";
import { safeLines } from "../kit/safe-text.ts";
import { scopesText } from "../sentence/names.ts";
import {
  type Picture,
  type PictureBox,
  type PictureJoint,
  type PictureLane,
  pictureOf,
  SIZES,
} from "./lane-picture.ts";
import type { ShownPlans } from "./shown.ts";
import { SVG_STYLE } from "./svg-style.ts";

export function planSvg(shown: ShownPlans): string {
  const picture = pictureOf(shown);
  const { width, height } = picture;
  const title = `Plan for ${scopesText(shown.plans.map(({ namespace }) => namespace))}`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" class="plimsoll-plan" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escapeXml(title, 400)}</title>`,
    `<desc>${escapeXml(descriptionOf(picture), 400)}</desc>`,
    `<style>${SVG_STYLE}</style>`,
    DEFINITIONS,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...picture.heads.map(({ left, middle, text }) => textAt("head", left, middle, text)),
    ...picture.namespaces.map(({ left, middle, text }) => textAt("namespace", left, middle, text)),
    ...picture.lanes.map(
      ({ middle }) => `<path class="line" d="M${SIZES.margin} ${middle + SIZES.row / 2}H${width - SIZES.margin}"/>`,
    ),
    ...picture.joints.flatMap(jointElements),
    ...picture.lanes.flatMap((lane) => laneElements(lane, width)),
    ...restElements(picture),
    "</svg>",
  ].join("\n")}\n`;
}

const DEFINITIONS = [
  "<defs>",
  '<pattern id="plimsoll-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch" width="3" height="8"/></pattern>',
  '<marker id="plimsoll-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker>',
  "</defs>",
].join("\n");

function descriptionOf({ lanes, joints }: Picture): string {
  const stopped = lanes.filter(({ end }) => end !== undefined).length;
  return (
    "A lane for each operator that moves, would move or goes; time from left to right: its version now, and after each " +
    "generation in which it moves. " +
    `Lanes: ${lanes.length}. Joint steps, framed: ${joints.length}. Lanes that go no further, hatched: ${stopped}.`
  );
}

function restElements({ lanes, left, height }: Picture): readonly string[] {
  if (lanes.length === 0) return [textAt("head", SIZES.margin, SIZES.head + SIZES.row / 2, "nothing to do")];
  const middle = height - SIZES.margin - SIZES.row / 2;
  return left === 0 ? [] : [textAt("head", SIZES.margin, middle, `and ${counted(left, "more operator")}`)];
}

/** A frame around boxes that move together; if others are between them, several frames connected by a line. */
function jointElements({ left, width, middles }: PictureJoint): readonly string[] {
  const runs = inRuns(middles, (above, middle) => middle - above === SIZES.row);
  const frame = 5;
  const half = SIZES.box / 2 + frame;
  const [top = 0] = middles;
  const bottom = middles.at(-1) ?? top;
  const line = `<path class="tie" d="M${left - frame} ${top}V${bottom}"/>`;
  return [
    ...(runs.length > 1 ? [line] : []),
    ...runs.map((run) => {
      const [first = 0] = run;
      const height = (run.at(-1) as number) - first + 2 * half;
      return `<rect class="joint" x="${left - frame}" y="${first - half}" width="${width + 2 * frame}" height="${height}" rx="6"><title>joint: none of these can move without the others</title></rect>`;
    }),
  ];
}

function laneElements({ middle, name, boxes, end }: PictureLane, width: number): readonly string[] {
  return [
    "<g>",
    textAt("name", SIZES.margin, middle, name),
    ...boxes.flatMap((box, index) => boxElements(box, boxes[index - 1], middle)),
    ...(end === undefined ? [] : endElements(end, middle, width)),
    "</g>",
  ];
}

function boxElements(box: PictureBox, before: PictureBox | undefined, middle: number): readonly string[] {
  const { left, width, label, kind, steps, mark } = box;
  const from = before === undefined ? undefined : before.left + before.width;
  return [
    ...(from === undefined ? [] : [`<path class="arrow" d="M${from} ${middle}H${left}"/>`]),
    ...(steps === "" ? [] : [textAt("small end", left - SIZES.padding, middle - 7, steps)]),
    `<rect class="box ${kind}" x="${left}" y="${middle - SIZES.box / 2}" width="${width}" height="${SIZES.box}" rx="4"/>`,
    textAt("label", left + SIZES.padding, middle, label),
    ...(mark === "" ? [] : [textAt("small end", left + width - SIZES.padding, middle, mark)]),
  ];
}

/** A hatched bar to the end of the lane; its text has a plain background. */
function endElements(
  { left, short, long }: PictureLane["end"] & object,
  middle: number,
  width: number,
): readonly string[] {
  const top = middle - SIZES.box / 2;
  const room = displayWidth(short) * SIZES.letter + SIZES.padding;
  return [
    `<g><title>${escapeXml(long, 2_000)}</title>`,
    `<rect fill="url(#plimsoll-hatch)" x="${left}" y="${top}" width="${Math.max(0, width - SIZES.margin - left)}" height="${SIZES.box}"/>`,
    `<rect class="page" x="${left + SIZES.padding}" y="${top}" width="${room}" height="${SIZES.box}"/>`,
    textAt("reason", left + SIZES.padding + SIZES.padding / 2, middle, short),
    "</g>",
  ];
}

function textAt(look: string, left: number, middle: number, text: string): string {
  return `<text class="${look}" x="${left}" y="${middle + 4}">${escapeXml(text, 400)}</text>`;
}

/** Untrusted text for the document: shortened, on one line, with all special characters escaped. */
export function escapeXml(text: string, most: number): string {
  const characters = [...safeLines(text).join("\n")];
  const cut = characters.length > most ? `${characters.slice(0, most).join("")}…` : characters.join("");
  return cut.replace(/[&<>"'\n\uFFFE\uFFFF]/g, (character) => ENTITIES.get(character) ?? "\uFFFD");
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
  ["\n", "&#10;"],
]);
