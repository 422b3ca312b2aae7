// How are steps laid out? A row for each operator: its namespace, name and versions in columns over all
// blocks, a bracket around those that move together, a sign before those that come or go, and below it what else there is
// to say.

import { displayWidth, padEnd } from "../kit/display-width.ts";
import { paragraph } from "../kit/lines.ts";
import { type Look, section } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";

/** One operator in a step, or in a run of steps. */
export interface Row {
  /** Id of its step; empty if it is not shown. */
  readonly id: string;
  readonly bracket: "" | "┌" | "│" | "└";
  readonly sign: "" | "+" | "-";
  /** Nothing where there is only one. */
  readonly namespace: string;
  readonly name: string;
  readonly versions: string;
  /** Intermediate versions are left out. */
  readonly isShortened?: boolean;
  readonly note: string;
  /** Lines of their own below it. */
  readonly below: readonly Below[];
}

export interface Below {
  /** The prefix of the first line; further lines are indented to its width. */
  readonly mark: string;
  readonly text: string;
  readonly isUrgent: boolean;
  /** The command that does it, on a line of its own and never wrapped. */
  readonly command?: string | undefined;
}

export interface Block {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Names and versions wider than this do not widen the column in other rows. */
const MAX_WIDTH = 40;

const GAP = "  ";

/** The lines of all blocks, an empty line before each. */
export function blockLines(blocks: readonly Block[], look: Look): string[] {
  const rows = blocks.flatMap((block) => block.rows);
  const widest = (text: (row: Row) => string): number =>
    rows.reduce((most, row) => Math.max(most, Math.min(MAX_WIDTH, displayWidth(safeText(text(row))))), 0);
  const columns: Columns = {
    id: widest(({ id }) => id),
    lead: widest(leadText),
    namespace: widest(({ namespace }) => namespace),
    name: widest(({ name }) => name),
    versions: widest(({ versions }) => (displayWidth(versions) > MAX_WIDTH ? "" : versions)),
  };
  return blocks.flatMap(({ title, rows: own }) =>
    section(
      title,
      own.flatMap((row) => rowLines(row, columns, look)),
      look,
    ),
  );
}

/** The widths of the columns; `lead` has the bracket and the sign. */
type Columns = Readonly<Record<"id" | "lead" | "namespace" | "name" | "versions", number>>;

function rowLines(row: Row, columns: Columns, look: Look): string[] {
  const { style } = look;
  const id = cell(row.id, columns.id);
  const lead = columns.lead === 0 ? "" : `${padEnd(leadText(row), columns.lead)} `;
  const namespace = cell(row.namespace, columns.namespace);
  const name = cell(row.name, columns.name);
  const paint = { "": (text: string) => text, "+": style.green, "-": style.red }[row.sign];
  const before = displayWidth(`${id}${lead}${namespace}${name}`);
  // A block is indented by a section.
  const room = look.width === undefined ? undefined : look.width - GAP.length;
  const lines = paragraph(row.versions, look, { margin: GAP.length + before });
  const last = lines.at(-1) ?? "";
  const note = safeText(row.note);
  const padding = " ".repeat(Math.max(0, columns.versions - displayWidth(last)));
  const noted = `${last}${padding}${GAP}${note}`;
  const isFitting = note !== "" && (room === undefined || before + displayWidth(noted) <= room);
  const versions = lines.map((line, index) =>
    isFitting && index === lines.length - 1 ? `${last}${padding}${GAP}${style.dim(note)}` : line,
  );
  const goesOn = row.bracket === "┌" || row.bracket === "│";
  const edge = `${" ".repeat(displayWidth(id))}${padEnd(goesOn ? "│" : "", lead.length)}`;
  const below = isFitting || note === "" ? row.below : [{ mark: "", text: row.note, isUrgent: false }, ...row.below];
  return [
    ...versions.map((line, index) =>
      (index === 0
        ? `${style.dim(id)}${paint(lead)}${namespace}${style.bold(name)}${line}`
        : `${padEnd(edge, before)}${line}`
      ).trimEnd(),
    ),
    ...below.flatMap((one) => belowLines(one, `${edge}${GAP}`, look)),
  ];
}

/** A text in its column, with a gap behind it; nothing if the column is empty. */
function cell(text: string, width: number): string {
  return width === 0 ? "" : `${padEnd(safeText(text), width)}${GAP}`;
}

function leadText({ bracket, sign }: Row): string {
  return [bracket, sign].filter((part) => part !== "").join(" ");
}

function belowLines({ mark, text, isUrgent, command }: Below, indent: string, look: Look): string[] {
  const { style } = look;
  const paint = isUrgent ? style.yellow : style.dim;
  return [
    ...paragraph(text, look, { first: mark, margin: GAP.length + indent.length }).map(
      (line) => `${indent}${paint(line)}`,
    ),
    ...(command === undefined ? [] : [`${indent}${" ".repeat(mark.length)}${GAP}${style.cyan(safeText(command))}`]),
  ];
}
