// Are events read as they were sent, whatever their form and their pieces?

import fc from "fast-check";
import { expect, test } from "vitest";
import { BrokenWatch, WatchSplitter } from "./watch-events.ts";

interface Event {
  readonly type: string;
  readonly object: string;
}

function events(bytes: Uint8Array, cuts: readonly number[] = [], maxEventBytes = 1_000_000): Event[] {
  const taken: Event[] = [];
  const splitter = new WatchSplitter((event) => taken.push(event), maxEventBytes);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    splitter.push(bytes.subarray(start, end));
    start = end;
  }
  splitter.end();
  return taken;
}

const TYPE = fc.constantFrom("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR");

test("any events, in any pieces", () => {
  const event = fc.record({ type: TYPE, object: fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()) });
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat()), (sent, cuts) => {
      const text = sent.map((one) => `${JSON.stringify(one)}\n`).join("");
      expect(events(Buffer.from(text), cuts)).toEqual(
        sent.map(({ type, object }) => ({ type, object: JSON.stringify(object) })),
      );
    }),
  );
});

test.for<[string, string]>([
  ['{"type":"ADDED","object":{"a":12345678901234567890,"b":1.0}}', '{"a":12345678901234567890,"b":1.0}'],
  ['{"object":{"a":"}\\"{"},"type":"ADDED"}', '{"a":"}\\"{"}'],
  [' { "type" : "ADDED" , "object" : { "a" : [ 1 ] } , "more" : -1.5e3 } \r', '{ "a" : [ 1 ] }'],
  ['{"\\u0074ype":"ADDED","n":null,"l":[{"object":{}}],"object":{"type":"DELETED"}}', '{"type":"DELETED"}'],
  ['{"type":"ADDED","object":{"a":1},"object":{"a":2}}', '{"a":2}'],
  ['{"type":"\\u0041DDED","object":{}}', "{}"],
])("%s", ([text, object]) => {
  expect(events(Buffer.from(text))).toEqual([{ type: "ADDED", object }]);
});

test("a character in two pieces, and lines with nothing in them", () => {
  const bytes = Buffer.from('\n \r\n{"type":"ADDED","object":{"name":"é😀"}}\n\n');
  for (let cut = 0; cut < bytes.length; cut++)
    expect(events(bytes, [cut])).toEqual([{ type: "ADDED", object: '{"name":"é😀"}' }]);
});

test.for([
  "x",
  "null",
  "[]",
  "{}",
  '"ADDED"',
  '{"type":"ADDED"}',
  '{"object":{}}',
  '{"type":"ADDED","object":[]}',
  '{"type":"ADDED","object":null}',
  '{"type":"ADDED","object":{}',
  '{"type":"ADDED","object":{"a":"}}',
  '{"type":"ADDED","object":{}}}',
  '{"type":"ADDED","object":{}},',
  '{"type":"ADDED" "object":{}}',
  '{"type":"ADDED","object"}',
  '{"type":"ADDED","object":}',
  '{type:"ADDED","object":{}}',
  '{"type":ADDED,"object":{}}',
  '{"type":7,"object":{}}',
  '{"type":"toString","object":{}}',
  '{"__proto__":{"type":"ADDED","object":{}}}',
  '{"type":"ADDED","object":{}}{"type":"ADDED","object":{}}',
])("no event: %s", (text) => {
  expect(() => events(Buffer.from(`${text}\n`))).toThrow(BrokenWatch);
});

test("a line that is too long, with or without an end", () => {
  const text = `{"type":"ADDED","object":{"a":"${"x".repeat(100)}"}}`;
  expect(events(Buffer.from(`${text}\n${text}\n`), [50, 60], text.length)).toHaveLength(2);
  for (const long of [`${text}\n`, text.slice(0, -1)])
    for (const cuts of [[], [50, 60]])
      expect(() => events(Buffer.from(long), cuts, text.length - 2)).toThrow("longer than");
});
