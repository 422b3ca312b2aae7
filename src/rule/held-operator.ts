// Why must an operator stay as it is?

import type { Installed } from "../model/problem.ts";
import { type Rule, rule } from "./rule.ts";

/** A held operator is kept: an OperatorCondition `Upgradeable=False` (OLM), or a flag of the command line: `kept`. */
export function holdRule({ name, hold, place }: Installed): Rule | undefined {
  if (hold === undefined) return undefined;
  const why = hold.by === "condition" ? "it says that it is not upgradeable" : "it is to be held";
  return rule(
    "held-operator",
    name,
    `${name} stays as it is: ${why}${hold.text === "" ? "" : `: ${hold.text}`}`,
    place,
  );
}
