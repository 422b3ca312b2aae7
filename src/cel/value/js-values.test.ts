// Are values of JavaScript and of CEL the same in both directions?
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "../compile.ts";
import { celType } from "../declare/cel-type.ts";
import { Bytes, CelMap, Optional, TypeValue } from "./boxes.ts";
import { Duration } from "./duration.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { Double, Uint } from "./number.ts";
import { Timestamp } from "./timestamp.ts";
import { toJS } from "./to-js.ts";
import { CelError, type Value } from "./value.ts";

/** The value of JavaScript that comes back if it goes in as a variable. */
function through(value: unknown): unknown {
  return compile("x", { variables: { x: "dyn" } }).program?.run({ x: value });
}

describe("out", () => {
  test.for([
    [null, null],
    [true, true],
    ["a", "a"],
    [42, 42],
    [1.5, 1.5],
    [new Double(3), 3],
    [new Uint(3n), 3],
    [2n ** 60n, 2n ** 60n],
    [new Uint(2n ** 64n - 1n), 2n ** 64n - 1n],
    [new Bytes(Uint8Array.of(1)), Uint8Array.of(1)],
    [new Timestamp(1, 500_000_000), new Date(1500)],
    [new Timestamp(-1, 0), new Date(-1000)],
    [new Timestamp(1, 1), new Timestamp(1, 1)],
    [new Duration(5n), new Duration(5n)],
    [new TypeValue("int"), new TypeValue("int")],
    [new Optional(1), 1],
    [Optional.none, undefined],
    [
      [1, new Double(2)],
      [1, 2],
    ],
    [{ a: new Uint(1n) }, { a: 1 }],
    [new CelMap(new Map([["a", ["a", 1]]])), { a: 1 }],
    [new CelMap(new Map([[1, [1, new Double(2)]]])), new Map([[1, 2]])],
    [new CelMap(new Map()), {}],
    [new CelMap(new Map([["__proto__", ["__proto__", 1]]])), JSON.parse('{"__proto__": 1}')],
  ] as [Value, unknown][])("%s", ([value, expected]) => {
    expect(toJS(value)).toEqual(expected);
  });

  test("a bigint beyond 64 bits is a double, at any depth", () => {
    const large = 2n ** 70n;
    expect(through(large)).toBe(2 ** 70);
    expect(through([large, { a: large }])).toEqual([2 ** 70, { a: 2 ** 70 }]);
    expect(through(new Map([["a", [large]]]))).toEqual({ a: [2 ** 70] });
    expect(toJS([large])).toEqual([2 ** 70]);
  });

  test("a part that a value has many times is copied once", () => {
    let text = "a60";
    for (let n = 60; n > 0; n--)
      text = `cel.bind(a${n}, ${n % 2 === 0 ? `[a${n - 1}, a${n - 1}]` : `{1: a${n - 1}, 2: a${n - 1}}`}, ${text})`;
    let copy = compile(`cel.bind(a0, [1], ${text})`).program?.run() as unknown;
    for (let n = 60; n > 0; n--) copy = copy instanceof Map ? copy.get(2) : (copy as unknown[])[1];
    expect(copy).toEqual([1]);
  });

  test("with options the types do not depend on the values", () => {
    expect(toJS([1, new Uint(2n), new Double(3)], { ints: "bigint" })).toEqual([1n, 2n, 3]);
    expect(toJS(new Timestamp(1, 0), { timestamps: "timestamp" })).toEqual(new Timestamp(1, 0));
  });

  test("lists, maps and bytes are copies", () => {
    const x = { l: [1], b: Uint8Array.of(1) };
    const result = through(x) as typeof x;
    result.l.push(2);
    result.b[0] = 9;
    expect(x).toEqual({ l: [1], b: Uint8Array.of(1) });
  });

  test("an error is thrown", () => {
    expect(() => toJS(new CelError("no"))).toThrow(new EvaluationError(new CelError("no")));
    for (const [x, message] of [
      [{ a: new Set() }, "the data has a Set, which is no value of CEL; give an array"],
      [[undefined], "the data has undefined, which is no value of CEL"],
      [{ a: [() => 1] }, "the data has a function, which is no value of CEL"],
    ] as const)
      expect(() => through(x)).toThrow(message);
    const endless: unknown[] = [];
    endless.push(endless);
    expect(() => through(endless)).toThrow("the data cannot be read: it contains itself");
  });
});

class Point {
  readonly x = 1;
}

test("what goes in as plain JavaScript comes out the same", () => {
  const scalar = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.string(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }).filter((number) => !Object.is(number, -0)),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
    fc.uint8Array({ maxLength: 4 }),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      scalar,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: true }),
      fc.array(fc.tuple(fc.integer(), tie("value")), { minLength: 1, maxLength: 4 }).map((entries) => new Map(entries)),
    ),
  })).value;
  fc.assert(
    fc.property(value, (plain) => {
      const sorted = (map: unknown): unknown =>
        JSON.stringify(map, (_, part) => {
          if (typeof part === "bigint") return `${part}n`;
          if (part instanceof Map) return [...part].sort(([a], [b]) => a - b);
          if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
          return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
        });
      expect(sorted(through(plain))).toBe(sorted(plain));
    }),
    { numRuns: 300 },
  );
});

test("an object of a declared class stays the same object", () => {
  const point = new Point();
  const types = [celType({ name: "Point", class: Point })];
  const { program } = compile("{'a': [x]}", { types, variables: { x: "Point" } });
  const result = program?.run({ x: point }) as { a: unknown[] } | undefined;
  expect(result?.a[0]).toBe(point);
});
