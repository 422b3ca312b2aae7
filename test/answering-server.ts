// What does a cluster of the tests answer? Discovery, and the lists and objects of a table.

import type { Server } from "../src/live/read-cluster.ts";
import type { Json } from "../src/model/json.ts";
import { NetFailure } from "../src/net/failure.ts";

export const OLM = "operators.coreos.com";

/** What a server answers to a path: a value, or why it does not. */
export type Answers = Readonly<Record<string, Json | NetFailure>>;

/** The kinds of each API group, in the order in which a server prefers their versions. */
export type ServedKinds = Readonly<
  Record<string, readonly (readonly [version: string, kind: string, plural: string, namespaced: boolean])[]>
>;
const SERVED: ServedKinds = {
  "": [
    ["v1", "Pod", "pods", true],
    ["v1", "ConfigMap", "configmaps", true],
  ],
  [OLM]: [
    ["v1alpha1", "Subscription", "subscriptions", true],
    ["v1alpha1", "ClusterServiceVersion", "clusterserviceversions", true],
  ],
  "apiextensions.k8s.io": [["v1", "CustomResourceDefinition", "customresourcedefinitions", false]],
  "example.com": [
    ["v1", "Winch", "winches", true],
    ["v1beta1", "Winch", "winches", true],
  ],
};

/** A server with these lists and objects; what it is not asked for is empty. */
export function serverWith(answers: Answers): Server & { readonly asked: string[] } {
  const asked: string[] = [];
  const answer = (path: string): Json | undefined => {
    asked.push(path);
    const given = answers[path];
    if (given instanceof NetFailure) throw given;
    return given;
  };
  return {
    asked,
    get: async (path) => {
      const found = answer(path) ?? discovered(path);
      if (found === undefined) throw new NetFailure("not-found", "there is none");
      return JSON.stringify(found);
    },
    list: async (path, { maxItems = Number.POSITIVE_INFINITY }, take) => {
      const items = (answer(path) ?? []) as readonly Json[];
      for (const item of items.slice(0, maxItems)) take(JSON.stringify(item));
      return {
        items: Math.min(items.length, maxItems),
        isCutOff: items.length > maxItems,
        kind: "",
        apiVersion: "",
        overlong: 0,
        resourceVersion: "",
      };
    },
  };
}

function discovered(path: string): Json | undefined {
  if (path === "/version") return { gitVersion: "v1.36.4" };
  const wants = (group: string): boolean => (path === "/api" ? group === "" : path === "/apis" && group !== "");
  if (path !== "/api" && path !== "/apis") return undefined;
  return discoveryOf(Object.fromEntries(Object.entries(SERVED).filter(([group]) => wants(group))));
}

export function discoveryOf(served: ServedKinds): Json {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    items: Object.entries(served).map(([group, kinds]) => ({
      metadata: { name: group },
      versions: [...new Set(kinds.map(([version]) => version))].map((version) => ({
        version,
        freshness: "Current",
        resources: kinds
          .filter((one) => one[0] === version)
          .map(([, kind, plural, namespaced]) => ({
            resource: plural,
            responseKind: { group, version, kind },
            scope: namespaced ? "Namespaced" : "Cluster",
            verbs: ["get", "list"],
          })),
      })),
    })),
  };
}
