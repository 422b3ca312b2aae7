// How are the CustomResourceDefinition of a small world, its objects and the bundles that bring it written by hand?

import { manifestProperty } from "../../src/input/bundle-directory/manifest-property.ts";
import type { Property } from "../../src/model/catalog.ts";
import type { CustomResource, CustomResourceDefinition } from "../../src/model/custom-resource.ts";
import { customResourceOf, definitionOf } from "../../src/model/definition-of.ts";
import type { JsonObject } from "../../src/model/json.ts";

const GROUP = "quay.example.com";
const KIND = "Winch";

/**
 * The object of a definition; every version has the same schema of `spec`. A version `v1` is served, `v1*` is also the
 * storage version, `-v1` is not served.
 */
export function definitionObject(
  versions: readonly string[],
  spec: JsonObject = {},
  more: JsonObject = {},
): JsonObject {
  const schema = { type: "object", properties: { spec: { type: "object", properties: spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `winches.${GROUP}` },
    spec: {
      group: GROUP,
      names: { kind: KIND, plural: "winches" },
      scope: "Namespaced",
      versions: versions.map((text) => ({
        name: text.replace(/^-|\*$/g, ""),
        served: !text.startsWith("-"),
        storage: text.endsWith("*"),
        schema: { openAPIV3Schema: schema },
      })),
      ...more,
    },
  };
}

/** A definition of the cluster; objects may be stored in these versions. */
export function definition(object: JsonObject, stored: readonly string[] = []): CustomResourceDefinition {
  const place = { source: "crds.yaml", line: 1, column: 1 };
  return definitionOf({ ...object, status: { storedVersions: stored } }, "v1", place);
}

/** An object of the kind. */
export function winch(version: string, name: string, spec: JsonObject = {}): CustomResource {
  const apiVersion = `${GROUP}/${version}`;
  const object = { apiVersion, kind: KIND, metadata: { name, namespace: "objects" }, spec };
  return customResourceOf(object, apiVersion, KIND, { source: "objects.yaml", line: 1, column: 1 });
}

/** What a bundle has that brings a definition: an API for each version, served or not, and the manifest. */
export function brings(object: JsonObject): readonly Property[] {
  const { versions } = definition(object);
  const apis = versions.map(({ name }) => ({ type: "olm.gvk", value: { group: GROUP, version: name, kind: KIND } }));
  return [...apis, manifestProperty(object)];
}

/** Needs a version of the kind. */
export function needsVersion(version: string): Property {
  return { type: "olm.gvk.required", value: { group: GROUP, version, kind: KIND } };
}
