// How do registry+v1 bundle directories become part of a catalog? Their documents come in any order; when all are
// there, each directory yields an `olm.bundle` document, and together they yield the packages and channels.

import { finding } from "../../model/finding.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { compareText, type JsonObject, own } from "../../model/json.ts";
import { keyOf, type Place } from "../../model/place.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { CatalogBuilder } from "../catalog/catalog-builder.ts";
import type { PlacedDocument } from "../document.ts";
import { type DerivedBundle, deriveBundle } from "./derive-bundle.ts";
import { draftPackages } from "./draft-packages.ts";
import { compareDocuments } from "./given-document.ts";
import { readUpdateGraph, type UpdateGraph } from "./update-graph.ts";

const METADATA_KEYS = ["annotations", "dependencies", "properties"] as const;

/** Takes the documents of bundle directories. A directory is identified by any unique text that can be displayed. */
export class BundleDirectories {
  readonly #builder: CatalogBuilder;
  readonly #directories = new Map<string, Collected>();

  constructor(builder: CatalogBuilder) {
    this.#builder = builder;
  }

  /** Takes a document of `manifests/`. */
  addManifest(directory: string, value: JsonObject, place: Place): void {
    const collected = this.#collected(directory);
    const kind = own(value, "kind");
    if (typeof kind === "string" && kind !== "") {
      collected.manifests.push({ value, place });
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
    if (mode !== undefined) for (const directory of directories) this.#collected(directory).updateGraph = mode;
  }

  /** Records that a file of a directory could not be read, which was reported already: its bundle cannot be used. */
  addUnreadable(directory: string): void {
    this.#collected(directory).hasUnreadable = true;
  }

  /** Passes everything to the builder, once all documents were added. */
  finish(): void {
    const { drafts, report } = this.#builder;
    const bundles: DerivedBundle[] = [];
    const requested = new Map<DerivedBundle, UpdateGraph>();
    for (const [name, collected] of [...this.#directories].sort(([a], [b]) => compareText(a, b))) {
      collected.manifests.sort(compareDocuments);
      collected.metadata.sort(compareDocuments);
      const { announced, bundle, document } = deriveBundle({ name, ...collected }, report);
      if (bundle !== undefined) bundles.push(bundle);
      if (bundle !== undefined && collected.updateGraph !== undefined) requested.set(bundle, collected.updateGraph);
      if (document !== undefined) this.#builder.addBundle(document.value, document.place);
      else for (const broken of announced) drafts.brokenBundles.push(broken);
      this.#directories.delete(name);
    }
    const { packages, channels } = draftPackages(bundles, requested);
    for (const draft of packages) drafts.packages.push(draft);
    for (const draft of channels) drafts.channels.push(draft);
  }

  #collected(directory: string): Collected {
    const nothing = { manifests: [], metadata: [], hasUnreadable: false, updateGraph: undefined };
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
  updateGraph: UpdateGraph | undefined;
}
