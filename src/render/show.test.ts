import { expect, test } from "vitest";
import { CatalogBuilder } from "../input/catalog/catalog-builder.ts";
import type { Catalog } from "../model/catalog.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { type Found, find, renderShow, type ShowOutput } from "./show.ts";
import { makeStyle } from "./style.ts";

const plain = makeStyle(false);
const OUTPUTS: readonly ShowOutput[] = ["text", "wide", "json", "yaml", "name", "mermaid", "dot"];

function catalogOf(documents: readonly JsonObject[], name = "harbour"): Catalog {
  const builder = new CatalogBuilder({ name, priority: 0 });
  for (const document of documents)
    builder.add(document, { source: "catalog.yaml", line: documents.indexOf(document) + 1, column: 1 });
  return builder.finish();
}

function bundle(owner: string, version: string, properties: readonly JsonObject[] = [], more: JsonObject = {}) {
  return {
    schema: "olm.bundle",
    package: owner,
    name: `${owner}.v${version}`,
    image: `example.com/${owner}:v${version}`,
    properties: [{ type: "olm.package", value: { packageName: owner, version } }, ...properties],
    ...more,
  };
}

const api = (kind: string, version = "v1"): JsonObject => ({ group: "light.example.com", version, kind });

const LANTERN: readonly JsonObject[] = [
  { schema: "olm.package", name: "lantern", defaultChannel: "stable", description: "Lights of the harbour" },
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
      { type: "olm.constraint", value: { rule: "x", evaluator: { id: "cel" }, action: { id: "conflict" } } },
      { type: "harbour.tier", value: { tier: "gold", rank: 1 } },
      { type: "olm.bundle.object", value: { data: btoa('{"kind":"Deployment","x":"' + "y".repeat(3000) + '"}') } },
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
  if (result.kind === "missing") throw new Error(result.message);
  return result;
}

function shown(argument?: string, output: ShowOutput = "text", catalogs: readonly Catalog[] = [harbour]): string {
  return renderShow(found(argument, catalogs), { output, style: plain });
}

test("overview", () => {
  expect(shown()).toMatchInlineSnapshot();
  expect(shown(undefined, "name")).toBe("package/lantern\npackage/oakum\n");
});

test("overview of several catalogs", () => {
  expect(shown(undefined, "wide", [catalogOf(LANTERN, "b"), catalogOf(OAKUM, "c"), catalogOf(LANTERN, "a")]))
    .toMatchInlineSnapshot();
});

test("package", () => {
  expect(shown("lantern")).toMatchInlineSnapshot();
  expect(shown("oakum")).toMatchInlineSnapshot();
});

test("channel", () => {
  expect(shown("lantern/stable")).toMatchInlineSnapshot();
  expect(shown("lantern/fast")).toMatchInlineSnapshot();
});

test("bundle", () => {
  expect(shown("lantern@2.0.0")).toMatchInlineSnapshot();
  expect(shown("lantern@1.0.0")).toMatchInlineSnapshot();
});

test("names", () => {
  expect(shown("lantern", "name")).toMatchInlineSnapshot();
  expect(shown("lantern/stable", "name")).toMatchInlineSnapshot();
  expect(shown("oakum-one", "name")).toBe("bundle/oakum-one\n");
});

test("diagrams", () => {
  expect(shown("lantern", "mermaid")).toMatchInlineSnapshot();
  expect(shown("lantern/stable", "dot")).toMatchInlineSnapshot();
  expect(shown("lantern@1.2.0", "mermaid")).toMatchInlineSnapshot();
  expect(shown(undefined, "mermaid")).toMatchInlineSnapshot();
});

