import { expect, test } from "vitest";
import { celRules } from "./cel-rules.ts";

test.each([
  [{ evaluator: { id: "cel" }, rule: "a" }, [["a", "value.rule"]]],
  [{ evaluator: { id: "cel" }, source: "a" }, [["a", "value.source"]]],
  [{ Evaluator: { ID: "CEL" }, Rule: "a" }, [["a", "value.Rule"]]],
  [{ evaluator: { id: "rego" }, rule: "a" }, []],
  [{ cel: { rule: "a" } }, [["a", "value.cel.rule"]]],
  [{ CEL: { Rule: "a" } }, [["a", "value.CEL.Rule"]]],
  [
    { all: { constraints: [{ cel: { rule: "a" } }, { any: { constraints: [{ gvk: {} }, { cel: { rule: "b" } }] } }] } },
    [
      ["a", "value.all.constraints.0.cel.rule"],
      ["b", "value.all.constraints.1.any.constraints.1.cel.rule"],
    ],
  ],
  [{ not: { constraints: [{ cel: { rule: "a" } }] } }, [["a", "value.not.constraints.0.cel.rule"]]],
  [{ none: { Constraints: [{ rule: "a" }] } }, [["a", "value.none.Constraints.0.rule"]]],
  [{ cel: { rule: 1 } }, []],
  [{ cel: "a" }, []],
  [{ all: { constraints: "a" } }, []],
  ["a", []],
  [null, []],
])("the rules of %j", (value, rules) => {
  expect(celRules({ type: "olm.constraint", value }).map(({ text, path }) => [text, path.join(".")])).toEqual(rules);
});

test("a property type of its own, and types that hold no rules", () => {
  expect(celRules({ type: "olm.constraint.cel", value: { rule: "a", message: "b" } })).toEqual([
    { text: "a", path: ["value", "rule"] },
  ]);
  expect(celRules({ type: "other", value: { rule: "a" } })).toEqual([]);
});
