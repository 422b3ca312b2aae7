// How is a whole catalog kept for the next run? As bytes that say what its documents said, without their text: nothing
// has to be parsed, checked, sorted or connected again. Its name and the beginning of its file names are left out, since
// the next run may give it others. `unpack-catalog.ts` reads what is written here, in the same order.

import type { Bundle, Catalog, Channel, Package } from "../../model/catalog.ts";
import { writeFinding } from "./packed-finding.ts";
import { PlaceWriter } from "./packed-place.ts";
import { PropertyWriter } from "./packed-property.ts";
import { VersionWriter } from "./packed-version.ts";
import { TapeWriter } from "./tape.ts";

/** Changed with every change of what is written. */
export const FORMAT = "plimsoll packed catalog 1";

/**
 * The bytes of a catalog. Sources of places that begin with the prefix get another one when it is unpacked; the prefix
 * ends with a slash.
 */
export function packCatalog(catalog: Catalog, prefix: string): Uint8Array {
  return new CatalogWriter(catalog, prefix).bytes();
}

class CatalogWriter {
  readonly #catalog: Catalog;
  readonly #prefix: string;
  readonly #tape = new TapeWriter();
  readonly #places: PlaceWriter;
  readonly #versions = new VersionWriter();
  readonly #properties: PropertyWriter;

  constructor(catalog: Catalog, prefix: string) {
    this.#catalog = catalog;
    this.#prefix = prefix;
    this.#properties = new PropertyWriter(catalog);
    this.#places = new PlaceWriter(prefix);
  }

  bytes(): Uint8Array {
    const tape = this.#tape;
    const catalog = this.#catalog;
    tape.list(catalog.packages.values(), (one) => this.#package(one));
    tape.list(catalog.others, (other) => {
      tape.text(other.schema);
      tape.text(other.package);
      tape.text(other.name);
      tape.value(other.object);
      this.#places.write(tape, other.place);
    });
    const context = { name: catalog.name, prefix: this.#prefix, others: catalog.others };
    let isFree = true;
    tape.list(catalog.findings, (item) => {
      isFree = writeFinding(tape, this.#places, item, context) && isFree;
    });
    for (const count of [catalog.dropped.packages, catalog.dropped.channels, catalog.dropped.bundles])
      tape.number(count);
    return this.#withTables(isFree ? undefined : catalog.name).bytes(FORMAT);
  }

  /** The tables are known last and read first. `boundTo`: the catalog is only right under this name and its prefix. */
  #withTables(boundTo: string | undefined): TapeWriter {
    const whole = this.#tape.other();
    whole.optionalText(boundTo);
    whole.text(boundTo === undefined ? "" : this.#prefix);
    this.#places.writeSources(whole);
    this.#properties.writeTables(whole);
    this.#versions.writeTables(whole);
    whole.append(this.#tape);
    return whole;
  }

  #package(one: Package): void {
    const tape = this.#tape;
    const { name, defaultChannel, description, deprecations } = one;
    for (const text of [name, defaultChannel, description]) tape.text(text);
    const positions = new Map<Bundle, number>();
    tape.list(one.bundles.values(), (bundle) => {
      positions.set(bundle, positions.size + 1);
      this.#bundle(bundle);
    });
    tape.list(one.channels.values(), (channel) => this.#channel(channel, positions));
    tape.optionalText(deprecations.package);
    for (const part of [deprecations.channels, deprecations.bundles])
      tape.list(part, ([deprecated, message]) => {
        tape.text(deprecated);
        tape.text(message);
      });
    this.#properties.write(tape, one.properties);
    this.#places.write(tape, one.place);
  }

  #bundle(bundle: Bundle): void {
    const tape = this.#tape;
    tape.text(bundle.name);
    this.#versions.write(tape, bundle.version);
    tape.text(bundle.image);
    this.#places.write(tape, bundle.place);
    // Nearly always zero: few bundles have one of both.
    tape.number(bundle.relatedImages.length * 2 + (bundle.release === undefined ? 0 : 1));
    if (bundle.release !== undefined) tape.text(bundle.release);
    for (const { name, image } of bundle.relatedImages) {
      tape.text(name);
      tape.text(image);
    }
    this.#properties.writeBundle(tape, bundle.properties);
  }

  #channel(channel: Channel, bundles: ReadonlyMap<Bundle, number>): void {
    const tape = this.#tape;
    tape.text(channel.name);
    const positions = new Map([...channel.entries.values()].map((entry, position) => [entry, position]));
    tape.list(channel.entries.values(), (entry) => {
      // Its name is that of its bundle.
      const bundle = entry.bundle && bundles.get(entry.bundle);
      tape.number(bundle ?? 0);
      if (bundle === undefined) tape.text(entry.name);
      tape.optionalText(entry.replaces);
      const range = entry.skipRange && this.#versions.rangePosition(entry.skipRange);
      tape.number((range ?? 0) * 2 + (entry.skips.length === 0 ? 0 : 1));
      if (entry.skips.length > 0) tape.list(entry.skips, (skip) => tape.text(skip));
    });
    // The first entry of the chain is the head.
    tape.list(channel.chain, (entry) => tape.number(positions.get(entry) as number));
    this.#properties.write(tape, channel.properties);
    this.#places.write(tape, channel.place);
  }
}
