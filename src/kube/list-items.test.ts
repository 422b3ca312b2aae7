// Are the items of a list the same, wherever its pieces end?
import fc from "fast-check";
import { expect, test } from "vitest";
import { BrokenList, type ListHead, ListSplitter } from "./list-items.ts";

function split(
  bytes: Uint8Array,
  cuts: readonly number[],
  maxItemBytes = 1e6,
): { items: string[]; head: ListHead; overlong: number } {
  const items: string[] = [];
  const splitter = new ListSplitter((item) => items.push(item), maxItemBytes);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    splitter.push(bytes.subarray(start, end));
    start = end;
  }
  return { items, head: splitter.end(), overlong: splitter.overlong };
}

const item = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { maxKeys: 4 });
const list = fc
  .record({ items: fc.array(item, { maxLength: 6 }), next: fc.string({ unit: "binary" }), extra: fc.jsonValue() })
  .chain(({ items, next, extra }) =>
    fc
      .shuffledSubarray(["kind", "apiVersion", "metadata", "items", "extra"], { minLength: 5 })
      .map((order) => ({ items, next, extra, order })),
  );

test("any list, in any pieces", () => {
  fc.assert(
    fc.property(
      list,
      fc.array(fc.nat()),
      fc.constantFrom(undefined, 1, "\t"),
      ({ items, next, extra, order }, cuts, space) => {
        const whole: Record<string, unknown> = {
          kind: "ThingList",
          apiVersion: "v1",
          metadata: { items: [{ not: "an item" }], continue: next, resourceVersion: "42" },
          items,
          extra: { items: [extra], "items ": extra },
        };
        const ordered = Object.fromEntries(order.map((key) => [key, whole[key]]));
        const text = JSON.stringify(ordered, undefined, space);
        const found = split(Buffer.from(text), cuts);
        expect(found.items.map((one) => JSON.parse(one))).toEqual(JSON.parse(JSON.stringify(items)));
        expect(found.head).toEqual({
          kind: "ThingList",
          apiVersion: "v1",
          continueToken: JSON.parse(JSON.stringify(next)),
          resourceVersion: "42",
        });
      },
    ),
  );
});

const TEXT = `{ "kind":"ThingList","apiVersion":"v1", "it\\u0065ms" : [ {"a":"é😀\\"}]\\\\","b":[{}]} , {"c":{"d":"\\u00e9"}}],"metadata":{"continue":"x"}} `;

test("a list that is cut at every byte", () => {
  const bytes = Buffer.from(TEXT);
  const whole = split(bytes, []);
  expect(whole.items).toEqual(['{"a":"é😀\\"}]\\\\","b":[{}]}', '{"c":{"d":"\\u00e9"}}']);
  expect(whole.head.continueToken).toBe("x");
  for (let cut = 0; cut <= bytes.length; cut++) expect(split(bytes, [cut])).toEqual(whole);
  expect(
    split(
      bytes,
      Array.from(bytes, (_, index) => index),
    ),
  ).toEqual(whole);
});

test("half a list is broken, wherever it ends", () => {
  const bytes = Buffer.from(TEXT.trim());
  for (let length = 0; length < bytes.length; length++)
    expect(() => split(bytes.subarray(0, length), [])).toThrow(BrokenList);
});

test.for([
  ["not a list", '{"kind":"Status","apiVersion":"v1"}'],
  ["no kind", '{"items":[]}'],
  ["an array", "[]"],
  ["items twice", '{"kind":"AList","apiVersion":"v1","items":[],"items":[]}'],
  ["no comma", '{"kind":"AList","apiVersion":"v1","items":[{}{}]}'],
  ["a comma too many", '{"kind":"AList","apiVersion":"v1","items":[{},]}'],
  ["a number", '{"kind":"AList","apiVersion":"v1","items":[1]}'],
  ["two values", '{"kind":"AList","apiVersion":"v1","items":[]}{}'],
  ["an object of items", '{"kind":"AList","apiVersion":"v1","items":{"a":{}}}'],
  ["a text of items", '{"kind":"AList","apiVersion":"v1","items":"a"}'],
  ["a list without items", '{"kind":"AList","apiVersion":"v1","metadata":{}}'],
  ["HTML", "<html></html>"],
  ["nothing", ""],
])("%s is broken", ([, text]) => {
  expect(() => split(Buffer.from(text as string), [])).toThrow(BrokenList);
});

test("items may be null, as Go writes a list without any", () => {
  expect(split(Buffer.from('{"kind":"AList","apiVersion":"v1","items":null,"metadata":{}}'), []).items).toEqual([]);
});

test("an item that is too long is skipped, and its neighbours are not", () => {
  const text = `{"kind":"AList","apiVersion":"v1","items":[{"a":1},{"long":"${"x".repeat(500)}"},{"b":2}]}`;
  for (const cuts of [[], [60, 120, 300]])
    expect(split(Buffer.from(text), cuts, 100)).toMatchObject({ items: ['{"a":1}', '{"b":2}'], overlong: 1 });
});

test("a head without an end is refused", () => {
  const splitter = new ListSplitter(() => undefined, 1e6);
  const spaces = Buffer.alloc(64 * 1024, " ");
  expect(() => {
    for (let count = 0; count < 100; count++) splitter.push(spaces);
  }).toThrow(BrokenList);
});
