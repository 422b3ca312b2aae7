// Which plans are measured? Clusters whose operators all run at the oldest entries of their channels, and what is asked of them.
import { randomBelow } from "../resolve/random.mjs";
import { OldCluster } from "./oldest.mjs";

const NAMESPACE = "operators";
const NAMESPACES = 5;
const OPERATORS = 50;

/** Each makes the problems of a catalog and a seed, perhaps with a version to reach; `isAim`: it is to keep to the target. */
export const STORIES = [
  { name: "without dependencies", isAim: true, make: plain },
  { name: "with dependencies", isAim: true, make: demandingFirst },
  { name: `with dependencies, in ${NAMESPACES} namespaces`, make: inNamespaces },
  { name: "to the end of the longest channel", make: (given) => toTheFarthest(given, false) },
  { name: "to the end of the longest with dependencies", make: (given) => toTheFarthest(given, true) },
];

function plain(given) {
  const { world, others } = worldOf(given);
  world.install(others, OPERATORS, NAMESPACE);
  return { problems: [world.problem(NAMESPACE)] };
}

function demandingFirst(given) {
  const { world, demanding, others } = worldOf(given);
  world.install([...demanding, ...others], OPERATORS, NAMESPACE);
  return { problems: [world.problem(NAMESPACE)] };
}

function inNamespaces(given) {
  const { world, demanding, others } = worldOf(given);
  const names = Array.from({ length: NAMESPACES }, (_, index) => `${NAMESPACE}-${index + 1}`);
  for (const [index, name] of names.entries()) {
    const share = demanding.filter((_, position) => position % NAMESPACES === index);
    world.install([...share, ...others], ((index + 1) * OPERATORS) / NAMESPACES, name);
  }
  return { problems: names.map((name) => world.problem(name)) };
}

function toTheFarthest(given, isDemanding) {
  const { world, demanding, others } = worldOf(given);
  world.install([...demanding, ...others], OPERATORS, NAMESPACE);
  const channels = world.running.map(({ channel }) => channel);
  const possible = isDemanding ? channels.filter((channel) => demanding.includes(channel)) : channels;
  const farthest = possible.reduce((a, b) => (b.chain.length > a.chain.length ? b : a));
  const { version } = farthest.chain[0].bundle;
  const { parseRange, printVersion } = given.library;
  const to = { package: farthest.package, range: parseRange(`>=${printVersion(version)}`) };
  return { problems: [world.problem(NAMESPACE)], to };
}

/** Everything of a catalog that gets along, in one namespace. */
export function everything({ catalog, library, options }) {
  const world = new OldCluster(catalog, library, options);
  const [demanding, others] = world.channels();
  world.install([...demanding, ...others], Number.POSITIVE_INFINITY, NAMESPACE);
  return { problems: [world.problem(NAMESPACE)] };
}

function worldOf({ catalog, library, options, seed }) {
  const world = new OldCluster(catalog, library, options);
  const [demanding, others] = world.channels(randomBelow(seed * 7919));
  return { world, demanding, others };
}
