// Which operators run together, as a picture? A group for each namespace, a box for each operator, an arrow from each to
// what it needs.

import type { ResolvedOperator } from "../../resolve/resolution.ts";
import type { BoxForm, Diagram, DiagramArrow, DiagramGroup } from "../kit/diagram.ts";
import { scopeName } from "../sentence/names.ts";
import { changeText, packageText, type ShownResolutions } from "./shown.ts";

const FORMS: Readonly<Record<ResolvedOperator["action"], BoxForm>> = {
  install: "strong",
  update: "plain",
  keep: "weak",
};

/** Installed operators are emphasised, kept ones are subdued. */
export function resolutionDiagram({ resolutions }: ShownResolutions): Diagram {
  const groups: DiagramGroup[] = [];
  const arrows: DiagramArrow[] = [];
  let count = 0;
  for (const { namespace, operators } of resolutions) {
    const ids = new Map<string, string>();
    for (const { name } of operators) ids.set(name, `o${count++}`);
    const idOf = (name: string): string => ids.get(name) as string;
    groups.push({
      label: scopeName(namespace),
      boxes: operators.map((operator) => ({
        id: idOf(operator.name),
        label: labelOf(operator),
        form: FORMS[operator.action],
      })),
    });
    for (const { name, requiredBy } of operators)
      for (const other of requiredBy)
        if (other !== name && ids.has(other))
          arrows.push({ from: idOf(other), to: idOf(name), line: "solid", label: "needs" });
  }
  return { groups, arrows };
}

function labelOf(operator: ResolvedOperator): string {
  return `${packageText(operator)} ${changeText(operator)} (${operator.action})`;
}
