import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogOf, LANTERN, LANTERN_STABLE } from "../../../test/catalog/lantern-catalog.ts";
import { type Json, type JsonObject, own } from "../../model/json.ts";
import { catalogDigest, digestOf } from "./digest.ts";

const digest = (documents: readonly JsonObject[]): string => catalogDigest(catalogOf(documents));

/** The documents, with something else at one place. */
function changed(index: number, more: JsonObject): readonly JsonObject[] {
  return LANTERN.map((document, at) => (at === index ? { ...document, ...more } : document));
}

describe("the digest of a value", () => {
  test("is that of its canonical text", () => {
    // printf '{"a":[1,null],"b":"é"}' | sha256sum
    expect(digestOf({ b: "é", a: [1, null] })).toBe(
      "sha256:e03c3c1ebb5fccd76e3bd35b9a86169f35e6f1b069645d48ac278175f54c4208",
    );
  });

  test("does not depend on the order of keys, but on that of lists", () => {
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }));
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
  });

  test("differs for different values", () => {
    const values: readonly Json[] = [null, "null", 0, "0", false, "", [], {}, [[]], { "": null }, 2n ** 64n, "\ud800"];
    expect(new Set(values.map(digestOf)).size).toBe(values.length);
  });

  test("any two values have the same digest only if they are the same", () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(digestOf(a) === digestOf(b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const object = value as JsonObject;
  return Object.keys(object)
    .sort()
    .map((key) => [key, sorted(own(object, key) as Json)]);
}

describe("the digest of a catalog", () => {
  test("does not depend on the order or the places of documents", () => {
    expect(digest([...LANTERN].reverse())).toBe(digest(LANTERN));
  });

  test("does not depend on the order of what an entry skips", () => {
    const [first, ...others] = LANTERN_STABLE.entries as readonly JsonObject[];
    const entries = [{ ...first, skips: ["lantern.v0.1.0", "lantern.v1.9.0"] }, ...others];
    expect(digest(changed(1, { entries }))).toBe(digest(LANTERN));
  });

  test.each<readonly [string, readonly JsonObject[]]>([
    ["the description of a package", changed(0, { description: "a light" })],
    ["the default channel", changed(0, { defaultChannel: "fast" })],
    ["a property of a package", changed(0, { properties: [{ type: "custom", value: 1 }] })],
    ["an edge of a channel", changed(1, { entries: withoutSkip() })],
    ["a property of a channel", changed(2, { properties: [{ type: "custom", value: 1 }] })],
    ["the image of a bundle", changed(4, { image: "example.com/other:1" })],
    ["the images that a bundle uses", changed(4, { relatedImages: [{ name: "a", image: "example.com/b:1" }] })],
    [
      "a property of a bundle",
      changed(5, {
        properties: [
          { type: "olm.package", value: { packageName: "lantern", version: "1.9.0" } },
          { type: "custom", value: 1 },
        ],
      }),
    ],
    ["a bundle", LANTERN.filter((_, index) => index !== 3)],
    ["what is deprecated", LANTERN.slice(0, -1)],
  ])("depends on %s", (_, documents) => {
    expect(digest(documents)).not.toBe(digest(LANTERN));
  });

  test("does not depend on documents that mean nothing to us", () => {
    expect(digest([...LANTERN, { schema: "custom.schema", name: "kept" }])).toBe(digest(LANTERN));
  });
});

function withoutSkip(): Json {
  const entries = LANTERN_STABLE.entries as readonly JsonObject[];
  return entries.map((entry, index) => (index === 0 ? { ...entry, skips: ["lantern.v1.9.0"] } : entry));
}
