// How do upgrades run in this channel? From the head down along `replaces`, one line an entry, what it skips below it. In
// a long channel runs of entries that have nothing special are drawn together except in format `wide`.

import { type ChainSkips, chainSkips, type Skip } from "../../catalog/chain-skips.ts";
import { deprecationOf } from "../../catalog/deprecation.ts";
import type { FoundChannel } from "../../catalog/find.ts";
import { catalogLabel } from "../../catalog/order.ts";
import type { Channel, ChannelEntry, Package } from "../../model/catalog.ts";
import { printPlace } from "../../model/place.ts";
import { counted } from "../../text/words.ts";
import { fieldLines, type Look, marksText, namesText } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import { deprecationText, entryTitle } from "./statement-text.ts";

/** Channels with up to this many entries are always shown completely. */
const SHORT_CHANNEL = 40;
/** Fewer lines than this are not worth drawing together. */
const SHORTEST_RUN = 3;

export function channelLines(found: FoundChannel, look: Look): string[] {
  const { catalogs, catalog, package: owner, channel, alsoIn } = found;
  const skipped = channel.entries.size - channel.chain.length;
  const isDefault = channel.name === owner.defaultChannel;
  return [
    `${look.style.bold(safeText(`${owner.name}/${channel.name}`))}${isDefault ? " (default channel)" : ""}`,
    "",
    ...fieldLines(
      [
        ["Catalog", catalogLabel(catalog, catalogs)],
        ["Also in", alsoIn.map((other) => catalogLabel(other, catalogs)).join(", ")],
        ["Entries", `${channel.entries.size}${skipped === 0 ? "" : `, of which ${skipped} skipped`}`],
        ["Deprecated", deprecationText(owner.deprecations.channels.get(channel.name)), look.style.yellow],
        ["Read from", printPlace(channel.place)],
      ],
      look,
    ),
    "",
    ...graphLines(found, look),
  ];
}

/** One line of the graph; lines of entries that have nothing special can be drawn together. */
interface GraphLine {
  readonly text: string;
  /** The entry, if it has nothing special. */
  readonly plain?: string;
  readonly isSkip?: true;
}

function graphLines(found: FoundChannel, look: Look): string[] {
  const { channel, package: owner } = found;
  const skips = chainSkips(channel);
  const lines = channel.chain.flatMap((entry): GraphLine[] => {
    const below = [
      ...(entry.skipRange === undefined ? [] : [under(look.style.cyan(safeText(`skipRange ${entry.skipRange.text}`)))]),
      ...(skips.of.get(entry) ?? []).map((skip) => skipLine(skip, entry, skips, found, look)),
      ...alsoLines(entry, channel, skips, look),
      ...danglingLine(entry, channel, look),
    ];
    return [entryLine(entry, found, look, below.length === 0), ...below];
  });
  for (const { skipper, skipped } of skips.apart) {
    const marks = [...skippedMarks(skipped, owner, skips, look), `only skipped by ${skipper.name}`];
    lines.push({ text: look.style.dim(safeText(`○ ${entryTitle(skipped)}${marksText(marks)}`)) });
  }
  if (look.all || channel.entries.size <= SHORT_CHANNEL) return lines.map(({ text }) => text);
  return drawnTogether(lines, look);
}

function under(text: string): GraphLine {
  return { text: `│   ${text}` };
}

function entryLine(
  entry: ChannelEntry,
  { package: owner, channel }: FoundChannel,
  { style }: Look,
  isAlone: boolean,
): GraphLine {
  const isHead = entry === channel.head;
  const marks = [
    ...(isHead ? [style.green("head")] : []),
    ...(isHead && channel.name === owner.defaultChannel ? [style.green("default")] : []),
    ...(isDeprecated(entry, owner) ? [style.yellow("deprecated")] : []),
    ...(entry.bundle === undefined ? [style.red("no bundle")] : []),
  ];
  const title = safeText(entryTitle(entry));
  const text = `● ${isHead ? style.bold(title) : title}${marksText(marks)}`;
  return marks.length === 0 && isAlone ? { text, plain: entry.name } : { text };
}

