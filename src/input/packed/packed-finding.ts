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

/** The forms of a finding: with its fields, or that the catalog is empty. */
const WITH_FIELDS = 0;
const EMPTY_CATALOG = 1;

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
  tape.number(WITH_FIELDS);
  tape.text(item.code);
  tape.number(SEVERITIES.indexOf(item.severity));
  places.write(tape, item.place);
  writeText(tape, item.message, prefix);
  tape.number(item.help === undefined ? 0 : 1);
  if (item.help !== undefined) writeText(tape, item.help, prefix);
  tape.number(item.catalog === undefined ? 0 : 1);
  tape.optionalText(item.package);
  tape.optionalText(item.channel);
  tape.optionalText(item.bundle);
  tape.number(DROPPED.indexOf(item.dropped));
  return item.code !== "PL011" && ![item.message, item.help ?? ""].some(mayBeCut);
}

function emptyFinding(name: string, source: string, others: readonly OpaqueDocument[]): Finding {
  const schemas = others.map(({ schema }) => schema);
  return { ...emptyCatalog(name, source, schemas), catalog: name };
}

function isSame(a: Finding, b: Finding): boolean {
  return canonicalText(a as unknown as Json) === canonicalText(b as unknown as Json);
}

/** A path of the catalog follows: see `package.ts`, the bundle directories, and what is beside them. */
const BEFORE_PATH = /; the other is at |the bundle directory |pkgman-to-bundle |instead: --catalog /;
/** A text of this length may have been cut, and a path in it as well. */
const MAX_TEXT = 1000;

function mayBeCut(text: string): boolean {
  return text.length >= MAX_TEXT && BEFORE_PATH.test(text);
}

/** The forms of a text: as it is; with a path below the prefix; with the prefix itself, without the slash at its end. */
const AS_IS = 0;
const BELOW = 1;
const ROOT = 2;

function writeText(tape: TapeWriter, text: string, prefix: string): void {
  const lead = BEFORE_PATH.exec(text);
  const at = lead === null ? 0 : lead.index + lead[0].length;
  const root = prefix.slice(0, -1);
  const isRoot = root !== "" && text.startsWith(root, at) && /^(?:[: `]|$)/.test(text.slice(at + root.length));
  const form = lead === null ? AS_IS : text.startsWith(prefix, at) ? BELOW : isRoot ? ROOT : AS_IS;
  tape.number(form);
  if (form === AS_IS) tape.text(text);
  else {
    tape.text(text.slice(0, at));
    tape.text(text.slice(at + (form === BELOW ? prefix : root).length));
  }
}

/** Reads a text; `cut` shortens one that was put together, as a finding does. */
function readText(tape: TapeReader, prefix: string, cut: (text: string) => string): string {
  const form = tape.number();
  const before = tape.text();
  if (form === AS_IS) return before;
  if (form !== BELOW && form !== ROOT) throw new Malformed("no text");
  return cut(`${before}${form === BELOW ? prefix : prefix.slice(0, -1)}${tape.text()}`);
}

/** Reads a finding. */
export function readFinding(tape: TapeReader, places: PlaceReader, { name, prefix, others }: FindingContext): Finding {
  const form = tape.number();
  if (form === EMPTY_CATALOG) return emptyFinding(name, places.source(), others);
  if (form !== WITH_FIELDS) throw new Malformed("no finding");
  const code = tape.text();
  if (!Object.hasOwn(RULES, code)) throw new Malformed("an unknown code");
  const severity = tape.item(SEVERITIES);
  const place = places.read();
  const cut = (text: string): string => finding(code as Code, place, { message: text }).message;
  const message = readText(tape, prefix, cut);
  const help = tape.number() === 0 ? undefined : readText(tape, prefix, cut);
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
