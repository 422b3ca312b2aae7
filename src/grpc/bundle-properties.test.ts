// Which properties come out of what a registry says about a bundle?
import { expect, test } from "vitest";
import { propertiesOf } from "./bundle-properties.ts";
import type { BundleContent } from "./messages.ts";

const IDENTITY = { type: "olm.package", value: { packageName: "winch", version: "1.0.0" } };
const NOTHING: BundleContent = {
  ...{ image: "", version: "1.0.0", csv: "", objects: [] },
  ...{ properties: [], dependencies: [], providedApis: [], requiredApis: [] },
};
const API = { group: "g", version: "v1", kind: "K" };
const IDENTITY_TEXT = { type: "olm.package", value: JSON.stringify(IDENTITY.value) };

const properties = (content: Partial<BundleContent>): unknown => propertiesOf("winch", { ...NOTHING, ...content });

/** The property that is read from a JSON text. */
const propertyWith = (value: string): unknown =>
  (properties({ properties: [IDENTITY_TEXT, { type: "t", value }] }) as readonly unknown[])[1];

test("the listed properties, in their order; the identity is added only if it is missing", () => {
  const listed = [{ type: "t", value: "1" }, IDENTITY_TEXT];
  expect(properties({ properties: listed })).toEqual([{ type: "t", value: 1 }, IDENTITY]);
  expect(properties({ properties: [{ type: "t", value: "1" }] })).toEqual([{ type: "t", value: 1 }, IDENTITY]);
  expect(properties({})).toEqual([IDENTITY]);
});

test("dependencies that the properties repeat, in any spelling of the keys, are left out", () => {
  const listed = [
    IDENTITY_TEXT,
    { type: "olm.gvk.required", value: '{"Group":"g","version":"v1","kind":"K","plural":"ks"}' },
    { type: "olm.package.required", value: '{"packageName":"other","versionRange":">=1.0.0","note":1}' },
  ];
  const dependencies = [
    { type: "olm.gvk", value: JSON.stringify(API) },
    { type: "olm.package", value: '{"packageName":"other","version":">=1.0.0"}' },
  ];
  expect(properties({ properties: listed, dependencies, requiredApis: [API] })).toHaveLength(3);
});

test("a server that knows no properties: they come from dependencies and APIs, as in OLM", () => {
  const dependencies = [
    { type: "olm.package", value: '{"packageName":"other","version":">=1.0.0"}' },
    { type: "olm.gvk", value: JSON.stringify(API) },
    { type: "olm.gvk", value: JSON.stringify(API) },
    { type: "olm.label", value: '{"label":"x"}' },
    { type: "olm.constraint", value: '{"failureMessage":"no"}' },
    { type: "unknown", value: "1" },
  ];
  const gvk = { type: "olm.gvk", value: API };
  expect(properties({ providedApis: [API], requiredApis: [{ ...API, kind: "Ignored" }], dependencies })).toEqual([
    gvk,
    { type: "olm.package.required", value: { packageName: "other", versionRange: ">=1.0.0" } },
    { type: "olm.gvk.required", value: API },
    { type: "olm.label.required", value: { label: "x" } },
    { type: "olm.constraint", value: { failureMessage: "no" } },
    IDENTITY,
  ]);
  expect(properties({ providedApis: [API], requiredApis: [API] })).toEqual([
    gvk,
    { type: "olm.gvk.required", value: API },
    IDENTITY,
  ]);
});

test("a value that is not JSON, too deep, or too large has no value, which the reader of catalogs reports", () => {
  for (const value of ["", "{", "{a: 1}", "1e999", `[${"[".repeat(600)}${"]".repeat(600)}]`, "[".repeat(1_000_000)])
    expect(propertyWith(value)).toEqual({ type: "t" });
  const dependencies = [
    { type: "olm.package", value: "{" },
    { type: "olm.gvk", value: "null" },
  ];
  expect(properties({ dependencies })).toEqual([
    { type: "olm.package.required" },
    { type: "olm.gvk.required", value: null },
    IDENTITY,
  ]);
});

test("values are those of the text: all digits of integers, and keys of every name", () => {
  expect(
    propertyWith('{"a":12345678901234567890,"b":-9007199254740993,"c":[1.5,1e300,"123456789012345678901"]}'),
  ).toEqual({
    type: "t",
    value: { a: 12345678901234567890n, b: -9007199254740993n, c: [1.5, 1e300, "123456789012345678901"] },
  });
  for (const more of ["", ',"n":12345678901234567890']) {
    const { value } = propertyWith(`{"__proto__":{"x":1}${more}}`) as { readonly value: object };
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect((value as { readonly x?: number }).x).toBeUndefined();
  }
  expect(propertyWith("null")).toEqual({ type: "t", value: null });
});

test("manifests: the ClusterServiceVersion is added only if it is not among them", () => {
  const [csv, map] = ['{"kind":"ClusterServiceVersion"}', '{"kind":"ConfigMap","data":{"ü":"😀"}}'];
  const decoded = (content: Partial<BundleContent>): readonly string[] =>
    (properties(content) as readonly { readonly type: string; readonly value: { readonly data: string } }[])
      .filter(({ type }) => type === "olm.bundle.object")
      .map(({ value }) => Buffer.from(value.data, "base64").toString());
  expect(decoded({ csv, objects: [map, csv] })).toEqual([map, csv]);
  expect(decoded({ csv: ` ${csv}`, objects: [map, csv] })).toEqual([map, csv]);
  expect(decoded({ csv, objects: [map, "{"] })).toEqual([csv, map, "{"]);
  expect(decoded({ objects: [map] })).toEqual([map]);
  expect(decoded({})).toEqual([]);
});
