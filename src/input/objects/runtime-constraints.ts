// What is in the administrator's list of runtime constraints? JSON or YAML text: inside a ConfigMap, or in a file
// that holds the list or the ConfigMap. All errors are reported, because none of it is used then.

import type { Property } from "../../model/catalog.ts";
import { RUNTIME_KEY } from "../../model/config-map.ts";
import { type Code, type FindingDetail, FindingList, finding } from "../../model/finding.ts";
import { isList, isObject, type Json, type JsonObject, own, typeName } from "../../model/json.ts";
import { characterOf, inside, type Path, type Place } from "../../model/place.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { BoundFault, checkBounds, exactPlaces } from "../document.ts";
import { TextFault, valueOrFault } from "../json-text.ts";
import { DEFAULT_LIMITS, MAX_FINDINGS, printBytes } from "../limits.ts";
import { pathPositions } from "../locate.ts";
import type { WantedPlace } from "../wanted-paths.ts";
import { readYaml } from "../yaml-text.ts";

/** The character of a text, or the key, at a path. */
interface Detail {
  readonly offset?: number;
  readonly ofKey?: boolean;
}

/** One item of the list. */
export interface RuntimeItem {
  /** Its position in the list, from 0. */
  readonly index: number;
  readonly property: Property;
  readonly place: Place;
  /** The place of a value at a path, of its key, or of a character of its text. */
  readonly placeInside: (path: Path, detail?: Detail) => Place;
}

/** The readable items, and all errors of the others. */
export interface RuntimeList {
  readonly items: readonly RuntimeItem[];
  readonly problems: FindingList["kept"];
}

/** Maximum number of items. */
const MAX_ITEMS = 1000;
/** A ConfigMap holds no more than half of it. */
const MAX_TEXT_LENGTH = 2 * 1024 * 1024;

const HELP = 'write a list of entries such as {"type": "olm.constraint", "value": {…}}';

/**
 * Reads the text that begins at a place: a whole file if the place has no path, otherwise a string inside a document.
 */
export function readRuntimeList(text: string, place: Place): RuntimeList {
  const outer = new GivenText(text, place);
  if (place.path !== undefined) return itemsOf(outer, outer.read());
  const value = outer.read();
  if (!isObject(value)) return itemsOf(outer, value);
  const inner = isConfigMap(value) ? listText(outer, value) : undefined;
  if (inner !== undefined) return itemsOf(inner, inner.read());
  if (outer.isSound) outer.reportAt("PL009", [], { message: "the file is neither a list nor a ConfigMap", help: HELP });
  return { items: [], problems: outer.problems };
}

function isConfigMap(document: JsonObject): boolean {
  return own(document, "kind") === "ConfigMap";
}

/** The text of the list in a file that is the ConfigMap. */
function listText(outer: GivenText, document: JsonObject): GivenText | undefined {
  const data = own(document, "data");
  const text = isObject(data) ? own(data, RUNTIME_KEY) : undefined;
  if (typeof text === "string") return outer.inner(text, ["data", RUNTIME_KEY]);
  const message = text === undefined ? `the ConfigMap has no data.${RUNTIME_KEY}` : `data.${RUNTIME_KEY} must be text`;
  const help = `write \`${RUNTIME_KEY}: |\` and the list below it`;
  outer.reportAt("PL009", text === undefined ? [] : ["data", RUNTIME_KEY], { message, help });
  return undefined;
}

function itemsOf(text: GivenText, value: Json | undefined): RuntimeList {
  const items: RuntimeItem[] = [];
  if (value === undefined) return { items, problems: text.problems };
  if (!isList(value)) {
    const message = `the runtime constraints must be a list, but are ${value === null ? "empty" : typeName(value)}`;
    text.reportAt("PL009", [], { message, help: value === null ? "write [] if there are none" : HELP });
  } else if (value.length > MAX_ITEMS)
    text.reportAt("PL004", [], { message: `there are more than ${MAX_ITEMS} runtime constraints` });
  else {
    const places = text.placesOf(value.map((_, index) => ({ path: [index] })));
    for (const [index, item] of value.entries()) {
      const property = readItem(text, item, index);
      if (property === undefined) continue;
      items.push({
        index,
        property,
        place: places[index] as Place,
        placeInside: (path, detail) => text.placeOf([index, "value", ...path], detail),
      });
    }
  }
  return { items, problems: text.problems };
}

