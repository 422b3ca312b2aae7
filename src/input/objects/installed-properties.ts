// Which properties does an installed operator have? OLM keeps them as JSON text in an annotation; malformed text is
// reported, and the operator is used without them.

import type { Property } from "../../model/catalog.ts";
import { finding } from "../../model/finding.ts";
import { PROPERTIES_ANNOTATION } from "../../model/installed-operator.ts";
import { isList, isObject, type Json, own, typeName } from "../../model/json.ts";
import { inside } from "../../model/place.ts";
import { readJson, TextFault } from "../json-text.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { GivenObject } from "./object-kind.ts";

/** Reads `{"properties": [{"type": …, "value": …}]}`; undefined if there is no text or it is malformed. */
export function installedPropertiesOf(
  written: string | undefined,
  given: GivenObject,
): readonly Property[] | undefined {
  if (written === undefined) return undefined;
  const properties = readProperties(written);
  if (typeof properties !== "string") return properties;
  given.report(
    finding("PL052", inside(given.place, "metadata", "annotations", PROPERTIES_ANNOTATION), {
      message: `the annotation ${PROPERTIES_ANNOTATION} ${properties}`,
      help: "the operator is used without these properties",
    }),
  );
  return undefined;
}

/** The properties, or what is wrong with them. */
function readProperties(written: string): readonly Property[] | string {
  let document: Json;
  try {
    document = readJson(written, DEFAULT_LIMITS.maxDepth);
  } catch (fault) {
    if (!(fault instanceof TextFault)) throw fault;
    return `is not JSON: ${fault.message} (at character ${fault.position + 1})`;
  }
  if (!isObject(document)) return `must be an object with properties, but is ${typeName(document)}`;
  const items = own(document, "properties") ?? [];
  if (!isList(items)) return `must have a list of properties, but has ${typeName(items)}`;
  const properties: Property[] = [];
  for (const [index, item] of items.entries()) {
    const type = isObject(item) ? own(item, "type") : undefined;
    const value = isObject(item) ? own(item, "value") : undefined;
    if (typeof type !== "string" || type === "") return `has no type at properties[${index}]`;
    if (value === undefined) return `has no value at properties[${index}]`;
    properties.push({ type, value });
  }
  return properties;
}
