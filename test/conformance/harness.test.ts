// Would the harness notice: a wrong value, an error for the wrong reason, a waiver that is not needed?
import { describe, expect, test } from "vitest";
import { Bytes, CelMap, Optional, TypeValue } from "../../src/cel/value/boxes.ts";
import { double, Uint } from "../../src/cel/value/number.ts";
import type { Value } from "../../src/cel/value/value.ts";
import type { Case } from "./case.ts";
import { messagesIn, namesIn } from "./needs.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { readType, readValue } from "./protobuf-json.ts";
import { report } from "./report.ts";
import { run } from "./run.ts";
import { writeValue } from "./same-value.ts";
import { mistakesInWaivers, type Waivers } from "./waivers.ts";

const EMPTY: Case = {
  corpus: "official",
  section: "basic",
  key: "basic/group/name",
  expression: "true",
  container: "",
  variables: {},
  functions: [],
  bindings: {},
  check: true,
  crossTypeComparisons: false,
  blocks: false,
  expected: { kind: "result", value: true },
  needs: [],
};

describe("values", () => {
  test("are the same only when their kinds are", () => {
    const different: Value[] = [1, new Uint(1n), double(1), "1", true, [1], { a: 1 }, null, new TypeValue("int")];
    expect(new Set(different.map(writeValue)).size).toBe(different.length);
    expect(writeValue(Number.NaN)).toBe(writeValue(Number.NaN));
    expect(writeValue(double(-0))).toBe(writeValue(double(0)));
    expect(writeValue(new Bytes(new Uint8Array([97])))).not.toBe(writeValue("a"));
    expect(writeValue(Optional.none)).not.toBe(writeValue(new Optional(null)));
  });

  test("maps have no order, but the kinds of their keys", () => {
    const ints = new CelMap(new Map([1, 2].map((key) => [key, [key, "a"]])));
    const turned = new CelMap(new Map([2, 1].map((key) => [key, [key, "a"]])));
    const uints = new CelMap(new Map([1, 2].map((key) => [key, [new Uint(BigInt(key)), "a"]])));
    expect(writeValue(ints)).toBe(writeValue(turned));
    expect(writeValue(ints)).not.toBe(writeValue(uints));
  });

  test("read from protobuf's JSON; messages are met, not read", () => {
    const met: string[] = [];
    const meet = (name: string) => met.push(name);
    expect(readValue({ int64Value: "-9223372036854775808" }, meet)).toBe(-(2n ** 63n));
    expect(readValue({ doubleValue: "-Infinity" }, meet)).toBe(Number.NEGATIVE_INFINITY);
    const struct = { "@type": "type.googleapis.com/google.protobuf.Struct", value: { a: [1] } };
    expect(readValue({ objectValue: struct }, meet)).toEqual({ a: [double(1)] });
    expect(readType({ listType: { elemType: { messageType: "a.B" } } }, meet)).toEqual({
      kind: "list",
      element: { kind: "opaque", name: "a.B", of: [] },
    });
    expect(readValue({ listValue: { values: [{ objectValue: { "@type": "x/a.C" } }] } }, meet)).toBeUndefined();
    expect(met).toEqual(["a.B", "a.C"]);
  });
});

describe("messages", () => {
  const proto3 = "cel.expr.conformance.proto3";
  test.each([
    ["TestAllTypes{single_int64: 1}.single_int64", proto3, [`${proto3}.TestAllTypes`]],
    ["TestAllTypes.NestedEnum.BAR", proto3, [`${proto3}.TestAllTypes.NestedEnum`]],
    [`.cel // comment\n .expr.conformance . proto3.TestAllTypes{}`, "", [`${proto3}.TestAllTypes`]],
    ["has(msg.`cel.expr.conformance.proto2.int32_ext`)", "", ["cel.expr.conformance.proto2.int32_ext"]],
    ["type(x) == google.protobuf.Timestamp", "", []],
    ["google.protobuf.Timestamp{seconds: 1}", "", ["google.protobuf.Timestamp"]],
    ["'TestAllTypes{}' // TestAllTypes{}", proto3, []],
  ])("in %s", (expression, container, messages) => {
    expect(messagesIn(expression, container)).toEqual(messages);
  });

  test("names come with their brackets", () => {
    expect(namesIn("a.b (c) + D{e: r'f()'}")).toEqual([
      { name: "a.b", after: "(" },
      { name: "c", after: "" },
      { name: "D", after: "{" },
      { name: "e", after: "" },
    ]);
  });
});