function readItem(text: GivenText, item: Json, index: number): Property | undefined {
  const name = `entry ${index + 1}`;
  if (!isObject(item)) {
    text.reportAt("PL009", [index], { message: `${name} must be an object, but is ${typeName(item)}`, help: HELP });
    return undefined;
  }
  const fields = new Map<string, Json>();
  for (const [key, value] of Object.entries(item)) {
    const proper = key.toLowerCase();
    const at = { ofKey: true };
    if (proper !== "type" && proper !== "value") {
      const meant = didYouMean(key, ["type", "value"]);
      const help = meant === undefined ? "an entry has only type and value" : `did you mean ${JSON.stringify(meant)}?`;
      text.reportAt(
        "PL009",
        [index, key],
        { message: `${name} has an unknown field ${JSON.stringify(key)}`, help },
        at,
      );
    } else if (fields.has(proper))
      text.reportAt("PL005", [index, key], { message: `${name} has the field ${proper} twice` }, at);
    else fields.set(proper, value);
  }
  const type = fields.get("type");
  const value = fields.get("value");
  if (typeof type !== "string" || type === "") {
    const message = type === undefined ? `${name} has no type` : `the type of ${name} must be a text that is not empty`;
    text.reportAt("PL009", type === undefined ? [index] : [index, "type"], { message, help: HELP });
    return undefined;
  }
  if (value === undefined) {
    text.reportAt("PL009", [index], { message: `${name}, of type ${type}, has no value`, help: HELP });
    return undefined;
  }
  return { type, value };
}

/** A text, its place, and its errors. */
class GivenText {
  readonly #text: string;
  readonly #place: Place;
  readonly #findings = new FindingList();
  /** The places of positions of the text. */
  readonly #placesAt: (positions: readonly number[]) => readonly Place[];

  constructor(text: string, place: Place, placesAt?: (positions: readonly number[]) => readonly Place[]) {
    this.#text = text;
    this.#place = place;
    this.#placesAt =
      placesAt ??
      ((positions) =>
        place.path === undefined
          ? exactPlaces(place, text, positions)
          : positions.map((position) => characterOf(place, position)));
  }

  get problems(): FindingList["kept"] {
    return this.#findings.kept;
  }

  get isSound(): boolean {
    return this.problems.length === 0;
  }

  /** A text that is a value of this one. */
  inner(text: string, path: Path): GivenText {
    const place = inside(this.#place, ...path);
    const inner = new GivenText(text, place, (positions) =>
      this.placesOf(positions.map((offset) => ({ path, offset }))),
    );
    for (const problem of this.problems) inner.#findings.report(problem);
    return inner;
  }

  /** The value of the text; undefined, with findings, if it cannot be read. */
  read(): Json | undefined {
    if (this.#text.length > MAX_TEXT_LENGTH) {
      const message = `the runtime constraints are longer than ${printBytes(MAX_TEXT_LENGTH)}`;
      this.#report("PL004", 0, { message });
      return undefined;
    }
    const json = /^\s*[[{]/.test(this.#text) ? valueOrFault(this.#text, DEFAULT_LIMITS.maxDepth) : undefined;
    const isJson = json !== undefined && !(json instanceof TextFault);
    try {
      const { values, duplicates } = readYaml(this.#text, DEFAULT_LIMITS);
      for (const { key, position } of duplicates.slice(0, MAX_FINDINGS)) {
        const message = `the key ${JSON.stringify(key)} appears twice in one object`;
        this.#report("PL005", position, { message, help: "remove one" });
      }
      if (isJson) return json;
      if (values.length > 1) this.#report("PL009", 0, { message: "there must be one document only, without ---" });
      const value = values[0] ?? null;
      checkBounds(value, DEFAULT_LIMITS);
      return value;
    } catch (error) {
      // JSON is read as YAML only to find duplicate keys.
      if (isJson && error instanceof TextFault) return json;
      this.#fault(json ?? error);
      return undefined;
    }
  }

  reportAt(code: Code, path: Path, message: FindingDetail, detail: Detail = {}): void {
    if (this.problems.length < MAX_FINDINGS) this.#findings.report(finding(code, this.placeOf(path, detail), message));
  }

  /** The place of the value at a path of the text, of its key, or of a character of it. */
  placeOf(path: Path, { offset, ofKey }: Detail = {}): Place {
    const wanted = { path, ...(offset !== undefined && { offset }), ...(ofKey === true && { ofKey }) };
    return this.placesOf([wanted])[0] as Place;
  }

  /** Many places, found in one walk over the text. */
  placesOf(wanted: readonly WantedPlace[]): readonly Place[] {
    return this.#placesAt(pathPositions(wanted, this.#text).map(({ position }) => position));
  }

  #fault(error: unknown): void {
    if (error instanceof BoundFault) {
      this.reportAt(error.isLimit ? "PL004" : "PL003", error.path, { message: error.message });
      return;
    }
    if (!(error instanceof TextFault)) throw error;
    const { message, help, position, isLimit } = error;
    this.#report(isLimit ? "PL004" : "PL003", position, { message, ...(help !== undefined && { help }) });
  }

  #report(code: Code, position: number, detail: FindingDetail): void {
    this.#findings.report(finding(code, this.#placesAt([position])[0] as Place, detail));
  }
}
