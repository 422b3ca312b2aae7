// Which objects of OLM do the tests of the resolution controller write? Those of one namespace each, as OLM and its users write them.

import type { JsonObject } from "../../../src/model/json.ts";
import type { StoryBundle } from "../../controller/resolution-story.ts";

const OLM = "operators.coreos.com";

type WrittenKind = "subscriptions" | "operators" | "sources" | "resolutions" | "configMaps";

/** The paths of all objects of a kind. */
export const COLLECTIONS: Readonly<Record<WrittenKind, string>> = {
  subscriptions: `/apis/${OLM}/v1alpha1/subscriptions`,
  operators: `/apis/${OLM}/v1alpha1/clusterserviceversions`,
  sources: `/apis/${OLM}/v1alpha1/catalogsources`,
  resolutions: "/apis/plimsoll.dev/v1alpha1/resolutions",
  configMaps: "/api/v1/configmaps",
};

/** The name of the ConfigMap of the runtime constraints, in the namespace olm. */
export const CONSTRAINTS = "olm-runtime-constraints";

export function catalogSource(name: string, address: string): JsonObject {
  return {
    ...{ apiVersion: `${OLM}/v1alpha1`, kind: "CatalogSource", metadata: { name, namespace: "olm" } },
    spec: { sourceType: "grpc", address },
  };
}

/** The OperatorGroup of a namespace: its operators watch the namespace only. */
export function operatorGroup(namespace: string): JsonObject {
  return {
    ...{ apiVersion: `${OLM}/v1`, kind: "OperatorGroup", metadata: { name: "group", namespace } },
    spec: { targetNamespaces: [namespace] },
    status: { namespaces: [namespace] },
  };
}

export function subscription(namespace: string, name: string, more: JsonObject = {}): JsonObject {
  return {
    ...{ apiVersion: `${OLM}/v1alpha1`, kind: "Subscription", metadata: { name, namespace } },
    spec: { name, channel: "stable", source: "harbour", sourceNamespace: "olm", ...more },
  };
}

/** The ClusterServiceVersion of a bundle that is installed. */
export function operator(namespace: string, one: StoryBundle): JsonObject {
  const { version, provides = [], requires = [] } = one;
  const definition = (kind: string): JsonObject => ({
    ...{ name: `${kind.toLowerCase()}s.story.example.com`, version: "v1", kind },
  });
  const modes = ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"];
  return {
    ...{ apiVersion: `${OLM}/v1alpha1`, kind: "ClusterServiceVersion" },
    metadata: { name: nameOf(one), namespace },
    spec: {
      version,
      customresourcedefinitions: { owned: provides.map(definition), required: requires.map(definition) },
      installModes: modes.map((type) => ({ type, supported: true })),
    },
    status: { phase: "Succeeded" },
  };
}

export function nameOf({ package: owner, version }: StoryBundle): string {
  return `${owner}.v${version}`;
}

export function constraintsMap(properties: string): JsonObject {
  return {
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: CONSTRAINTS, namespace: "olm" } },
    data: { properties },
  };
}
