// How does a stream of documents become a catalog? Each document is read when it comes, in any order; assemble.ts
// combines them at the end.

import type { Bundle, Catalog, OpaqueDocument } from "../../model/catalog.ts";
import { type Finding, FindingList, finding, type Report } from "../../model/finding.ts";
import { type Json, type JsonObject, own, typeName } from "../../model/json.ts";
import { comparePlaces, inside, keyOf, type Place } from "../../model/place.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { assemble } from "./assemble.ts";
import { emptyCatalog } from "./empty-catalog.ts";
import { BUNDLE_KEYS, BundleReader } from "./read-bundle.ts";
import {
  CHANNEL_KEYS,
  type ChannelDraft,
  DEPRECATIONS_KEYS,
  type DeprecationsDraft,
  PACKAGE_KEYS,
  type PackageDraft,
  readChannel,
  readDeprecations,
  readPackage,
} from "./read-package.ts";

/** The name and origin of a catalog. */
export type CatalogIdentity = Pick<Catalog, "name" | "namespace" | "priority" | "onlyFor">;

/** The content of all documents of a catalog, not yet assembled. */
export interface Drafts {
  readonly packages: PackageDraft[];
  readonly channels: ChannelDraft[];
  readonly bundles: Bundle[];
  /** Bundles that were named but could not be read: their channel entries are not reported again. */
  readonly brokenBundles: { readonly name: string; readonly package: string }[];
  /** Channels that were named but could not be read. */
  readonly brokenChannels: { readonly name: string; readonly package: string }[];
  /** Packages whose document could not be read. */
  readonly brokenPackages: string[];
  readonly deprecations: DeprecationsDraft[];
  /** The number of documents without a readable name. */
  readonly nameless: { packages: number; channels: number; bundles: number };
  readonly others: OpaqueDocument[];
}

const SCHEMAS = ["olm.package", "olm.channel", "olm.bundle", "olm.deprecations"] as const;

/** Takes the documents of one catalog. */
export class CatalogBuilder {
  readonly #identity: CatalogIdentity;
  readonly #findings = new FindingList();
  readonly #bundles: BundleReader;
  readonly drafts: Drafts = {
    packages: [],
    channels: [],
    bundles: [],
    brokenBundles: [],
    brokenChannels: [],
    brokenPackages: [],
    deprecations: [],
    nameless: { packages: 0, channels: 0, bundles: 0 },
    others: [],
  };
  #documents = 0;

  /** Takes findings about this catalog; also used by the readers of its files. */
  readonly report: Report = (item) => {
    this.#findings.report({ ...item, catalog: this.#identity.name });
  };

  constructor(identity: CatalogIdentity) {
    this.#identity = identity;
    this.#bundles = new BundleReader(this.report);
  }

  /** The catalog, once all documents were added; `source` is where it was read from, for the finding that there is nothing. */
  finishFrom(source: string): Catalog {
    if (this.#isEmpty) {
      // In the order of the catalog, so that the finding depends on it alone.
      const others = this.drafts.others.toSorted((a, b) => comparePlaces(a.place, b.place));
      const schemas = others.map(({ schema }) => schema);
      this.report(emptyCatalog(this.#identity.name, source, schemas));
    }
    return this.finish();
  }

  /** Whether nothing was found, or only documents of unknown schemas. */
  get #isEmpty(): boolean {
    const { others, bundles } = this.drafts;
    if (others.length < this.#documents || bundles.length > 0) return false;
    return !this.#findings.kept.some(({ severity }) => this.#documents === 0 || severity === "error");
  }

  /** Reads one document of a file-based catalog. */
  add(document: JsonObject, place: Place): void {
    this.#documents++;
    const schema = schemaOf(document);
    switch (schema) {
      case "olm.bundle": {
        const folded = foldKeys(document, BUNDLE_KEYS, place, this.report);
        if (folded) this.addBundle(folded, place);
        return;
      }
      case "olm.package": {
        const folded = foldKeys(document, PACKAGE_KEYS, place, this.report);
        const read = folded && readPackage(folded, place, this.report);
        if (read) this.drafts.packages.push(read);
        else this.#brokenPackage(folded ?? document);
        return;
      }
      case "olm.channel": {
        const folded = foldKeys(document, CHANNEL_KEYS, place, this.report);
        const read = folded && readChannel(folded, place, this.report);
        if (read) this.drafts.channels.push(read);
        else this.#brokenChannel(document);
        return;
      }
      case "olm.deprecations": {
        const folded = foldKeys(document, DEPRECATIONS_KEYS, place, this.report);
        const read = folded && readDeprecations(folded, place, this.report);
        if (read) this.drafts.deprecations.push(read);
        return;
      }
      default: {
        const folded = foldKeys(document, ["schema", "package", "name"], place, this.report, false);
        if (folded) this.#other(folded, schema, place);
      }
    }
  }

  /** Reads an `olm.bundle` document. */
  addBundle(document: JsonObject, place: Place): void {
    const read = this.#bundles.read(document, place);
    if (read === undefined) this.drafts.nameless.bundles++;
    else if ("broken" in read) this.drafts.brokenBundles.push({ name: read.broken, package: read.package });
    else this.drafts.bundles.push(read);
  }

  /** The catalog, once all documents were added. */
  finish(): Catalog {
    const isUnread = ({ code, dropped }: Finding): boolean =>
      code === "PL001" || dropped === "document" || dropped === "file";
    return assemble(this.#identity, this.drafts, this.#findings, this.#findings.kept.some(isUnread));
  }

  #brokenChannel(document: JsonObject): void {
    const { name, package: owner } = document;
    this.drafts.nameless.channels++;
    if (typeof name === "string" && typeof owner === "string")
      this.drafts.brokenChannels.push({ name, package: owner });
  }

  #brokenPackage(document: JsonObject): void {
    const name = own(document, "name");
    if (typeof name === "string" && name !== "") this.drafts.brokenPackages.push(name);
    else this.drafts.nameless.packages++;
  }

  #other(document: JsonObject, schema: unknown, place: Place): void {
    if (typeof schema !== "string" || schema === "") {
      this.#noSchema(document, schema, place);
      return;
    }
    const meant = didYouMean(schema, SCHEMAS);
    if (meant !== undefined)
      this.report(
        finding("PL008", inside(place, "schema"), {
          message: `unknown schema ${JSON.stringify(schema)}`,
          help: `did you mean ${JSON.stringify(meant)}? As it is, the document means nothing here`,
        }),
      );
    const label = (key: "package" | "name"): string => {
      const value = own(document, key) ?? "";
      if (typeof value === "string") return value;
      const message = `${key} must be text, but is ${typeName(value)}`;
      this.report(finding("PL009", inside(place, key), { message }));
      return "";
    };
    this.drafts.others.push({ schema, package: label("package"), name: label("name"), object: document, place });
  }

