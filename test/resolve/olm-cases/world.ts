// Which catalogs and objects does a case describe? Everything is written out as a person would write it, as documents of
// catalogs and Kubernetes objects in YAML, and read again: cases exercise the readers as well.

import { manifestProperty } from "../../../src/input/bundle-directory/manifest-property.ts";
import { CatalogBuilder } from "../../../src/input/catalog/catalog-builder.ts";
import { DEFAULT_LIMITS } from "../../../src/input/limits.ts";
import { ObjectsReader } from "../../../src/input/objects/read-objects.ts";
import { Documents } from "../../../src/input/read-documents.ts";
import type { Catalog, Gvk } from "../../../src/model/catalog.ts";
import type { ClusterObjects } from "../../../src/model/cluster-objects.ts";
import type { Finding } from "../../../src/model/finding.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { UnavailableCatalog } from "../../../src/model/problem.ts";
import { printYaml } from "../../../src/render/kit/yaml.ts";
import type { Api, BundleLine, Case, CatalogLine, GroupLine, OperatorLine, SubscriptionLine } from "./notation.ts";

/** What a case gives to the resolver. */
export interface World {
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  readonly objects: ClusterObjects;
  /** Findings of the reader. */
  readonly findings: readonly Finding[];
}

/** The namespace of every case. */
export const NAMESPACE = "ns";

/** Builds the world; `reversed` writes every document in the opposite order, which must change nothing. */
export function worldOf(given: Case, reversed: boolean): World {
  const findings: Finding[] = [];
  const crowd = Array.from({ length: given.crowd ?? 0 }, (_, index) => ({ bundle: `crowd-${index}.v1` }));
  const bundles = [...(given.bundles ?? []), ...crowd];
  const own: CatalogLine = { catalog: "ns/cat", bundles, documents: given.documents ?? [] };
  const lines = [...(given.bundles === undefined ? [] : [own]), ...(given.catalogs ?? [])];
  const order = <Item>(items: readonly Item[]): readonly Item[] => (reversed ? items.toReversed() : items);
  const catalogs: Catalog[] = [];
  const unavailable: UnavailableCatalog[] = [];
  for (const line of order(lines)) {
    const identity = { ...catalogName(line.catalog), priority: line.priority ?? 0 };
    if (line.unavailable !== undefined) unavailable.push({ ...identity, reason: line.unavailable });
    else {
      const builder = new CatalogBuilder(identity);
      const documents = order([...fileBasedCatalog(line.bundles ?? []), ...(line.documents ?? [])]);
      read(`${line.catalog}.yaml`, documents, (value, place) => builder.add(value, place), builder.report);
      const catalog = builder.finish();
      findings.push(...catalog.findings);
      catalogs.push(catalog);
    }
  }
  const reader = new ObjectsReader((found) => findings.push(found), NAMESPACE);
  read(
    "objects.yaml",
    order(objectsOf(given)),
    (value, place) => reader.add(value, place),
    (found) => findings.push(found),
  );
  return { catalogs, unavailable, objects: reader.finish(), findings };
}

