// Is an unpacked catalog the one that its documents give? Every catalog of the cases and examples, and random ones, are
// packed, and unpacked under another name and other paths: the result must equal what is read there.

import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CatalogBuilder, type CatalogIdentity } from "../../src/input/catalog/catalog-builder.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { packCatalog } from "../../src/input/packed/pack-catalog.ts";
import { unpackCatalog } from "../../src/input/packed/unpack-catalog.ts";
import type { Bundle, Catalog, Property } from "../../src/model/catalog.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { InputFiles } from "../../src/source/input-files.ts";
import { loadCatalog } from "../../src/source/load-catalog.ts";

const HERE: CatalogIdentity = { name: "here", priority: 0 };
const THERE: CatalogIdentity = { name: "there-and-longer", namespace: "olm", priority: -7 };

/** What deep equality does not compare: the order of maps and of the keys of values. */
function ordersOf(catalog: Catalog): string {
  const names = (bundles: readonly Bundle[]): readonly string[] => bundles.map(({ name }) => name);
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
  return text([
    [...catalog.packages].map(([name, one]) => [
      name,
      [...one.channels].map(([channel, { entries }]) => [channel, ...entries.keys()]),
      [...one.bundles].map(([bundle, { properties }]) => [bundle, properties]),
      [...one.deprecations.channels, ...one.deprecations.bundles],
    ]),
    [...catalog.providers].map(([key, bundles]) => [key, names(bundles)]),
    [...catalog.byPropertyType].map(([key, bundles]) => [key, names(bundles)]),
    catalog.others,
  ]);
}

/** What is one object stays one. */
function checkIdentities(catalog: Catalog, original: Catalog): void {
  const apis = (one: Catalog): ReadonlySet<Property> => {
    const bundles = [...one.packages.values()].flatMap(({ bundles }) => [...bundles.values()]);
    return new Set(bundles.flatMap(({ properties }) => properties.filter(({ type }) => /^olm\.gvk/.test(type))));
  };
  expect(apis(catalog).size).toBeLessThanOrEqual(apis(original).size);
  const known = new Set<Bundle>();
  for (const { channels, bundles } of catalog.packages.values()) {
    for (const bundle of bundles.values()) known.add(bundle);
    for (const { entries, head, chain } of channels.values()) {
      expect(chain[0]).toBe(head);
      for (const entry of chain) expect(entries.get(entry.name)).toBe(entry);
      for (const { name, bundle } of entries.values()) expect(bundle).toBe(bundles.get(name));
    }
  }
  for (const index of [catalog.providers, catalog.byPropertyType])
    for (const bundles of index.values()) for (const bundle of bundles) expect(known.has(bundle)).toBe(true);
}

/** Packs what is here, and compares it with what is there. */
function checkPacked(here: Catalog, prefix: string, there: Catalog, otherPrefix: string): void {
  const bytes = packCatalog(here, prefix);
  for (const [identity, place, expected] of [
    [HERE, prefix, here],
    [THERE, otherPrefix, there],
  ] as const) {
    // A Buffer, as a file is read, and at an odd address.
    const read = Buffer.concat([Buffer.from("x"), bytes]).subarray(1);
    const again = unpackCatalog(read, identity, place) as Catalog;
    expect(again).toBeDefined();
    if (!isDeepStrictEqual(again, expected)) expect(again).toStrictEqual(expected);
    expect(ordersOf(again) === ordersOf(expected)).toBe(true);
    checkIdentities(again, expected);
  }
}

/** Everything that could be given as a catalog: files and directories of cases, and of examples. */
function candidates(): readonly string[] {
  const cases = readdirSync("test/cases", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("commands.txt"))
    .map((path) => join("test/cases", dirname(path)));
  return [...cases, "examples", "examples/harbour", "examples/bundles"]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => !/^(commands|expected)\.txt$/.test(name))
        .map((name) => join(folder, name)),
    );
}

