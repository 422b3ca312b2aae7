// Which operators does a namespace have afterwards? A row for each: what happens to it, from where to where, and why.

import type { Installed } from "../../model/problem.ts";
import type { Resolution, ResolvedOperator } from "../../resolve/resolution.ts";
import { printVersion } from "../../semver/version.ts";
import { cutMiddle, displayWidth } from "../kit/display-width.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { type Cell, type Column, tableLines } from "../kit/table.ts";
import { reasonText } from "../sentence/reason.ts";
import { catalogText, goneFrom, packageText, type ShownResolutions, versionBefore, versionText } from "./shown.ts";

const COLUMNS: readonly Column[] = [{ header: "ACTION" }, { header: "PACKAGE" }, { header: "VERSION" }];
const WIDE_COLUMNS: readonly Column[] = [
  { header: "BUNDLE" },
  { header: "CATALOG" },
  { header: "CHANNEL" },
  { header: "SUBSCRIPTION" },
];

/** Blanks between columns. */
const GAP = 2;
/** A reason of fewer letters says nothing. */
const MIN_WIDTH = 8;

/** The table of operators, and of those that were taken away; with `all` also where each comes from. */
export function operatorLines(resolution: Resolution, shown: ShownResolutions, look: Look): string[] {
  const rows = [
    ...inOrder(resolution.operators).map((operator) => [
      { text: operator.action, style: actionStyle(operator.action, look.style) },
      packageText(operator),
      changeText(operator),
      ...(look.all ? originCells(operator) : []),
      { text: whyText(operator), style: look.style.dim },
    ]),
    ...goneFrom(resolution, shown).map((operator) => goneCells(operator, look)),
  ];
  if (rows.length === 0) return [];
  const columns = [...COLUMNS, ...(look.all ? WIDE_COLUMNS : []), { header: "WHY" }];
  return tableLines(columns, look.width === undefined ? rows : rows.map(shortened(rows, look.width)), {
    style: look.style,
  });
}

/** Which operator, and which version of it, must be readable at any width: only the reason gives way. */
function shortened(rows: readonly (readonly Cell[])[], width: number): (row: readonly Cell[]) => readonly Cell[] {
  const widest = COLUMNS.map(({ header }, column) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(safeText(textOf(row[column] as Cell)))), header.length),
  );
  const room = Math.max(MIN_WIDTH, width - widest.reduce((sum, one) => sum + one + GAP, 0));
  return (row) => [
    ...row.slice(0, -1),
    ...row.slice(-1).map((cell) => {
      const text = cutMiddle(safeText(textOf(cell)), room);
      return typeof cell === "string" ? text : { ...cell, text };
    }),
  ];
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function goneCells({ name, package: owner, version }: Installed, { all, style }: Look): Cell[] {
  return [
    { text: "remove", style: style.red },
    owner ?? name,
    version === undefined ? name : printVersion(version),
    ...(all ? [name, "", "", ""] : []),
    { text: "taken away by --remove", style: style.dim },
  ];
}

/** What changes comes first; within that by package, as they are. */
function inOrder(operators: readonly ResolvedOperator[]): readonly ResolvedOperator[] {
  const kept = operators.filter(({ action }) => action === "keep");
  return [...operators.filter(({ action }) => action !== "keep"), ...kept];
}

function changeText(operator: ResolvedOperator): string {
  const before = versionBefore(operator);
  return before === undefined ? versionText(operator) : `${before} → ${versionText(operator)}`;
}

/** Why this one; what the catalog advises against is said with it. */
function whyText(operator: ResolvedOperator): string {
  const reason = reasonText(operator);
  return operator.isDeprecated ? `${reason}; deprecated, see warnings` : reason;
}

function originCells({ name, from, request }: ResolvedOperator): Cell[] {
  return [
    name,
    from === undefined ? "" : catalogText(from),
    from?.channel ?? "",
    request?.place === undefined ? "" : request.id,
  ];
}

function actionStyle(action: ResolvedOperator["action"], style: Style): (text: string) => string {
  return { install: style.green, update: style.cyan, keep: style.dim }[action];
}
