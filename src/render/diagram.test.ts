import { expect, test } from "vitest";
import type { Diagram } from "./diagram.ts";
import { printDot, quoteDot } from "./dot.ts";
import { escapeMermaid, printMermaid } from "./mermaid.ts";

const HOSTILE = ['"]; click n0 "javascript:alert(1)"', "end", "<b>&lt;</b>", "a\nb", "\\N", "`md`", "x#quot;", "}"];

const DIAGRAM: Diagram = {
  groups: [{ label: 'channel "x"', boxes: HOSTILE.map((label, i) => ({ id: `n${i}`, label, form: "plain" })) }],
  arrows: [
    { from: "n0", to: "n1", line: "solid" },
    { from: "n1", to: "n2", line: "dashed" },
    { from: "n2", to: "n3", line: "dotted", label: '>=1.0.0 <2.0.0 || "x"' },
  ],
};

test("Mermaid", () => {
  expect(printMermaid(DIAGRAM)).toMatchInlineSnapshot();
});

test("DOT", () => {
  expect(printDot(DIAGRAM)).toMatchInlineSnapshot();
});

test("no text leaves its quotes", () => {
  for (const text of HOSTILE) {
    expect(escapeMermaid(text).replaceAll(/#[0-9]+;/g, "")).toMatch(/^[A-Za-z0-9 ._+/=,()-]*$/);
    expect(quoteDot(text).slice(1, -1)).toMatch(/^(?:[^"\\\n]|\\\\|\\")*$/);
  }
});

test("diagrams without anything in them are still diagrams", () => {
  expect(printMermaid({ groups: [], arrows: [] })).toBe("flowchart BT\n");
  expect(printDot({ groups: [], arrows: [] })).toBe("digraph {\n  rankdir=BT;\n  node [shape=box];\n}\n");
});
