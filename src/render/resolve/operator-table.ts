// Which operators does a namespace have afterwards? A row for each: what happens to it, from where to where, and why.

import { CLUSTER_SCOPE } from "../../model/problem.ts";
import type { Resolution, ResolvedOperator } from "../../resolve/resolution.ts";
import { printVersion } from "../../semver/version.ts";
import type { Look } from "../kit/look.ts";
import { type Cell, type Column, tableLines } from "../kit/table.ts";
import { reasonText } from "../sentence/reason.ts";
import { catalogText, changeText, type GoneOperator, goneFrom, packageText, type ShownResolutions } from "./shown.ts";

const COLUMNS: readonly Column[] = [{ header: "ACTION" }, { header: "PACKAGE" }, { header: "VERSION" }];
const WIDE_COLUMNS: readonly Column[] = [{ header: "BUNDLE" }, { header: "CATALOG" }, { header: "CHANNEL" }];

/** The table of operators, including removed ones; with `all`, the source of each as well. */
export function operatorLines(resolution: Resolution, shown: ShownResolutions, look: Look): string[] {
  const { green, cyan, dim } = look.style;
  const rows = [
    ...inOrder(resolution.operators).map((operator) => [
      { text: operator.action, style: { install: green, update: cyan, keep: dim }[operator.action] },
      packageText(operator),
      changeText(operator),
      ...(look.all ? originCells(operator) : []),
      { text: whyText(operator), style: dim },
    ]),
    ...goneFrom(resolution, shown).map((operator) => goneCells(operator, look)),
  ];
  if (rows.length === 0) return [];
  const request = { header: resolution.namespace === CLUSTER_SCOPE ? "CLUSTEREXTENSION" : "SUBSCRIPTION" };
  const columns = [...COLUMNS, ...(look.all ? [...WIDE_COLUMNS, request] : []), { header: "WHY", isText: true }];
  return tableLines(columns, rows, look);
}

function goneCells({ name, package: owner, version }: GoneOperator, { all, style }: Look): Cell[] {
  return [
    { text: "remove", style: style.red },
    owner ?? name,
    version === undefined ? name : printVersion(version),
    ...(all ? [name, "", "", ""] : []),
    { text: "removed by --remove", style: style.dim },
  ];
}

/** Changes first; within each part by package, as given. */
function inOrder(operators: readonly ResolvedOperator[]): readonly ResolvedOperator[] {
  const kept = operators.filter(({ action }) => action === "keep");
  return [...operators.filter(({ action }) => action !== "keep"), ...kept];
}

/** Why this one, with a note if the catalog deprecates it. */
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
