// Is a catalog accepted exactly when `opm validate` accepts it, and understood alike? Every row of the table was made by
// operator-registry itself (see README.md here).

import { describe, expect, test } from "vitest";
import { CatalogBuilder } from "../../src/input/catalog/catalog-builder.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { Documents } from "../../src/input/read-documents.ts";
import type { Catalog } from "../../src/model/catalog.ts";
import { readTable, type Table } from "./table.ts";

interface Row {
  readonly name: string;
  /** The catalog: documents, or the text or bytes (in base64) of its only file; none of them if the file is empty. */
  readonly documents?: readonly unknown[];
  readonly text?: string;
  readonly bytes?: string;
  /** Why the original refuses it. */
  readonly refused?: readonly string[];
  /** What the original sees in it. */
  readonly packages?: Packages;
}

type Packages = Readonly<Record<string, { readonly default: string; readonly channels: Channels }>>;
type Channels = Readonly<Record<string, { readonly head: string; readonly entries: readonly string[] }>>;

/** Rows by the reason for which their verdicts differ. */
type Reasons = Readonly<Record<string, readonly string[]>>;

/** Where we differ, and why; docs/compatibility.md documents it. */
const DIFFERENT: Reasons = {
  "bundles without image and manifests are one warning": [
    "J14 neither image nor manifests",
    "image missing",
    "image null",
    "image missing everywhere",
    "generated 92: new channel, drop field",
    "generated 130: image",
  ],
  "a range that crashes the original when it is used is refused": ['J28 skipRange "<1.0.0 || || >2.0.0"'],
  "a range of more than 1,024 characters is refused": ["J28 skipRange of 2000 characters"],
  "a duplicate key is an error": ["key twice in YAML", "key twice in YAML, differing", "key twice inside"],
  "bytes that are not UTF-8 are an error": ["Latin-1 in JSON"],
  "valid YAML that the original refuses, or reads only to the end of the first document, is accepted": [
    "YAML directive",
    "separator with a document",
    "document end mark alone",
    "CR alone",
  ],
  "after JSON there may be --- and YAML or JSON, however many documents of JSON": [
    "JSON, then --- and JSON without ---",
    "two JSON, then YAML",
  ],
  "properties of packages and channels mean nothing to us": ["package property type a number"],

  "the original looks into icons": ["icon not base64", "icon a text", "icon media type a number"],
  "a property of a bundle needs no type for the original": [
    "property without type",
    "property type empty",
    "property type null",
  ],
  "the original knows no IPv6 hosts in images": ["image [::1]:5000/foo", "image [::1]/foo"],
  "what is not a host may still be the first part of a path": ["image ex_ample.com/foo"],
  "the 255 characters of an image name include the default host and library": [
    "image name of 238 letters",
    "image name of 239 letters",
    "image name of 240 letters",
    "image name of 255 letters",
  ],
  "null is an empty related image for the original": ["related image null"],
  "a manifest must be base64 of YAML": ["manifest not YAML"],
  "a manifest without data is an empty one for the original": [
    "manifest data missing",
    "manifest data null",

    "manifest null",
  ],
  "the fields of olm.csv.metadata have types": [
    "olm.csv.metadata with wrong install modes",
    "olm.csv.metadata with a wrong annotation",
    "olm.csv.metadata with wrong keywords",
  ],
  "null is an empty value for the original": [
    "olm.csv.metadata null",
    "olm.gvk null",
    "olm.gvk.required null",
    "olm.package.required null",
  ],
  "the original takes a missing field of a known property as empty, and does not look at the text": [
    "olm.gvk without group",
    "olm.gvk without version",
    "olm.gvk kind empty",
    "olm.gvk kind null",
    "olm.gvk group with a slash",
    "olm.gvk empty",
    "olm.gvk.required without group",
    "olm.gvk.required without version",
    "olm.gvk.required kind empty",
    "olm.gvk.required kind null",
    "olm.gvk.required group with a slash",
    "olm.gvk.required empty",
    "olm.package.required without range",
    "olm.package.required without package",
  ],
  "labels and OpenShift versions are opaque to the original": [
    "olm.label without label",
    "olm.label a text",
    "olm.label.required label a number",
    "olm.maxOpenShiftVersion 4",
    'olm.maxOpenShiftVersion "4"',
    'olm.maxOpenShiftVersion "4.18.3"',
    'olm.maxOpenShiftVersion "abc"',
    "olm.maxOpenShiftVersion null",
    'olm.maxOpenShiftVersion {"v": "4.9"}',
  ],
  "olm.channel is a known property": [
    "olm.channel priority a text",
    "olm.channel priority a fraction",
    "olm.channel a text",
  ],
  "two spellings of one key are an error for unknown keys and schemas as well": [
    "unknown schema, a key in two cases",
    "package, an unknown key in two cases",
  ],
  "name and package are texts, if they are there, in documents of every schema": [
    "deprecations name null",

    "unknown schema, name null",

    "package with a package field that is a number",
  ],
  "ſ is an s for the original": ["schema with a long s"],
  "an empty document has no schema": [
    "only separators",
    "only one separator",
    "comment and separator first",
    "comment document in the middle",
    "comment document last",
    "only comments",
    "only blanks",
    "a null document",
    "a tilde document",
    "null in JSON",
  ],
  "the original reads JSON after a byte order mark as YAML, and only its first document": ["UTF-8 mark, JSON"],
};

