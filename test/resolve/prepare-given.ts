// Small clusters for tests of how problems are prepared: every field has a plain default.

import type { Property } from "../../src/model/catalog.ts";
import type { ClusterObjects } from "../../src/model/cluster-objects.ts";
import type { InstalledOperator } from "../../src/model/installed-operator.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { OperatorCondition } from "../../src/model/operator-condition.ts";
import type { OperatorGroup } from "../../src/model/operator-group.ts";
import type { Place } from "../../src/model/place.ts";
import { DEFAULT_OPTIONS } from "../../src/model/problem.ts";
import type { Subscription } from "../../src/model/subscription.ts";
import type { Given } from "../../src/resolve/prepare/problem-inputs.ts";
import { bundle } from "../catalog/lantern-catalog.ts";

export const PLACE: Place = { source: "cluster.yaml", line: 1, column: 1 };

/** A Subscription of namespace `ns` for a package of the same name. */
export function subscription(name: string, more: Partial<Subscription> = {}): Subscription {
  return {
    place: PLACE,
    namespace: "ns",
    name,
    annotations: {},
    priority: 0,
    package: name,
    source: "harbour",
    sourceNamespace: "olm",
    approval: "Automatic",
    ...more,
  };
}

/** A ClusterServiceVersion of namespace `ns` called `<package>.v<version>`. */
export function operator(owner: string, version: string, more: Partial<InstalledOperator> = {}): InstalledOperator {
  return {
    place: PLACE,
    namespace: "ns",
    name: `${owner}.v${version}`,
    labels: {},
    annotations: {},
    version,
    skips: [],
    installModes: [],
    customResourceDefinitions: { owned: [], required: [] },
    apiServices: { owned: [], required: [] },
    phase: "Succeeded",
    copied: false,
    terminating: false,
    ...more,
  };
}

/** The same, with the olm.package property that OLM records. */
export function recorded(owner: string, version: string, more: Partial<InstalledOperator> = {}): InstalledOperator {
  const properties: readonly Property[] = [{ type: "olm.package", value: { packageName: owner, version } }];
  return operator(owner, version, { properties, propertiesText: "recorded", ...more });
}

/** An OperatorGroup of namespace `ns` for all namespaces. */
export function operatorGroup(more: Partial<OperatorGroup> = {}): OperatorGroup {
  return {
    place: PLACE,
    namespace: "ns",
    name: "group",
    annotations: {},
    targetNamespaces: [],
    upgradeStrategy: "Default",
    ...more,
  };
}

/** An operator of namespace `ns` with the condition Upgradeable. */
export function upgradeable(name: string, status: string, message?: string): OperatorCondition {
  return {
    place: PLACE,
    namespace: "ns",
    name,
    generation: 1,
    overrides: [],
    conditions: [],
    statusConditions: [],
    upgradeable: { type: "Upgradeable", status, message },
  };
}

/** The default inputs: one namespace, no catalogs, no objects. */
export function given(objects: Partial<ClusterObjects> = {}, more: Partial<Given> = {}): Given {
  return {
    catalogs: [],
    unavailable: [],
    objects: {
      subscriptions: [],
      catalogSources: [],
      installedOperators: [],
      operatorGroups: [],
      operatorConditions: [],
      installPlans: [],
      clusterExtensions: [],
      clusterCatalogs: [],
      configMaps: [],
      customResourceDefinitions: [],
      managedClusters: [],
      managedClusterSets: [],
      managedClusterSetBindings: [],
      placements: [],
      placementDecisions: [],
      addOnPlacementScores: [],
      customResources: [],
      rejected: [],
      mentioned: [],
      lost: { words: new Map(), unseen: undefined },
      ...objects,
    },
    namespaces: ["ns"],
    named: [],
    removed: [],
    held: [],
    nodeProperties: [],
    readList: (text, place) => ({
      items: (JSON.parse(text) as Property[]).map((property, index) => ({
        property,
        place: { ...place, offset: index },
        placeInside: (path, detail) => ({ ...place, path: [index, ...path], ...detail }) as Place,
      })),
      problems: [],
    }),
    options: DEFAULT_OPTIONS,
    ...more,
  };
}

/** The documents of a package with one channel, each version replacing the one before. */
export function packageDocuments(owner: string, ...versions: readonly string[]): readonly JsonObject[] {
  const entries = versions.map((version, index) => ({
    name: `${owner}.v${version}`,
    ...(index > 0 && { replaces: `${owner}.v${versions[index - 1]}` }),
  }));
  return [
    { schema: "olm.package", name: owner, defaultChannel: "stable" },
    { schema: "olm.channel", package: owner, name: "stable", entries },
    ...versions.map((version) => bundle(owner, version)),
  ];
}
