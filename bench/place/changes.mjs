// How long until one change of one cluster is answered? The engine is kept; each change goes there and back again, so that all
// start from the same fleet.
import { median, ms } from "../measure.mjs";
import { printTable } from "../resolve/table.mjs";
import { changeOf, nowOf, readManifests } from "./fleet.mjs";
import { decisionsOf, usual } from "./placements.mjs";

const CHANGES = 200;
const TARGET = 1;

/** What a cluster looks like after a change of each kind. */
const KINDS = [
  { name: "a heartbeat", kind: "ManagedCluster", change: heartbeat },
  { name: "a label that flips the match", kind: "ManagedCluster", change: flippedLabel },
  { name: "an amount that is read", kind: "ManagedCluster", change: otherMemory },
  { name: "a score", kind: "AddOnPlacementScore", change: otherScore },
];

/** Prints how long changes take, with all clusters wanted and with the best hundred. */
export function benchChanges(library, manifests) {
  for (const wanted of [undefined, 100]) {
    const placement = usual("usual", wanted);
    const key = `${placement.metadata.namespace}/${placement.metadata.name}`;
    const engine = settledEngine(library, manifests, placement);
    const { selected } = engine.result(key).tally;
    const title = wanted === undefined ? "all that match" : `the best ${wanted}`;
    console.log(
      `\n  one change, ${title} (${selected} selected); median, slowest of a hundred; target: < ${ms(TARGET)}`,
    );
    const rows = KINDS.map((one) => {
      const { times, writing, evaluations, changed } = measure(engine, key, changesOf(library, manifests, one));
      const slow = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)];
      const figures = [times, writing].map((list) => micro(median(list)));
      return [one.name, figures[0], micro(slow), figures[1], `${evaluations} of ${times.length}`, String(changed)];
    });
    printTable(["", "answer", "slow", "writes", "evaluations", "other clusters"], rows);
  }
}

const micro = (value) => `${Math.round(value * 1000)} µs`;

/** An engine whose decisions have all been written. */
function settledEngine(library, manifests, placement) {
  const { namespace, name } = placement.metadata;
  const place = (more) =>
    new library.PlacementEngine(readManifests(library, [...manifests, placement, ...more]), { now: nowOf(library) });
  return place(decisionsOf(namespace, place([]).writes(`${namespace}/${name}`).writes));
}

/** Pairs: to the changed object, and back to the first. */
function changesOf(library, manifests, { kind, change }) {
  const all = manifests.filter((manifest) => manifest.kind === kind && change(manifest) !== undefined);
  const step = Math.floor(all.length / CHANGES);
  return Array.from({ length: Math.min(CHANGES, all.length) }, (_, index) => all[index * Math.max(1, step)]).map(
    (manifest) => [changeOf(library, change(manifest)), changeOf(library, manifest)],
  );
}

/** Each change is taken in and answered; then what is to be written is asked for, which is timed by itself. */
function measure(engine, key, pairs) {
  const times = [];
  const writing = [];
  const before = engine.evaluations;
  let changed = 0;
  for (const pair of pairs)
    for (const change of pair) {
      const last = engine.decisions(key).selected;
      const start = performance.now();
      engine.apply([change]);
      engine.result(key);
      const answered = performance.now();
      engine.writes(key);
      writing.push(performance.now() - answered);
      times.push(answered - start);
      if (!areSame(engine.decisions(key).selected, last)) changed++;
    }
  return { times, writing, evaluations: engine.evaluations - before, changed };
}

function areSame(names, others) {
  return names === others || (names.length === others.length && names.every((name, index) => name === others[index]));
}

function heartbeat(manifest) {
  const { status } = manifest;
  const conditions = status.conditions.map((condition) => ({
    ...condition,
    lastTransitionTime: "2026-01-01T11:59:59Z",
  }));
  return { ...manifest, status: { ...status, conditions } };
}

/** The Placement wants no test clusters. */
function flippedLabel(manifest) {
  const { metadata } = manifest;
  const env = metadata.labels.env === "test" ? "prod" : "test";
  return { ...manifest, metadata: { ...metadata, labels: { ...metadata.labels, env } } };
}

function otherMemory(manifest) {
  const { status } = manifest;
  if (status.allocatable === undefined) return undefined;
  return { ...manifest, status: { ...status, allocatable: { ...status.allocatable, memory: "200Gi" } } };
}

function otherScore(manifest) {
  const { status } = manifest;
  if (manifest.metadata.name !== "resource-usage-score") return undefined;
  return { ...manifest, status: { ...status, scores: status.scores.map((score) => ({ ...score, value: 99 })) } };
}