test("colour adds nothing but colour", () => {
  for (const argument of [undefined, "lantern", "lantern/stable", "lantern@2.0.0"]) {
    const coloured = renderShow(found(argument), { output: "text", style: makeStyle(true) });
    expect(coloured).toContain("\u001b[1m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of colours are what is looked for
    expect(coloured.replaceAll(/\u001b\[[0-9]+m/g, "")).toBe(shown(argument));
  }
});

test("the width of a terminal is kept in tables and properties", () => {
  const narrow = renderShow(found("lantern@2.0.0"), { output: "text", style: plain, width: 40 });
  const other = narrow.split("\n").find((line) => line.includes("olm.bundle.object"));
  expect(other).toHaveLength(40);
  expect(other).toContain("…");
});

/** A channel of many releases, every tenth with a short cut. */
function longChannel(count: number): readonly JsonObject[] {
  const versions = Array.from({ length: count }, (_, i) => `1.${i}.0`);
  return [
    { schema: "olm.package", name: "pump", defaultChannel: "stable" },
    {
      schema: "olm.channel",
      package: "pump",
      name: "stable",
      entries: versions.map((version, i) => ({
        name: `pump.v${version}`,
        ...(i > 0 && { replaces: `pump.v1.${i - 1}.0` }),
        ...(i % 20 === 10 && { skipRange: `>=1.0.0 <${version}` }),
      })),
    },
    ...versions.map((version) => bundle("pump", version)),
  ];
}

test("a long channel is drawn together, unless everything is wanted", () => {
  const long = [catalogOf(longChannel(60))];
  expect(shown("pump/stable", "text", long)).toMatchInlineSnapshot();
  expect(shown("pump/stable", "wide", long).match(/^● /gm)).toHaveLength(60);
  expect(shown("pump/stable", "text", [catalogOf(longChannel(40))]).match(/^● /gm)).toHaveLength(40);
});

test("every entry of a channel is shown, however entries skip each other", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const skips: Record<string, readonly string[]> = { a: ["b", "zz"], b: ["c", "b"], d: ["e", "yy"], e: ["d"], f: ["f"] };
  const documents = [
    { schema: "olm.package", name: "knot", defaultChannel: "x" },
    {
      schema: "olm.channel",
      package: "knot",
      name: "x",
      entries: names.map((name) => ({ name, skips: skips[name] ?? [] })),
    },
    ...names.map((name, i) => ({ ...bundle("knot", `1.${i}.0`), name })),
  ] as readonly JsonObject[];
  expect(shown("knot/x", "text", [catalogOf(documents)])).toMatchInlineSnapshot();
});

test("the report", () => {
  const report = JSON.parse(shown("lantern/stable", "json"));
  expect(report).toMatchObject({
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "CatalogReport",
    catalogs: [{ name: "harbour", packages: 2, channels: 3, bundles: 4, dropped: 1 }],
    channel: { name: "stable", head: "lantern.v2.0.0" },
  });
  expect(Object.keys(JSON.parse(shown(undefined, "json")))).toEqual(["apiVersion", "kind", "catalogs", "packages"]);
  expect(report.packages).toEqual([
    {
      catalog: "harbour",
      name: "lantern",
      defaultChannel: "stable",
      channels: [
        { name: "fast", head: "lantern.v2.0.0", entries: 1 },
        { name: "stable", head: "lantern.v2.0.0", entries: 5 },
      ],
    },
    {
      catalog: "harbour",
      name: "oakum",
      defaultChannel: "alpha",
      channels: [{ name: "alpha", head: "oakum-one", entries: 1 }],
    },
  ]);
  expect(report.package).toMatchInlineSnapshot();
});

test("the report of a bundle", () => {
  expect(JSON.parse(shown("lantern@1.2.0", "json")).bundle).toMatchInlineSnapshot();
  const twice = JSON.parse(shown("lantern", "json", [catalogOf(LANTERN, "b"), catalogOf(LANTERN, "a")]));
  expect(twice.package).toMatchObject({ catalog: "a", alsoIn: ["b"] });
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

test("the order of documents, keys and catalogs changes nothing", () => {
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
    for (const output of OUTPUTS) expect(shown(argument, output, two)).toBe(shown(argument, output, one));
});

test("hostile names cannot write to the terminal or break a format", () => {
  const evil = 'x"]; end\n\u001b[2J\u202e<b>\u009b31m`$(id)`';
  const documents: readonly JsonObject[] = [
    { schema: "olm.package", name: "evil", defaultChannel: evil, description: `${evil}\n\u0007` },
    {
      schema: "olm.channel",
      package: "evil",
      name: evil,
      entries: [{ name: evil, replaces: `${evil}0`, skips: [`${evil}1`] }],
    },
    {
      ...bundle("evil", "1.0.0", [
        { type: evil, value: { [evil]: evil } },
        { type: "olm.label", value: { label: evil } },
        { type: "olm.package.required", value: { packageName: evil, versionRange: evil } },
        { type: "olm.constraint", value: { message: evil, cel: { rule: evil } } },
        { type: "olm.csv.metadata", value: { displayName: evil } },
        { type: "olm.bundle.object", value: { data: btoa('{"kind":"\\u001b[2J"}') } },
      ]),
      name: evil,
    },
    {
      schema: "olm.deprecations",
      package: "evil",
      entries: [
        { reference: { schema: "olm.package" }, message: evil },
        { reference: { schema: "olm.bundle", name: evil }, message: evil },
      ],
    },
  ];
  const catalogs = [catalogOf(documents, evil), catalogOf(documents, "tame")];
  for (const argument of [undefined, "evil", `evil/${evil}`, "evil@1.0.0"])
    for (const output of OUTPUTS) {
      const text = shown(argument, output, catalogs);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(text).not.toMatch(/^\s*\u001b/m);
      if (output === "name") expect(text).toMatch(/^(?:(?:package|bundle)\/[^\n]+\n)+$/);
      if (output === "json") expect(JSON.parse(text).packages[0].defaultChannel).toBe(evil);
    }
});
