// Is a channel valid? Every entry is linked to its bundle and its edges are read; a channel whose entries do not form
// one upgrade graph is left out.

import type { Bundle, Channel, ChannelEntry } from "../../model/catalog.ts";
import { type Code, type FindingDetail, finding, type Report } from "../../model/finding.ts";
import { compareText } from "../../model/json.ts";
import { inside, type Path, type Place } from "../../model/place.ts";
import { parseRange } from "../../semver/blang-range.ts";
import type { ChannelDraft, EntryDraft } from "./read-package.ts";
import { upgradeGraph } from "./upgrade-graph.ts";

const NO_SKIPS: readonly string[] = [];

/** Assembles a channel; undefined, with findings, if it has no usable upgrade graph. */
export function assembleChannel(
  draft: ChannelDraft,
  bundles: ReadonlyMap<string, Bundle>,
  brokenBundles: ReadonlySet<string>,
  report: Report,
): Channel | undefined {
  let positions: ReadonlyMap<EntryDraft, number> | undefined;
  const reportEntry: ReportEntry = (code, entry, step, detail) => {
    positions ??= new Map(draft.entries.map((one, position) => [one, position]));
    const place = entry === undefined ? draft.place : entryPlace(draft, entry, positions.get(entry) ?? 0, step);
    report(finding(code, place, { package: draft.package, channel: draft.name, ...detail }));
  };
  const entries = readEntries({ draft, bundles, brokenBundles, reportEntry });
  if (entries === undefined) return undefined;
  const graph = upgradeGraph(entries);
  if ("code" in graph) {
    const entry = draft.entries.find(({ name }) => name === graph.entry);
    const message = `channel ${draft.name} of package ${draft.package}: ${graph.message}`;
    reportEntry(graph.code, entry, "name", { message, help: graph.help, dropped: "channel" });
    return undefined;
  }
  const { name, package: owner, properties, place } = draft;
  return { name, package: owner, entries, head: graph.head, chain: graph.chain, properties, place };
}

/** A channel that is read, the bundles of its package, and those that were named but could not be read. */
interface ChannelInput {
  readonly draft: ChannelDraft;
  readonly bundles: ReadonlyMap<string, Bundle>;
  readonly brokenBundles: ReadonlySet<string>;
  readonly reportEntry: ReportEntry;
}

/** Reports something about a channel, or about a field of one of its entries. */
type ReportEntry = (
  code: Code,
  entry: EntryDraft | undefined,
  step: EntryField | undefined,
  detail: FindingDetail,
) => void;

type EntryField = "name" | "replaces" | "skips" | "skipRange";

/** The path of an entry's field in a ClusterServiceVersion. */
const IN_CSV: Readonly<Record<EntryField, Path>> = {
  name: ["metadata", "name"],
  replaces: ["spec", "replaces"],
  skips: ["spec", "skips"],
  skipRange: ["metadata", "annotations", "olm.skipRange"],
};

/** The place of an entry, or of one of its fields. */
function entryPlace(draft: ChannelDraft, entry: EntryDraft, position: number, field: EntryField | undefined): Place {
  if (entry.csv !== undefined) return field === undefined ? entry.csv : inside(entry.csv, ...IN_CSV[field]);
  return inside(draft.place, "entries", position, ...(field === undefined ? [] : [field]));
}

/** The entries by name, sorted; undefined, with findings, if they cannot be a graph. */
function readEntries(input: ChannelInput): Map<string, ChannelEntry> | undefined {
  const { draft, bundles, brokenBundles, reportEntry } = input;
  const entries = new Map<string, ChannelEntry>();
  let sound = true;
  let usable = 0;
  let previous: ChannelEntry | undefined;
  for (const entry of [...draft.entries].sort((a, b) => compareText(a.name, b.name))) {
    if (previous !== undefined && previous.name === entry.name) {
      sound = duplicateEntry(input, previous, entry) && sound;
      continue;
    }
    const bundle = bundles.get(entry.name);
    if (bundle !== undefined) usable++;
    else if (!brokenBundles.has(entry.name))
      reportEntry("PL034", entry, "name", {
        message: `channel ${draft.name} lists ${entry.name}, but package ${draft.package} has no such bundle`,
        help: "it cannot be chosen; add the bundle, or remove the entry",
        bundle: entry.name,
      });
    previous = readEntry(entry, bundle, reportEntry);
    entries.set(entry.name, previous);
  }
  danglingReplaces(input, entries);
  if (sound && usable > 0) return entries;
  const message =
    draft.entries.length === 0
      ? `channel ${draft.name} of package ${draft.package} has no entries`
      : `no entry of channel ${draft.name} of package ${draft.package} has a usable bundle`;
  if (usable === 0) reportEntry("PL032", undefined, undefined, { message, dropped: "channel" });
  return undefined;
}

/** Reports a duplicate entry; true if both are equal. */
function duplicateEntry({ draft, reportEntry }: ChannelInput, first: ChannelEntry, again: EntryDraft): boolean {
  const same =
    (first.replaces ?? "") === (again.replaces ?? "") &&
    (first.skipRange?.text ?? "") === (again.skipRange ?? "") &&
    first.skips.join("\n") === (again.skips ?? []).join("\n");
  reportEntry("PL033", again, "name", {
    message: `channel ${draft.name} of package ${draft.package} lists ${again.name} twice`,
    bundle: again.name,
    help: same ? "remove one; they are the same" : "remove one; their edges differ",
    ...(!same && { dropped: "channel" }),
  });
  return same;
}

function readEntry(entry: EntryDraft, bundle: Bundle | undefined, reportEntry: ReportEntry): ChannelEntry {
  const { name, replaces, skipRange } = entry;
  const skips = entry.skips ?? NO_SKIPS;
  const hasEmptySkip = skips.includes("");
  if (hasEmptySkip)
    reportEntry("PL039", entry, "skips", {
      message: `entry ${name} skips a bundle with an empty name`,
      help: "remove it; it is ignored",
      bundle: name,
    });
  const range = skipRange ? parseRange(skipRange) : undefined;
  if (typeof range === "string")
    reportEntry("PL040", entry, "skipRange", {
      message: `the skipRange ${JSON.stringify(skipRange)} of entry ${name} is not a version range: ${range}`,
      help: "it is ignored: no installed version is upgraded by it",
      bundle: name,
    });
  return {
    name,
    replaces: replaces || undefined,
    skips: hasEmptySkip ? skips.filter((skip) => skip !== "") : skips,
    skipRange: typeof range === "string" ? undefined : range,
    bundle,
  };
}

/** An entry may replace a bundle that is no longer in the catalog (case G16), but it is often a mistake. */
function danglingReplaces(input: ChannelInput, entries: ReadonlyMap<string, ChannelEntry>): void {
  const { draft, bundles, brokenBundles, reportEntry } = input;
  for (const entry of draft.entries) {
    const { name, replaces } = entry;
    if (!replaces || entries.has(replaces) || bundles.has(replaces) || brokenBundles.has(replaces)) continue;
    reportEntry("PL041", entry, "replaces", {
      message: `entry ${name} of channel ${draft.name} replaces ${replaces}, which package ${draft.package} does not have`,
      help: "only an operator installed from elsewhere can be upgraded along this edge",
      bundle: name,
    });
  }
}
