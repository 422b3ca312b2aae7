// How is a finding on a tape? Two kinds of text name the catalog or one of its files, which have other names in another
// run. These parts are left out, and put in again when the finding is read.

import type { OpaqueDocument } from "../../model/catalog.ts";
import { type Code, type Finding, finding, RULES, type Severity } from "../../model/finding.ts";
import { canonicalText, type Json } from "../../model/json.ts";
import { emptyCatalog } from "../catalog/empty-catalog.ts";
import type { PlaceReader, PlaceWriter } from "./packed-place.ts";
import { Malformed, type TapeReader, type TapeWriter } from "./tape.ts";

const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];
const DROPPED: readonly Finding["dropped"][] = [
  undefined,
  "file",
  "cluster",
  "kind",
  "document",
  "package",
  "channel",
  "bundle",
  "deprecation",
];

/** The forms of a finding: as it is; one whose help ends with a place of the catalog; that the catalog is empty. */
const AS_IS = 0;
const WITH_PLACE = 1;
const EMPTY_CATALOG = 2;

/** What findings depend on besides their own fields. */
export interface FindingContext {
  /** The name of the catalog. */
  readonly name: string;
  readonly prefix: string;
  readonly others: readonly OpaqueDocument[];
}

/** Writes a finding; false if it is only right under the name and prefix that the catalog has now. */
export function writeFinding(
  tape: TapeWriter,
  places: PlaceWriter,
  item: Finding,
  { name, prefix, others }: FindingContext,
): boolean {
  if (item.code === "PL011" && isSame(item, emptyFinding(name, item.place.source, others))) {
    tape.number(EMPTY_CATALOG);
    places.writeSource(tape, item.place.source);
    return true;
  }
  const cut = helpBefore(item, prefix);
  tape.number(cut === undefined ? AS_IS : WITH_PLACE);
  tape.text(item.code);
  tape.number(SEVERITIES.indexOf(item.severity));
  places.write(tape, item.place);
  tape.text(item.message);
  tape.optionalText(cut === undefined ? item.help : cut.before);
  if (cut !== undefined) tape.text(cut.after);
  tape.number(item.catalog === undefined ? 0 : 1);
  tape.optionalText(item.package);
  tape.optionalText(item.channel);
  tape.optionalText(item.bundle);
  tape.number(DROPPED.indexOf(item.dropped));
  return item.code !== "PL011" && (cut !== undefined || !NAMES_PLACE.test(item.help ?? ""));
}

function emptyFinding(name: string, source: string, others: readonly OpaqueDocument[]): Finding {
  const schemas = others.map(({ schema }) => schema);
  return { ...emptyCatalog(name, source, schemas), catalog: name };
}

function isSame(a: Finding, b: Finding): boolean {
  return canonicalText(a as unknown as Json) === canonicalText(b as unknown as Json);
}

/** The end of a help that names a place of the catalog, see `package.ts`. */
const NAMES_PLACE = /; the other is at /;
/** A help of this length may have been cut. */
const MAX_HELP = 1000;

/** The parts of a help before and after the prefix of a place; undefined if it has none, or not all of it. */
function helpBefore(
  { help = "" }: Finding,
  prefix: string,
): { readonly before: string; readonly after: string } | undefined {
  const named = NAMES_PLACE.exec(help);
  if (named === null || help.length >= MAX_HELP) return undefined;
  const begin = named.index + named[0].length;
  if (!help.startsWith(prefix, begin)) return undefined;
  return { before: help.slice(0, begin), after: help.slice(begin + prefix.length) };
}

/** Reads a finding. */
export function readFinding(tape: TapeReader, places: PlaceReader, { name, prefix, others }: FindingContext): Finding {
  const form = tape.number();
  if (form === EMPTY_CATALOG) return emptyFinding(name, places.source(), others);
  if (form !== AS_IS && form !== WITH_PLACE) throw new Malformed("no finding");
  const code = tape.text();
  if (!Object.hasOwn(RULES, code)) throw new Malformed("an unknown code");
  const severity = tape.item(SEVERITIES);
  const place = places.read();
  const message = tape.text();
  const given = tape.optionalText();
  const whole = form === AS_IS ? undefined : `${given}${prefix}${tape.text()}`;
  // A finding shortens its help.
  const help = whole === undefined ? given : finding(code as Code, place, { message, help: whole }).help;
  const hasCatalog = tape.number() === 1;
  const owner = tape.optionalText();
  const channel = tape.optionalText();
  const bundle = tape.optionalText();
  const position = tape.number();
  const dropped = DROPPED[position];
  if (position >= DROPPED.length) throw new Malformed("nothing that can be dropped");
  return {
    code: code as Code,
    severity,
    place,
    message,
    ...(help !== undefined && { help }),
    ...(owner !== undefined && { package: owner }),
    ...(channel !== undefined && { channel }),
    ...(bundle !== undefined && { bundle }),
    ...(dropped !== undefined && { dropped }),
    ...(hasCatalog && { catalog: name }),
  };
}
