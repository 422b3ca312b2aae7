// Which clusters are placements measured on? Those that `tool/gen-fleet.mjs` of a data folder makes, the same in every run.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SEED = 7;

/** Well after most scores were made, and before they expire. */
export const NOW = "2026-01-01T12:00:00Z";

/** Makes fleets as manifests; undefined when the folder has no generator. */
export async function fleetMaker(data) {
  const path = data && join(data, "tool", "gen-fleet.mjs");
  if (path === undefined || !existsSync(path)) return undefined;
  const { fleet } = await import(pathToFileURL(path).href);
  /** `count` clusters with their sets, bindings and scores; and the generator's own Placements, if asked for. */
  return (count, { placements = false } = {}) => [...fleet({ n: count, seed: SEED, placements })];
}

/** Reads manifests into the model. */
export function readManifests(library, manifests) {
  const reader = new library.ObjectsReader((found) => {
    throw new Error(found.message);
  });
  for (const manifest of manifests) reader.add(manifest, PLACE);
  return reader.finish();
}

const PLACE = { source: "fleet.jsonl", line: 1, column: 1 };

/** The change of one object, as the engine takes it. */
export function changeOf(library, manifest) {
  const list = LISTS[manifest.kind];
  const [object] = readManifests(library, [manifest])[list];
  const { name, namespace } = object;
  return { kind: manifest.kind, name, ...(namespace !== undefined && { namespace }), object };
}

const LISTS = {
  ManagedCluster: "managedClusters",
  AddOnPlacementScore: "addOnPlacementScores",
  PlacementDecision: "placementDecisions",
  Placement: "placements",
};

/** The time as the library has it. */
export const nowOf = (library) => library.parseTimestamp(NOW);
