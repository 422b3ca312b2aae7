// How is a plan drawn in Mermaid? As a flowchart from left to right: a frame for each operator with its versions in it, and
// dotted lines between versions that come together.

import type { Step } from "../../plan/plan.ts";
import { counted } from "../../text/words.ts";
import { cutMiddle } from "../kit/display-width.ts";
import { escapeMermaid } from "../kit/mermaid.ts";
import { safeText } from "../kit/safe-text.ts";
import { versionText } from "../resolve/shown.ts";
import { qualified } from "../sentence/names.ts";
import { cutEnd, endTexts } from "./lane-ends.ts";
import { hasMigration, type Lane, lanesOf, type Move } from "./lanes.ts";
import { generationsText, packageBefore, type ShownPlans } from "./shown.ts";
import { isShortened, runsOf } from "./stretches.ts";

/** Mermaid refuses to draw more than 500 arrows or 50,000 characters. */
const MAX_ARROWS = 450;
const MAX_CHARACTERS = 45_000;

/** The widest labels: of a name with its version, and of what prevents further updates. */
const MAX_WIDTH = 40;
const MAX_END_WIDTH = 60;

export function planMermaid(shown: ShownPlans): string {
  const lanes = shown.plans.flatMap(lanesOf);
  const joints = new Map<Step, string>();
  const lines = ["flowchart LR"];
  let arrows = 0;
  let characters = 0;
  let drawn = 0;
  for (const lane of lanes) {
    const own = laneLines(lane, drawn, joints, shown);
    arrows += own.arrows.length;
    characters += [...own.boxes, ...own.arrows].reduce((sum, line) => sum + line.length, 0);
    if (arrows > MAX_ARROWS || characters > MAX_CHARACTERS) break;
    drawn++;
    lines.push(...own.boxes, ...own.arrows);
  }
  if (drawn < lanes.length)
    lines.push(`  more["and ${counted(lanes.length - drawn, "more operator")}: see -o svg"]:::weak`);
  if (lanes.length === 0) lines.push('  nothing["nothing to do"]:::weak');
  return `${[...lines, ...CLASSES].join("\n")}\n`;
}

const CLASSES: readonly string[] = [
  "  classDef added stroke-width:3px",
  "  classDef weak opacity:0.6",
  "  classDef stopped stroke-dasharray:4 4",
];

/** The frame of a lane with its boxes, and its arrows. `joints` has the latest box of each joint step: the next is tied to it. */
function laneLines(
  lane: Lane,
  number: number,
  joints: Map<Step, string>,
  shown: ShownPlans,
): { readonly boxes: readonly string[]; readonly arrows: readonly string[] } {
  const boxes: string[] = [];
  const arrows: string[] = [];
  const box = (label: string, look = ""): string => {
    const id = `o${number}v${boxes.length}`;
    boxes.push(`    ${id}["${escapeMermaid(label)}"]${look}`);
    return id;
  };
  let at = lane.start === undefined ? undefined : box(labelText(`${firstName(lane)} ${versionText(lane.start)}`));
  for (const run of arrowsOf(lane.moves)) {
    const { change, step, generation } = run.at(-1) as Move;
    const label = change.to === undefined ? "removed" : `${change.package} ${versionText(change.to)}`;
    const when = whenText(run, step, generation);
    const isNew = change.from === undefined;
    const look = change.to === undefined ? ":::stopped" : isNew ? ":::added" : "";
    const next = box(`${labelText(label)}${isNew ? `, new in ${when}` : ""}`, look);
    if (at !== undefined) arrows.push(`  ${at} -->|"${escapeMermaid(when)}"| ${next}`);
    if (step.changes.length > 1) {
      const other = joints.get(step);
      if (other !== undefined) arrows.push(`  ${other} -.-|"joint"| ${next}`);
      joints.set(step, next);
    }
    at = next;
  }
  const end = endTexts(lane);
  if (end !== undefined) {
    const last = box(cutEnd(safeText(end.short), MAX_END_WIDTH), ":::stopped");
    if (at !== undefined) arrows.push(`  ${at} -.-> ${last}`);
  }
  const title = shown.plans.length > 1 ? qualified(lane.namespace, lane.package) : lane.package;
  return { boxes: [`  subgraph o${number}["${escapeMermaid(labelText(title))}"]`, ...boxes, "  end"], arrows };
}

/** The moves that each arrow represents: one, unless there are very many in a row. */
function arrowsOf(moves: readonly Move[]): readonly (readonly Move[])[] {
  return runsOf(moves).flatMap((run) => (isShortened(run) ? [run] : run.map((move) => [move])));
}

/** "generation 3, migration", "generation 1, joint", "236 steps, generations 1–236". */
function whenText(run: readonly Move[], { changes }: Step, last: number): string {
  return [
    ...(run.length === 1 ? [] : [`${run.length} steps`]),
    generationsText((run[0] as Move).generation, last),
    ...(changes.length > 1 ? ["joint"] : []),
    ...(run.some(hasMigration) ? ["migration"] : []),
  ].join(", ");
}

function firstName({ moves, package: name }: Lane): string {
  return moves[0] === undefined ? name : packageBefore(moves[0].change);
}

function labelText(text: string): string {
  return cutMiddle(safeText(text), MAX_WIDTH);
}
