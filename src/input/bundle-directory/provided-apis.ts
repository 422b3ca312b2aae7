// Which APIs does a bundle provide by its CustomResourceDefinitions? Every version of each of them, even if the
// ClusterServiceVersion does not list it as owned.

import type { Property } from "../../model/catalog.ts";
import { finding, type Report } from "../../model/finding.ts";
import { detached, isObject, type Json, own, partOf } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import { quoted } from "../../text/words.ts";
import type { PlacedDocument } from "../document.ts";
import { CUSTOM_RESOURCE_DEFINITION } from "../objects/custom-resource-definition.ts";
import { partsOf, textOf } from "../objects/fields.ts";
import { fits } from "../shape.ts";
import { checkedProperty } from "./declared-properties.ts";

/** The `olm.gvk` properties of the manifests; a definition of the wrong shape is reported. */
export function providedApis(manifests: readonly PlacedDocument[], report: Report): readonly Property[] {
  const properties: Property[] = [];
  for (const { value, place } of manifests) {
    if (own(value, "kind") !== "CustomResourceDefinition") continue;
    if (!fits(value, CUSTOM_RESOURCE_DEFINITION.shape, place, report)) continue;
    const spec = partOf(value, "spec");
    const group = textOf(spec, "group") ?? "";
    const kind = textOf(partOf(spec, "names"), "kind") ?? "";
    const api = (version: string, ...path: readonly (string | number)[]) => {
      const property = apiProperty("olm.gvk", { group, version, kind }, inside(place, "spec", ...path), report);
      if (property !== undefined) properties.push(property);
    };
    for (const [index, version] of partsOf(spec, "versions").entries())
      api(textOf(version, "name") ?? "", "versions", index, "name");
    // v1beta1 may name a single version, instead of a list or in addition to it.
    const single = textOf(spec, "version");
    if (single !== undefined) api(single, "version");
  }
  return properties;
}

/** The property for an API of a manifest; undefined, with a finding, if it is invalid. */
export function apiProperty(
  type: "olm.gvk" | "olm.gvk.required",
  value: Json,
  place: Place,
  report: Report,
): Property | undefined {
  const property = checkedProperty(type, detached(value));
  if (typeof property !== "string") return property;
  const name = isObject(value) ? `${value.group}/${value.version}/${value.kind}` : "?";
  report(finding("PL009", place, { message: `the API ${quoted(name)} is invalid: ${property}` }));
  return undefined;
}
