// Which inputs print everything? The bundled example with hostile text in every field, in files with hostile names.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { exampleDocuments } from "../../example-documents.ts";
import { FORGED, hostile, TAIL } from "./hostile-text.ts";

/** The inputs. */
type Part =
  | "catalog"
  | "cluster"
  | "rules"
  | "brokenFleet"
  | "fleet"
  | "decisions"
  | "oldCrds"
  | "newCrds"
  | "objects"
  | "batch";

/** Where the hostile world is written. */
export const WORLD: Readonly<Record<Part, string>> = {
  catalog: `harbour${TAIL}`,
  cluster: `cluster${TAIL}.jsonl`,
  /** Runtime constraints that refuse everything. */
  rules: `rules${TAIL}.json`,
  /** Everything in it is hostile, so that most Placements are misconfigured. */
  brokenFleet: `broken${TAIL}.jsonl`,
  /** What a Placement must not have is not in it. */
  fleet: `fleet${TAIL}.jsonl`,
  decisions: `decisions${TAIL}.jsonl`,
  oldCrds: `old${TAIL}.jsonl`,
  newCrds: `new${TAIL}.jsonl`,
  objects: `objects${TAIL}.jsonl`,
  batch: `batch${TAIL}.jsonl`,
};

/** Writes the world into a directory. */
export function writeWorld(directory: string): void {
  const write = (path: string, documents: readonly unknown[]): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), documents.map((document) => `${JSON.stringify(document)}\n`).join(""));
  };
  const everything = (part: string): readonly unknown[] => exampleDocuments(part).map((one) => hostile(one));
  write(join(WORLD.catalog, `catalog${TAIL}.jsonl`), everything("catalog"));
  write(WORLD.cluster, everything("cluster"));
  const certified = { message: FORGED, propertyEquals: { name: `certified${TAIL}`, value: TAIL } };
  write(WORLD.rules, [[{ type: "olm.constraint", value: certified }]]);
  write(WORLD.brokenFleet, everything("fleet"));
  write(WORLD.fleet, [...exampleDocuments("fleet"), COMMAND_CLUSTER].map(workingObject));
  write(WORLD.decisions, exampleDocuments("what-if").filter(isDecision).map(workingObject));
  const crds = exampleDocuments("cluster").filter(({ kind }) => kind === "CustomResourceDefinition");
  write(WORLD.oldCrds, crds.map(hostileDefinition));
  write(WORLD.newCrds, crds.map(hostileDefinition).map(narrowed));
  write(WORLD.objects, everything("cluster"));
  write(WORLD.batch, [
    { id: `1${TAIL}`, expression: `'a${FORGED}' + x${TAIL}` },
    { id: 2, expression: "x.y", data: { x: { z: TAIL } } },
    { id: 3, expression: "x", data: { x: { [TAIL]: TAIL } } },
  ]);
}

/** A cluster whose name is a command to a build service at the beginning of a line. */
const COMMAND_CLUSTER: JsonObject = {
  apiVersion: "cluster.open-cluster-management.io/v1",
  kind: "ManagedCluster",
  metadata: { name: "::error::forged", labels: { "cluster.open-cluster-management.io/clusterset": "prod" } },
};

function isDecision({ kind }: JsonObject): boolean {
  return kind === "PlacementDecision";
}

/** The prioritizers of a Placement, those by scores of add-ons under the hostile names that the scores have. */
function hostileScores({ prioritizerPolicy }: JsonObject): JsonObject {
  if (prioritizerPolicy === undefined) return {};
  const policy = prioritizerPolicy as JsonObject;
  const configurations = (policy.configurations as readonly JsonObject[]).map((one) => {
    const { addOn, ...coordinate } = one.scoreCoordinate as JsonObject;
    return addOn === undefined ? one : { ...one, scoreCoordinate: { ...coordinate, addOn: hostile(addOn) as Json } };
  });
  return { prioritizerPolicy: { ...policy, configurations } };
}

/** An object of a fleet in which Placements can be decided: labels only of some clusters are hostile, selectors and names of Placements never. */
function workingObject(object: JsonObject, index: number): unknown {
  const changed = hostile(object) as JsonObject;
  const metadata = object.metadata as JsonObject;
  const name = metadata.name as Json;
  switch (object.kind) {
    case "ManagedCluster":
      return index % 3 === 0 ? changed : withMetadata(changed, { labels: hostileSets(metadata.labels as JsonObject) });
    case "ManagedClusterSet":
      return { ...changed, spec: object.spec as Json };
    case "Placement": {
      const { clusterSets, tolerations } = changed.spec as JsonObject;
      const spec = {
        ...(object.spec as JsonObject),
        ...(clusterSets && { clusterSets }),
        ...(tolerations && { tolerations }),
        ...hostileScores(object.spec as JsonObject),
      };
      return withMetadata({ ...changed, spec: hostileRules(spec) }, { name });
    }
    default:
      return changed;
  }
}

function withMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object.metadata as JsonObject), ...metadata } };
}

/** The labels of a cluster as they are, but for the set that it is in. */
function hostileSets(labels: JsonObject): JsonObject {
  const key = "cluster.open-cluster-management.io/clusterset";
  return { ...labels, ...(Object.hasOwn(labels, key) && { [key]: hostile(labels[key]) as Json }) };
}

/** Only the CEL expressions of a value are hostile. */
function hostileRules(value: Json): Json {
  if (Array.isArray(value)) return value.map(hostileRules);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => [
      key,
      key === "celExpressions" ? (hostile(item, key) as Json) : hostileRules(item as Json),
    ]),
  );
}

/** A definition in which the texts are hostile, but not the identifying names. */
function hostileDefinition(definition: JsonObject): JsonObject {
  const changed = hostile(definition) as JsonObject;
  const [spec, hostileSpec] = [definition.spec as JsonObject, changed.spec as JsonObject];
  const given = spec.versions as readonly JsonObject[];
  const versions = (hostileSpec.versions as readonly JsonObject[]).map((version, index) => ({
    ...version,
    name: given[index]?.name as Json,
  }));
  const { name } = definition.metadata as JsonObject;
  return withMetadata(
    { ...changed, spec: { ...hostileSpec, names: spec.names as Json, versions } },
    { name: name as Json },
  );
}

/** A definition of which every version allows less: an enum that no value fits, a pattern, a rule, a required field. */
function narrowed(definition: JsonObject): JsonObject {
  const spec = definition.spec as JsonObject;
  const versions = (spec.versions as readonly JsonObject[]).map((version) => ({
    ...version,
    name: `${version.name as string}${version.storage === true ? "" : TAIL}`,
    schema: {
      openAPIV3Schema: {
        type: "object",
        description: TAIL,
        required: [`spec${TAIL}`],
        properties: {
          spec: {
            type: "object",
            properties: { [TAIL]: { type: "string", enum: [TAIL], pattern: `a${TAIL}`, default: TAIL } },
            "x-kubernetes-validations": [{ rule: `self.x == '${FORGED}'\n//${FORGED}`, message: TAIL }],
          },
        },
      },
    },
  }));
  return { ...definition, spec: { ...spec, versions } };
}