function skipLine(
  { skipper, skipped }: Skip,
  entry: ChannelEntry,
  skips: ChainSkips,
  { package: owner }: FoundChannel,
  look: Look,
): GraphLine {
  const marks = skippedMarks(skipped, owner, skips, look);
  const verb = skipper === entry ? "skips" : `${skipper.name} skips`;
  const line = under(look.style.dim(safeText(`${verb} ${entryTitle(skipped)}${marksText(marks)}`)));
  return marks.length === 0 && skipper === entry ? { ...line, plain: skipped.name, isSkip: true } : line;
}

function skippedMarks(entry: ChannelEntry, owner: Package, skips: ChainSkips, look: Look): string[] {
  const also = skips.also.get(entry) ?? [];
  return [
    ...(entry.replaces === undefined ? [] : [`replaces ${entry.replaces}`]),
    ...(also.length === 0 ? [] : [`skips ${namesText(also, look)}`]),
    ...(entry.skipRange === undefined ? [] : [`skipRange ${entry.skipRange.text}`]),
    ...(isDeprecated(entry, owner) ? ["deprecated"] : []),
    ...(entry.bundle === undefined ? ["no bundle"] : []),
  ];
}

/** What else an entry of the chain skips: names that are listed above already, or that the channel does not have. */
function alsoLines(entry: ChannelEntry, channel: Channel, skips: ChainSkips, look: Look): GraphLine[] {
  const names = skips.also.get(entry) ?? [];
  const known = names.filter((name) => channel.entries.has(name));
  const strangers = names.filter((name) => !channel.entries.has(name));
  const line = (verb: string, which: readonly string[], mark: string): GraphLine[] =>
    which.length === 0 ? [] : [under(look.style.dim(safeText(`${verb} ${namesText(which, look)}${mark}`)))];
  return [...line("also skips", known, ""), ...line("skips", strangers, " (not in this channel)")];
}

/** The last entry of the chain may replace an entry that does not exist, or one that another entry skips. */
function danglingLine(entry: ChannelEntry, channel: Channel, { style }: Look): GraphLine[] {
  if (entry !== channel.chain.at(-1) || entry.replaces === undefined) return [];
  const why = channel.entries.has(entry.replaces) ? "skipped" : "not in this channel";
  return [under(style.dim(safeText(`replaces ${entry.replaces} (${why})`)))];
}

function isDeprecated({ name, bundle }: ChannelEntry, owner: Package): boolean {
  return bundle === undefined ? owner.deprecations.bundles.has(name) : deprecationOf(owner, bundle) !== undefined;
}

/** Replaces runs of plain lines of one sort; the first and the last line always stay. */
function drawnTogether(lines: readonly GraphLine[], { style }: Look): string[] {
  const shown: string[] = [];
  let run: GraphLine[] = [];
  let isShort = false;
  const endRun = (): void => {
    if (run.length < SHORTEST_RUN) shown.push(...run.map(({ text }) => text));
    else {
      isShort = true;
      const ends = `from ${run[0]?.plain} to ${run.at(-1)?.plain}`;
      shown.push(
        run[0]?.isSkip
          ? `│   ${style.dim(safeText(`skips ${counted(run.length, "entry", "entries")} ${ends}`))}`
          : style.dim(safeText(`… ${counted(run.length, "more entry", "more entries")} ${ends}`)),
      );
    }
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    const mayGo = line.plain !== undefined && index > 0 && index < lines.length - 1;
    if (!mayGo || run[0]?.isSkip !== line.isSkip) endRun();
    if (mayGo) run.push(line);
    else shown.push(line.text);
  }
  endRun();
  return isShort ? [...shown, "", style.dim("-o wide shows every entry")] : shown;
}
