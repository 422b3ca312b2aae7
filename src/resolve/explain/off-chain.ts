// Why is a bundle on no chain of its channels? A chain goes from the head along `replaces` and ends before the first entry
// that another one skips.

import type { Bundle, ChannelEntry, Package } from "../../model/catalog.ts";
import type { OperatorRef } from "../../model/operator-ref.ts";
import { printVersion } from "../../semver/version.ts";

/** A channel with a bundle off its chain, and the entries that skip it. */
export interface SkippedIn {
  readonly channel: string;
  readonly by: readonly OperatorRef[];
}

/**
 * For each channel with the bundle, the entries that skip it: any other entry off the chain is rejected when it is
 * read.
 */
export function skippersOf(owner: Package, { name }: Bundle): readonly SkippedIn[] {
  return [...owner.channels.values()]
    .filter(({ entries }) => entries.has(name))
    .map((channel) => ({
      channel: channel.name,
      by: [...channel.entries.values()].filter(({ skips }) => skips.includes(name)).map(entryRef),
    }));
}

function entryRef({ name, bundle }: ChannelEntry): OperatorRef {
  return bundle === undefined ? { name } : { name, package: bundle.package, version: printVersion(bundle.version) };
}
