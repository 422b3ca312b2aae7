// Which fields that objects may have in one version does the schema of another drop?

import type { CustomResourceVersion } from "../../model/custom-resource.ts";
import type { JsonObject } from "../../model/json.ts";
import { compareSchemas } from "../compare/compare-schemas.ts";
import type { SchemaDifference } from "../compare/difference.ts";
import type { SchemaCode } from "../finding-codes.ts";
import { isSameSchema, readOnce } from "./read-schemas.ts";

/** Everything that an object may have in one version, it may have in the other. */
export function keepsAll(from: CustomResourceVersion, to: CustomResourceVersion): boolean {
  if (to.schema === undefined || isSameSchema(from.schema, to.schema)) return true;
  return from.schema !== undefined && !tighter(from.schema, to.schema).some(({ code }) => NARROWER.has(code));
}

/** Fields of one version that the schema of the other drops; nothing if either has no schema. */
export function droppedBetween(from: CustomResourceVersion, to: CustomResourceVersion): readonly SchemaDifference[] {
  if (from.schema === undefined || to.schema === undefined) return [];
  return tighter(from.schema, to.schema).filter(drops);
}

/** Whether values are dropped by it, rather than refused. */
export function drops({ code, effect, new: now }: SchemaDifference): boolean {
  if (effect !== "tighter") return false;
  return code === "CRD209" || ((code === "CRD215" || code === "CRD211") && (now === undefined || now === true));
}

/** Differences after which there may be less to be seen of an object. */
const NARROWER: ReadonlySet<SchemaCode> = new Set<SchemaCode>(["CRD209", "CRD211", "CRD215"]);

function tighter(from: JsonObject, to: JsonObject): readonly SchemaDifference[] {
  const differences = compareSchemas(readOnce(from).schema, readOnce(to).schema);
  return differences.filter(({ effect }) => effect === "tighter");
}