describe("every catalog of the cases and examples", () => {
  let loaded = 0;
  let withBundles = 0;
  const codes = new Set<string>();

  test.each(candidates())("%s", async (path) => {
    const read = async (identity: CatalogIdentity, from: string): Promise<Catalog | undefined> => {
      const result = await loadCatalog({ ...identity, path: from }, new InputFiles(DEFAULT_LIMITS));
      return result.kind === "loaded" ? result.catalog : undefined;
    };
    const here = await read(HERE, path);
    const there = await read(THERE, resolve(path));
    if (here === undefined || there === undefined) return;
    loaded++;
    if (here.packages.size > 0) withBundles++;
    for (const { code } of here.findings) codes.add(code);
    // The path itself is a source, too: that of a directory is not below it.
    checkPacked(here, `${path}/`, there, `${resolve(path)}/`);
    checkPacked(here, `${dirname(path)}/`, there, `${dirname(resolve(path))}/`);
  });

  test("these are many, with all kinds of mistakes", () => {
    expect(loaded).toBeGreaterThan(200);
    expect(withBundles).toBeGreaterThan(50);
    expect([...codes].filter((code) => code >= "PL020").length).toBeGreaterThan(25);
    for (const code of ["PL003", "PL011", "PL021", "PL031", "PL051"]) expect(codes).toContain(code);
  });
});

