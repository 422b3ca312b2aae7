import { expect, test } from "vitest";
import { bundle, catalogOf, LANTERN_STABLE } from "../../../test/catalog/lantern-catalog.ts";
import { stocked } from "../../../test/worlds/scene.ts";
import { type Found, find } from "../../catalog/find.ts";
import { CatalogBuilder } from "../../input/catalog/catalog-builder.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { makeStyle } from "../kit/style.ts";
import { FORMATS, type Format } from "../output-formats.ts";
import { missingText } from "../sentence/not-in-catalog.ts";
import { renderShow } from "./render-show.ts";

const plain = makeStyle(false);
const OUTPUTS = FORMATS.show;

const HORN = { group: "g.io", version: "v1", kind: "Horn" };
const CONFLICT = { id: "conflict" };
const api = (kind: string, version = "v1"): JsonObject => ({ group: "light.example.com", version, kind });

const LANTERN: readonly JsonObject[] = [
  { schema: "olm.package", name: "lantern", defaultChannel: "stable", description: "Lights of the harbour" },
  LANTERN_STABLE,
  { schema: "olm.channel", package: "lantern", name: "fast", entries: [{ name: "lantern.v2.0.0" }] },
  bundle("lantern", "1.0.0", [{ type: "olm.deprecated", value: {} }]),
  bundle("lantern", "1.2.0", [{ type: "olm.gvk", value: api("Lamp") }]),
  bundle("lantern", "1.9.0"),
  bundle(
    "lantern",
    "2.0.0",
    [
      { type: "olm.gvk", value: api("Lamp") },
      { type: "olm.gvk", value: api("Lamp") },
      { type: "olm.gvk", value: api("Dashboard", "v1beta1") },
      { type: "olm.gvk.required", value: { group: "", version: "v1", kind: "Wick" } },
      { type: "olm.package.required", value: { packageName: "lamp-oil", versionRange: ">=0.2.0" } },
      { type: "olm.label.required", value: { label: "dry" } },
      { type: "olm.constraint", value: { failureMessage: "no loud neighbours", cel: { rule: "true" } } },
      { type: "olm.constraint", value: { all: { constraints: [{ gvk: api("Lamp") }, { gvk: api("Oil") }] } } },
      { type: "olm.constraint", value: { rule: "1 == 2", evaluator: { id: "cel" }, action: { id: "conflict" } } },
      { type: "olm.constraint", value: { rule: "x", evaluator: { id: "cel" } } },
      { type: "olm.package.required", value: { packageName: "lamp-oil", versionRange: "newest" } },
      { type: "harbour.tier", value: { tier: "gold", rank: 1 } },
      { type: "olm.bundle.object", value: { data: btoa(`{"kind":"Deployment","x":"${"y".repeat(3000)}"}`) } },
      { type: "olm.bundle.object", value: { data: btoa("apiVersion: v1\nkind: Service\n") } },
      { type: "olm.csv.metadata", value: { displayName: "Lantern", keywords: ["light"] } },
    ],
    { relatedImages: [{ name: "lens", image: "example.com/lens:v2" }] },
  ),
  {
    schema: "olm.deprecations",
    package: "lantern",
    entries: [{ reference: { schema: "olm.channel", name: "fast" }, message: "use stable" }],
  },
];

const OAKUM: readonly JsonObject[] = [
  { schema: "olm.package", name: "oakum", defaultChannel: "alpha" },
  { schema: "olm.channel", package: "oakum", name: "alpha", entries: [{ name: "oakum-one" }] },
  { ...bundle("oakum", "1.0.0-rc.1"), name: "oakum-one" },
  bundle("oakum", "0.0.1"),
  {
    schema: "olm.deprecations",
    package: "oakum",
    entries: [{ reference: { schema: "olm.package" }, message: "oakum is called hull-caulk now" }],
  },
];

const harbour = catalogOf([...LANTERN, ...OAKUM]);

function found(argument?: string, catalogs: readonly Catalog[] = [harbour]): Found {
  const result = find(catalogs, argument);
  if (result.kind === "missing") throw new Error(missingText(result));
  return result;
}

function shown(
  argument?: string,
  output: Format<"show"> = "text",
  catalogs: readonly Catalog[] = [harbour],
): Promise<string> {
  return renderShow(found(argument, catalogs), { output, style: plain });
}

test("overview", async () => {
  expect(await shown()).toMatchInlineSnapshot(`
    "harbour: 2 packages, 3 channels, 5 bundles; left out: 1 bundle

    PACKAGE             DEFAULT CHANNEL  HEAD        CHANNELS  BUNDLES
    lantern             stable           2.0.0              2        4
    oakum (deprecated)  alpha            1.0.0-rc.1         1        1
    "
  `);
  expect(await shown(undefined, "name")).toBe("package/lantern\npackage/oakum\n");
});

