// Does the lists library do and cost what it does in cel-go? Answers are those of cel-go v0.29.2, ext.Lists().
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOverload, costOf, countingRun, overloadOf } from "../../../../test/cel/call-overload.ts";
import type { Call, Node } from "../../ast.ts";
import { Bytes } from "../../value/boxes.ts";
import { parseDuration } from "../../value/duration.ts";
import { double, Uint } from "../../value/number.ts";
import type { Value } from "../../value/value.ts";
import { listsLibrary } from "./lists.ts";

function call(id: string, ...args: readonly Value[]): Value {
  return callOverload(listsLibrary, id, ...args);
}

const [b, a] = [1, 0].map((byte) => new Bytes(new Uint8Array([byte]))) as [Bytes, Bytes];
const [long, short] = ["2s", "1s"].map((text) => parseDuration(text) as Value) as [Value, Value];
const NESTED = [1, [2, [3, [4]]]];

describe("lists", () => {
  it.each<[id: string, args: Value[], expected: Value, cost: number]>([
    ["list_slice", [[1, 2, 3, 4], 1, 3], [2, 3], 13],
    ["list_slice", [[1, 2, 3, 4], 4, 4], [], 11],
    ["list_slice", [[1], 2, 1], "error: a part of a list cannot begin at 2 and end at 1", 12],
    [
      "list_slice",
      [[1], -1, 1],
      "error: a part of a list cannot begin at -1 and end at 1: positions are not negative",
      12,
    ],
    ["list_slice", [[1], 0, 5], "error: position 5 is outside of a list of 1 elements", 12],
    ["list_flatten", [[[1], [2, [3]], []]], [1, 2, [3]], 14],
    ["list_flatten", [[1, 2]], [1, 2], 13],
    ["list_flatten_int", [NESTED, 1], [1, 2, [3, [4]]], 13],
    ["list_flatten_int", [NESTED, 9], [1, 2, 3, 4], 29],
    ["list_flatten_int", [NESTED, 0], NESTED, 11],
    ["list_flatten_int", [NESTED, -1], "error: flatten() needs a depth that is not negative, not -1", 13],
    ["list_int_sort", [[3, 1, 2]], [1, 2, 3], 29],
    ["list_string_sort", [["b", "a", "😀", "\uffff"]], ["a", "b", "\uffff", "😀"], 44],
    ["list_bytes_sort", [[b, a]], [a, b], 19],
    ["list_bool_sort", [[true, false]], [false, true], 19],
    ["list_google.protobuf.Duration_sort", [[long, short]], [short, long], 19],
    ["list_int_sort", [[]], [], 11],
    ["list_int_sort", [[1, "a"]], 'error: a list cannot be sorted by values of different types: 1 and "a"', 19],
    ["list_int_sort", [[1, double(2)]], "error: a list cannot be sorted by values of different types: 1 and 2.0", 19],
    ["list_int_sort", [[null]], "error: a list cannot be sorted by null, which has no order", 13],
    [
      "list_int_sortByAssociatedKeys",
      [
        ["foo", "bar", "baz"],
        [3, 1, 2],
      ],
      ["bar", "baz", "foo"],
      29,
    ],
    ["list_int_sortByAssociatedKeys", [["foo"], [3, 1]], "error: a list of 1 elements cannot be sorted by 2 keys", 19],
    ["lists_range", [3], [0, 1, 2], 14],
    ["lists_range", [0], [], 11],
    ["lists_range", [-1], "error: lists.range() needs a size that is not negative, not -1", 12],
    ["lists_range", [1_000_001], "error: lists.range() makes at most 1000000 elements, not 1000001", 12],
    ["list_reverse", [[1, 2, 3]], [3, 2, 1], 14],
    ["list_distinct", [[1, double(1), new Uint(1n), 2, "a", "a", null, null]], [1, 2, "a", null], 139],
    ["list_distinct", [[[1], [double(1)], { a: 1 }, { a: new Uint(1n) }, [2]]], [[1], { a: 1 }, [2]], 61],
    ["list_distinct", [["b", "a", "b"]], ["b", "a"], 29],
    ["list_distinct", [[Number.NaN, Number.NaN]], [Number.NaN, Number.NaN], 19],
    ["list_distinct", [[double(0), double(-0)]], [double(0)], 19],
    ["list_distinct", [[2n ** 60n, 2 ** 60, new Uint(2n ** 60n), 2n ** 60n + 1n]], [2n ** 60n, 2n ** 60n + 1n], 43],
  ])("%s %o", (id, args, expected, cost) => {
    expect(call(id, ...args)).toEqual(expected);
    expect(costOf(listsLibrary, id, args)).toBe(cost);
  });

  it("sorting is stable, and the elements stay the same", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat())), (pairs) => {
        const sorted = call(
          "list_int_sortByAssociatedKeys",
          pairs,
          pairs.map(([key]) => key),
        );
        expect(sorted).toEqual([...pairs].sort(([left], [right]) => left - right));
      }),
      { seed: 1 },
    );
  });

  it("large lists take no quadratic time, and memory is asked for", () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `${index % 100_000}`);
    expect((call("list_distinct", many) as readonly Value[]).length).toBe(100_000);
    let nested: Value = [1];
    for (let depth = 0; depth < 60; depth++) nested = [nested, nested];
    const { call: flatten } = overloadOf(listsLibrary, "list_flatten_int");
    expect(() => flatten(nested, 100, countingRun(1_000_000))).toThrow("too much memory");
    const { call: range } = overloadOf(listsLibrary, "lists_range");
    expect(() => range(1_000_000, countingRun(999_999))).toThrow("too much memory");
  });
});

describe("sortBy", () => {
  const at = { start: 0, end: 1 };
  const name = (text: string): Node => ({ kind: "identifier", name: text, absolute: false, ...at });

  function expand(target: Node): { readonly node: Node | undefined; readonly mistakes: string[] } {
    const mistakes: string[] = [];
    const key: Node = { kind: "call", name: "-_", target: undefined, args: [name("e")], at, ...at };
    const sortBy: Call = { kind: "call", name: "sortBy", target, args: [name("e"), key], at, ...at };
    const node = listsLibrary.macros?.[0]?.expand(sortBy, { mistake: (_at, message) => mistakes.push(message) });
    return { node, mistakes };
  }

  it("binds the list, and sorts it by the list of keys", () => {
    expect(expand(name("l")).node).toMatchObject({
      kind: "bind",
      variable: "@__sortBy_input__",
      value: name("l"),
      body: {
        kind: "call",
        name: "@sortByAssociatedKeys",
        target: { kind: "identifier", name: "@__sortBy_input__" },
        args: [{ kind: "fold", fold: "map", variable: "e", transform: { name: "-_" } }],
      },
    });
  });

  it("is for lists", () => {
    expect(expand({ kind: "literal", value: "abc", ...at }).mistakes).toEqual(["sortBy() sorts lists"]);
  });
});
