// How is a diagram written in Mermaid? As a flowchart; untrusted text is quoted, and every character with a special meaning
// is written as an entity.

import type { BoxForm, Diagram, DiagramArrow } from "./diagram.ts";
import { safeText } from "./safe-text.ts";

const CLASSES: Readonly<Record<Exclude<BoxForm, "plain">, string>> = {
  strong: "stroke-width:3px",
  weak: "opacity:0.6",
  absent: "stroke-dasharray:2 4",
};

/** The dashes of arrows; Mermaid itself knows but one kind of broken line. */
const DASHES: Readonly<Record<"dashed" | "dotted", string>> = { dashed: "8 4", dotted: "2 3" };

export function printMermaid(diagram: Diagram): string {
  const lines = ["flowchart BT"];
  for (const [index, { label, boxes }] of diagram.groups.entries()) {
    lines.push(`  subgraph g${index}["${escapeMermaid(label)}"]`);
    for (const { id, label: text, form } of boxes)
      lines.push(`    ${id}["${escapeMermaid(text)}"]${form === "plain" ? "" : `:::${form}`}`);
    lines.push("  end");
  }
  for (const arrow of diagram.arrows) lines.push(`  ${arrowText(arrow)}`);
  for (const line of ["dashed", "dotted"] as const) {
    const positions = diagram.arrows.flatMap((arrow, position) => (arrow.line === line ? [position] : []));
    if (positions.length > 0) lines.push(`  linkStyle ${positions.join(",")} stroke-dasharray:${DASHES[line]}`);
  }
  const used = new Set(diagram.groups.flatMap(({ boxes }) => boxes.map(({ form }) => form)));
  for (const [form, look] of Object.entries(CLASSES))
    if (used.has(form as BoxForm)) lines.push(`  classDef ${form} ${look}`);
  return `${lines.join("\n")}\n`;
}

function arrowText({ from, to, line, label }: DiagramArrow): string {
  const shaft = line === "solid" ? "-->" : "-.->";
  return `${from} ${shaft}${label === undefined ? "" : `|"${escapeMermaid(label)}"|`} ${to}`;
}

/** Text for quotes of Mermaid: all but letters, digits and a few harmless signs as numbered entities. */
export function escapeMermaid(text: string): string {
  return safeText(text).replace(
    /[^\p{L}\p{M}\p{N} ._+/=,()-]/gu,
    (character) => `#${character.codePointAt(0) as number};`,
  );
}