/** A catalog's name of a case: `namespace/name`, or `name`. */
export function catalogName(text: string): { readonly name: string; readonly namespace?: string } {
  const slash = text.indexOf("/");
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

type Sink = ConstructorParameters<typeof Documents>[0]["sink"];
type Report = ConstructorParameters<typeof Documents>[0]["report"];

function read(source: string, values: readonly JsonObject[], sink: Sink, report: Report): void {
  const documents = new Documents({ source, limits: DEFAULT_LIMITS, report, sink });
  documents.push(new TextEncoder().encode(values.map((value) => printYaml(value)).join("---\n")));
  documents.end();
}

/** The documents of a catalog with these bundles. */
export function fileBasedCatalog(bundles: readonly BundleLine[]): readonly JsonObject[] {
  const packages = new Map<string, Map<string, JsonObject[]>>();
  const defaults = new Map<string, string>();
  for (const line of bundles)
    for (const { owner, channel, isDefault } of placesOf(line)) {
      const channels = packages.get(owner) ?? new Map<string, JsonObject[]>();
      packages.set(owner, channels);
      channels.set(channel, [...(channels.get(channel) ?? []), entryOf(line)]);
      if (isDefault) defaults.set(owner, channel);
    }
  const documents: JsonObject[] = [];
  for (const [name, channels] of packages) {
    const defaultChannel = defaults.get(name) ?? ([...channels.keys()].sort()[0] as string);
    documents.push({ schema: "olm.package", name, defaultChannel });
    for (const [channel, entries] of channels)
      documents.push({ schema: "olm.channel", package: name, name: channel, entries });
  }
  return [...documents, ...bundles.map(bundleOf)];
}

function entryOf(line: BundleLine): JsonObject {
  return {
    name: named(line.bundle).name,
    ...(line.replaces !== undefined && { replaces: line.replaces }),
    ...(line.skips !== undefined && { skips: line.skips }),
    ...(line.range !== undefined && { skipRange: line.range }),
  };
}

function bundleOf(line: BundleLine): JsonObject {
  const { name, version } = named(line.bundle);
  const owner = placesOf(line)[0]?.owner as string;
  const properties: JsonObject[] = [
    { type: "olm.package", value: { packageName: owner, version } },
    ...apisOf(line.gives).map((gvk) => ({ type: "olm.gvk", value: { ...gvk } })),
    ...each(line.needs).map(requirementOf),
    ...(line.constraints ?? []).map((value) => ({ type: "olm.constraint", value })),
    ...(line.deprecated ? [{ type: "olm.deprecated", value: {} }] : []),
    ...(line.properties ?? []).map(({ type, value }) => ({ type, value })),
    ...(line.manifests ?? []).map((manifest) => ({ ...manifestProperty(manifest) })),
  ];
  return { schema: "olm.bundle", package: owner, name, image: `example.com/${owner}:${version}`, properties };
}

function requirementOf(need: Api): JsonObject {
  const [packageName = "", ...range] = String(need).split(" ");
  if (range.length === 0) return { type: "olm.gvk.required", value: { ...gvkOf(need) } };
  return { type: "olm.package.required", value: { packageName, versionRange: range.join(" ") } };
}

function placesOf(line: BundleLine): readonly { owner: string; channel: string; isDefault: boolean }[] {
  const places = line.of ?? `${named(line.bundle).name.split(".v")[0]}/alpha`;
  return (typeof places === "string" ? [places] : places).map((place) => {
    const [owner = "", channel = ""] = place.split("/");
    return { owner, channel: channel.replace("*", ""), isDefault: channel.endsWith("*") };
  });
}

function named(text: string): { readonly name: string; readonly version: string } {
  const [name = "", version] = text.split("@");
  const numbers = (/\.v([0-9.]+)$/.exec(name)?.[1] ?? "0").split(".");
  return { name, version: version ?? [...numbers, "0", "0"].slice(0, 3).join(".") };
}

function each(value: Api | readonly Api[] | undefined): readonly Api[] {
  if (value === undefined) return [];
  return typeof value === "object" ? value : [value];
}

function apisOf(value: Api | readonly Api[] | undefined): readonly Gvk[] {
  return each(value).map(gvkOf);
}

function gvkOf(api: Api): Gvk {
  const number = api === 1 ? "" : String(api);
  if (typeof api === "number") return { group: `g${number}`, version: `v${number}`, kind: `k${number}` };
  const [group = "", version = "", kind = ""] = api.split("/");
  return { group, version, kind };
}

function objectsOf(given: Case): readonly JsonObject[] {
  const objects = [
    ...(given.groups ?? [{}]).map(operatorGroup),
    ...(given.subscriptions ?? []).map((line) => subscription(typeof line === "string" ? { of: line } : line)),
    ...(given.installed ?? []).map(clusterServiceVersion),
    ...(given.objects ?? []),
  ];
  if (given.runtime === undefined) return objects;
  const properties = JSON.stringify(given.runtime);
  return [
    ...objects,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "olm", name: "olm-runtime-constraints" },
      data: { properties },
    },
  ];
}

function operatorGroup(line: GroupLine, index: number): JsonObject {
  return {
    apiVersion: "operators.coreos.com/v1",
    kind: "OperatorGroup",
    metadata: { namespace: NAMESPACE, name: `group-${index + 1}`, annotations: line.annotations ?? {} },
    spec: {
      ...(line.targets !== undefined && { targetNamespaces: line.targets }),
      ...(line.strategy !== undefined && { upgradeStrategy: line.strategy }),
    },
  };
}

function subscription(line: SubscriptionLine): JsonObject {
  const [owner = "", channel] = line.of.split("/");
  const catalog = catalogName(line.from ?? "ns/cat");
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: {
      namespace: NAMESPACE,
      name: line.name ?? (channel === undefined ? owner : `${owner}-${channel}`),
      ...(line.priority !== undefined && { annotations: { "plimsoll.dev/priority": String(line.priority) } }),
    },
    spec: {
      name: owner,
      source: catalog.name,
      sourceNamespace: catalog.namespace ?? NAMESPACE,
      ...(channel !== undefined && { channel }),
      ...(line.start !== undefined && { startingCSV: line.start }),
      ...(line.approval !== undefined && { installPlanApproval: line.approval }),
    },
    ...statusOf(line),
  };
}

function statusOf({ installed, current = installed, state }: SubscriptionLine): JsonObject {
  if (current === undefined) return {};
  return {
    status: {
      currentCSV: current,
      ...(installed !== undefined && { installedCSV: installed }),
      ...(state !== undefined && { state }),
    },
  };
}

function clusterServiceVersion(line: OperatorLine): JsonObject {
  const { name, version } = named(line.csv);
  const annotation =
    line.annotation ?? (line.properties === undefined ? undefined : JSON.stringify({ properties: line.properties }));
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: {
      namespace: line.namespace ?? NAMESPACE,
      name,
      ...(line.copied && { labels: { "olm.copiedFrom": "elsewhere" } }),
      ...(annotation !== undefined && { annotations: { "operatorframework.io/properties": annotation } }),
    },
    spec: {
      version,
      ...(line.replaces !== undefined && { replaces: line.replaces }),
      customresourcedefinitions: { owned: crds(line.gives), required: crds(line.needs) },
      apiservicedefinitions: {
        owned: apiServices(line.givesByApiService),
        required: apiServices(line.needsByApiService),
      },
    },
    status: { phase: line.phase ?? "Succeeded", ...(line.copied && { reason: "Copied" }) },
  };
}

function crds(value: Api | readonly Api[] | undefined): readonly Json[] {
  return apisOf(value).map(({ group, version, kind }) => ({ name: `${kind}s.${group}`, version, kind }));
}

function apiServices(value: Api | readonly Api[] | undefined): readonly Json[] {
  return apisOf(value).map(({ group, version, kind }) => ({ group, version, kind, name: `${kind}s` }));
}
