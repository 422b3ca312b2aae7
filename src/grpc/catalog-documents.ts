// Which documents of a file-based catalog do the rows of a registry stand for? The order in which they come does not matter.

import { getOrAdd } from "../model/grouped.ts";
import { compareText, type JsonObject } from "../model/json.ts";
import { propertiesOf } from "./bundle-properties.ts";
import { type BundleContent, type BundleRow, isSameContent, type PackageMessage } from "./messages.ts";

/** What was received about one package. Things that a server sends twice are kept once, by a key with all their content. */
interface Rows {
  message: PackageMessage | undefined;
  /** The entries of each channel. */
  readonly channels: Map<string, Map<string, JsonObject>>;
  readonly bundles: Map<string, Contents>;
  readonly deprecations: Map<string, JsonObject>;
}

/** The content of a bundle. A sound server sends the same one for each of its channels; others are kept by their text. */
interface Contents {
  readonly first: BundleContent;
  readonly others: Map<string, BundleContent>;
}

/** Takes the messages of a registry. */
export class CatalogRows {
  readonly #packages = new Map<string, Rows>();
  /** How many bundles there are so far. */
  bundles = 0;

  addPackage(message: PackageMessage): void {
    const rows = this.#rowsOf(message.name);
    rows.message = message;
    if (message.deprecation !== undefined) deprecate(rows, { schema: "olm.package" }, message.deprecation);
    for (const { name, deprecation } of message.channels) {
      getOrAdd(rows.channels, name, newMap);
      if (deprecation !== undefined) deprecate(rows, { schema: "olm.channel", name }, deprecation);
    }
  }

  addBundle(row: BundleRow): void {
    const { name, replaces, skips, skipRange, deprecation, content } = row;
    const rows = this.#rowsOf(row.package);
    const entry = {
      name,
      ...(replaces !== "" && { replaces }),
      ...(skips.length > 0 && { skips }),
      ...(skipRange !== "" && { skipRange }),
    };
    getOrAdd(rows.channels, row.channel, newMap<JsonObject>).set(JSON.stringify(entry), entry);
    if (deprecation !== undefined) deprecate(rows, { schema: "olm.bundle", name }, deprecation);
    const known = rows.bundles.get(name);
    if (known === undefined) {
      this.bundles++;
      rows.bundles.set(name, { first: content, others: new Map() });
    } else if (!isSameContent(known.first, content)) known.others.set(JSON.stringify(content), content);
  }

  /** All documents: the packages by name, and of each its channels, bundles and deprecations. */
  documents(): readonly JsonObject[] {
    return sorted(this.#packages).flatMap(([name, rows]) => documentsOf(name, rows));
  }

  /** How many bundles came without their manifests, and without their ClusterServiceVersion. */
  without(): { readonly objects: number; readonly metadata: number } {
    let [objects, metadata] = [0, 0];
    for (const rows of this.#packages.values())
      for (const contents of rows.bundles.values()) {
        const all = contentsOf(contents).filter(({ image }) => image !== "");
        if (all.some((content) => content.objects.length === 0)) objects++;
        if (all.some((content) => content.csv === "")) metadata++;
      }
    return { objects, metadata };
  }

  #rowsOf(name: string): Rows {
    return getOrAdd(this.#packages, name, () => ({
      message: undefined,
      channels: new Map(),
      bundles: new Map(),
      deprecations: new Map(),
    }));
  }
}

function newMap<Value>(): Map<string, Value> {
  return new Map();
}

function deprecate(rows: Rows, reference: JsonObject, message: string): void {
  const entry = { reference, message };
  rows.deprecations.set(JSON.stringify(entry), entry);
}

function sorted<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].sort(([a], [b]) => compareText(a, b));
}

function valuesOf<Value>(map: ReadonlyMap<string, Value>): readonly Value[] {
  return sorted(map).map(([, value]) => value);
}

function contentsOf({ first, others }: Contents): readonly BundleContent[] {
  return others.size === 0 ? [first] : valuesOf(new Map([...others, [JSON.stringify(first), first]]));
}

function documentsOf(owner: string, { message, channels, bundles, deprecations }: Rows): readonly JsonObject[] {
  const documents: JsonObject[] = [];
  if (message !== undefined)
    documents.push({ schema: "olm.package", name: owner, defaultChannel: message.defaultChannel });
  for (const [name, entries] of sorted(channels))
    documents.push({ schema: "olm.channel", name, package: owner, entries: valuesOf(entries) });
  for (const [name, contents] of sorted(bundles))
    for (const content of contentsOf(contents)) documents.push(bundleDocument(name, owner, content));
  if (deprecations.size > 0)
    documents.push({ schema: "olm.deprecations", package: owner, entries: valuesOf(deprecations) });
  return documents;
}

function bundleDocument(name: string, owner: string, content: BundleContent): JsonObject {
  const { image } = content;
  const properties = propertiesOf(owner, content);
  return { schema: "olm.bundle", name, package: owner, ...(image !== "" && { image }), properties };
}
