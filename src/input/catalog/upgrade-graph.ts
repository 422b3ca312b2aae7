// Is a channel one upgrade graph with one head, and what is its chain? The rules are those of `opm validate`
// (reference cases G08–G16); docs/how-it-resolves.md describes how edges lead to updates.

import type { ChannelEntry } from "../../model/catalog.ts";
import type { Code } from "../../model/finding.ts";
import { listed } from "../../text/words.ts";

/** The fields of an entry that form the graph. */
export type GraphEntry = Pick<ChannelEntry, "name" | "replaces" | "skips">;

/** Why a channel has no usable graph. */
export interface GraphFault {
  readonly code: Extract<Code, "PL035" | "PL036" | "PL037" | "PL038">;
  readonly message: string;
  readonly help: string;
  /** The entry at which the error is reported. */
  readonly entry: string;
}

/** The channel head, and the entries from it along `replaces`. */
export interface Graph<Entry extends GraphEntry> {
  readonly head: Entry;
  readonly chain: readonly Entry[];
}

/** Finds the head and chain of a channel with at least one entry, or returns why there is none. */
export function upgradeGraph<Entry extends GraphEntry>(entries: ReadonlyMap<string, Entry>): Graph<Entry> | GraphFault {
  const superseded = new Set<string>();
  const skipped = new Set<string>();
  for (const { replaces, skips } of entries.values()) {
    if (replaces !== undefined) superseded.add(replaces);
    for (const name of skips) {
      superseded.add(name);
      skipped.add(name);
    }
  }
  const heads: Entry[] = [];
  for (const entry of entries.values()) if (!superseded.has(entry.name)) heads.push(entry);
  const head = heads[0];
  if (head === undefined) return noHead(entries);
  if (heads.length > 1) return severalHeads(heads);

  const chain: Entry[] = [head];
  for (let next = head.replaces; next !== undefined && !skipped.has(next); next = chain.at(-1)?.replaces) {
    const entry = entries.get(next);
    if (entry === undefined) break;
    chain.push(entry);
    if (chain.length > entries.size) return cycle(chain);
  }
  if (skipped.size === 0 && chain.length === entries.size) return { head, chain };
  const onChain = new Set<Entry>(chain);
  const stranded: string[] = [];
  for (const entry of entries.values()) if (!onChain.has(entry) && !skipped.has(entry.name)) stranded.push(entry.name);
  return stranded.length === 0 ? { head, chain } : strandedEntries(chain, stranded, skipped);
}

function noHead(entries: ReadonlyMap<string, GraphEntry>): GraphFault {
  const [first] = entries.keys();
  return {
    code: "PL035",
    message: "no entry is the head: every entry is replaced or skipped by another",
    help: "the newest entry must not be named in `replaces` or `skips` of any entry",
    entry: first as string,
  };
}

function severalHeads(heads: readonly GraphEntry[]): GraphFault {
  const names = heads.map((head) => head.name);
  return {
    code: "PL036",
    message: `${heads.length} entries are heads, which nothing replaces or skips: ${listed(names)}`,
    help: "let the newest one replace or skip the others",
    entry: names.at(-1) as string,
  };
}

/** The chain has returned to an earlier entry: shows the cycle once. */
function cycle(chain: readonly GraphEntry[]): GraphFault {
  const names = chain.map((entry) => entry.name);
  const end = names.findIndex((name, position) => names.indexOf(name) < position);
  const again = names[end] as string;
  const members = names.slice(names.indexOf(again), end + 1);
  const shown = members.length <= 8 ? members : [...members.slice(0, 4), "…", ...members.slice(-3)];
  return {
    code: "PL037",
    message: `entries replace each other in a cycle: ${shown.join(" → ")}`,
    help: "an entry must replace an older one",
    entry: again,
  };
}

function strandedEntries(
  chain: readonly GraphEntry[],
  stranded: readonly string[],
  skipped: ReadonlySet<string>,
): GraphFault {
  const last = chain.at(-1) as GraphEntry;
  const why =
    last.replaces !== undefined && skipped.has(last.replaces)
      ? `the chain from the head ends at ${last.name}, because ${last.replaces}, which it replaces, is skipped`
      : `the chain from the head ends at ${last.name}`;
  return {
    code: "PL038",
    message: `${stranded.length === 1 ? "1 entry has" : `${stranded.length} entries have`} no path to the head: ${listed(stranded)}`,
    help: `${why}; let an entry of the chain replace the newest of them, or skip them all`,
    entry: stranded.at(-1) as string,
  };
}
