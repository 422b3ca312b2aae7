// Why is a rule not true of an operator? `x 1.0.0 has tier = "silver"`.

import type { NearMiss } from "../../resolve/explain/fact.ts";
import type { OperatorWords } from "./operators.ts";

/** The value of which the rule is false, or the error that stopped it. */
export function nearMissText({ operator, values, error, property }: NearMiss, words: OperatorWords): string {
  const who = words.one(operator);
  if (error !== undefined) return `for ${who} it cannot be evaluated: ${error}`;
  if (property !== undefined) return `${who} has ${property.type} = ${property.value}`;
  return `of ${who}, ${values.map(({ expression, value }) => `${expression} is ${value}`).join(", ")}`;
}
