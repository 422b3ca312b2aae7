// What is in one registry+v1 bundle directory? Takes its documents, in any order, and derives the bundle from them.

import { finding, type Report } from "../../model/finding.ts";
import { own } from "../../model/json.ts";
import { keyOf } from "../../model/place.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { PlacedDocument } from "../document.ts";
import { type Derivation, deriveBundle } from "./derive-bundle.ts";
import { compareDocuments } from "./given-document.ts";

const METADATA_KEYS = ["annotations", "dependencies", "properties"] as const;

/** Takes the documents of a directory, which has any unique name that can be displayed. */
export class DirectoryDocuments {
  readonly #name: string;
  readonly #report: Report;
  readonly #manifests: PlacedDocument[] = [];
  readonly #metadata: PlacedDocument[] = [];
  #hasUnreadable = false;

  constructor(name: string, report: Report) {
    this.#name = name;
    this.#report = report;
  }

  /** Takes a document of `manifests/`. */
  addManifest(document: PlacedDocument): void {
    const kind = own(document.value, "kind");
    if (typeof kind === "string" && kind !== "") {
      this.#manifests.push(document);
      return;
    }
    const message = "this manifest has no kind";
    const help = "every document under manifests/ is a Kubernetes object with `apiVersion` and `kind`";
    this.#report(finding("PL007", document.place, { message, help, dropped: "document" }));
  }

  /** Takes a document of `metadata/`: it is recognised by its content, not by its file name. */
  addMetadata(document: PlacedDocument): void {
    if (METADATA_KEYS.some((key) => own(document.value, key) !== undefined)) this.#metadata.push(document);
    else this.#misspelt(document);
  }

  /** Records that a file could not be read, which was reported already: the bundle cannot be used. */
  addUnreadable(): void {
    this.#hasUnreadable = true;
  }

  /** The bundle, once all documents were added. */
  derive(): Derivation {
    const manifests = this.#manifests.toSorted(compareDocuments);
    const metadata = this.#metadata.toSorted(compareDocuments);
    return deriveBundle({ name: this.#name, manifests, metadata, hasUnreadable: this.#hasUnreadable }, this.#report);
  }

  /** An unknown document is ignored, unless it looks like a misspelling, such as `dependancies`. */
  #misspelt({ value, place }: PlacedDocument): void {
    for (const key of Object.keys(value).slice(0, 100)) {
      const meant = didYouMean(key, METADATA_KEYS);
      if (meant === undefined) continue;
      const message = `unknown field ${JSON.stringify(key)}`;
      const help = `did you mean ${JSON.stringify(meant)}? As it is, the document is ignored`;
      this.#report(finding("PL010", keyOf(place, key), { message, help }));
    }
  }
}
