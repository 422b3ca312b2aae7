// Which two nodes are being compared, and what was found about them?

import type { Json } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { SchemaCode } from "../finding-codes.ts";
import type { Schema } from "../schema/schema.ts";
import type { Pruning } from "../validate/prune-and-default.ts";
import type { SchemaChange, SchemaDifference } from "./difference.ts";

/** The schemas of one field, before and after. */
export interface Pair {
  readonly old: Schema;
  readonly new: Schema;
  /** Which unknown fields are dropped from its values, before and after. */
  readonly pruning: { readonly old: Pruning; readonly new: Pruning };
  /** The field as a path. */
  readonly path: string;
  /** Collects the differences, of this field and of all others. */
  readonly found: SchemaDifference[];
}

/** The keyword that differs, and its old and new values; undefined if it is absent. */
export interface Change {
  /** The keyword below the node, perhaps with a position in it. */
  readonly keyword: string | Path;
  readonly old?: Json | undefined;
  readonly new?: Json | undefined;
  /** OLM v1 does not look for it. */
  readonly unseenByOlm?: true;
}

/** Records a difference between the nodes of a pair. */
export function report(
  pair: Pair,
  code: SchemaCode,
  effect: SchemaDifference["effect"],
  change: Change,
  detail: SchemaChange,
): void {
  const gone = change.new === undefined;
  const { at } = gone ? pair.old : pair.new;
  const keyword = typeof change.keyword === "string" ? [change.keyword] : change.keyword;
  pair.found.push({
    code,
    path: pair.path,
    at: [...at, ...keyword],
    gone,
    effect,
    old: change.old,
    new: change.new,
    detail,
    ...(change.unseenByOlm && { unseenByOlm: true }),
  });
}
