// Who needs whom? The operators of a namespace as a tree: those that nobody needs, beneath each what it needs.

import type { Resolution, ResolvedOperator } from "../../resolve/resolution.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { needsOf, packageText, type ShownResolutions, versionBefore, versionText } from "./shown.ts";

/** A line of the tree that is still to be written. */
interface Branch {
  readonly operator: ResolvedOperator;
  readonly indent: string;
  readonly isLast: boolean;
}

/** The trees of all namespaces, one after the other. */
export function treeLines({ resolutions }: ShownResolutions, style: Style): string[] {
  return resolutions.flatMap((resolution, index) => [...(index === 0 ? [] : [""]), ...oneTree(resolution, style)]);
}

function oneTree(resolution: Resolution, style: Style): string[] {
  const needs = needsOf(resolution);
  const lines = [style.bold(safeText(resolution.namespace))];
  const written = new Set<string>();
  const waiting = branches(rootsOf(resolution, needs), "");
  for (let branch = waiting.pop(); branch !== undefined; branch = waiting.pop()) {
    const { operator, indent, isLast } = branch;
    const isRepeated = written.has(operator.name);
    lines.push(`${style.dim(`${indent}${isLast ? "└─" : "├─"}`)} ${operatorText(operator, isRepeated, style)}`);
    if (isRepeated) continue;
    written.add(operator.name);
    waiting.push(...branches(needs.get(operator.name) ?? [], `${indent}${isLast ? "   " : "│  "}`));
  }
  return lines;
}

/** The last to be written comes first: the others are taken from the end. */
function branches(operators: readonly ResolvedOperator[], indent: string): Branch[] {
  return operators.map((operator, index) => ({ operator, indent, isLast: index === operators.length - 1 })).reverse();
}

/** What nobody else needs; and of each circle that is then left the first, preferably one that was asked for. */
function rootsOf(
  { operators }: Resolution,
  needs: ReadonlyMap<string, readonly ResolvedOperator[]>,
): readonly ResolvedOperator[] {
  const needed = new Set([...needs.values()].flat());
  const isAsked = ({ request }: ResolvedOperator): boolean => request !== undefined;
  const inTurn = [
    ...operators.filter((operator) => !needed.has(operator)),
    ...operators.filter(isAsked),
    ...operators.filter((operator) => !isAsked(operator)),
  ];
  const reached = new Set<ResolvedOperator>();
  const roots = new Set<ResolvedOperator>();
  for (const root of inTurn) {
    if (reached.has(root)) continue;
    roots.add(root);
    const waiting = [root];
    for (let operator = waiting.pop(); operator !== undefined; operator = waiting.pop()) {
      if (reached.has(operator)) continue;
      reached.add(operator);
      waiting.push(...(needs.get(operator.name) ?? []));
    }
  }
  return operators.filter((operator) => roots.has(operator));
}

function operatorText(operator: ResolvedOperator, isRepeated: boolean, style: Style): string {
  const before = versionBefore(operator);
  const what = before === undefined ? operator.action : `${operator.action} from ${safeText(before)}`;
  return `${safeText(`${packageText(operator)} ${versionText(operator)}`)} ${style.dim(isRepeated ? "(see above)" : `(${what})`)}`;
}
