// Which fields does a ManagedCluster have? So that an expression with a misspelt one is noticed before it runs.
import type { Shape } from "../../cel/type.ts";

const ROOT = "managedCluster";

/** An object with these fields; a name alone stands for a field of which nothing more is known. */
function object(name: string, fields: Readonly<Record<string, (name: string) => Shape>>): Shape {
  return {
    name,
    fields: new Map(Object.entries(fields).map(([key, make]) => [key, make(`${name}.${key}`)])),
  };
}

/** A field of which nothing more is known. */
const any = (name: string): Shape => ({ name });

const part =
  (fields: Readonly<Record<string, (name: string) => Shape>>) =>
  (name: string): Shape =>
    object(name, fields);

const list =
  (element: (name: string) => Shape) =>
  (name: string): Shape => ({ name, elements: element(`an element of ${name}`) });

/** What an expression can find in `managedCluster`. Labels, annotations and amounts have free keys. */
export const MANAGED_CLUSTER_SHAPE: Shape = {
  ...object(ROOT, {
    metadata: part({
      name: any,
      generateName: any,
      namespace: any,
      selfLink: any,
      uid: any,
      resourceVersion: any,
      generation: any,
      creationTimestamp: any,
      deletionTimestamp: any,
      deletionGracePeriodSeconds: any,
      labels: any,
      annotations: any,
      ownerReferences: any,
      finalizers: any,
      managedFields: any,
    }),
    spec: part({
      hubAcceptsClient: any,
      leaseDurationSeconds: any,
      managedClusterClientConfigs: list(part({ url: any, caBundle: any })),
      taints: list(part({ key: any, value: any, effect: any, timeAdded: any })),
    }),
    status: part({
      version: part({ kubernetes: any }),
      allocatable: any,
      capacity: any,
      clusterClaims: list(part({ name: any, value: any })),
      conditions: list(
        part({
          type: any,
          status: any,
          reason: any,
          message: any,
          lastTransitionTime: any,
          observedGeneration: any,
        }),
      ),
      managedNamespaces: any,
    }),
  }),
  aliases: new Map([
    ["Metadata", "metadata"],
    ["ObjectMeta", "metadata"],
    ["Spec", "spec"],
    ["Status", "status"],
  ]),
};
