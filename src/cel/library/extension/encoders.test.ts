// Are base64 and JSON those of cel-go v0.29.2, ext.Encoders()?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOverload, countingRun, overloadOf } from "../../../../test/cel/call-overload.ts";
import { Bytes, CelMap, Optional, TypeValue } from "../../value/boxes.ts";
import { parseDuration } from "../../value/duration.ts";
import { double, Uint } from "../../value/number.ts";
import { parseTimestamp } from "../../value/timestamp.ts";
import type { Value } from "../../value/value.ts";
import { encodersLibrary } from "./encoders.ts";

function bytes(text: string): Bytes {
  return new Bytes(new TextEncoder().encode(text));
}

describe("base64", () => {
  it.each<[text: string, expected: string | undefined]>([
    ["aGVsbG8=", "hello"],
    ["aGVsbG8", "hello"],
    ["aGVs\nbG8=", "hello"],
    ["aGVsbG9=", "hello"],
    ["YR==", "a"],
    ["YQ=\r\n=", "a"],
    ["", ""],
    ["=", undefined],
    ["a", undefined],
    ["YQ=", undefined],
    ["YQ===", undefined],
    ["Y Q==", undefined],
    ["YQ==YQ==", undefined],
    ["-_-_", undefined],
    ["?", undefined],
    ["é", undefined],
  ])("%j", (text, expected) => {
    const decoded = callOverload(encodersLibrary, "base64_decode_string", text);
    expect(decoded instanceof Bytes ? String(decoded) : undefined).toBe(expected);
  });

  it("is read back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (array) => {
        const text = callOverload(encodersLibrary, "base64_encode_bytes", new Bytes(array));
        expect(text).toBe(Buffer.from(array).toString("base64"));
        expect(callOverload(encodersLibrary, "base64_decode_string", text)).toEqual(new Bytes(array));
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});

describe("JSON", () => {
  it.each<[value: Value, expected: string]>([
    [{ b: 1, a: [1, 2.5, true, null, 'x\n"é\u2028'] }, '{"a":[1,2.5,true,null,"x\\n\\"é\u2028"],"b":1}'],
    [{ "😀": 1, "\uffff": 2 }, '{"\uffff":2,"😀":1}'],
    [9007199254740991, "9007199254740991"],
    [9007199254740992n, '"9007199254740992"'],
    [new Uint(18446744073709551615n), '"18446744073709551615"'],
    [new Uint(1n), "1"],
    [double(1), "1"],
    [1e21, "1e+21"],
    [1e20, "100000000000000000000"],
    [1e-7, "1e-7"],
    [double(-0), "-0"],
    [bytes("abc"), '"YWJj"'],
    [parseDuration("1h30m") as Value, '"5400s"'],
    [parseTimestamp("2024-01-02T03:04:05.6+01:00") as Value, '"2024-01-02T03:04:05.6+01:00"'],
    [new Optional(1), "1"],
    ["\u0001\u007f</>", '"\\u0001\u007f</>"'],
    [Number.NaN, "error: NaN has no JSON"],
    [Optional.none, "error: optional.none() has no JSON"],
    [[new TypeValue("int")], "error: a value of the type type has no JSON"],
    [new CelMap(new Map([[1, [1, 2]]])), "error: a key of a JSON object is a string, not 1"],
  ])("%o", (value, expected) => {
    expect(callOverload(encodersLibrary, "json_encode_dyn", value)).toBe(expected);
  });

  it("asks for memory while it is made", () => {
    let nested: Value = ["x"];
    for (let depth = 0; depth < 60; depth++) nested = [nested, nested];
    const { call } = overloadOf(encodersLibrary, "json_encode_dyn");
    expect(() => call(nested, countingRun(1_000_000))).toThrow("too much memory");
  });
});
