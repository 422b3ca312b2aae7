// Which fields do the installed CRDs store? What a schema does not name, the API server drops silently: writing it again and again
// would never succeed. Read from the OpenAPI documents that every user may read.

import type { ApiServer } from "../kube/api-server.ts";
import { isList, isObject, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import { parsedJson, textField } from "../net/json-fields.ts";
import type { Response } from "../net/transport.ts";
import { ALL_FIELDS, type StoredFields } from "./placement-status.ts";
import { apiOf } from "./watched-kinds.ts";

/** What was read, and what identifies that version of the document. */
export interface ReadFields {
  readonly fields: StoredFields;
  /** Empty if there is none. */
  readonly version: string;
}

const INDEX = "/openapi/v3";
/** More is not read of the index. It has a line for each version of a group. */
const MAX_INDEX_BYTES = 8 * 1024 * 1024;

/**
 * The fields that are stored; the same as before if the document is the same, or is missing for a moment, as after a start of the API
 * server. If there was none, all fields are assumed.
 */
export async function storedFields(
  server: Pick<ApiServer, "get" | "read">,
  before: ReadFields | undefined,
): Promise<ReadFields> {
  const { group, version } = apiOf("placements");
  // A real API server calls the index text/plain.
  const index = parsedJson(await server.read(INDEX, {}, boundedText)) as Json;
  const entry = isObject(index) ? partOf(partOf(index, "paths"), `apis/${group}/${version}`) : {};
  const path = textField(entry, "serverRelativeURL") ?? "";
  if (!path.startsWith(`${INDEX}/`)) return before ?? { fields: ALL_FIELDS, version: "" };
  if (path === before?.version) return before;
  const document = parsedJson(await server.get(path)) as Json;
  return { fields: isObject(document) ? fieldsOf(document) : ALL_FIELDS, version: path };
}

/** The text of a body; empty if it is too long. */
async function boundedText({ body }: Pick<Response, "body">): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MAX_INDEX_BYTES) return "";
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
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
