// Which Placements, and which cluster, are meant by the words of the command line?

import type { ManagedCluster } from "../../model/managed-cluster.ts";
import type { Placement } from "../../model/placement.ts";
import { placementKey } from "../../render/placement/shown.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

/** Messages have room for so many names. */
const MAX_NAMED = 8;

/** What a Placement is known by. */
export type PlacementName = Pick<Placement, "namespace" | "name">;

/** The Placements that are meant: all, those of a namespace, or those that are named; or why that is not clear. */
export function chosenPlacements(
  words: readonly string[],
  namespace: string | undefined,
  placements: readonly PlacementName[],
): readonly PlacementName[] | string {
  const known = namespace === undefined ? placements : placements.filter((one) => one.namespace === namespace);
  if (namespace !== undefined && known.length === 0) return noneIn(namespace, placements);
  if (words.length === 0) return known;
  const chosen = new Set<PlacementName>();
  for (const word of words) {
    const found = known.filter((one) => one.name === word || placementKey(one) === word);
    if (found.length === 0) return unknownPlacement(word, namespace, known);
    if (found.length > 1)
      return `there are several Placements ${quote(word)}: ${named(found.map(placementKey))}; write NAMESPACE/NAME.`;
    for (const one of found) chosen.add(one);
  }
  return known.filter((one) => chosen.has(one));
}

function noneIn(namespace: string, placements: readonly PlacementName[]): string {
  const others = [...new Set(placements.map((one) => one.namespace))];
  const meant = didYouMean(namespace, others);
  const nearest = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return `namespace ${quote(namespace)} has no Placements.${nearest} There are some in ${named(others)}.`;
}

function unknownPlacement(word: string, namespace: string | undefined, known: readonly PlacementName[]): string {
  const where = namespace === undefined ? "" : ` in namespace ${quote(namespace)}`;
  const meant = nearestKey(word, known);
  const nearest = meant === undefined ? "." : `; did you mean ${meant}?`;
  return `there is no Placement ${quote(word)}${where}${nearest} ${thereAre(known.map(placementKey))}`;
}

/** The Placement that was probably meant: the whole word may be misspelt, or only its name be right. */
function nearestKey(word: string, known: readonly PlacementName[]): string | undefined {
  const keys = known.map(placementKey);
  const name = didYouMean(
    word.slice(word.indexOf("/") + 1),
    known.map((one) => one.name),
  );
  const whole = word.includes("/") ? didYouMean(word, keys) : undefined;
  return whole ?? keys.find((key) => key.endsWith(`/${name}`));
}

/** Why a cluster cannot be explained: there is none of that name. */
export function unknownCluster(word: string, clusters: readonly ManagedCluster[]): string | undefined {
  if (clusters.some(({ name }) => name === word)) return undefined;
  const names = clusters.map(({ name }) => name);
  const none = `there is no cluster ${quote(word)}`;
  if (names.length === 0) return `${none}: no ManagedCluster is given with -f.`;
  const meant = didYouMean(word, names);
  return meant === undefined ? `${none}. ${thereAre(names)}` : `${none}; did you mean ${meant}?`;
}

function thereAre(names: readonly string[]): string {
  return `There ${names.length === 1 ? "is" : "are"} ${named(names)}.`;
}

/** Names for a message: the first few, and how many more there are. */
export function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A word as somebody wrote it, kept to a length that a message can hold. */
function quote(word: string): string {
  return JSON.stringify(word.length <= 80 ? word : `${word.slice(0, 79)}…`);
}
