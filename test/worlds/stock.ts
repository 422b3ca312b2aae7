// What might a catalog hold? Few packages with few versions, and channels of every shape that is sound.

import { CatalogBuilder } from "../../src/input/catalog/catalog-builder.ts";
import type { Catalog, Property } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { api, demand, LABELS, tier, VERSIONS, type Vocabulary } from "./demands.ts";
import type { Dice } from "./dice.ts";

/** Where a catalog is in the order of catalogs. */
export interface CatalogRank {
  readonly name: string;
  readonly namespace?: string;
  readonly priority: number;
}

/** A catalog with the given versions of packages. */
export function catalog(
  dice: Dice,
  rank: CatalogRank,
  offer: ReadonlyMap<string, readonly string[]>,
  words: Vocabulary,
): Catalog {
  const builder = new CatalogBuilder(rank);
  let line = 0;
  for (const [owner, versions] of offer)
    for (const document of packageDocuments(dice, owner, versions, words))
      builder.add(document, { source: `${rank.name}.yaml`, line: ++line, column: 1 });
  return builder.finish();
}

/** The name of a bundle. */
export function bundleName(owner: string, version: string): string {
  return `${owner}.v${version}`;
}

function packageDocuments(
  dice: Dice,
  owner: string,
  versions: readonly string[],
  words: Vocabulary,
): readonly JsonObject[] {
  const proper = words.kinds[words.packages.indexOf(owner) % words.kinds.length];
  const ownKind = dice.chance(words.style === "deep" ? 0.9 : 0.65)
    ? words.style === "rough"
      ? dice.pick(words.kinds)
      : proper
    : undefined;
  const second = dice.chance(0.35) ? dice.some(versions, 0.6) : [];
  const defaultChannel = second.length > 0 && dice.chance(0.4) ? "fast" : "stable";
  const channels = [channel(dice, owner, "stable", versions, words)];
  if (second.length > 0) channels.push(channel(dice, owner, "fast", second, words));
  return [
    { schema: "olm.package", name: owner, defaultChannel },
    ...channels,
    ...versions.map((version) => ({
      schema: "olm.bundle",
      package: owner,
      name: bundleName(owner, version),
      image: `example.com/${owner}:${version}`,
      properties: properties(dice, owner, version, ownKind, words).map(({ type, value }) => ({ type, value })),
    })),
  ];
}

/** A channel in which every entry that is not skipped is on the way from the head. */
function channel(dice: Dice, owner: string, name: string, versions: readonly string[], words: Vocabulary): JsonObject {
  const newestFirst = versions.toSorted().reverse();
  const skipped = newestFirst.filter((_, position) => position > 0 && dice.chance(0.2));
  const chain = newestFirst.filter((version) => !skipped.includes(version));
  const entries = chain.map((version, position): JsonObject => {
    const older = chain[position + 1];
    const stranger = dice.chance(0.1) ? bundleName(dice.pick(words.packages), "1.0.0") : undefined;
    const replaces =
      older !== undefined ? bundleName(owner, older) : stranger === bundleName(owner, "1.0.0") ? undefined : stranger;
    const skips = position === 0 ? skipped.map((one) => bundleName(owner, one)) : [];
    return {
      name: bundleName(owner, version),
      ...(replaces !== undefined && { replaces }),
      ...(skips.length > 0 && { skips }),
      ...(dice.chance(0.35) && { skipRange: dice.pick([`<${version}`, ">=1.0.0 <1.1.0", `>=1.0.0 <=${version}`]) }),
    };
  });
  const leftOut = skipped.map((version) => ({ name: bundleName(owner, version) }));
  return { schema: "olm.channel", package: owner, name, entries: [...entries, ...leftOut] };
}

/** The properties of a bundle. */
export function properties(
  dice: Dice,
  owner: string,
  version: string,
  kind: string | undefined,
  words: Vocabulary,
): readonly Property[] {
  const kinds = new Set(dice.some(words.kinds, words.style === "rough" ? 0.1 : 0.03));
  if (kind !== undefined && dice.chance(0.85)) kinds.add(kind);
  return [
    { type: "olm.package", value: { packageName: owner, version } },
    ...[...kinds].map((one) => ({ type: "olm.gvk", value: api(one) })),
    ...(dice.chance(0.25) ? [{ type: "tier", value: tier(dice) }] : []),
    ...(dice.chance(0.15) ? [{ type: "olm.label", value: { label: dice.pick(LABELS) } }] : []),
    ...(dice.chance(0.05) ? [{ type: "olm.deprecated", value: {} }] : []),
    ...(dice.chance(0.08) ? [{ type: "olm.maxOpenShiftVersion", value: dice.pick(["4.13", "4.14", 4.15]) }] : []),
    ...(dice.chance(0.15) ? [{ type: "olm.csv.metadata", value: metadata(dice) }] : []),
    ...(dice.chance(DEMANDING[words.style])
      ? dice.times(1, words.style === "rough" ? 2 : 1, () => demand(dice, words))
      : []),
  ];
}

/** How often a bundle demands anything. */
const DEMANDING: Readonly<Record<Vocabulary["style"], number>> = { tame: 0.4, rough: 0.6, deep: 0.75 };

function metadata(dice: Dice): JsonObject {
  return {
    ...(dice.chance(0.6) && { minKubeVersion: dice.pick(["1.25.0", "v1.28", "1.31.0"]) }),
    ...(dice.chance(0.6) && { installModes: MODES.map((type) => ({ type, supported: dice.chance(0.6) })) }),
  };
}

const MODES: readonly string[] = ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"];

/** Which versions of which packages there are: with at most this number of bundles. */
export function offer(dice: Dice, packages: readonly string[], most: number): ReadonlyMap<string, readonly string[]> {
  const chosen = new Map<string, readonly string[]>();
  let left = most;
  for (const owner of packages) {
    const wanted = dice.some(VERSIONS, 0.6);
    const versions = (wanted.length > 0 ? wanted : [dice.pick(VERSIONS)]).slice(0, left);
    if (versions.length > 0) chosen.set(owner, versions);
    left -= versions.length;
  }
  return chosen;
}
