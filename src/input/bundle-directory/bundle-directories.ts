// How do registry+v1 bundle directories become part of a catalog? Each directory yields an `olm.bundle` document, and
// together they yield the packages and channels.

import { compareText, type JsonObject } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import type { CatalogBuilder } from "../catalog/catalog-builder.ts";
import type { Derivation, DerivedBundle } from "./derive-bundle.ts";
import { draftPackages } from "./draft-packages.ts";
import { readUpdateGraph, type UpdateGraph } from "./update-graph.ts";

/** Takes bundle directories, in any order. */
export class BundleDirectories {
  readonly #builder: CatalogBuilder;
  readonly #derived = new Map<string, Derivation>();
  /** What the `ci.yaml` of a directory requests. */
  readonly #modes = new Map<string, UpdateGraph>();

  constructor(builder: CatalogBuilder) {
    this.#builder = builder;
  }

  /** Takes a directory, whose documents were read. */
  add(directory: string, derivation: Derivation): void {
    this.#derived.set(directory, derivation);
  }

  /** Takes the `ci.yaml` of the package whose bundles are in these directories. */
  addSettings(directories: readonly string[], value: JsonObject, place: Place): void {
    const mode = readUpdateGraph(value, place, this.#builder.report);
    if (mode !== undefined) for (const directory of directories) this.#modes.set(directory, mode);
  }

  /** Passes everything to the builder, once all directories were added. */
  finish(): void {
    const { drafts } = this.#builder;
    const bundles: DerivedBundle[] = [];
    const requested = new Map<DerivedBundle, UpdateGraph>();
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
}
