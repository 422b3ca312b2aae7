// How is a diagram written for Graphviz? As a directed graph in the DOT language, every text in quotes.

import type { BoxForm, Diagram, DiagramArrow } from "./diagram.ts";
import { safeText } from "./safe-text.ts";

const FORMS: Readonly<Record<BoxForm, string>> = {
  plain: "",
  strong: ", penwidth=3",
  weak: ", color=gray50, fontcolor=gray50",
  absent: ", style=dotted",
};

export function printDot(diagram: Diagram): string {
  const lines = ["digraph {", "  rankdir=BT;", "  node [shape=box];"];
  for (const [index, { label, boxes }] of diagram.groups.entries()) {
    lines.push(`  subgraph cluster_${index} {`, `    label=${quoteDot(label)};`);
    for (const { id, label: text, form } of boxes) lines.push(`    ${id} [label=${quoteDot(text)}${FORMS[form]}];`);
    lines.push("  }");
  }
  for (const arrow of diagram.arrows) lines.push(`  ${arrow.from} -> ${arrow.to}${attributes(arrow)};`);
  return `${[...lines, "}"].join("\n")}\n`;
}

function attributes({ line, label }: DiagramArrow): string {
  const given = [
    ...(line === "solid" ? [] : [`style=${line}`]),
    ...(label === undefined ? [] : [`label=${quoteDot(label)}`]),
  ];
  return given.length === 0 ? "" : ` [${given.join(", ")}]`;
}

/** A text in quotes: in a label Graphviz gives meaning to backslashes and to entities such as &lt;. */
export function quoteDot(text: string): string {
  return `"${safeText(text).replaceAll("&", "&amp;").replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
