// Do Kubernetes' functions of lists do and cost what they do there? Answers are those of k8s.io/apiserver v0.37.2.
import { describe, expect, it } from "vitest";
import { callOverload, costOf, countingRun } from "../../../../test/cel/call-overload.ts";
import { treeCost } from "../../cost/size.ts";
import { Bytes } from "../../value/boxes.ts";
import { parseDuration } from "../../value/duration.ts";
import { double, Uint } from "../../value/number.ts";
import type { Value } from "../../value/value.ts";
import { kubernetesListsLibrary } from "./lists.ts";

const [one, two, three] = ["1s", "2s", "3s"].map((text) => parseDuration(text) as Value) as [Value, Value, Value];
const INDEX = "list_a_index_of_int";

describe("Kubernetes lists", () => {
  it.each<[id: string, args: Value[], expected: Value]>([
    ["list_int_is_sorted_bool", [[1, 2, 2]], true],
    ["list_int_is_sorted_bool", [[2, 1]], false],
    ["list_int_is_sorted_bool", [[]], true],
    ["list_int_is_sorted_bool", [[1, "a", 0]], true],
    ["list_int_is_sorted_bool", [[1, 2.5, 2]], false],
    ["list_int_is_sorted_bool", [[1, null]], "error: null has no order"],
    ["list_double_is_sorted_bool", [[Number.NaN, 1.5, 0.5]], false],
    ["list_duration_is_sorted_bool", [[one, two]], true],
    ["list_int_sum_int", [[1, 2, 3]], 6],
    ["list_int_sum_int", [[]], 0],
    ["list_int_sum_int", [[9223372036854775807n, 1]], "error: integer overflow"],
    ["list_int_sum_int", [[1, 2.5]], "error: 2.5 cannot be added to 1"],
    ["list_uint_sum_uint", [[new Uint(1n), new Uint(2n)]], new Uint(3n)],
    ["list_uint_sum_uint", [[new Uint(18446744073709551615n), new Uint(1n)]], "error: unsigned integer overflow"],
    ["list_double_sum_double", [[1.5, 2.5]], double(4)],
    ["list_duration_sum_duration", [[one, two]], three],
    ["list_int_max_int", [[1, 3, 2]], 3],
    ["list_int_min_int", [[1, 3, 2]], 1],
    ["list_string_min_string", [["b", "aa"]], "aa"],
    ["list_int_max_int", [[1, 2.5]], 2.5],
    ["list_int_max_int", [[1, "a"]], 1],
    ["list_int_max_int", [[]], "error: an empty list has no greatest element"],
    ["list_int_min_int", [[]], "error: an empty list has no least element"],
    ["list_int_max_int", [[1, null]], "error: null has no order"],
    ["list_double_max_double", [[Number.NaN, 1.5]], Number.NaN],
    ["list_bool_max_bool", [[true, false]], true],
    [INDEX, [[1, 2, 1], 1], 0],
    [INDEX, [[1, 2], double(2)], 1],
    [INDEX, [[1, 2], "a"], -1],
    ["list_a_last_index_of_int", [[1, 2, 1], 1], 2],
    ["list_includes_dyn_dyn", [[1, 2], 2], true],
    ["list_includes_dyn_dyn", ["abc", "b"], false],
    ["list_includes_dyn_dyn", ["abc", "abc"], true],
  ])("%s %o", (id, args, expected) => {
    expect(callOverload(kubernetesListsLibrary, id, ...args)).toEqual(expected);
  });

  it("cost what it costs to go through the list", () => {
    expect(costOf(kubernetesListsLibrary, INDEX, [[3, 1, 2], 1])).toBe(1);
    expect(costOf(kubernetesListsLibrary, INDEX, [[3, 1, 2], 1], true)).toBe(3);
    expect(costOf(kubernetesListsLibrary, INDEX, [["a".repeat(25), "é".repeat(10)], "b"], true)).toBe(4);
    expect(
      treeCost([{ ["a".repeat(19)]: "b".repeat(20) }, 1, null, new Bytes(new Uint8Array(30))], countingRun()),
    ).toBe(8);
    expect(treeCost("😀".repeat(5), countingRun())).toBe(2);
  });

  it("cost is not counted without end", () => {
    let nested: Value = [1];
    for (let depth = 0; depth < 26; depth++) nested = [nested, nested];
    expect(treeCost(nested, countingRun())).toBe(Number.POSITIVE_INFINITY);
  });
});