test("overview with more than one catalog", async () => {
  expect(
    await shown(undefined, "wide", [catalogOf(LANTERN, "b"), catalogOf(OAKUM, "c"), catalogOf(LANTERN, "a")]),
  ).toMatchInlineSnapshot(`
    "a: 1 package, 2 channels, 4 bundles
    b: 1 package, 2 channels, 4 bundles
    c: 1 package, 1 channel, 1 bundle; left out: 1 bundle

    PACKAGE             DEFAULT CHANNEL  HEAD        CHANNELS  BUNDLES  CATALOG  DESCRIPTION
    lantern             stable           2.0.0              2        4  a        Lights of the harbour
    lantern             stable           2.0.0              2        4  b        Lights of the harbour
    oakum (deprecated)  alpha            1.0.0-rc.1         1        1  c
    "
  `);
});

test("package", async () => {
  expect(await shown("lantern")).toMatchInlineSnapshot(`
    "lantern

      Description      Lights of the harbour
      Catalog          harbour
      Default channel  stable
      Read from        catalog.yaml:1:1

    CHANNEL            HEAD            ENTRIES
    fast (deprecated)  lantern.v2.0.0        1
    stable (default)   lantern.v2.0.0        5

    lantern.v2.0.0 provides
      Dashboard (light.example.com/v1beta1)
      Lamp (light.example.com/v1)

    lantern.v2.0.0 requires
      Wick (v1)
      package lamp-oil >=0.2.0
      package lamp-oil newest, which cannot be read: "newest" is not a version range: "newest" is not a comparison: write one such as >=1.0.0
      label dry
      no loud neighbours (CEL)
      the API Lamp (light.example.com/v1) and the API Oil (light.example.com/v1)
      no operator that meets the rule 1 == 2 (conflict)
      olm.constraint {"evaluator":{"id":"cel"},"rule":"x"}, which cannot be read: the rule cannot be compiled: no such variable \`x\`
    "
  `);
  expect(await shown("oakum")).toMatchInlineSnapshot(`
    "oakum

      Catalog          harbour
      Default channel  alpha
      Deprecated       oakum is called hull-caulk now
      Read from        catalog.yaml:9:1

    CHANNEL          HEAD                    ENTRIES
    alpha (default)  oakum-one (1.0.0-rc.1)        1

    oakum-one provides
      nothing

    oakum-one requires
      nothing
    "
  `);
});

test("bundle", async () => {
  expect(await shown("lantern@2.0.0")).toMatchInlineSnapshot(`
    "lantern.v2.0.0

      Package    lantern
      Version    2.0.0
      Catalog    harbour
      Image      example.com/lantern:v2.0.0
      Read from  catalog.yaml:7:1

    Channel fast (head, deprecated)
      no upgrade leads to it or from it

    Channel stable (default, head)
      from  lantern.v1.2.0  (this replaces it)
      from  lantern.v1.9.0  (this skips it)
      from  lantern.v0.1.0  (this skips it)

    Provides
      Dashboard (light.example.com/v1beta1)
      Lamp (light.example.com/v1)

    Requires
      Wick (v1)
      package lamp-oil >=0.2.0
      package lamp-oil newest, which cannot be read: "newest" is not a version range: "newest" is not a comparison: write one such as >=1.0.0
      label dry
      no loud neighbours (CEL)
      the API Lamp (light.example.com/v1) and the API Oil (light.example.com/v1)
      no operator that meets the rule 1 == 2 (conflict)
      olm.constraint {"evaluator":{"id":"cel"},"rule":"x"}, which cannot be read: the rule cannot be compiled: no such variable \`x\`

    Other properties
      harbour.tier: {"rank":1,"tier":"gold"}
      olm.bundle.object: kind Deployment, 3 KiB
      olm.bundle.object: kind Service, 29 bytes
      olm.csv.metadata: Lantern, 2 fields, 46 bytes

    Related images
      lens  example.com/lens:v2
    "
  `);
  expect(await shown("lantern@1.0.0")).toMatchInlineSnapshot(`
    "lantern.v1.0.0

      Package     lantern
      Version     1.0.0
      Catalog     harbour
      Deprecated  marked olm.deprecated: it only holds the upgrade graph together
      Image       example.com/lantern:v1.0.0
      Read from   catalog.yaml:4:1

    Channel stable (default)
      from  lamp.v9.9.9  (this replaces it)
      to    lantern.v1.1.0  (it replaces this)
      to    lantern.v1.2.0  (its skipRange >=1.0.0 <1.2.0)

    Provides
      nothing

    Requires
      nothing

    Other properties
      olm.deprecated: {}
    "
  `);
});

