// How do registry+v1 bundle directories become part of a catalog? Their documents come in any order; when all are
// there, each directory yields an `olm.bundle` document, and together they yield the packages and channels.

import { finding } from "../../model/finding.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { compareText, type JsonObject, own } from "../../model/json.ts";
import { keyOf, type Place } from "../../model/place.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { CatalogBuilder } from "../catalog/catalog-builder.ts";
import type { PlacedDocument } from "../document.ts";
import { type Derivation, type DerivedBundle, deriveBundle } from "./derive-bundle.ts";
import { draftPackages } from "./draft-packages.ts";
import { compareDocuments } from "./given-document.ts";
import { readUpdateGraph, type UpdateGraph } from "./update-graph.ts";

const METADATA_KEYS = ["annotations", "dependencies", "properties"] as const;

/** Takes the documents of bundle directories. A directory is identified by any unique text that can be displayed. */
export class BundleDirectories {
  readonly #builder: CatalogBuilder;
  /** Those whose documents are still being added. */
  readonly #directories = new Map<string, Collected>();
  readonly #derived = new Map<string, Derivation>();
  /** What the `ci.yaml` of a directory requests. */
  readonly #modes = new Map<string, UpdateGraph>();

  constructor(builder: CatalogBuilder) {
    this.#builder = builder;
  }

  /** Takes a document of `manifests/`; `again` reads its value once more. */
  addManifest(directory: string, value: JsonObject, place: Place, again?: () => JsonObject): void {
    const collected = this.#collected(directory);
    const kind = own(value, "kind");
    if (typeof kind === "string" && kind !== "") {
      collected.manifests.push({ value, place, ...(again !== undefined && { again }) });
      return;
    }
    const message = "this manifest has no kind";
    const help = "every document under manifests/ is a Kubernetes object with `apiVersion` and `kind`";
    this.#builder.report(finding("PL007", place, { message, help, dropped: "document" }));
  }

  /** Takes a document of `metadata/`: it is recognised by its content, not by its file name. */
  addMetadata(directory: string, value: JsonObject, place: Place): void {
    const collected = this.#collected(directory);
    if (METADATA_KEYS.some((key) => own(value, key) !== undefined)) collected.metadata.push({ value, place });
    else this.#misspelt(value, place);
  }

  /** Takes the `ci.yaml` of the package whose bundles are in these directories. */
  addSettings(directories: readonly string[], value: JsonObject, place: Place): void {
    const mode = readUpdateGraph(value, place, this.#builder.report);
    if (mode !== undefined) for (const directory of directories) this.#modes.set(directory, mode);
  }

  /** Records that a file of a directory could not be read, which was reported already: its bundle cannot be used. */
  addUnreadable(directory: string): void {
    this.#collected(directory).hasUnreadable = true;
  }

  /** Reads the bundle of a directory, once all its documents were added: they are not kept. */
  complete(directory: string): void {
    const collected = this.#directories.get(directory);
    if (collected === undefined) return;
    this.#directories.delete(directory);
    collected.manifests.sort(compareDocuments);
    collected.metadata.sort(compareDocuments);
    this.#derived.set(directory, deriveBundle({ name: directory, ...collected }, this.#builder.report));
  }

  /** Passes everything to the builder, once all documents were added. */
  finish(): void {
    const { drafts } = this.#builder;
    const bundles: DerivedBundle[] = [];
    const requested = new Map<DerivedBundle, UpdateGraph>();
    for (const name of [...this.#directories.keys()].sort(compareText)) this.complete(name);
    for (const [name, { announced, bundle, document }] of [...this.#derived].sort(([a], [b]) => compareText(a, b))) {
      const mode = this.#modes.get(name);
      if (bundle !== undefined) bundles.push(bundle);
      if (bundle !== undefined && mode !== undefined) requested.set(bundle, mode);
      if (document !== undefined) this.#builder.addBundle(document.value, document.place);
      else for (const broken of announced) drafts.brokenBundles.push(broken);
    }
    this.#derived.clear();
    const { packages, channels } = draftPackages(bundles, requested);
    for (const draft of packages) drafts.packages.push(draft);
    for (const draft of channels) drafts.channels.push(draft);
  }

  #collected(directory: string): Collected {
    const nothing = { manifests: [], metadata: [], hasUnreadable: false };
    return getOrAdd(this.#directories, directory, () => nothing);
  }

  /** An unknown document is ignored, unless it looks like a misspelling, such as `dependancies`. */
  #misspelt(value: JsonObject, place: Place): void {
    for (const key of Object.keys(value).slice(0, 100)) {
      const meant = didYouMean(key, METADATA_KEYS);
      if (meant === undefined) continue;
      const message = `unknown field ${JSON.stringify(key)}`;
      const help = `did you mean ${JSON.stringify(meant)}? As it is, the document is ignored`;
      this.#builder.report(finding("PL010", keyOf(place, key), { message, help }));
    }
  }
}

interface Collected {
  readonly manifests: PlacedDocument[];
  readonly metadata: PlacedDocument[];
  hasUnreadable: boolean;
}
