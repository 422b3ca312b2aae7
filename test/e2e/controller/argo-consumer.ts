// What would Argo CD's clusterDecisionResource generator read? Plain reads in its place, not the program itself: a ConfigMap says
// which kind it lists in its own namespace and what it takes from there, a selector or a name says of which objects. See
// https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators-Cluster-Decision-Resource/

import { isList, isObject, type Json, type JsonObject, partOf } from "../../../src/model/json.ts";
import type { Hub } from "./hub.ts";
import { objectsOf } from "./placement-view.ts";

/** The fields of a clusterDecisionResource generator. */
export interface Generator {
  readonly configMapRef: string;
  /** Either the name of one object, or labels. */
  readonly name?: string;
  readonly matchLabels?: Readonly<Record<string, string>>;
}

/** Argo CD's namespace, which has the ConfigMap and the decisions. */
export interface ArgoNamespace {
  readonly hub: Hub;
  readonly namespace: string;
}

/** The path of the ConfigMaps of a namespace. */
function configMaps(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

/** Creates the ConfigMap for PlacementDecisions; the kind in it is a plural, as in paths. */
export async function createDecisionConfigMap({ hub, namespace }: ArgoNamespace, name: string): Promise<void> {
  await hub.call("POST", configMaps(namespace), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data: {
      apiVersion: "cluster.open-cluster-management.io/v1beta1",
      kind: "placementdecisions",
      statusListKey: "decisions",
      matchKey: "clusterName",
    },
  });
}

/**
 * The names of clusters that a generator looks for among those of Argo CD, in the order of the list: a name that comes twice is two
 * Applications. Throws where the generator fails.
 */
export async function clustersForArgo({ hub, namespace }: ArgoNamespace, generator: Generator): Promise<string[]> {
  const { configMapRef, name, matchLabels = {} } = generator;
  const { data } = await hub.call("GET", `${configMaps(namespace)}/${configMapRef}`);
  const { apiVersion, kind, statusListKey, matchKey } = data as Readonly<Record<string, string>>;
  const labels = Object.entries(matchLabels).map((label) => label.join("="));
  const query: Record<string, string> =
    name === undefined ? { labelSelector: labels.join(",") } : { fieldSelector: `metadata.name=${name}` };
  const list = `/apis/${apiVersion}/namespaces/${namespace}/${kind}?${new URLSearchParams(query)}`;
  const objects = objectsOf((await hub.call("GET", list)).items);
  if (objects.length === 0) throw new Error(`nothing is found by ${JSON.stringify(query)}`);
  return objects.flatMap((object) => elementsOf(object, statusListKey as string).map((one) => textOf(one, matchKey)));
}

/** The list in the status of an object; an object without a status, which was just created, is left out. */
function elementsOf(object: JsonObject, statusListKey: string): readonly Json[] {
  const status = partOf(object, "status");
  if (Object.keys(status).length === 0) return [];
  const list = status[statusListKey];
  if (!isList(list)) throw new Error(`no list: ${JSON.stringify(object)}`);
  return list;
}

/** The value that is looked for. All values of an element become parameters of a template, so they must be text. */
function textOf(element: Json, matchKey = ""): string {
  const isText = isObject(element) && Object.values(element).every((value) => typeof value === "string");
  if (!isText || !element[matchKey]) throw new Error(`no ${matchKey}: ${JSON.stringify(element)}`);
  return element[matchKey] as string;
}
