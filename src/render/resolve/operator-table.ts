// Which operators does a namespace have afterwards? A row for each: what happens to it, from where to where, and why.

import type { Resolution, ResolvedOperator } from "../../resolve/resolution.ts";
import type { Look } from "../show/look.ts";
import type { Style } from "../style.ts";
import { type Cell, type Column, tableLines } from "../table.ts";
import { catalogText, packageText, type ShownResolutions, versionBefore, versionText } from "./shown.ts";

const COLUMNS: readonly Column[] = [{ header: "ACTION" }, { header: "PACKAGE" }, { header: "VERSION" }];
const WIDE_COLUMNS: readonly Column[] = [
  { header: "BUNDLE" },
  { header: "CATALOG" },
  { header: "CHANNEL" },
  { header: "SUBSCRIPTION" },
];

/** The table of operators; with `all` also where each comes from. */
export function operatorLines({ operators }: Resolution, shown: ShownResolutions, look: Look): string[] {
  if (operators.length === 0) return [];
  const columns = [...COLUMNS, ...(look.all ? WIDE_COLUMNS : []), { header: "WHY" }];
  const rows = inOrder(operators).map((operator) => [
    { text: operator.action, style: actionStyle(operator.action, look.style) },
    packageText(operator),
    changeText(operator),
    ...(look.all ? originCells(operator, shown) : []),
    { text: operator.reason, style: look.style.dim },
  ]);
  return tableLines(columns, rows, look);
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

function originCells({ name, from, request }: ResolvedOperator, shown: ShownResolutions): Cell[] {
  return [
    name,
    from === undefined ? "" : catalogText(from.catalog, shown),
    from?.channel ?? "",
    request?.place === undefined ? "" : request.id,
  ];
}

function actionStyle(action: ResolvedOperator["action"], style: Style): (text: string) => string {
  return { install: style.green, update: style.cyan, keep: style.dim }[action];
}