test("names", async () => {
  expect(await shown("lantern", "name")).toMatchInlineSnapshot(`
    "package/lantern
    bundle/lantern.v2.0.0
    bundle/lantern.v1.9.0
    bundle/lantern.v1.2.0
    bundle/lantern.v1.0.0
    "
  `);
  expect(await shown("lantern/stable", "name")).toMatchInlineSnapshot(`
    "bundle/lantern.v2.0.0
    bundle/lantern.v1.2.0
    bundle/lantern.v1.0.0
    bundle/lantern.v1.9.0
    "
  `);
  expect(await shown("oakum-one", "name")).toBe("bundle/oakum-one\n");
});

test("colour adds nothing but colour", async () => {
  for (const argument of [undefined, "lantern", "lantern/stable", "lantern@2.0.0"]) {
    const coloured = await renderShow(found(argument), { output: "text", style: makeStyle(true) });
    expect(coloured).toContain("\u001b[1m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of colours are what is looked for
    expect(coloured.replaceAll(/\u001b\[[0-9]+m/g, "")).toBe(await shown(argument));
  }
});

test.each<[string, JsonObject, string]>([
  ["a conflict", { gvk: HORN, action: CONFLICT }, "no operator that provides Horn (g.io/v1) (conflict)"],
  ["a conflict with a message", { gvk: HORN, message: "loud", action: CONFLICT }, "loud (conflict, Horn (g.io/v1))"],
  [
    "a conflict with none",
    { none: { constraints: [{ gvk: HORN }] }, action: CONFLICT },
    "the API Horn (g.io/v1), from another operator (conflict)",
  ],
  [
    "a conflict with all",
    {
      all: { constraints: [{ gvk: HORN }, { package: { packageName: "b", versionRange: ">=1.0.0" } }] },
      action: CONFLICT,
    },
    "not both an operator that provides Horn (g.io/v1) and b >=1.0.0 (conflict)",
  ],
  [
    "what cannot be read",
    { package: { packageName: "davit" } },
    'olm.constraint {"package":{"packageName":"davit"}}, which cannot be read: package has no versionRange',
  ],
])("%s is shown as the resolver reads it", async (_, value, expected) => {
  const catalog = stocked({ a: { "1.0.0": [{ type: "olm.constraint", value }] } });
  const text = await renderShow(found("a.v1.0.0", [catalog]), { output: "text", style: plain });
  expect(/Requires\n {2}(.*)\n/.exec(text)?.[1]).toBe(expected);
});

test("requirements wrap at words instead of being cut", async () => {
  const narrow = await renderShow(found("lantern@2.0.0"), { output: "text", style: plain, width: 60 });
  const wide = await renderShow(found("lantern@2.0.0"), { output: "text", style: plain, width: undefined });
  const requires = (text: string): string => (/Requires\n(.*?)\n\n/s.exec(text)?.[1] ?? "").replace(/\s+/g, " ");
  expect(requires(narrow)).toBe(requires(wide));
  expect(requires(wide)).toContain("cannot be read");
});

test("the width of a terminal is kept in tables and properties", async () => {
  const narrow = await renderShow(found("lantern@2.0.0"), { output: "text", style: plain, width: 40 });
  const other = narrow.split("\n").find((line) => line.includes("olm.bundle.object"));
  expect(other).toHaveLength(40);
  expect(other).toContain("…");
});

/** The same value with the keys of its objects turned around. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item as Json)]),
  );
}

test("the order of documents, keys and catalogs changes nothing", async () => {
  const at = { source: "catalog.yaml", line: 1, column: 1 };
  const build = (documents: readonly JsonObject[], name: string): Catalog => {
    const builder = new CatalogBuilder({ name, priority: 0 });
    for (const document of documents) builder.add(document, at);
    return builder.finish();
  };
  const documents = [...LANTERN, ...OAKUM];
  const shuffled = [...documents].reverse().map((document) => turned(document) as JsonObject);
  const one = [build(documents, "a"), build(LANTERN, "b")];
  const two = [build([...LANTERN].reverse(), "b"), build(shuffled, "a")];
  for (const argument of [undefined, "lantern", "lantern/stable", "lantern@2.0.0"])
    for (const output of OUTPUTS) expect(await shown(argument, output, two)).toBe(await shown(argument, output, one));
});