  #noSchema(document: JsonObject, schema: unknown, place: Place): void {
    const kind = own(document, "kind");
    const misspelt = Object.keys(document).find((key) => didYouMean(key, ["schema"]) !== undefined);
    const help =
      typeof kind === "string" && own(document, "apiVersion") !== undefined
        ? `this is a Kubernetes object of kind ${kind}; give it with -f instead of --catalog`
        : misspelt !== undefined && schema === undefined
          ? `did you mean "schema" instead of ${JSON.stringify(misspelt)}?`
          : "every document of a catalog begins with `schema: olm.package`, `olm.channel`, `olm.bundle` or another name";
    const message = schema === undefined ? "the document has no schema" : "the schema must be a text that is not empty";
    const at = schema === undefined ? place : inside(place, "schema");
    this.report(finding("PL007", at, { message, help, dropped: "document" }));
  }
}

// Which key is meant by `Schema` or `defaultchannel`? The top-level keys of a catalog document are case-insensitive,
// as in `opm`.

/** The schema of a document, under any spelling of the key. */
function schemaOf(document: JsonObject): Json | undefined {
  if (Object.hasOwn(document, "schema")) return document.schema;
  const key = Object.keys(document).find((name) => name.toLowerCase() === "schema");
  return key === undefined ? undefined : document[key];
}

/** The document with its known keys in canonical case; undefined, with a finding, if two keys become equal. */
function foldKeys(
  document: JsonObject,
  known: readonly string[],
  place: Place,
  report: Report,
  warnOfMisspelt = true,
): JsonObject | undefined {
  let folded: Record<string, Json> | undefined;
  for (const key of Object.keys(document)) {
    if (known.includes(key)) continue;
    const proper = known.find((name) => name.toLowerCase() === key.toLowerCase());
    if (proper === undefined) {
      if (warnOfMisspelt) misspeltKey(document, key, known, place, report);
      continue;
    }
    folded ??= { ...document };
    if (Object.hasOwn(folded, proper)) {
      report(
        finding("PL005", keyOf(place, key), {
          message: `the keys ${JSON.stringify(proper)} and ${JSON.stringify(key)} are the same`,
          help: "remove one; case does not matter here",
          dropped: "document",
        }),
      );
      return undefined;
    }
    folded[proper] = document[key] as Json;
    delete folded[key];
  }
  return folded ?? document;
}

/** An unknown key that looks like a missing one. */
function misspeltKey(document: JsonObject, key: string, known: readonly string[], place: Place, report: Report): void {
  const meant = didYouMean(
    key,
    known.filter((name) => !Object.hasOwn(document, name)),
  );
  if (meant === undefined) return;
  const help = `did you mean ${JSON.stringify(meant)}? As it is, the field is ignored`;
  report(finding("PL010", keyOf(place, key), { message: `unknown field ${JSON.stringify(key)}`, help }));
}
