import { expect, test } from "vitest";
import { bundle, catalogOf, LANTERN } from "../../../test/catalog/lantern-catalog.ts";
import { find } from "../../catalog/find.ts";
import type { JsonObject } from "../../model/json.ts";
import { makeStyle } from "../kit/style.ts";
import type { Format } from "../output-formats.ts";
import { missingText } from "../sentence/not-in-catalog.ts";
import { renderShow } from "./render-show.ts";

function shown(
  documents: readonly JsonObject[],
  argument: string | undefined,
  output: Format<"show">,
): Promise<string> {
  const found = find([catalogOf(documents)], argument);
  if (found.kind === "missing") throw new Error(missingText(found));
  return renderShow(found, { output, style: makeStyle(false) });
}

test("a package as Mermaid, one group a channel", async () => {
  expect(await shown(LANTERN, "lantern", "mermaid")).toMatchInlineSnapshot(`
    "flowchart BT
      subgraph g0["lantern/fast"]
        n0["lantern.v2.0.0 (head)"]:::strong
      end
      subgraph g1["lantern/stable (default)"]
        n1["lamp.v9.9.9 (not in this channel)"]:::absent
        n2["lantern.v0.1.0 (not in this channel)"]:::absent
        n3["lantern.v1.0.0 (deprecated)"]
        n4["lantern.v1.1.0 (no bundle)"]:::absent
        n5["lantern.v1.2.0"]
        n6["lantern.v1.9.0"]:::weak
        n7["lantern.v2.0.0 (head)"]:::strong
        n8["any version"]:::absent
      end
      n1 --> n3
      n3 --> n4
      n4 --> n5
      n8 -.->|"#62;=1.0.0 #60;1.2.0"| n5
      n5 --> n6
      n5 --> n7
      n2 -.-> n7
      n6 -.-> n7
      linkStyle 6,7 stroke-dasharray:8 4
      linkStyle 3 stroke-dasharray:2 3
      classDef strong stroke-width:3px
      classDef weak opacity:0.6
      classDef absent stroke-dasharray:2 4
    "
  `);
});

test("a channel as DOT", async () => {
  expect(await shown(LANTERN, "lantern/stable", "dot")).toMatchInlineSnapshot(`
    "digraph {
      rankdir=BT;
      node [shape=box];
      subgraph cluster_0 {
        label="lantern/stable (default)";
        n0 [label="lamp.v9.9.9 (not in this channel)", style=dotted];
        n1 [label="lantern.v0.1.0 (not in this channel)", style=dotted];
        n2 [label="lantern.v1.0.0 (deprecated)"];
        n3 [label="lantern.v1.1.0 (no bundle)", style=dotted];
        n4 [label="lantern.v1.2.0"];
        n5 [label="lantern.v1.9.0", color=gray50, fontcolor=gray50];
        n6 [label="lantern.v2.0.0 (head)", penwidth=3];
        n7 [label="any version", style=dotted];
      }
      n0 -> n2;
      n2 -> n3;
      n3 -> n4;
      n7 -> n4 [style=dotted, label=">=1.0.0 <1.2.0"];
      n4 -> n5;
      n4 -> n6;
      n1 -> n6 [style=dashed];
      n5 -> n6 [style=dashed];
    }
    "
  `);
});

test("a bundle with what is next to it", async () => {
  expect(await shown(LANTERN, "lantern@1.9.0", "mermaid")).toMatchInlineSnapshot(`
    "flowchart BT
      subgraph g0["lantern/stable (default)"]
        n0["lantern.v1.2.0"]
        n1["lantern.v1.9.0"]:::weak
        n2["lantern.v2.0.0 (head)"]:::strong
      end
      n0 --> n1
      n1 -.-> n2
      linkStyle 1 stroke-dasharray:8 4
      classDef strong stroke-width:3px
      classDef weak opacity:0.6
    "
  `);
});

test("everything: which package needs which", async () => {
  const wick: readonly JsonObject[] = [
    { schema: "olm.package", name: "wick", defaultChannel: "x" },
    { schema: "olm.channel", package: "wick", name: "x", entries: [{ name: "wick.v1.0.0" }] },
    bundle("wick", "1.0.0", [{ type: "olm.gvk.required", value: { kind: "Lamp", group: "g", version: "v1" } }]),
  ];
  expect(await shown([...LANTERN, ...wick], undefined, "mermaid")).toMatchInlineSnapshot(`
    "flowchart BT
      subgraph g0["harbour"]
        n1["lantern"]
        n2["wick"]
      end
      subgraph g1["in no catalog"]
        n0["lamp-oil"]:::absent
      end
      n0 -->|"#62;=0.2.0"| n1
      n1 -.->|"Lamp (g/v1)"| n2
      linkStyle 1 stroke-dasharray:8 4
      classDef absent stroke-dasharray:2 4
    "
  `);
});
