// Which manifests does OLM install of a bundle of a test? A ClusterServiceVersion with a Deployment, and the CRDs of the APIs that
// its properties name. They are in the catalog, so that nothing has to be unpacked by a pod.

import { isObject, type Json, type JsonObject, partOf } from "../../../src/model/json.ts";

/** An API in a property of a bundle. */
export interface Api {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The type of a property of the tests: an API that is in the CRD of a bundle and not served. */
export const NOT_SERVED = "example.not-served";

/** A bundle of a file-based catalog with manifests and without an image. Those that it has already are not replaced. */
export function withManifests(bundle: JsonObject): JsonObject {
  const { image: _, ...rest } = bundle;
  const properties = objectsOf(rest.properties).filter(({ type }) => type !== "olm.csv.metadata");
  const given = properties.flatMap(manifestIn);
  const isGiven = ({ kind, metadata }: JsonObject): boolean =>
    given.some((one) => one.kind === kind && partOf(one, "metadata").name === (metadata as JsonObject).name);
  const made = [csvOf(bundle), ...definitionsOf(bundle)].filter((manifest) => !isGiven(manifest));
  return { ...rest, properties: [...properties, ...made.map(asProperty)] };
}

/** A manifest as a property of a bundle. */
export function asProperty(manifest: JsonObject): JsonObject {
  return {
    type: "olm.bundle.object",
    value: { data: Buffer.from(JSON.stringify(manifest)).toString("base64") },
  };
}

/** The manifest that a property of a bundle has. */
function manifestIn({ type, value }: JsonObject): readonly JsonObject[] {
  if (type !== "olm.bundle.object") return [];
  return [JSON.parse(Buffer.from(`${(value as JsonObject).data}`, "base64").toString()) as JsonObject];
}

function csvOf(bundle: JsonObject): JsonObject {
  const name = `${bundle.name}`;
  const app = `${bundle.package}`;
  const [known] = valuesOf(bundle, "olm.csv.metadata");
  const { minKubeVersion, installModes = INSTALL_MODES } = known ?? {};
  const template = {
    metadata: { labels: { app } },
    spec: { containers: [{ name: "manager", image: `registry.example.com/${app}` }] },
  };
  const deployment = { name: app, spec: { replicas: 1, selector: { matchLabels: { app } }, template } };
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name, namespace: "placeholder" },
    spec: {
      ...{ displayName: app, version: `${valuesOf(bundle, "olm.package")[0]?.version}`, installModes },
      ...(minKubeVersion !== undefined && { minKubeVersion }),
      install: { strategy: "deployment", spec: { deployments: [deployment] } },
      customresourcedefinitions: {
        owned: apisIn(bundle, "olm.gvk").map(descriptionOf),
        required: apisIn(bundle, "olm.gvk.required").map(descriptionOf),
      },
    },
  };
}

const INSTALL_MODES: readonly JsonObject[] = ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"].map(
  (type) => ({ type, supported: true }),
);

function descriptionOf({ group, version, kind }: Api): JsonObject {
  return { name: `${pluralOf(kind)}.${group}`, version, kind, displayName: kind, description: kind };
}

/** One definition for each kind; the last version that is served is the one that is stored. */
function definitionsOf(bundle: JsonObject): readonly JsonObject[] {
  const kinds = new Map<string, JsonObject[]>();
  for (const [type, served] of [
    [NOT_SERVED, false],
    ["olm.gvk", true],
  ] as const)
    for (const api of apisIn(bundle, type)) {
      const { group, version, kind } = api;
      const name = `${pluralOf(kind)}.${group}`;
      const before = (kinds.get(name) ?? []).map((one) => ({ ...one, storage: false }));
      kinds.set(name, [...before, { group, kind, name: version, served, storage: true }]);
    }
  return [...kinds].map(([name, versions]) => definitionOf(name, versions));
}

function definitionOf(name: string, written: readonly JsonObject[]): JsonObject {
  const { group, kind } = written[0] as JsonObject;
  const names = { kind, listKind: `${kind}List`, plural: pluralOf(`${kind}`), singular: `${kind}`.toLowerCase() };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const versions = written.map(({ group: _, kind: __, ...version }) => ({ ...version, schema }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: { group, scope: "Namespaced", names, versions },
  } as unknown as JsonObject;
}

function pluralOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

/** The APIs that the properties of a type name. */
export function apisIn(bundle: JsonObject, type: string): readonly Api[] {
  return valuesOf(bundle, type).map(({ group, version, kind }) => ({
    ...{ group: `${group}`, version: `${version}`, kind: `${kind}` },
  }));
}

/** The values of the properties of a type. */
function valuesOf(bundle: JsonObject, wanted: string): readonly JsonObject[] {
  return objectsOf(bundle.properties).flatMap(({ type, value }) => (type === wanted && isObject(value) ? [value] : []));
}

function objectsOf(values: Json | undefined): readonly JsonObject[] {
  return Array.isArray(values) ? values.filter(isObject) : [];
}
