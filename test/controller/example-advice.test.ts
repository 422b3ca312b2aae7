// Are the Resolutions of the bundled example those that the controller writes? It advises on the example's cluster, in memory, with its
// catalogs. PLIMSOLL_UPDATE_DOCS=1 npm test writes the file anew; the pages that show it follow.

import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandOf } from "../../src/cli/controller/advice-command.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { objectPath } from "../../src/kube/path.ts";
import { type JsonObject, own, partOf } from "../../src/model/json.ts";
import { printYaml } from "../../src/render/kit/yaml.ts";
import { apiOf, WATCHED_LISTS } from "../../src/resolution-controller/watched-kinds.ts";
import { InputFiles } from "../../src/source/input-files.ts";
import { loadCatalog } from "../../src/source/load-catalog.ts";
import { exampleDocuments } from "../example-documents.ts";
import { PATHS, ResolutionStory } from "./resolution-story.ts";

const FILE = "examples/harbour/advice/resolutions.yaml";
const CATALOGS = { harbour: "catalog", partner: "partner-catalog", workshop: "bundles" };

/** What the cluster of the example does not have. */
const MORE: readonly JsonObject[] = [
  ...namespaceWith("lighthouse", ["shore-watch", "drone-scout"], { source: "harbour", sourceNamespace: "olm" }),
  // A catalog of one namespace, whose registry does not answer.
  ...namespaceWith("pilot-station", ["signal-lamp"], { source: "signals", sourceNamespace: "pilot-station" }),
  {
    ...{ apiVersion: "operators.coreos.com/v1alpha1", kind: "CatalogSource" },
    metadata: { name: "signals", namespace: "pilot-station" },
    spec: { sourceType: "grpc", image: "registry.example.com/harbour/signals:latest" },
  },
  // Operators of OLM v1.
  {
    ...{ apiVersion: "olm.operatorframework.io/v1", kind: "ClusterCatalog" },
    metadata: { name: "harbour" },
    spec: { source: { type: "Image", image: { ref: "registry.example.com/harbour/catalog:2026-10" } } },
  },
  {
    ...{ apiVersion: "olm.operatorframework.io/v1", kind: "ClusterExtension" },
    metadata: { name: "gantry" },
    spec: {
      namespace: "gantry",
      serviceAccount: { name: "gantry" },
      source: { sourceType: "Catalog", catalog: { packageName: "gantry" } },
    },
  },
];

function namespaceWith(namespace: string, packages: readonly string[], source: JsonObject): readonly JsonObject[] {
  return [
    {
      ...{ apiVersion: "operators.coreos.com/v1", kind: "OperatorGroup" },
      metadata: { name: namespace, namespace },
      spec: { targetNamespaces: [namespace] },
    },
    ...packages.map((name) => ({
      ...{ apiVersion: "operators.coreos.com/v1alpha1", kind: "Subscription" },
      metadata: { name, namespace },
      spec: { name, channel: "stable", ...source },
    })),
  ];
}

/** Kinds that the controller does not read are left out. */
function put(story: ResolutionStory, object: JsonObject): void {
  const list = WATCHED_LISTS.find((one) => apiOf(one).kind === object.kind);
  if (list === undefined) return;
  const { name, namespace } = partOf(object, "metadata") as { readonly name: string; readonly namespace?: string };
  story.api.put(objectPath(apiOf(list), namespace, name), object);
}

/** The example with the Resolutions that the controller has written. */
async function advised(): Promise<ResolutionStory> {
  const story = new ResolutionStory();
  story.commandOf = commandOf;
  for (const [name, directory] of Object.entries(CATALOGS)) {
    const reference = { name, priority: 0, path: `examples/harbour/${directory}` };
    const loaded = await loadCatalog(reference, new InputFiles(DEFAULT_LIMITS));
    if (loaded.kind === "loaded") story.served.set(name, loaded.catalog);
  }
  story.served.set("signals", "the registry registry.example.com does not answer");
  const documents = exampleDocuments("cluster").flatMap((one) =>
    one.kind === "List" ? (one.items as readonly JsonObject[]) : [one],
  );
  for (const object of [...documents, ...MORE]) put(story, object);
  story.start();
  await story.settle();
  story.api.patch(PATHS.resolution("engine-room"), { spec: { mode: "Off" } });
  await story.settle();
  await story.stop();
  // A moment before the controller sees it.
  story.api.patch(PATHS.resolution("drydock"), { spec: { hold: ["hull-caulk"] } });
  return story;
}

const HEAD = `# What the resolution controller writes for the namespaces of cluster/, for lighthouse and pilot-station, which request operators of their
# own, and for a ClusterExtension, as \`kubectl get resolutions.plimsoll.dev -A -o yaml\` prints it:
# for \`plimsoll status\`; without digests, times of creation and the like. A test writes it: PLIMSOLL_UPDATE_DOCS=1 npm test
`;

test("the Resolutions of the example are those that the controller writes", async () => {
  const story = await advised();
  const text = `${HEAD}${printYaml({ apiVersion: "v1", kind: "List", items: resolutionsOf(story) })}`;
  if (process.env.PLIMSOLL_UPDATE_DOCS === "1") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
});

/** By namespace. */
function resolutionsOf(story: ResolutionStory): readonly JsonObject[] {
  return story.api
    .collection("/apis/plimsoll.dev/v1alpha1/resolutions")
    .map((object) => {
      const { name, namespace, generation, labels } = partOf(object, "metadata") as JsonObject;
      const { apiVersion, kind, spec, status } = object as Readonly<Record<string, JsonObject>>;
      // The digest changes with the program.
      const { observedInputs: _, ...shown } = status as JsonObject;
      return { apiVersion, kind, metadata: { name, namespace, generation, labels }, spec, status: shown } as JsonObject;
    })
    .sort((a, b) => (namespaceOf(a) < namespaceOf(b) ? -1 : 1));
}

function namespaceOf(object: JsonObject): string {
  return String(own(partOf(object, "metadata"), "namespace"));
}
