// How does the schema of a CRD read as JSON Schema? Editors check and complete a file with it: the API server's own keywords are left
// out, unknown fields are mistakes, and what rules say of texts is an enum.

import { isObject, type Json, type JsonObject, partOf } from "../../src/model/json.ts";

const TITLE = "A Resolution of Plimsoll, as Kubernetes stores it";
const ID = "https://plimsoll.dev/schemas/resolution.schema.json";

/** The JSON Schema of a whole Resolution. */
export function jsonSchemaOf(schema: JsonObject, modes: readonly string[]): JsonObject {
  const { type, description, properties } = translated(schema);
  const { apiVersion, kind, metadata, spec, status } = properties as Readonly<Record<string, JsonObject>>;
  const mode = { ...partOf(partOf(spec as JsonObject, "properties"), "mode"), enum: [...modes] };
  const { maxLength: _, ...chosen } = mode as JsonObject;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: ID,
    title: TITLE,
    description: description as Json,
    type: type as Json,
    required: ["apiVersion", "kind", "metadata"],
    additionalProperties: false,
    properties: {
      apiVersion: { description: apiVersion?.description as Json, const: "plimsoll.dev/v1alpha1" },
      kind: { description: kind?.description as Json, const: "Resolution" },
      metadata: {
        ...metadata,
        required: ["name"],
        properties: { name: { enum: ["plimsoll", "cluster"] } },
      },
      spec: { ...spec, properties: { ...partOf(spec as JsonObject, "properties"), mode: chosen } },
      status: status as JsonObject,
    },
  };
}

function translated(schema: JsonObject): JsonObject {
  const { properties, items } = schema;
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith("x-kubernetes-") && !isForNumbers(schema, key));
  return {
    ...Object.fromEntries(kept),
    ...(schema["x-kubernetes-list-type"] === "set" && { uniqueItems: true }),
    ...(isObject(items) && { items: translated(items) }),
    ...(isObject(properties) && {
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, translated(one as JsonObject)]),
      ),
    }),
  };
}

/** JSON Schema has no format for numbers. */
function isForNumbers({ type }: JsonObject, key: string): boolean {
  return key === "format" && type === "integer";
}
