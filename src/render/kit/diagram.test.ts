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
  expect(printMermaid(DIAGRAM)).toMatchInlineSnapshot(`
    "flowchart BT
      subgraph g0["channel #34;x#34;"]
        n0["#34;#93;#59; click n0 #34;javascript#58;alert(1)#34;"]
        n1["end"]
        n2["#60;b#62;#38;lt#59;#60;/b#62;"]
        n3["a#92;u#123;a#125;b"]
        n4["#92;N"]
        n5["#96;md#96;"]
        n6["x#35;quot#59;"]
        n7["#125;"]
      end
      n0 --> n1
      n1 -.-> n2
      n2 -.->|"#62;=1.0.0 #60;2.0.0 #124;#124; #34;x#34;"| n3
      linkStyle 1 stroke-dasharray:8 4
      linkStyle 2 stroke-dasharray:2 3
    "
  `);
});

test("DOT", () => {
  expect(printDot(DIAGRAM)).toMatchInlineSnapshot(`
    "digraph {
      rankdir=BT;
      node [shape=box];
      subgraph cluster_0 {
        label="channel \\"x\\"";
        n0 [label="\\"]; click n0 \\"javascript:alert(1)\\""];
        n1 [label="end"];
        n2 [label="<b>&amp;lt;</b>"];
        n3 [label="a\\\\u{a}b"];
        n4 [label="\\\\N"];
        n5 [label="\`md\`"];
        n6 [label="x#quot;"];
        n7 [label="}"];
      }
      n0 -> n1;
      n1 -> n2 [style=dashed];
      n2 -> n3 [style=dotted, label=">=1.0.0 <2.0.0 || \\"x\\""];
    }
    "
  `);
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
