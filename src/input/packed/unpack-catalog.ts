// What is the catalog of bytes that `pack-catalog.ts` has written? The same as that of its documents, read under this
// name and with these file names. The cache has verified the bytes; everything else about them is checked here, so that
// no bytes at all make it fail.

import type {
  Bundle,
  Catalog,
  Channel,
  ChannelEntry,
  Deprecations,
  OpaqueDocument,
  Package,
  RelatedImage,
} from "../../model/catalog.ts";
import { isObject } from "../../model/json.ts";
import type { CatalogIdentity } from "../catalog/catalog-builder.ts";
import { FORMAT } from "./pack-catalog.ts";
import { readFinding } from "./packed-finding.ts";
import { PlaceReader } from "./packed-place.ts";
import { BundleIndex, type PropertyTables, readBundleProperties, readProperties } from "./packed-property.ts";
import { readVersions, type VersionTables } from "./packed-version.ts";
import { Malformed, roomFor, TapeReader } from "./tape.ts";

/** The catalog under a name and a prefix of its sources; undefined if the bytes are anything else than a packed catalog. */
export function unpackCatalog(bytes: Uint8Array, identity: CatalogIdentity, prefix: string): Catalog | undefined {
  try {
    return new CatalogReader(bytes, identity, prefix).catalog();
  } catch {
    // JSON that is none, numbers that lead nowhere, an endless depth.
    return undefined;
  }
}

const NO_IMAGES: readonly RelatedImage[] = [];
const NO_TEXTS: readonly string[] = [];
const NOT_DEPRECATED: Deprecations = { channels: new Map(), bundles: new Map() };

class CatalogReader {
  readonly #identity: CatalogIdentity;
  readonly #prefix: string;
  readonly #tape: TapeReader;
  readonly #places: PlaceReader;
  readonly #properties: PropertyTables;
  readonly #versions: VersionTables;
  readonly #index = new BundleIndex();

  constructor(bytes: Uint8Array, identity: CatalogIdentity, prefix: string) {
    const tape = new TapeReader(bytes, FORMAT);
    this.#identity = identity;
    this.#prefix = prefix;
    this.#tape = tape;
    const boundTo = tape.optionalText();
    const boundPrefix = tape.text();
    if (boundTo !== undefined && (boundTo !== identity.name || boundPrefix !== prefix))
      throw new Malformed("another name");
    this.#places = new PlaceReader(tape, prefix);
    this.#properties = readProperties(tape);
    this.#versions = readVersions(tape);
  }

  catalog(): Catalog {
    const tape = this.#tape;
    const packages = mapOf(tape.list(() => this.#package()));
    const others = tape.list(() => this.#other());
    const context = { name: this.#identity.name, prefix: this.#prefix, others };
    const findings = tape.list(() => readFinding(tape, this.#places, context));
    const dropped = { packages: tape.number(), channels: tape.number(), bundles: tape.number() };
    if (!tape.isAtEnd) throw new Malformed("too long");
    return { ...this.#identity, packages, ...this.#index.maps(), others, findings, dropped };
  }

  #package(): Package {
    const tape = this.#tape;
    const name = tape.text();
    const defaultChannel = tape.text();
    const description = tape.text();
    const bundles = this.#bundles(name);
    const channels = mapOf(tape.list(() => this.#channel(name, bundles)));
    const deprecations = this.#deprecations();
    const properties = tape.items(this.#properties.all);
    const place = this.#places.read();
    return { name, defaultChannel, description, channels, bundles: mapOf(bundles), deprecations, properties, place };
  }

  // Bundles and entries are by far the most. Loops of their own keep V8 from optimising the general one for all of them,
  // which takes longer than it saves if a catalog is loaded once.
  #bundles(owner: string): readonly Bundle[] {
    const count = this.#tape.number();
    const bundles = roomFor<Bundle>(count);
    for (let index = 0; index < count; index++) bundles[index] = this.#bundle(owner);
    return bundles;
  }

  #bundle(owner: string): Bundle {
    const tape = this.#tape;
    const name = tape.text();
    const version = tape.item(this.#versions.versions);
    const image = tape.text();
    const place = this.#places.read();
    const more = tape.number();
    const release = more % 2 === 1 ? tape.text() : undefined;
    const relatedImages = more < 2 ? NO_IMAGES : this.#images(Math.floor(more / 2));
    const list = tape.item(this.#properties.lists);
    const properties = readBundleProperties(tape, list, this.#properties.all);
    const bundle = { name, package: owner, version, release, image, relatedImages, properties, place };
    this.#index.add(bundle, list);
    return bundle;
  }

  #images(count: number): readonly RelatedImage[] {
    const images: RelatedImage[] = [];
    for (let index = 0; index < count; index++) images.push({ name: this.#tape.text(), image: this.#tape.text() });
    return images;
  }

  #channel(owner: string, bundles: readonly Bundle[]): Channel {
    const tape = this.#tape;
    const name = tape.text();
    const count = tape.number();
    const entries = roomFor<ChannelEntry>(count);
    for (let index = 0; index < count; index++) entries[index] = this.#entry(bundles);
    const chain = tape.items(entries);
    const head = chain[0];
    if (head === undefined) throw new Malformed("a channel without a head");
    const properties = tape.items(this.#properties.all);
    const place = this.#places.read();
    return { name, package: owner, entries: mapOf(entries), head, chain, properties, place };
  }

  #entry(bundles: readonly Bundle[]): ChannelEntry {
    const tape = this.#tape;
    const position = tape.number();
    const bundle = position === 0 ? undefined : bundles[position - 1];
    if (position > bundles.length) throw new Malformed("no such bundle");
    const name = bundle === undefined ? tape.text() : bundle.name;
    const replaces = tape.optionalText();
    const more = tape.number();
    const range = Math.floor(more / 2);
    if (range >= this.#versions.ranges.length) throw new Malformed("no such range");
    const skips = more % 2 === 0 ? NO_TEXTS : tape.texts();
    return { name, replaces, skips, skipRange: this.#versions.ranges[range], bundle };
  }

  #deprecations(): Deprecations {
    const tape = this.#tape;
    const whole = tape.optionalText();
    const texts = (): ReadonlyMap<string, string> => new Map(tape.list(() => [tape.text(), tape.text()]));
    const channels = texts();
    const bundles = texts();
    if (whole === undefined && channels.size === 0 && bundles.size === 0) return NOT_DEPRECATED;
    return { channels, bundles, ...(whole !== undefined && { package: whole }) };
  }

  #other(): OpaqueDocument {
    const tape = this.#tape;
    const [schema, owner, name] = [tape.text(), tape.text(), tape.text()];
    const object = tape.value();
    if (!isObject(object)) throw new Malformed("no document");
    return { schema, package: owner, name, object, place: this.#places.read() };
  }
}

/** Items by name, in their order. */
function mapOf<Item extends { readonly name: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  const map = new Map<string, Item>();
  for (const item of items) map.set(item.name, item);
  if (map.size < items.length) throw new Malformed("two of one name");
  return map;
}
