import { expect, test } from "vitest";
import { CatalogBuilder } from "../../input/catalog/catalog-builder.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { JsonObject } from "../../model/json.ts";
import { find, renderShow, type ShowOutput } from "../show.ts";
import { makeStyle } from "../style.ts";

function catalogOf(documents: readonly JsonObject[], name = "harbour"): Catalog {
  const builder = new CatalogBuilder({ name, priority: 0 });
  for (const [index, document] of documents.entries())
    builder.add(document, { source: "catalog.yaml", line: index + 1, column: 1 });
  return builder.finish();
}

function bundle(owner: string, version: string, properties: readonly JsonObject[] = []): JsonObject {
  return {
    schema: "olm.bundle",
    package: owner,
    name: `${owner}.v${version}`,
    image: `example.com/${owner}:v${version}`,
    properties: [{ type: "olm.package", value: { packageName: owner, version } }, ...properties],
  };
}

function shown(documents: readonly JsonObject[], argument: string | undefined, output: ShowOutput): string {
  const found = find([catalogOf(documents)], argument);
  if (found.kind === "missing") throw new Error(found.message);
  return renderShow(found, { output, style: makeStyle(false) });
}

const LANTERN: readonly JsonObject[] = [
  { schema: "olm.package", name: "lantern", defaultChannel: "stable" },
  {
    schema: "olm.channel",
    package: "lantern",
    name: "stable",
    entries: [
      { name: "lantern.v2.0.0", replaces: "lantern.v1.2.0", skips: ["lantern.v1.9.0", "lantern.v0.1.0"] },
      { name: "lantern.v1.9.0", replaces: "lantern.v1.2.0" },
      { name: "lantern.v1.2.0", replaces: "lantern.v1.1.0", skipRange: ">=1.0.0 <1.2.0" },
      { name: "lantern.v1.1.0", replaces: "lantern.v1.0.0" },
      { name: "lantern.v1.0.0", replaces: "lamp.v9.9.9" },
    ],
  },
  { schema: "olm.channel", package: "lantern", name: "fast", entries: [{ name: "lantern.v2.0.0" }] },
  bundle("lantern", "1.0.0", [{ type: "olm.deprecated", value: {} }]),
  bundle("lantern", "1.2.0", [{ type: "olm.gvk", value: { kind: "Lamp", group: "g", version: "v1" } }]),
  bundle("lantern", "1.9.0"),
  bundle("lantern", "2.0.0", [
    { type: "olm.package.required", value: { packageName: "lamp-oil", versionRange: ">=0.2.0" } },
    { type: "olm.constraint", value: { message: "quiet", rule: "true", action: { id: "conflict" } } },
  ]),
  {
    schema: "olm.deprecations",
    package: "lantern",
    entries: [{ reference: { schema: "olm.channel", name: "fast" }, message: "use stable" }],
  },
];

test("a package as Mermaid, one group a channel", () => {
  expect(shown(LANTERN, "lantern", "mermaid")).toMatchInlineSnapshot(`
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

test("a channel as DOT", () => {
  expect(shown(LANTERN, "lantern/stable", "dot")).toMatchInlineSnapshot(`
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

test("a bundle with what is next to it", () => {
  expect(shown(LANTERN, "lantern@1.9.0", "mermaid")).toMatchInlineSnapshot(`
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

test("everything: which package needs which", () => {
  const wick: readonly JsonObject[] = [
    { schema: "olm.package", name: "wick", defaultChannel: "x" },
    { schema: "olm.channel", package: "wick", name: "x", entries: [{ name: "wick.v1.0.0" }] },
    bundle("wick", "1.0.0", [{ type: "olm.gvk.required", value: { kind: "Lamp", group: "g", version: "v1" } }]),
  ];
  expect(shown([...LANTERN, ...wick], undefined, "mermaid")).toMatchInlineSnapshot(`
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
