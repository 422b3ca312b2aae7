// What does the ClusterServiceVersion of a bundle directory state about the bundle? Its name and version, its upgrade
// edges, the APIs it requires, and further properties in an annotation.

import type { Property } from "../../model/catalog.ts";
import { finding, type Report } from "../../model/finding.ts";
import { detached, isList, isObject, type Json, type JsonObject, own, partOf, typeName } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import { quoted } from "../../text/words.ts";
import { imageFault, MAX_IMAGE_LENGTH } from "../catalog/image-reference.ts";
import type { EntryDraft } from "../catalog/read-package.ts";
import type { PlacedDocument } from "../document.ts";
import { TextFault, valueOrFault } from "../json-text.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { partsOf, textOf } from "../objects/fields.ts";
import { CLUSTER_SERVICE_VERSION, wrongCrdName } from "../objects/installed-operator.ts";
import { fits } from "../shape.ts";
import { checkedProperty, typeAndValue } from "./declared-properties.ts";
import { apiProperty } from "./provided-apis.ts";

const SKIP_RANGE = "olm.skipRange";
const PROPERTIES = "olm.properties";

/** The content of a ClusterServiceVersion. */
export interface CsvStatement {
  readonly version: string | undefined;
  /** Distinguishes builds of one version; rare. */
  readonly release: string | undefined;
  readonly displayName: string;
  readonly relatedImages: Json;
  readonly properties: readonly Property[];
}

/** Is a manifest a ClusterServiceVersion? OLM, too, looks only at the kind. */
export function isCsv({ value }: PlacedDocument): boolean {
  return own(value, "kind") === "ClusterServiceVersion";
}

/** The name of a bundle: that of its ClusterServiceVersion. */
export function csvName({ value }: PlacedDocument): string | undefined {
  const name = textOf(partOf(value, "metadata"), "name");
  return name === undefined ? undefined : detached(name);
}

/** The bundle's entry in each of its channels; fields of the wrong type are ignored. */
export function csvEntry(name: string, { value, place }: PlacedDocument): EntryDraft {
  const spec = partOf(value, "spec");
  const replaces = textOf(spec, "replaces");
  const skips = own(spec, "skips");
  const skipRange = textOf(partOf(partOf(value, "metadata"), "annotations"), SKIP_RANGE);
  return {
    name,
    ...(replaces !== undefined && { replaces: detached(replaces) }),
    ...(isList(skips) && skips.length > 0 && { skips: detached(skips.filter((skip) => typeof skip === "string")) }),
    ...(skipRange !== undefined && { skipRange: detached(skipRange) }),
    csv: place,
  };
}

/** Reads a ClusterServiceVersion; undefined, with findings, if it has the wrong shape. */
export function readCsv({ value, place }: PlacedDocument, report: Report): CsvStatement | undefined {
  if (!fits(value, CLUSTER_SERVICE_VERSION.shape, place, report)) return undefined;
  const spec = partOf(value, "spec");
  return {
    version: textOf(spec, "version"),
    release: textOf(spec, "release"),
    displayName: detached(textOf(spec, "displayName") ?? ""),
    relatedImages: detached(
      relatedImages(own(spec, "relatedImages") ?? [], inside(place, "spec", "relatedImages"), report),
    ),
    properties: [...describedApis(spec, place, report), ...annotatedProperties(value, place, report)],
  };
}

/**
 * The related images without those that cannot be pulled as written. operator-registry accepts them in a bundle
 * directory (a leading scheme is the usual mistake) and rejects them only in a catalog, so here only the image is
 * dropped.
 */
function relatedImages(images: Json, place: Place, report: Report): Json {
  if (!isList(images)) return images;
  return images.filter((item, index) => {
    const image = isObject(item) ? own(item, "image") : undefined;
    const fault = typeof image === "string" && image !== "" ? imageFault(image) : undefined;
    if (fault === undefined) return true;
    const message = `the related image ${quoted(image as string, MAX_IMAGE_LENGTH)} cannot be pulled: ${fault}`;
    report(
      finding("PL062", inside(place, index, "image"), { message, help: "it is left out; write it without a scheme" }),
    );
    return false;
  });
}

/** The required APIs, and those provided by the operator's own API server. */
function describedApis(spec: JsonObject, place: Place, report: Report): readonly Property[] {
  const properties: Property[] = [];
  const add = (property: Property | undefined) => {
    if (property !== undefined) properties.push(property);
  };
  const at = inside(place, "spec");
  for (const [index, crd] of partsOf(partOf(spec, "customresourcedefinitions"), "owned").entries()) {
    const name = inside(at, "customresourcedefinitions", "owned", index, "name");
    // operator-registry does not check it; OLM fails on it once the operator is installed.
    const wrong = wrongCrdName(textOf(crd, "name") ?? "", name, "PL012");
    if (wrong !== undefined) report(wrong);
  }
  for (const [index, crd] of partsOf(partOf(spec, "customresourcedefinitions"), "required").entries())
    add(requiredCrd(crd, inside(at, "customresourcedefinitions", "required", index), report));
  const services = partOf(spec, "apiservicedefinitions");
  for (const [index, api] of partsOf(services, "required").entries())
    add(apiProperty("olm.gvk.required", api, inside(at, "apiservicedefinitions", "required", index), report));
  for (const [index, api] of partsOf(services, "owned").entries())
    add(apiProperty("olm.gvk", api, inside(at, "apiservicedefinitions", "owned", index), report));
  return properties;
}

/** A CRD is named `<plural>.<group>`. */
function requiredCrd(crd: JsonObject, place: Place, report: Report): Property | undefined {
  const name = textOf(crd, "name") ?? "";
  const wrong = wrongCrdName(name, inside(place, "name"));
  if (wrong !== undefined) {
    report(wrong);
    return undefined;
  }
  const group = name.slice(name.indexOf(".") + 1);
  const value = { group, version: own(crd, "version") ?? "", kind: own(crd, "kind") ?? "" };
  return apiProperty("olm.gvk.required", value, place, report);
}

/** The properties in an annotation: a list, as JSON text. */
function annotatedProperties(value: JsonObject, place: Place, report: Report): readonly Property[] {
  const written = textOf(partOf(partOf(value, "metadata"), "annotations"), PROPERTIES);
  if (written === undefined) return [];
  const at = inside(place, "metadata", "annotations", PROPERTIES);
  const malformed = (message: string, code: "PL052" | "PL053" = "PL052"): readonly Property[] => {
    report(finding(code, at, { message: `the annotation ${PROPERTIES} ${message}` }));
    return [];
  };
  const entries = valueOrFault(written, DEFAULT_LIMITS.maxDepth);
  if (entries instanceof TextFault)
    return malformed(`is not JSON: ${entries.message} (at character ${entries.position + 1})`);
  if (!isList(entries)) return malformed(`must be a list of properties, but is ${typeName(entries)}`);
  const properties: Property[] = [];
  for (const [index, entry] of entries.entries()) {
    const given = typeAndValue(entry);
    if (typeof given === "string") return malformed(`cannot be used: item ${index}: ${given}`);
    const property = checkedProperty(given.type, given.value);
    if (typeof property === "string")
      return malformed(`cannot be used: item ${index}, of type ${given.type}: ${property}`, "PL053");
    properties.push(property);
  }
  return properties;
}
