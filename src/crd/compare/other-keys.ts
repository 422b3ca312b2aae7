// What becomes of the values under keys that a schema does not name, where one of two schemas says what they are?

import type { Schema } from "../schema/schema.ts";
import type { SchemaDifference } from "./difference.ts";
import { keepsAnything, mayHoldFields, pruningBelow } from "./kept.ts";
import type { Pair } from "./pair.ts";
import { saidBy, saysNothing } from "./schema-json.ts";
import { shown } from "./shown.ts";

type Other = Schema["additionalProperties"];

/** A schema that leaves everything open is the same as true. */
export function openTo(additional: Other): Other {
  return typeof additional === "object" && saysNothing(additional) ? true : additional;
}

/** The effect of another additionalProperties, and the sentence about it; not of two schemas. */
export function otherKeys(pair: Pair, before: Other, after: Other): readonly [SchemaDifference["effect"], string] {
  if (after === false) return ["tighter", "other keys are no longer allowed"];
  if (after === undefined) {
    if (before === false) return ["looser", "other keys are no longer refused"];
    return pair.pruning.new === "all"
      ? ["tighter", "other keys are no longer kept"]
      : ["looser", "the values of other keys are no longer checked"];
  }
  const wasKept = before === undefined && pair.pruning.old !== "all";
  if (after === true) {
    // Nothing is known of such values, so everything in them is dropped.
    const hadFields = typeof before === "object" ? mayHoldFields(before) : wasKept;
    if (hadFields && pair.pruning.new !== "none")
      return ["tighter", "other keys may now have any value, but objects under them lose their fields"];
    return ["looser", before === false ? "other keys are now allowed" : "other keys may now have any value"];
  }
  const values = shown(saidBy(after).json);
  if ((before === true || wasKept) && !keepsAnything(after, pruningBelow(pair.pruning.new)))
    return ["tighter", `the values of other keys must now be ${values}`];
  return ["looser", `other keys are now allowed, with values that are ${values}`];
}
