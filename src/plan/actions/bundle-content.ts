// What does a bundle contain? The objects of its manifests, if the catalog has them; otherwise they are only in its
// image.

import { anyManifestOf, isManifest } from "../../constraint/manifests.ts";
import type { Bundle, Property } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { canonicalText, isList, isObject, type Json, type JsonObject, own, partOf } from "../../model/json.ts";

/** An object of a bundle. */
export interface BundleObject {
  readonly kind: string;
  /** Empty for the core group, and if not stated. */
  readonly group: string;
  /** Empty if it has none. */
  readonly name: string;
  readonly manifest: JsonObject;
}

/** The known content of a bundle. */
export interface BundleContent {
  /** Its ClusterServiceVersion, if it is among the manifests. */
  readonly csv: BundleObject | undefined;
  /** All other objects; those that OLM derives from the ClusterServiceVersion come last. */
  readonly objects: readonly BundleObject[];
  /** The number of manifests that cannot be read. */
  readonly unreadable: number;
  /** No object is missing. */
  readonly isWhole: boolean;
}

/** The content of a bundle that is installed in a namespace. */
export function contentOf({ name, properties }: Bundle, namespace: string): BundleContent {
  const { objects, unreadable } = manifestsOf(properties);
  const csvs = objects.filter(({ kind }) => kind === "ClusterServiceVersion");
  const csv = csvs.find((one) => one.name === name) ?? csvs[0];
  const stated = objects.filter((one) => one !== csv);
  const keys = new Set(stated.map(objectKey));
  const derived = csv === undefined ? [] : permissionObjects(csv.manifest, name, namespace).map(objectOf);
  return {
    csv,
    objects: [...stated, ...derived.filter((one) => !keys.has(objectKey(one)))],
    unreadable,
    isWhole: csv !== undefined && unreadable === 0,
  };
}

/** The key of an object within its namespace. */
export function objectKey({ group, kind, name }: BundleObject): string {
  return JSON.stringify([group, kind, name]);
}

/** Properties that OLM does not pass on: they hold the content of the bundle. */
const CONTENT: ReadonlySet<string> = new Set(["olm.bundle.object", "olm.csv.metadata"]);

/** The properties of a bundle as OLM passes them on, as JSON text. */
export function propertiesText(properties: readonly Property[]): string {
  const kept = properties.filter(({ type }) => !CONTENT.has(type)).map(({ type, value }) => ({ type, value }));
  return canonicalText({ properties: kept });
}

interface Manifests {
  readonly objects: readonly BundleObject[];
  readonly unreadable: number;
}

const known = new WeakMap<readonly Property[], Manifests>();

/** Manifests are large: they are read once, on demand. */
function manifestsOf(properties: readonly Property[]): Manifests {
  return getOrAdd(known, properties, () => {
    const all = properties.filter(isManifest).map(anyManifestOf);
    const readable = all.filter((manifest) => manifest !== undefined && textOf(own(manifest, "kind")) !== "");
    const objects = (readable as readonly JsonObject[]).map(objectOf);
    return { objects, unreadable: all.length - objects.length };
  });
}

function objectOf(manifest: JsonObject): BundleObject {
  const metadata = own(manifest, "metadata");
  const apiVersion = textOf(own(manifest, "apiVersion"));
  return {
    kind: textOf(own(manifest, "kind")),
    group: apiVersion.slice(0, Math.max(0, apiVersion.indexOf("/"))),
    name: isObject(metadata) ? textOf(own(metadata, "name")) : "",
    manifest,
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

const RBAC = "rbac.authorization.k8s.io";

/** Every namespace has a ServiceAccount of this name. */
const ALWAYS_THERE = "default";

/**
 * The objects that OLM creates from `permissions` and `clusterPermissions` (cases E40, E41). Roles and bindings are named
 * `<ClusterServiceVersion>-<ServiceAccount>`; OLM creates one of each per entry, with a hash in the name.
 */
function permissionObjects(csv: JsonObject, name: string, namespace: string): readonly JsonObject[] {
  const strategy = partOf(partOf(partOf(csv, "spec"), "install"), "spec");
  const ofNamespace = rulesByAccount(strategy, "permissions");
  const ofCluster = rulesByAccount(strategy, "clusterPermissions");
  const accounts = [...new Set([...ofNamespace.keys(), ...ofCluster.keys()])].filter(
    (account) => account !== ALWAYS_THERE,
  );
  return [
    ...accounts.map((account) => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: account, namespace },
    })),
    ...[...ofNamespace].flatMap(([account, rules]) => role("", { name, namespace, account, rules })),
    ...[...ofCluster].flatMap(([account, rules]) => role("Cluster", { name, namespace, account, rules })),
  ];
}

interface Grant {
  readonly name: string;
  readonly namespace: string;
  readonly account: string;
  readonly rules: readonly Json[];
}

/** A role, and the binding to its ServiceAccount. */
function role(scope: "" | "Cluster", { name, namespace, account, rules }: Grant): readonly JsonObject[] {
  const metadata = { name: `${name}-${account}`, ...(scope === "" && { namespace }) };
  const apiVersion = `${RBAC}/v1`;
  return [
    { apiVersion, kind: `${scope}Role`, metadata, rules },
    {
      apiVersion,
      kind: `${scope}RoleBinding`,
      metadata,
      roleRef: { apiGroup: RBAC, kind: `${scope}Role`, name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name: account, namespace }],
    },
  ];
}

/** The rules of each ServiceAccount. */
function rulesByAccount(strategy: JsonObject, key: string): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>();
  for (const entry of items(strategy, key)) {
    const account = isObject(entry) ? own(entry, "serviceAccountName") : undefined;
    if (!isObject(entry) || typeof account !== "string" || account === "") continue;
    const rules = found.get(account) ?? [];
    for (const rule of items(entry, "rules")) rules.push(rule);
    found.set(account, rules);
  }
  return found;
}

function items(object: JsonObject, key: string): readonly Json[] {
  const value = own(object, key);
  return isList(value) ? value : [];
}
