// Which operators need which others? The operators of a namespace as a tree: at the top those that no other needs, below
// each its dependencies.

import type { Resolution, ResolvedOperator } from "../../resolve/resolution.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { type Drawn, drawnTree } from "../kit/tree.ts";
import { scopeName } from "../sentence/names.ts";
import { needsOf, packageText, type ShownResolutions, versionBefore, versionText } from "./shown.ts";

export function resolutionTrees({ resolutions }: ShownResolutions, style: Style): string[] {
  return resolutions.flatMap((resolution, index) => [...(index === 0 ? [] : [""]), ...oneTree(resolution, style)]);
}

function oneTree(resolution: Resolution, style: Style): string[] {
  const needs = needsOf(resolution);
  const written = new Set<string>();
  const draw = (operator: ResolvedOperator): Drawn<ResolvedOperator> => {
    const isRepeated = written.has(operator.name);
    written.add(operator.name);
    return {
      lines: [operatorText(operator, isRepeated, style)],
      below: isRepeated ? [] : (needs.get(operator.name) ?? []),
    };
  };
  return [style.bold(safeText(scopeName(resolution.namespace))), ...drawnTree(rootsOf(resolution, needs), draw, style)];
}

/** Operators that no other needs; and of each remaining cycle the first, preferably a requested one. */
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
