// How is a ClusterServiceVersion read?

import type { Property } from "../../model/catalog.ts";
import { type Finding, finding } from "../../model/finding.ts";
import {
  type ApiDescription,
  type ApiDescriptions,
  type InstalledOperator,
  PROPERTIES_ANNOTATION,
} from "../../model/installed-operator.ts";
import { isList, isObject, type JsonObject, own, partOf, typeName } from "../../model/json.ts";
import { textUnder } from "../../model/labels.ts";
import { inside, type Place } from "../../model/place.ts";
import { TextFault, valueOrFault } from "../json-text.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { anything, boolean, complete, each, list, object, objectWith, type Shape, text } from "../shape.ts";
import { installModesOf, optionalTexts, partsOf, textFields, textMapOf, textOf, textsOf } from "./fields.ts";
import {
  type GivenObject,
  identityOf,
  isTerminating,
  type ObjectKind,
  shapeWithSpec,
  specOf,
  statusOf,
} from "./object-kind.ts";

const COPIED_FROM_LABEL = "olm.copiedFrom";

const CRD_DESCRIPTIONS: Shape = list(complete({ name: text, version: text, kind: text }));
const API_SERVICES: Shape = list(
  objectWith(["group", "version", "kind"], { group: text, name: text, version: text, kind: text }),
);

/** OLM's ClusterServiceVersion: an operator that is installed, or about to be. */
export const CLUSTER_SERVICE_VERSION: ObjectKind<InstalledOperator> = {
  kind: "ClusterServiceVersion",
  group: "operators.coreos.com",
  versions: ["v1alpha1"],
  namespaced: true,
  shape: shapeWithSpec({
    spec: object({
      version: text,
      replaces: text,
      skips: list(text),
      minKubeVersion: text,
      installModes: list(complete({ type: text, supported: boolean })),
      customresourcedefinitions: object({ owned: CRD_DESCRIPTIONS, required: CRD_DESCRIPTIONS }),
      apiservicedefinitions: object({ owned: API_SERVICES, required: API_SERVICES }),
      ...each(anything, "annotations", "cleanup", "description", "displayName", "icon", "install", "keywords"),
      ...each(anything, "labels", "links", "maintainers", "maturity", "nativeAPIs", "provider", "relatedImages"),
      ...each(anything, "release", "selector", "webhookdefinitions"),
    }),
    status: object({
      ...each(text, "phase", "reason", "message"),
      ...each(anything, "certsLastUpdated", "certsRotateAt", "cleanup", "conditions", "lastTransitionTime"),
      ...each(anything, "lastUpdateTime", "requirementStatus"),
    }),
  }),
  build(given) {
    const spec = specOf(given);
    const status = statusOf(given);
    const labels = textMapOf(given.metadata, "labels");
    const annotations = textMapOf(given.metadata, "annotations");
    const reason = textOf(status, "reason");
    const propertiesText = textUnder(annotations, PROPERTIES_ANNOTATION);
    return {
      ...identityOf(given),
      labels,
      annotations,
      ...optionalTexts(spec, "version", "replaces", "minKubeVersion"),
      skips: textsOf(spec, "skips"),
      installModes: installModesOf(spec),
      customResourceDefinitions: crdsOf(given, partOf(spec, "customresourcedefinitions")),
      apiServices: apisOf(partOf(spec, "apiservicedefinitions"), readApiService),
      ...optionalTexts(status, "phase", "message"),
      reason,
      copied: reason === "Copied" || textUnder(labels, COPIED_FROM_LABEL) !== undefined,
      terminating: isTerminating(given),
      properties: installedPropertiesOf(propertiesText, given),
      propertiesText,
    };
  },
};

function apisOf(definitions: JsonObject, read: (description: JsonObject) => ApiDescription): ApiDescriptions {
  return { owned: partsOf(definitions, "owned").map(read), required: partsOf(definitions, "required").map(read) };
}

/** Without those whose name has no group: OLM does nothing in a namespace with such a ClusterServiceVersion. */
function crdsOf({ place, report }: GivenObject, definitions: JsonObject): ApiDescriptions {
  const named = (list: "owned" | "required"): readonly JsonObject[] =>
    partsOf(definitions, list).filter((description, index) => {
      const at = inside(place, "spec", "customresourcedefinitions", list, index, "name");
      const wrong = wrongCrdName(textOf(description, "name") ?? "", at);
      if (wrong !== undefined) report(wrong);
      return wrong === undefined;
    });
  return { owned: named("owned").map(readCrd), required: named("required").map(readCrd) };
}

/** What is wrong with the name of a CRD: it must be `<plural>.<group>`. */
export function wrongCrdName(name: string, place: Place, code: "PL009" | "PL012" = "PL009"): Finding | undefined {
  if (name.includes(".")) return undefined;
  const message = `a CustomResourceDefinition cannot be called ${JSON.stringify(name)}`;
  return finding(code, place, { message, help: "write the plural, a dot and the group" });
}

function readCrd(description: JsonObject): ApiDescription {
  const [plural = "", ...group] = (textOf(description, "name") ?? "").split(".");
  return { group: group.join("."), ...textFields(description, "version", "kind"), plural };
}

function readApiService(description: JsonObject): ApiDescription {
  return { ...textFields(description, "group", "version", "kind"), plural: textOf(description, "name") ?? "" };
}

// Which properties does an installed operator have? OLM keeps them as JSON text in an annotation; malformed text is
// reported, and the operator is used without them.

/** Reads `{"properties": [{"type": …, "value": …}]}`; undefined if there is no text or it is malformed. */
function installedPropertiesOf(written: string | undefined, given: GivenObject): readonly Property[] | undefined {
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
  const document = valueOrFault(written, DEFAULT_LIMITS.maxDepth);
  if (document instanceof TextFault) return `is not JSON: ${document.message} (at character ${document.position + 1})`;
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
