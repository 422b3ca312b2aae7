// Which fields does a ManagedCluster have? So that an expression with a misspelt one is noticed before it runs.
import type { Shape } from "../../cel/type.ts";

type Part = (name: string) => Shape;

/** An object: fields of which nothing more is known, by name, and fields with parts. */
function object(plain: string, parts: Readonly<Record<string, Part>> = {}): Part {
  return (name) => {
    const fields = plain.split(" ").map((key): [string, Shape] => [key, { name: `${name}.${key}` }]);
    const known = Object.entries(parts).map(([key, part]): [string, Shape] => [key, part(`${name}.${key}`)]);
    return { name, fields: new Map([...fields, ...known]) };
  };
}

function list(element: Part): Part {
  return (name) => ({ name, elements: element(`an element of ${name}`) });
}

const METADATA =
  "name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp " +
  "deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields";

/** What an expression can find in `managedCluster`. Labels, annotations and amounts have free keys. */
export const MANAGED_CLUSTER_SHAPE: Shape = {
  name: "managedCluster",
  fields: new Map([
    ["metadata", object(METADATA)("managedCluster.metadata")],
    [
      "spec",
      object("hubAcceptsClient leaseDurationSeconds", {
        managedClusterClientConfigs: list(object("url caBundle")),
        taints: list(object("key value effect timeAdded")),
      })("managedCluster.spec"),
    ],
    [
      "status",
      object("allocatable capacity managedNamespaces", {
        version: object("kubernetes"),
        clusterClaims: list(object("name value")),
        conditions: list(object("type status reason message lastTransitionTime observedGeneration")),
      })("managedCluster.status"),
    ],
  ]),
  aliases: new Map([
    ["Metadata", "metadata"],
    ["ObjectMeta", "metadata"],
    ["Spec", "spec"],
    ["Status", "status"],
  ]),
};
