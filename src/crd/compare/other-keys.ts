// What becomes of the values under keys that a schema does not name, where one of two schemas says what they are?

import type { Schema } from "../schema/schema.ts";
import type { SchemaChange, SchemaDifference } from "./difference.ts";
import { keepsAnything, mayHoldFields, pruningBelow } from "./kept.ts";
import type { Pair } from "./pair.ts";
import { saidBy, saysNothing } from "./schema-json.ts";
import { shown } from "./shown.ts";

type Other = Schema["additionalProperties"];

/** A schema that leaves everything open is the same as true. */
export function openTo(additional: Other): Other {
  return typeof additional === "object" && saysNothing(additional) ? true : additional;
}

type Change = Extract<SchemaChange, { readonly kind: "other-keys" }>;

/** The effect of another additionalProperties, and what becomes of other keys; not of two schemas. */
export function otherKeys(pair: Pair, before: Other, after: Other): readonly [SchemaDifference["effect"], Change] {
  const kind = "other-keys";
  if (after === false) return ["tighter", { kind, become: "refused" }];
  if (after === undefined) {
    if (before === false) return ["looser", { kind, become: "not-refused" }];
    return pair.pruning.new === "all"
      ? ["tighter", { kind, become: "dropped" }]
      : ["looser", { kind, become: "unchecked" }];
  }
  const wasKept = before === undefined && pair.pruning.old !== "all";
  if (after === true) {
    // Nothing is known of such values, so everything in them is dropped.
    const hadFields = typeof before === "object" ? mayHoldFields(before) : wasKept;
    if (hadFields && pair.pruning.new !== "none") return ["tighter", { kind, become: "emptied" }];
    return ["looser", { kind, become: before === false ? "allowed" : "any-value" }];
  }
  const values = shown(saidBy(after).json);
  if ((before === true || wasKept) && !keepsAnything(after, pruningBelow(pair.pruning.new)))
    return ["tighter", { kind, become: "checked", values }];
  return ["looser", { kind, become: "allowed-as", values }];
}
