// Which two nodes are being compared, and what was found about them?

import type { Json } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { SchemaCode } from "../rule.ts";
import type { Schema } from "../schema/schema.ts";
import type { Pruning } from "../validate/serve.ts";
import type { SchemaDifference } from "./difference.ts";

/** The schemas of one field, before and after. */
export interface Pair {
  readonly old: Schema;
  readonly new: Schema;
  /** Which unknown fields are dropped from its values, before and after. */
  readonly pruning: { readonly old: Pruning; readonly new: Pruning };
  /** The field, as people write it. */
  readonly path: string;
  /** Collects the differences, of this field and of all others. */
  readonly told: SchemaDifference[];
}

/** The keyword that differs and what it said; nothing where it says nothing. */
export interface Change {
  /** The keyword below the node, perhaps with a position in it. */
  readonly keyword: string | Path;
  readonly old?: Json | undefined;
  readonly new?: Json | undefined;
  /** OLM v1 does not look for it. */
  readonly unseenByOlm?: true;
}

/** Tells a difference between the nodes of a pair. */
export function tell(
  pair: Pair,
  code: SchemaCode,
  effect: SchemaDifference["effect"],
  change: Change,
  message: string,
): void {
  const gone = change.new === undefined;
  const { at } = gone ? pair.old : pair.new;
  const keyword = typeof change.keyword === "string" ? [change.keyword] : change.keyword;
  pair.told.push({
    code,
    path: pair.path,
    at: [...at, ...keyword],
    gone,
    effect,
    old: change.old,
    new: change.new,
    message,
    ...(change.unseenByOlm && { unseenByOlm: true }),
  });
}
