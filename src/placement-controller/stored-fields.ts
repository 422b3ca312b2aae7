// Which fields do the installed CRDs store? What a schema does not name, the API server drops silently: writing it again and again
// would never succeed. Read from the OpenAPI documents, which need no right to read CRDs.

import type { ApiServer } from "../kube/api-server.ts";
import { isList, isObject, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import { parsedJson, textField } from "../net/json-fields.ts";
import { apiOf } from "./watched-kinds.ts";

/** Which fields of objects the installed CRDs store; undefined: all. */
export interface StoredFields {
  /** Of the status of a Placement. */
  readonly placementStatus: ReadonlySet<string> | undefined;
  /** Of a decision in the status of a PlacementDecision. */
  readonly decision: ReadonlySet<string> | undefined;
}

export const ALL_FIELDS: StoredFields = { placementStatus: undefined, decision: undefined };

/** What was read, and the hash of that document. */
export interface ReadFields {
  readonly fields: StoredFields;
  readonly hash: string;
}

/**
 * The fields that are stored; the same as before if the document is the same. Undefined if there is no such document: the CRDs are not
 * installed, or not published yet. The document is requested without its hash: the index is updated later than the document, and another
 * replica of the API server may have an older one. With any other hash than its own, a server redirects.
 */
export async function storedFields(
  server: Pick<ApiServer, "read">,
  before: ReadFields | undefined,
): Promise<ReadFields | undefined> {
  const { group, version } = apiOf("placements");
  const { document: index } = await documentAt(server, "/openapi/v3");
  const address = textField(partOf(partOf(index, "paths"), `apis/${group}/${version}`), "serverRelativeURL") ?? "";
  if (!address.startsWith("/openapi/v3/")) return undefined;
  const [path = "", query = ""] = address.split("?");
  const published = new URLSearchParams(query).get("hash") ?? "";
  if (published === before?.hash) return before;
  const { document, hash = published } = await documentAt(server, path);
  // A server that does not have the document any more answers with nothing.
  return isObject(own(document, "components")) ? { fields: fieldsOf(document), hash } : undefined;
}

/** More than all CRDs of a cluster together. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A document, and its hash if the server says it. */
interface ServedDocument {
  readonly document: JsonObject;
  readonly hash: string | undefined;
}

/** A document; empty if it is none. kube-apiserver calls the index plain text, so that the type is not looked at. */
function documentAt(server: Pick<ApiServer, "read">, path: string): Promise<ServedDocument> {
  return server.read(path, {}, async ({ headers, body }) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) return { document: {}, hash: undefined };
      pieces.push(piece);
    }
    const document = parsedJson(Buffer.concat(pieces).toString("utf8")) as Json;
    const [, hash] = /"([^"]+)"/.exec(headers.etag ?? "") ?? [];
    return { document: isObject(document) ? document : {}, hash };
  });
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