const reasons = new Map(Object.entries(DIFFERENT).flatMap(([why, rows]) => rows.map((row) => [row, why])));

function read({ documents, text, bytes }: Row): Catalog {
  const builder = new CatalogBuilder({ name: "catalog", priority: 0 });
  const reader = new Documents({
    source: "catalog",
    limits: DEFAULT_LIMITS,
    report: builder.report,
    sink: (value, place) => builder.add(value, place),
  });
  const lines = documents?.map((document) => JSON.stringify(document)).join("\n");
  const file = bytes === undefined ? Buffer.from(text ?? lines ?? "") : Buffer.from(bytes, "base64");
  if (reader.push(file)) reader.end();
  return builder.finish();
}

/** What is wrong with a catalog, as far as it is an error. */
function errors(catalog: Catalog): readonly string[] {
  return catalog.findings.filter((one) => one.severity === "error").map((one) => `${one.code} ${one.message}`);
}

/** What we see in a catalog, in the form of the table; with the bundles, for comparison with those of the channels. */
function contents(catalog: Catalog): object {
  const packages = [...catalog.packages.values()].map(({ name, defaultChannel, channels, bundles }) => {
    const seen = [...channels.values()].map((channel) => [
      channel.name,
      { head: channel.head.name, entries: [...channel.entries.keys()] },
    ]);
    return [name, { default: defaultChannel, channels: Object.fromEntries(seen), bundles: [...bundles.keys()] }];
  });
  return Object.fromEntries(packages);
}

/** What the original sees: its channels have no entries without bundles, and there are no bundles outside channels. */
function withBundles(packages: Packages): object {
  const all = Object.entries(packages).map(([name, one]) => {
    const bundles = new Set(Object.values(one.channels).flatMap(({ entries }) => entries));
    return [name, { ...one, bundles: [...bundles].sort() }];
  });
  return Object.fromEntries(all);
}

describe("opm.json", () => {
  const { rows } = readTable<Table<Row>>("opm.json");
  const answers = rows.map((row) => {
    const catalog = read(row);
    return { row, catalog, agrees: (row.refused !== undefined) === errors(catalog).length > 0 };
  });

  test("every row has the original's verdict", () => {
    const differences = answers
      .filter(({ row, agrees }) => !agrees && !reasons.has(row.name))
      .map(({ row, catalog }) => ({ name: row.name, refused: row.refused, errors: errors(catalog) }));
    expect(differences).toEqual([]);
  });

  test("every row that is listed as different is different", () => {
    const different = new Set(answers.filter(({ agrees }) => !agrees).map(({ row }) => row.name));
    expect([...reasons.keys()].filter((name) => !different.has(name))).toEqual([]);
  });

  test("an accepted catalog has the same packages, channels, heads and bundles", () => {
    for (const { row, catalog, agrees } of answers)
      if (row.packages !== undefined && agrees)
        expect(contents(catalog), row.name).toStrictEqual(withBundles(row.packages));
  });

  test("the table is large enough to mean something", () => {
    const accepted = rows.filter((row) => row.packages !== undefined);
    expect(accepted.length).toBeGreaterThan(300);
    expect(rows.length - accepted.length).toBeGreaterThan(500);
  });
});
