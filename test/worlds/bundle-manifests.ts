// What is written in the manifests of a bundle? Its definitions, and what its ClusterServiceVersion owns: read a second time,
// in the plainest way.

import type { Property } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** A definition, as far as plans are concerned. */
export interface Spec {
  readonly group: string;
  readonly names: { readonly kind: string; readonly plural: string };
  readonly scope: string;
  readonly versions: readonly WrittenVersion[];
  readonly conversion?: { readonly strategy: string };
}

interface WrittenVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: {
    readonly openAPIV3Schema: {
      readonly properties?: { readonly spec?: { readonly properties?: Readonly<Record<string, unknown>> } };
    };
  };
}

/** The fields of `spec` that a version of a definition has. */
export function fieldsIn({ versions }: Spec, version: string): readonly string[] {
  const schema = versions.find(({ name }) => name === version)?.schema;
  return Object.keys(schema?.openAPIV3Schema.properties?.spec?.properties ?? {});
}

/** The spec of a definition. */
export function specOf(manifest: JsonObject): Spec {
  return (manifest as unknown as { readonly spec: Spec }).spec;
}

/** Are two definitions of one kind? */
export function isOfKind(a: Spec, b: Spec): boolean {
  return a.group === b.group && a.names.kind === b.names.kind;
}

/** Each version of a kind as `group/version/kind`, and whether it is served. */
export function apiTexts({ group, names, versions }: Spec): readonly (readonly [string, boolean])[] {
  return versions.map(({ name, served }) => [`${group}/${name}/${names.kind}`, served]);
}

/** The APIs that an operator with these properties provides, as `group/version/kind`. */
export function providedIn(properties: readonly Property[]): readonly string[] {
  return properties.flatMap(({ type, value }) => {
    const { group, version, kind } = value as Record<string, string>;
    return type === "olm.gvk" ? [`${group}/${version}/${kind}`] : [];
  });
}

/** The definitions among the manifests of a bundle. */
export function definitionsIn(properties: readonly Property[]): readonly JsonObject[] {
  return manifestsIn(properties).filter(({ kind }) => kind === "CustomResourceDefinition");
}

/** The APIs that the ClusterServiceVersion of a bundle owns, as `group/version/kind`; nothing if it is not inside. */
export function ownedIn(properties: readonly Property[]): readonly string[] | undefined {
  const csv = manifestsIn(properties).find(({ kind }) => kind === "ClusterServiceVersion") as
    | { readonly spec: { readonly customresourcedefinitions: { readonly owned: readonly Owned[] } } }
    | undefined;
  return csv?.spec.customresourcedefinitions.owned.map(
    ({ name, version, kind }) => `${name.slice(name.indexOf(".") + 1)}/${version}/${kind}`,
  );
}

interface Owned {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
}

const known = new WeakMap<readonly Property[], readonly JsonObject[]>();

function manifestsIn(properties: readonly Property[]): readonly JsonObject[] {
  let manifests = known.get(properties);
  if (manifests === undefined) {
    manifests = properties
      .filter(({ type }) => type === "olm.bundle.object")
      .map(({ value }) => {
        const { data } = value as { readonly data: string };
        return JSON.parse(Buffer.from(data, "base64").toString()) as JsonObject;
      });
    known.set(properties, manifests);
  }
  return manifests;
}
