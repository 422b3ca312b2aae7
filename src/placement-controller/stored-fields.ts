// Which fields do the installed CRDs store? What a schema does not name, the API server drops silently: writing it again and again
// would never succeed. Read from the OpenAPI documents that every user may read.

import type { ApiServer } from "../kube/api-server.ts";
import { isList, isObject, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import { parsedJson, textField } from "../net/json-fields.ts";
import { ALL_FIELDS, type StoredFields } from "./placement-status.ts";
import { apiOf } from "./watched-kinds.ts";

/** What was read, and what identifies that version of the document. */
export interface ReadFields {
  readonly fields: StoredFields;
  /** Empty if there is none. */
  readonly version: string;
}

const INDEX = "/openapi/v3";

/**
 * The fields that are stored; the same as before if the document is the same, or is missing for a moment, as after a start of the API
 * server. If there was none, all fields are assumed.
 */
export async function storedFields(
  server: Pick<ApiServer, "get">,
  before: ReadFields | undefined,
): Promise<ReadFields> {
  const { group, version } = apiOf("placements");
  // An API server calls the index text/plain.
  const index = parsedJson(await server.get(INDEX, "*/*")) as Json;
  const entry = isObject(index) ? partOf(partOf(index, "paths"), `apis/${group}/${version}`) : {};
  const path = textField(entry, "serverRelativeURL") ?? "";
  if (!path.startsWith(`${INDEX}/`)) return before ?? { fields: ALL_FIELDS, version: "" };
  if (path === before?.version) return before;
  const document = parsedJson(await server.get(path)) as Json;
  return { fields: isObject(document) ? fieldsOf(document) : ALL_FIELDS, version: path };
}

function fieldsOf(document: JsonObject): StoredFields {
  const schemas = Object.values(partOf(partOf(document, "components"), "schemas")).filter(isObject);
  const schemaOf = (list: "placements" | "placementDecisions"): JsonObject => {
    const { group, version, kind } = apiOf(list);
    const isMeant = (one: Json): boolean =>
      isObject(one) && own(one, "group") === group && own(one, "version") === version && own(one, "kind") === kind;
    return (
      schemas.find((schema) => {
        const kinds = own(schema, "x-kubernetes-group-version-kind");
        return isList(kinds) && kinds.some(isMeant);
      }) ?? {}
    );
  };
  const decisions = below(schemaOf("placementDecisions"), "status", "decisions");
  return {
    placementStatus: names(below(schemaOf("placements"), "status")),
    decision: names(decisions && partOf(decisions, "items")),
  };
}

/** The schema of a field inside of a schema; undefined where everything is stored, or nothing is known. */
function below(schema: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  let at: JsonObject | undefined = schema;
  for (const name of path) {
    if (at === undefined || own(at, "x-kubernetes-preserve-unknown-fields") === true) return undefined;
    const next: Json | undefined = own(partOf(at, "properties"), name);
    at = isObject(next) ? next : undefined;
  }
  return at;
}

/** The fields of an object that a schema stores; undefined: all. */
function names(schema: JsonObject | undefined): ReadonlySet<string> | undefined {
  if (schema === undefined || own(schema, "x-kubernetes-preserve-unknown-fields") === true) return undefined;
  const fields = Object.keys(partOf(schema, "properties"));
  return fields.length === 0 ? undefined : new Set(fields);
}
