import { expect, test } from "vitest";
import { bundle, catalogOf, LANTERN } from "../../../test/catalog/lantern-catalog.ts";
import { find } from "../../catalog/find.ts";
import type { JsonObject } from "../../model/json.ts";
import { makeStyle } from "../kit/style.ts";
import type { Format } from "../output-formats.ts";
import { missingText } from "../sentence/not-in-catalog.ts";
import { renderShow } from "./render-show.ts";

function shown(documents: readonly JsonObject[], argument: string, output: Format<"show"> = "text"): Promise<string> {
  const found = find([catalogOf(documents)], argument);
  if (found.kind === "missing") throw new Error(missingText(found));
  return renderShow(found, { output, style: makeStyle(false) });
}

test("a channel from its head down", async () => {
  expect(await shown(LANTERN, "lantern/stable")).toMatchInlineSnapshot(`
    "lantern/stable (default channel)

      Catalog    harbour
      Entries    5, of which 1 skipped
      Read from  catalog.yaml:2:1

    ● lantern.v2.0.0 (head, default)
    │   skips lantern.v1.9.0 (replaces lantern.v1.2.0)
    │   skips lantern.v0.1.0 (not in this channel)
    ● lantern.v1.2.0
    │   skipRange >=1.0.0 <1.2.0
    ● lantern.v1.1.0 (no bundle)
    ● lantern.v1.0.0 (deprecated)
    │   replaces lamp.v9.9.9 (not in this channel)
    "
  `);
  expect(await shown(LANTERN, "lantern/fast")).toMatchInlineSnapshot(`
    "lantern/fast

      Catalog     harbour
      Entries     1
      Deprecated  use stable
      Read from   catalog.yaml:3:1

    ● lantern.v2.0.0 (head)
    "
  `);
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

test("a long channel is drawn together, unless everything is wanted", async () => {
  expect(await shown(longChannel(60), "pump/stable")).toMatchInlineSnapshot(`
    "pump/stable (default channel)

      Catalog    harbour
      Entries    60
      Read from  catalog.yaml:2:1

    ● pump.v1.59.0 (head, default)
    … 8 more entries from pump.v1.58.0 to pump.v1.51.0
    ● pump.v1.50.0
    │   skipRange >=1.0.0 <1.50.0
    … 19 more entries from pump.v1.49.0 to pump.v1.31.0
    ● pump.v1.30.0
    │   skipRange >=1.0.0 <1.30.0
    … 19 more entries from pump.v1.29.0 to pump.v1.11.0
    ● pump.v1.10.0
    │   skipRange >=1.0.0 <1.10.0
    … 9 more entries from pump.v1.9.0 to pump.v1.1.0
    ● pump.v1.0.0

    -o wide shows every entry
    "
  `);
  expect((await shown(longChannel(60), "pump/stable", "wide")).match(/^● /gm)).toHaveLength(60);
  expect((await shown(longChannel(40), "pump/stable")).match(/^● /gm)).toHaveLength(40);
});

test("runs of skipped entries are drawn together as well", async () => {
  const versions = Array.from({ length: 50 }, (_, i) => `1.${i}.0`);
  const names = versions.map((version) => `pump.v${version}`);
  const documents = [
    { schema: "olm.package", name: "pump", defaultChannel: "x" },
    {
      schema: "olm.channel",
      package: "pump",
      name: "x",
      entries: [
        { name: "pump.v2.1.0", replaces: "pump.v2.0.0", skips: [...names, "pump.v0.1.0"] },
        { name: "pump.v2.0.0", skips: names },
        ...names.map((name) => ({ name })),
      ],
    },
    ...["2.0.0", "2.1.0", ...versions].map((version) => bundle("pump", version)),
  ];
  expect((await shown(documents, "pump/x")).split("\n").slice(5).join("\n")).toMatchInlineSnapshot(`
    "
    ● pump.v2.1.0 (head, default)
    │   skips 50 entries from pump.v1.49.0 to pump.v1.0.0
    │   skips pump.v0.1.0 (not in this channel)
    ● pump.v2.0.0
    │   also skips pump.v1.0.0, pump.v1.1.0, pump.v1.10.0, pump.v1.11.0 and 46 more

    -o wide shows every entry
    "
  `);
});

test("every entry of a channel is shown, with any skips", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const skips: Record<string, readonly string[]> = {
    a: ["b", "zz"],
    b: ["c", "b"],
    d: ["e", "yy"],
    e: ["d"],
    f: ["f"],
  };
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
  expect(await shown(documents, "knot/x")).toMatchInlineSnapshot(`
    "knot/x (default channel)

      Catalog    harbour
      Entries    6, of which 5 skipped
      Read from  catalog.yaml:2:1

    ● a (1.0.0) (head, default)
    │   skips b (1.1.0) (skips b)
    │   b skips c (1.2.0)
    │   skips zz (not in this channel)
    ○ f (1.5.0) (skips f, only skipped by f)
    ○ d (1.3.0) (skips yy, only skipped by e)
    ○ e (1.4.0) (skips d, only skipped by d)
    "
  `);
});