describe("random catalogs", () => {
  /** Objects as a reader makes them. */
  const record = <Fields>(fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> }): fc.Arbitrary<Fields> =>
    fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<Fields>;
  const name = fc.constantFrom("a", "b", "a.v1", "a.v2", "b.v1", "__proto__", "é\u{1f6a2}\ud800", "x".repeat(300));
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<Json>(null, true, -0, 0, 1.5, 2n ** 63n, -(2n ** 70n), "", "text", "y".repeat(300), "\u2028é"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie("value")), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs) as JsonObject),
    ),
  })).value;
  const gvk = fc.record(
    {
      group: fc.constantFrom("g.io", "h.io"),
      version: fc.constantFrom("v1", "v2"),
      kind: fc.constantFrom("A", "B"),
      more: fc.constantFrom(1, 2),
    },
    { requiredKeys: ["group", "version", "kind"], noNullPrototype: true },
  );
  const property = fc.oneof(
    record({ type: fc.constantFrom("olm.gvk", "olm.gvk.required"), value: gvk }),
    record({ type: fc.constantFrom("other", "olm.constraint", "__proto__"), value: json }),
    record({
      type: fc.constant("olm.bundle.object"),
      value: fc.constantFrom({ data: "QUJD".repeat(100) }, { data: "" }),
    }),
  );
  const VERSIONS = [
    "1.0.0",
    "1.0.0-rc.1",
    "2.0.0+build.7",
    "1.2.3-18446744073709551615.x",
    "9007199254740993.0.0",
    "4294967296.0.0",
  ];
  const version = fc.constantFrom(...VERSIONS, "wrong");
  const owner = fc.constantFrom("a", "b", "missing");
  const bundle = record({
    name,
    package: owner,
    version,
    image: fc.constantFrom("", "quay.io/x/y:v1"),
    properties: fc.array(property),
  }).chain(({ version, properties, ...rest }) =>
    fc.nat(properties.length).map((at) => ({
      schema: "olm.bundle",
      ...rest,
      properties: properties.toSpliced(at, 0, {
        type: "olm.package",
        value: { packageName: rest.package, version },
      } as never),
      relatedImages: rest.image === "" ? [] : [{ name: "x", image: rest.image }],
    })),
  );
  const entry = fc.record(
    {
      name,
      replaces: name,
      skips: fc.array(name, { maxLength: 2 }),
      skipRange: fc.constantFrom(">=1.0.0 <2.0.0-0 || 5.x", "nonsense", "!=9007199254740993.0.0"),
    },
    { requiredKeys: ["name"], noNullPrototype: true },
  );
  const channel = record({
    schema: fc.constant("olm.channel"),
    name: fc.constantFrom("stable", "beta"),
    package: owner,
    entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
    properties: fc.array(property, { maxLength: 2 }),
  });
  const one = record({
    schema: fc.constant("olm.package"),
    name: fc.constantFrom("a", "b"),
    defaultChannel: fc.constantFrom("stable", "beta"),
    description: fc.constantFrom("", "what it does"),
    properties: fc.array(property, { maxLength: 2 }),
  });
  const deprecations = record({
    schema: fc.constant("olm.deprecations"),
    package: owner,
    entries: fc.array(
      record({
        reference: fc.oneof(
          fc.constant({ schema: "olm.package" }),
          record({ schema: fc.constantFrom("olm.channel", "olm.bundle"), name }),
        ),
        message: fc.constantFrom("", "use b"),
      }),
      { maxLength: 3 },
    ),
  });
  const opaque = record({ schema: fc.constantFrom("custom", "olm.bundel"), name, value: json });
  /** A package of some versions in one channel, each with some of the same properties: random documents are rarely whole. */
  function operator(owner: string): fc.Arbitrary<readonly unknown[]> {
    const one = fc.tuple(fc.subarray([0, 1, 2, 3]), fc.array(property, { maxLength: 2 }), fc.nat(6), entry);
    return fc
      .tuple(fc.array(property, { minLength: 4, maxLength: 4 }), fc.array(one, { maxLength: 6 }))
      .map(([shared, versions]) => [
        { schema: "olm.package", name: owner, defaultChannel: "stable", properties: shared.slice(0, 1) },
        {
          schema: "olm.channel",
          package: owner,
          name: "stable",
          entries: versions.map(([, , , { skipRange }], index) => ({
            name: `${owner}.v${index}`,
            ...(index > 0 && { replaces: `${owner}.v${index - 1}` }),
            ...(skipRange !== undefined && { skipRange }),
            ...(index > 3 && { skips: [`${owner}.v0`, "gone"] }),
          })),
        },
        ...versions.map(([indexes, more, at], index) => ({
          schema: "olm.bundle",
          package: owner,
          name: `${owner}.v${index}`,
          properties: [...indexes.map((number) => shared[number]), ...more].toSpliced(at, 0, {
            type: "olm.package",
            value: { packageName: owner, version: VERSIONS[index] as string },
          } as never),
          ...(at === 0 && { relatedImages: [{ name: "x", image: "quay.io/x/y:v1" }, { image: "quay.io/x/z:v1" }] }),
        })),
      ]);
  }
  const whole = [
    { schema: "olm.package", name: "a", defaultChannel: "stable" },
    { schema: "olm.channel", package: "a", name: "stable", entries: [{ name: "a.v1" }] },
  ];
  const documents = fc
    .tuple(
      operator("a"),
      operator("b"),
      operator("c"),
      fc.array(fc.oneof({ weight: 3, arbitrary: bundle }, channel, one, deprecations, opaque), { maxLength: 10 }),
    )
    .map((parts) => parts.flat() as readonly JsonObject[]);

  /** A catalog of these documents in several files, some with a place of their own for their properties. */
  function catalogOf(identity: CatalogIdentity, prefix: string, given: readonly JsonObject[]): Catalog {
    const builder = new CatalogBuilder(identity);
    for (const [index, document] of given.entries()) {
      const source = `${prefix}configs/${index % 3}.yaml`;
      const elsewhere = new Map([
        ["properties[0]", { source: `${prefix}other.yaml`, line: 7, column: 3, path: ["x", 1] }],
      ]);
      const more = index % 5 === 0 ? { elsewhere } : index % 7 === 0 ? { exact: true as const } : {};
      builder.add(document, { source, line: index, column: 1 + (index % 2), ...more });
    }
    return builder.finishFrom(prefix.replace(/\/$/, ""));
  }

  test("are the same under another name and other paths", () => {
    const seen = { bundles: 0, findings: 0 };
    fc.assert(
      fc.property(documents, (given) => {
        const here = catalogOf(HERE, "oci://quay.io/x/y:v1/", given);
        const there = catalogOf(THERE, "cluster/", given);
        checkPacked(here, "oci://quay.io/x/y:v1/", there, "cluster/");
        seen.bundles += here.byPropertyType.get("olm.package")?.length ?? 0;
        seen.findings += here.findings.length;
      }),
    );
    expect(Math.min(seen.bundles, seen.findings)).toBeGreaterThan(100);
  });

  test("APIs that only one version has, in versions that are otherwise the same", () => {
    const versions = ["1.0.0", "2.0.0", "3.0.0"].map((version, index) => ({
      schema: "olm.bundle",
      package: "a",
      name: `a.v${index}`,
      properties: [
        { type: "olm.gvk", value: { group: "g.io", version: `v${index % 2}`, kind: "A", more: 1 } },
        { type: "olm.package", value: { packageName: "a", version } },
      ],
    }));
    const entries = versions.map(({ name }, index) => ({ name, ...(index > 0 && { replaces: `a.v${index - 1}` }) }));
    const given = [whole[0], { ...whole[1], entries }, ...versions] as unknown as readonly JsonObject[];
    const here = catalogOf(HERE, "here/", given);
    expect([...here.providers].map(([key, bundles]) => [key, bundles.length])).toEqual([
      ["g.io/v0/A", 2],
      ["g.io/v1/A", 1],
    ]);
    checkPacked(here, "here/", catalogOf(THERE, "there/", given), "there/");
  });

  test("a help that was cut is right under the old name only", () => {
    const prefix = `oci://quay.io/${"long/".repeat(300)}`;
    const twice = [...whole, whole[0]] as unknown as readonly JsonObject[];
    const here = catalogOf(HERE, prefix, twice);
    expect(here.findings.some(({ help }) => help?.endsWith("…"))).toBe(true);
    const bytes = packCatalog(here, prefix);
    expect(unpackCatalog(bytes, HERE, prefix)).toStrictEqual(here);
    expect(unpackCatalog(bytes, HERE, "short/")).toBeUndefined();
    expect(unpackCatalog(bytes, { ...HERE, name: "other" }, prefix)).toBeUndefined();
    // The other way round it becomes long.
    const short = packCatalog(catalogOf(HERE, "short/", twice), "short/");
    expect(unpackCatalog(short, HERE, prefix)).toStrictEqual(here);
  });

  test("sources elsewhere stay as they are", () => {
    const here = catalogOf(HERE, "here/", whole as unknown as readonly JsonObject[]);
    const again = unpackCatalog(packCatalog(here, "nowhere/"), HERE, "other/");
    expect(again).toStrictEqual(here);
  });

  describe("damaged bytes", () => {
    const bytesOf = (given: readonly JsonObject[]): Uint8Array => packCatalog(catalogOf(HERE, "here/", given), "here/");
    /** Undefined, or a catalog that can be packed again. */
    const check = (bytes: Uint8Array): void => {
      const catalog = unpackCatalog(bytes, THERE, "there/");
      if (catalog !== undefined) packCatalog(catalog, "there/");
      expect(Object.keys(Object.prototype)).toEqual([]);
    };

    test("an edit of any byte is harmless", () => {
      fc.assert(
        fc.property(
          documents,
          fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 }),
          (given, edits) => {
            const bytes = bytesOf(given);
            for (const [at, byte] of edits) bytes[at % bytes.length] = byte;
            check(bytes);
          },
        ),
        { numRuns: process.env.PLIMSOLL_LONG ? 2_000 : 250 },
      );
    });

    test("an edit of any number is harmless", () => {
      const lost = { all: 0, refused: 0 };
      fc.assert(
        fc.property(documents, fc.nat(), fc.oneof(fc.nat(40), fc.nat(0xffff_ffff)), (given, at, number) => {
          const bytes = bytesOf(given);
          const begin = bytes.indexOf(0x0a) + 1;
          const { numbers } = JSON.parse(Buffer.from(bytes.subarray(0, begin)).toString()) as { numbers: number };
          const view = new DataView(bytes.buffer, begin, numbers * 4);
          view.setUint32((at % numbers) * 4, number, true);
          lost.all++;
          if (unpackCatalog(bytes, HERE, "here/") === undefined) lost.refused++;
          check(bytes);
        }),
        { numRuns: process.env.PLIMSOLL_LONG ? 2_000 : 250 },
      );
      expect(lost.refused).toBeGreaterThan(lost.all / 4);
    });

    test("every truncation, and everything else, is refused", () => {
      const bytes = bytesOf(whole as unknown as readonly JsonObject[]);
      for (let length = 0; length < bytes.length; length++)
        expect(unpackCatalog(bytes.subarray(0, length), HERE, "here/")).toBeUndefined();
      expect(unpackCatalog(Buffer.concat([bytes, Buffer.from("x")]), HERE, "here/")).toBeUndefined();
      const other = Buffer.from(Buffer.from(bytes).toString("latin1").replace("catalog 1", "catalog 0"), "latin1");
      expect(unpackCatalog(other, HERE, "here/")).toBeUndefined();
      for (const text of ["", "\n", "{}\n", "null\n", '{"format":"plimsoll packed catalog 1"}\n', "[".repeat(100_000)])
        expect(unpackCatalog(Buffer.from(text), HERE, "here/")).toBeUndefined();
    });
  });
});