describe("verdicts", () => {
  const error: Case = { ...EMPTY, expected: { kind: "error", message: "no such overload" } };
  test.each<[string, Case, boolean]>([
    ["the value", EMPTY, true],
    ["another value", { ...EMPTY, expression: "false" }, false],
    ["a value of another kind", { ...EMPTY, expression: "1u", expected: { kind: "result", value: 1 } }, false],
    ["another type", { ...EMPTY, expected: { kind: "result", type: "int" } }, false],
    ["an error", { ...error, expression: "1 / 0" }, true],
    ["a refusal instead of an error", { ...error, expression: "1 + 'a'" }, false],
    ["an error reported early", { ...error, expression: "timestamp('noon')" }, true],
    [
      "an early error in what is not evaluated",
      { ...error, expression: "true || timestamp('noon') == timestamp('noon')" },
      false,
    ],
    ["an error without check", { ...error, expression: "1 + 'a'", check: false }, true],
    ["an error for want of a function", { ...error, expression: "missing(1)", check: false }, false],
    [
      "an error for want of a message",
      { ...error, expression: "1 / 0", needs: [{ name: "M", where: "expression" }] },
      false,
    ],
    ["a value instead of an error", error, false],
    ["a message as input", { ...EMPTY, needs: [{ name: "M", where: "binding" }] }, false],
    ["a refusal", { ...EMPTY, expression: "1 +", expected: { kind: "refused", at: [] } }, true],
    ["no refusal", { ...EMPTY, expected: { kind: "refused", at: [] } }, false],
    ["undeclared, but parsed", { ...EMPTY, expression: "a.b(c)", check: false, expected: { kind: "parsed" } }, true],
  ])("%s", (_, each, passed) => {
    expect(run(each).passed).toBe(passed);
  });

  test("a refusal of a message counts only where cel-go refuses", () => {
    const refused = (at: string): Case => ({
      ...EMPTY,
      expression: "1 + 'a'",
      needs: [{ name: "M", where: "declaration" }],
      expected: { kind: "refused", at: [at] },
    });
    expect(run(refused("1:3")).passed).toBe(true);
    expect(run(refused("1:1")).passed).toBe(false);
  });
});

describe("waivers", () => {
  const needy: Case = { ...EMPTY, needs: [{ name: "a.Message", where: "expression" }] };
  test("name a test and a message that is in it", () => {
    expect(mistakesInWaivers({ "basic/group/name": "a.Message" }, [needy])).toEqual([]);
    expect(mistakesInWaivers({ "basic/group/name": "a.Message" }, [EMPTY])).toHaveLength(1);
    expect(mistakesInWaivers({ "basic/group/name": "" }, [needy])).toHaveLength(1);
    expect(mistakesInWaivers({ "basic/group/other": "a.Message" }, [needy])).toHaveLength(1);
  });
});

describe("outcomes", () => {
  test.each<[string, string, Outcome["kind"]]>([
    ["true", "", "passed"],
    ["true", "a.Message", "failed"],
    ["false", "", "failed"],
    ["false", "a.Message", "waived"],
  ])("%s with the waiver '%s'", (expression, message, kind) => {
    const table: Waivers = message === "" ? {} : { "basic/group/name": message };
    expect(outcomeOf({ ...EMPTY, expression }, table).kind).toBe(kind);
  });
});

describe("report", () => {
  test("of a section", () => {
    const lines: string[] = [];
    expect(report(["--section", "plumbing"], (line) => lines.push(line))).toBe(0);
    expect(lines).toEqual([
      "section           passed  failed  waived",
      "plumbing               5       0       0",
      "",
      "5 passed, 0 failed, 0 waived",
    ]);
  });

  test("of nothing", () => {
    expect(report(["--section", "nothing"], () => {})).toBe(2);
    expect(report(["--sections"], () => {})).toBe(2);
  });
});
