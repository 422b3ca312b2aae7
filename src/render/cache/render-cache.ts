// What is in the cache, and what was removed from it? Times are those of the files, in UTC.

import { printBytes } from "../../input/limits.ts";
import type { Json } from "../../model/json.ts";
import { counted } from "../../text/words.ts";
import { textLook } from "../kit/look.ts";
import { inFormat } from "../kit/report-format.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { tableLines } from "../kit/table.ts";
import { type Format, REPORT_VERSION } from "../output-formats.ts";

/** An entry of the cache. */
export interface ShownEntry {
  readonly kind: string;
  /** What it was made from; undefined if its file is damaged. */
  readonly about: string | undefined;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  readonly file: string;
}

/** The cache; without a directory there is none. */
export interface ShownCache {
  readonly directory: string | undefined;
  readonly maxBytes: number;
  readonly entries: readonly ShownEntry[];
}

export interface CacheLook {
  readonly output: Format<"cache list">;
  readonly style: Style;
  readonly width: number | undefined;
}

/** The answer of `cache list`. */
export function renderCacheList(cache: ShownCache, look: CacheLook): string {
  const { directory = null, maxBytes, entries } = cache;
  const report = (): Json => ({
    apiVersion: REPORT_VERSION,
    kind: "CacheList",
    directory,
    bytes: sizeOf(entries),
    maxBytes,
    entries: entries.map(entryReport),
  });
  const total = `${counted(entries.length, "entry", "entries")}, ${printBytes(sizeOf(entries))} of at most ${printBytes(maxBytes)}`;
  const text = (): string => {
    if (directory === null) return "no cache is used\n";
    const where = `in ${safeText(directory)}`;
    return entries.length === 0
      ? `no entries ${where}\n`
      : `${entryLines(entries, look).join("\n")}\n\n${total}, ${where}\n`;
  };
  return inFormat(look.output, report, { text });
}

/** The answer of `cache prune`: the entries that were removed, and those that are left. */
export function renderCachePruned(cache: ShownCache, removed: readonly ShownEntry[], look: CacheLook): string {
  const { directory = null, entries } = cache;
  const report = (): Json => ({
    apiVersion: REPORT_VERSION,
    kind: "CachePruned",
    directory,
    bytes: sizeOf(removed),
    removed: removed.map(entryReport),
    left: { entries: entries.length, bytes: sizeOf(entries) },
  });
  const text = (): string => {
    if (directory === null) return "no cache is used\n";
    const left =
      entries.length === 0
        ? "nothing is left"
        : `${counted(entries.length, "entry is", "entries are")} left, ${printBytes(sizeOf(entries))},`;
    const where = `in ${safeText(directory)}`;
    if (removed.length === 0) return `nothing was removed; ${left} ${where}\n`;
    const gone = `removed ${counted(removed.length, "entry", "entries")}, ${printBytes(sizeOf(removed))}`;
    return `${entryLines(removed, look).join("\n")}\n\n${gone}; ${left} ${where}\n`;
  };
  return inFormat(look.output, report, { text });
}

function entryLines(entries: readonly ShownEntry[], look: CacheLook): readonly string[] {
  const columns = [
    { header: "KIND" },
    { header: "SIZE", isNumber: true },
    { header: "USED" },
    { header: "ABOUT", isText: true },
  ];
  const rows = entries.map(({ kind, bytes, usedAt, about = "damaged" }) => [
    kind,
    printBytes(bytes),
    timeText(usedAt),
    about,
  ]);
  return tableLines(columns, rows, textLook(look));
}

function entryReport({ kind, about, bytes, usedAt, file }: ShownEntry): Json {
  return { kind, about: about ?? null, bytes, usedAt: timeText(usedAt), file };
}

function sizeOf(entries: readonly ShownEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** RFC 3339, in whole seconds. A file can have any time; one beyond all calendars is the beginning of 1970. */
function timeText(milliseconds: number): string {
  const time = new Date(milliseconds);
  return `${(Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString().slice(0, -5)}Z`;
}
