// Which packages and channels do bundle directories form? Every bundle names its own; together they yield the
// `olm.package` and `olm.channel` documents of a catalog.

import { addTo, groupedBy } from "../../model/grouped.ts";
import { canonicalText, compareText, type JsonObject } from "../../model/json.ts";
import { comparePlaces, inside } from "../../model/place.ts";
import { compareWithBuild } from "../../semver/version.ts";
import type { ChannelDraft, EntryDraft, PackageDraft } from "../catalog/read-package.ts";
import { CHANNELS, DEFAULT_CHANNEL } from "./annotations.ts";
import type { DerivedBundle } from "./derive-bundle.ts";
import { modeOf, type UpdateGraph, versionEntries } from "./update-graph.ts";

/**
 * The packages and channels of all bundles, by name. `requested` is the update graph that the `ci.yaml` of a bundle
 * requests.
 */
export function draftPackages(
  bundles: readonly DerivedBundle[],
  requested: ReadonlyMap<DerivedBundle, UpdateGraph>,
): Readonly<{ packages: readonly PackageDraft[]; channels: readonly ChannelDraft[] }> {
  const packages: PackageDraft[] = [];
  const channels: ChannelDraft[] = [];
  for (const [name, members] of grouped(bundles, (bundle) => [bundle.package])) {
    members.sort(compareAge);
    const own = grouped(members, (bundle) => bundle.annotations.channels);
    packages.push(draftPackage(name, members, [...own.keys()]));
    const mode =
      members.map((bundle) => requested.get(bundle)).find((stated) => stated !== undefined) ?? modeOf(members);
    for (const [channel, listed] of own) channels.push(draftChannel(channel, name, listed, mode));
  }
  return { packages, channels };
}

/** The newest bundle with a default channel decides; if none has one, the only channel is the default. */
function draftPackage(name: string, newestFirst: readonly DerivedBundle[], channels: readonly string[]): PackageDraft {
  const decisive = newestFirst.find(({ annotations }) => annotations.defaultChannel !== undefined) ?? newestFirst[0];
  const stated = decisive?.annotations.defaultChannel;
  const defaultChannel = stated ?? (channels.length === 1 ? (channels[0] as string) : "");
  const description = newestFirst[0]?.displayName ?? "";
  return {
    name,
    defaultChannel,
    description,
    properties: [],
    object: { schema: "olm.package", name, defaultChannel, description },
    place: (decisive as DerivedBundle).annotations.place,
    defaultChannelKey: DEFAULT_CHANNEL,
  };
}

function draftChannel(
  name: string,
  owner: string,
  newestFirst: readonly DerivedBundle[],
  mode: UpdateGraph,
): ChannelDraft {
  const stated = mode === "replaces" ? newestFirst.map(({ entry }) => entry) : versionEntries(newestFirst, mode);
  const byName = groupedBy(stated, (entry) => entry.name);
  const entries = [...byName].sort(([a], [b]) => compareText(a, b)).flatMap(([, same]) => differentEntries(same));
  return {
    name,
    package: owner,
    entries,
    properties: [],
    object: { schema: "olm.channel", name, package: owner, entries: entries.map(content) },
    place: inside((newestFirst[0] as DerivedBundle).annotations.place, CHANNELS),
  };
}

/**
 * Two directories may hold the same bundle: one entry is enough. If they differ in its edges, both are kept, to be
 * reported.
 */
function differentEntries(entries: readonly EntryDraft[]): readonly EntryDraft[] {
  if (entries.length === 1) return entries;
  const byText = new Map<string, EntryDraft>();
  for (const entry of entries) {
    const text = canonicalText(content(entry));
    if (!byText.has(text)) byText.set(text, entry);
  }
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, entry]) => entry);
}

/** The content of an entry, without its place. */
function content({ csv: _, ...stated }: EntryDraft): JsonObject {
  return stated as JsonObject;
}

/** Bundles by key, in key order. */
function grouped(
  bundles: readonly DerivedBundle[],
  keysOf: (bundle: DerivedBundle) => readonly string[],
): Map<string, DerivedBundle[]> {
  const groups = new Map<string, DerivedBundle[]>();
  for (const bundle of bundles) for (const key of keysOf(bundle)) addTo(groups, key, bundle);
  return new Map([...groups].sort(([a], [b]) => compareText(a, b)));
}

/** By version, highest first; then by name and place, so that the order of directories does not matter. */
function compareAge(a: DerivedBundle, b: DerivedBundle): number {
  const byVersion =
    a.version === undefined || b.version === undefined
      ? Number(a.version === undefined) - Number(b.version === undefined)
      : compareWithBuild(b.version, a.version);
  return byVersion || compareText(a.name, b.name) || comparePlaces(a.place, b.place);
}
