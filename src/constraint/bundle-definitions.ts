// Which CustomResourceDefinitions does a bundle contain? Those among its manifests, if they are included.

import { gvkKey, type Property } from "../model/catalog.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { definitionOf } from "../model/definition-of.ts";
import { getOrAdd } from "../model/grouped.ts";
import { isList, isObject, type JsonObject, own, partOf } from "../model/json.ts";
import { wholeSource } from "../model/place.ts";
import { isManifest, manifestOf } from "./manifests.ts";

/** The CRDs of a bundle. */
export interface BundleDefinitions {
  /** Their places are meaningless: a manifest inside a property has no lines. */
  readonly definitions: readonly CustomResourceDefinition[];
  /** The versions of kinds that its ClusterServiceVersion owns, by `gvkKey`; undefined if that is not included. */
  readonly owned: readonly string[] | undefined;
  /** All manifests could be read; there may be none. */
  readonly isWhole: boolean;
}

const NONE: BundleDefinitions = { definitions: [], owned: undefined, isWhole: true };
const known = new WeakMap<readonly Property[], BundleDefinitions>();

/** The definitions among the properties of a bundle; read once. */
export function bundleDefinitions(properties: readonly Property[]): BundleDefinitions {
  return getOrAdd(known, properties, () => (properties.some(isManifest) ? readManifests(properties) : NONE));
}

const KINDS = ["CustomResourceDefinition", "ClusterServiceVersion"];

function readManifests(properties: readonly Property[]): BundleDefinitions {
  const definitions: CustomResourceDefinition[] = [];
  let owned: readonly string[] | undefined;
  let isWhole = true;
  for (const property of properties) {
    const manifest = isManifest(property) ? manifestOf(property, KINDS) : undefined;
    if (manifest === "unreadable") isWhole = false;
    else if (manifest?.kind === "CustomResourceDefinition") definitions.push(definitionIn(manifest));
    else if (manifest !== undefined) owned = ownedApis(manifest);
  }
  return { definitions, owned, isWhole };
}

function definitionIn(manifest: JsonObject): CustomResourceDefinition {
  const apiVersion = own(manifest, "apiVersion");
  const version = typeof apiVersion === "string" ? apiVersion.slice(apiVersion.indexOf("/") + 1) : "v1";
  return definitionOf(manifest, version, wholeSource(""));
}

/** `spec.customresourcedefinitions.owned`; a CRD is named `<plural>.<group>`. */
function ownedApis(csv: JsonObject): readonly string[] {
  const list = own(partOf(partOf(csv, "spec"), "customresourcedefinitions"), "owned");
  return (isList(list) ? list : []).flatMap((item) => {
    const [name, version, kind] = ["name", "version", "kind"].map((key) =>
      isObject(item) ? own(item, key) : undefined,
    );
    if (typeof name !== "string" || !name.includes(".") || typeof version !== "string" || typeof kind !== "string")
      return [];
    return [gvkKey({ group: name.slice(name.indexOf(".") + 1), version, kind })];
  });
}
