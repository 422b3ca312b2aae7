// Is an object of a custom kind valid, and what becomes of it? As the API server does it: unknown fields are dropped,
// defaults are put in, then the object is judged by the schema, and by its rules unless something is wrong that keeps
// the API server from asking them.

import { canonicalText, compareText, type Json, type JsonObject } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import { type ObjectRules, rulesFor } from "../rules/rules-for.ts";
import type { Schema } from "../schema/schema.ts";
import { checkOf } from "./check.ts";
import { Patterns } from "./check-text.ts";
import { checkRoot } from "./metadata.ts";
import { Search } from "./search.ts";
import { Serving, serveFor } from "./serve.ts";
import type { Judgement, ObjectFault, Validator, Verdict } from "./validator.ts";

/** Settings of the definition beside its schema, and the budget. */
export interface ValidatorOptions {
  /** The definition keeps unknown fields of its objects (v1beta1). */
  readonly preserveUnknownFields: boolean;
  /** How much the rules of a schema may cost for one object. */
  readonly celCostLimit: number;
}

/** How many faults are collected by default. */
const MAX_FAULTS = 100;

/** Judges objects by a schema; without a schema, every object is valid as it is. */
export function validatorFor(schema: Schema | undefined, options: ValidatorOptions): Validator {
  if (schema === undefined) {
    return { judge: (object) => ({ object, dropped: [], faults: [], undecided: undefined }) };
  }
  const { preserveUnknownFields, celCostLimit } = options;
  const serve = serveFor(schema, preserveUnknownFields ? "none" : "all", preserveUnknownFields, true);
  const check = checkOf(schema, true, new Patterns());
  let rules: ObjectRules | undefined | "not read" = "not read";

  return {
    judge(object: JsonObject, { old, mostFaults = MAX_FAULTS }: Judgement = {}): Verdict {
      const serving = new Serving();
      const served = serve(object, serving) as JsonObject;
      const { dropped } = serving;
      if (serving.undecided !== undefined) {
        return { object: served, dropped, faults: [], undecided: serving.undecided };
      }
      const search = new Search(mostFaults);
      check(served, search);
      checkRoot(served, (steps, detail) => search.fault(schema, "metadata", () => detail, steps, ""));
      const verdict: Verdict = {
        object: served,
        dropped,
        faults: search.faults.length > 1 ? search.faults.sort(compareFaults) : search.faults,
        undecided: search.undecided,
      };
      const most = Math.max(1, mostFaults) - search.faults.length;
      if (search.blocksRules || most <= 0 || verdict.undecided !== undefined) return verdict;
      if (rules === "not read") rules = rulesFor(schema, { celCostLimit });
      if (rules === undefined) return verdict;
      const servedOld = old === undefined ? undefined : (serve(old, new Serving()) as JsonObject);
      const { faults, undecided } = rules.check(served, servedOld, most);
      return { ...verdict, faults: [...verdict.faults, ...faults], undecided };
    },
  };
}

/** By their place in the object, then by their place in the schema. */
function compareFaults(a: ObjectFault, b: ObjectFault): number {
  return comparePaths(a.path, b.path) || comparePaths(a.at, b.at) || compareText(textOf(a), textOf(b));
}

function textOf({ detail }: ObjectFault): string {
  return canonicalText(detail as unknown as Json);
}

function comparePaths(a: Path, b: Path): number {
  for (const [index, step] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (step === other) continue;
    if (typeof step === "number" && typeof other === "number") return step - other;
    return compareText(String(step), String(other));
  }
  return a.length - b.length;
}
