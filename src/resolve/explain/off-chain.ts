// Why is a bundle on no chain of its channels? A chain goes from the head along `replaces` and ends before the first entry
// that another one skips.

import type { Bundle, Channel, ChannelEntry, Package } from "../../model/catalog.ts";
import { printVersion } from "../../semver/version.ts";

/** For each channel that has the bundle the entries that skip it. */
export function offChainText(owner: Package, bundle: Bundle): string {
  const reasons = [...owner.channels.values()]
    .filter(({ entries }) => entries.has(bundle.name))
    .map((channel) => `in channel ${channel.name} ${reasonIn(channel, bundle)}`);
  const why = reasons.length === 0 ? "no channel has it" : reasons.join(", ");
  return `It is on no chain of its channels: ${why}. Only a request for exactly this version is given it.`;
}

/** A channel with an entry that is neither on the chain nor skipped is refused when it is read. */
function reasonIn({ entries }: Channel, { name }: Bundle): string {
  const skippers = [...entries.values()].filter(({ skips }) => skips.includes(name));
  return `${skippers.map(entryText).join(" and ")} ${skippers.length === 1 ? "skips" : "skip"} it`;
}

function entryText({ name, bundle }: ChannelEntry): string {
  return bundle === undefined ? name : `${bundle.package} ${printVersion(bundle.version)}`;
}
