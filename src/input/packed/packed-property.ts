// How are the properties of bundles on a tape? Each property once, and each list of properties once: the versions of an
// operator mostly differ in the one property that states the version. Such properties, which only one bundle has, are
// holes in the list that it shares with others.

import type { Bundle, Catalog, Property } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { providersOf } from "../catalog/providers.ts";
import { exactText } from "./exact-json.ts";
import { Malformed, type TapeReader, type TapeWriter } from "./tape.ts";

/** Writes lists of properties, and at last the tables. */
export class PropertyWriter {
  /** By type; an item is at the same position in the table of the tape. */
  readonly #all: readonly Counted[];
  readonly #types: readonly string[];
  readonly #known = new Map<Property, Counted>();
  /** Shared lists by their text. */
  readonly #lists = new Map<string, { readonly position: number; readonly items: readonly number[] }>();

  constructor(catalog: Catalog) {
    const equal = new Map<string, Counted>();
    const types = new Map<string, number>();
    const counted = (property: Property): Counted =>
      getOrAdd(this.#known, property, () => {
        const type = getOrAdd(types, property.type, () => types.size);
        // APIs that are not shared stay apart: the order of their providers depends on it.
        if (property.type === "olm.gvk") return { property, type, bundles: 0, last: undefined, position: 0 };
        const text = `${property.type} ${exactText(property.value)}`;
        return getOrAdd(equal, text, () => ({ property, type, bundles: 0, last: undefined, position: 0 }));
      });
    for (const one of catalog.packages.values()) {
      for (const bundle of one.bundles.values())
        for (const property of bundle.properties) {
          const item = counted(property);
          if (item.last !== bundle) item.bundles++;
          item.last = bundle;
        }
      for (const { properties } of [one, ...one.channels.values()])
        for (const property of properties) counted(property);
    }
    this.#types = [...types.keys()];
    this.#all = [...new Set(this.#known.values())].sort((a, b) => a.type - b.type);
    for (const [position, item] of this.#all.entries()) item.position = position;
  }

  /** Writes the properties of a bundle. */
  writeBundle(tape: TapeWriter, properties: readonly Property[]): void {
    const counted = properties.map((property) => this.#known.get(property) as Counted);
    const items = counted.map(({ bundles, position, type }) => (bundles === 1 ? type * 2 + 1 : position * 2));
    const list = getOrAdd(this.#lists, items.join(), () => ({ position: this.#lists.size, items }));
    tape.number(list.position);
    for (const { bundles, position } of counted) if (bundles === 1) tape.number(position);
  }

  /** Writes other properties. */
  write(tape: TapeWriter, properties: readonly Property[]): void {
    tape.list(properties, (property) => tape.number((this.#known.get(property) as Counted).position));
  }

  writeTables(tape: TapeWriter): void {
    tape.list(this.#types.entries(), ([number, type]) => {
      tape.text(type);
      tape.values(this.#all.filter((item) => item.type === number).map(({ property }) => property.value));
    });
    tape.list(this.#lists.values(), ({ items }) => tape.list(items, (item) => tape.number(item)));
  }
}

/** A property of the table: the number of its type, and the bundles that have it. */
interface Counted {
  readonly property: Property;
  readonly type: number;
  bundles: number;
  last: Bundle | undefined;
  position: number;
}

/** A list that bundles share. */
export interface PropertyList {
  /** Undefined where there is a hole. */
  readonly items: readonly (Property | undefined)[];
  /** The types, those of holes included, each once. */
  readonly types: readonly string[];
  /** The APIs, each once. */
  readonly apis: readonly Property[];
  readonly holes: readonly Hole[];
  /** A hole is an API, so that bundles of this list provide different ones. */
  readonly hasOwnApis: boolean;
}

interface Hole {
  readonly index: number;
  readonly type: string;
}

/** The tables of a tape. */
export interface PropertyTables {
  readonly all: readonly Property[];
  readonly lists: readonly PropertyList[];
}

/** Reads the tables. */
export function readProperties(tape: TapeReader): PropertyTables {
  const all: Property[] = [];
  const types = tape.list(() => {
    const type = tape.text();
    for (const value of tape.values()) all.push({ type, value });
    return type;
  });
  return { all, lists: tape.list(() => readList(tape, all, types)) };
}

function readList(tape: TapeReader, all: readonly Property[], types: readonly string[]): PropertyList {
  const items: (Property | undefined)[] = [];
  const typesSeen = new Set<string>();
  const apis = new Set<Property>();
  const holes: Hole[] = [];
  for (let length = tape.number(); length > 0; length--) {
    const item = tape.number();
    const property = item % 2 === 0 ? all[item / 2] : undefined;
    const type = item % 2 === 0 ? property?.type : types[(item - 1) / 2];
    if (type === undefined) throw new Malformed("no such property");
    if (property === undefined) holes.push({ index: items.length, type });
    else if (type === API) apis.add(property);
    typesSeen.add(type);
    items.push(property);
  }
  const hasOwnApis = holes.some(({ type }) => type === API);
  return { items, types: [...typesSeen], apis: [...apis], holes, hasOwnApis };
}

/** The properties of a bundle, whose list is known. */
export function readBundleProperties(
  tape: TapeReader,
  { items, holes }: PropertyList,
  all: readonly Property[],
): readonly Property[] {
  const properties = items.slice();
  for (let number = 0; number < holes.length; number++) {
    const { index, type } = holes[number] as Hole;
    const property = tape.item(all);
    if (property.type !== type) throw new Malformed("a property of another type");
    properties[index] = property;
  }
  return properties as readonly Property[];
}

/** The indexes of a catalog by API and by property type: bundles are added in their order. */
export class BundleIndex {
  readonly #byType = new Map<string, Bundle[]>();
  readonly #byApi = new Map<Property, Bundle[]>();
  /** The last bundles, which have the same list and are not in the indexes yet. */
  #run: Bundle[] = [];
  #list: PropertyList | undefined;

  add(bundle: Bundle, list: PropertyList): void {
    if (list !== this.#list || list.hasOwnApis || this.#run.length === LONGEST_RUN) this.#endRun();
    this.#list = list;
    this.#run.push(bundle);
  }

  #endRun(): void {
    const run = this.#run;
    const first = run[0];
    if (first === undefined || this.#list === undefined) return;
    const { types, apis, hasOwnApis } = this.#list;
    for (const type of types) addAll(this.#byType, type, run);
    const provided = hasOwnApis ? new Set(first.properties.filter(({ type }) => type === API)) : apis;
    for (const api of provided) addAll(this.#byApi, api, run);
    this.#run = [];
  }

  maps(): Pick<Catalog, "providers" | "byPropertyType"> {
    this.#endRun();
    return { providers: providersOf(this.#byApi), byPropertyType: this.#byType };
  }
}

function addAll<Key>(index: Map<Key, Bundle[]>, key: Key, bundles: readonly Bundle[]): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, bundles.slice());
  else known.push(...bundles);
}

/** Far fewer than a function takes as arguments. */
const LONGEST_RUN = 1000;

const API = "olm.gvk";
