// Which files of a tree have the content of a file that was read before? Most definitions of a version are those of the
// version before: their documents are taken over, and not read again.

import { basename } from "node:path";
import { isCsv } from "../input/bundle-directory/cluster-service-version.ts";
import type { PlacedDocument } from "../input/document.ts";
import type { Report } from "../model/finding.ts";
import { isGzip, smallFile } from "./file-chunks.ts";
import type { InputFiles } from "./input-files.ts";

/** How much is remembered; no package of the community repositories has as much. */
const MAX_REMEMBERED = 64 * 1024 * 1024;

interface KnownFile {
  readonly bytes: Uint8Array;
  readonly documents: readonly PlacedDocument[];
}

/** Reads files, those of equal name and content once. */
export class EqualFiles {
  readonly #files: InputFiles;
  /** By name and size. */
  readonly #known = new Map<string, KnownFile[]>();
  #remembered = 0;

  constructor(files: InputFiles) {
    this.#files = files;
  }

  /** Reads the documents of a file. They may be those that another file had: they must not be changed. */
  async read(path: string, sink: (document: PlacedDocument) => void, report: Report): Promise<void> {
    const passing = bytesOf(path);
    if (passing === undefined || isGzip(passing))
      return this.#files.read(path, (value, place) => sink({ value, place }), report);
    const key = `${passing.length} ${basename(path)}`;
    const equal = this.#known.get(key)?.find((known) => Buffer.compare(known.bytes, passing) === 0);
    if (equal !== undefined) {
      for (const document of equal.documents) sink({ ...document, place: { ...document.place, source: path } });
      this.#files.passed(path, passing.length, equal.documents.length);
      return;
    }
    const bytes = passing.slice();
    const read: PlacedDocument[] = [];
    let isSound = true;
    this.#files.readBytes(
      path,
      bytes,
      (value, place) => read.push({ value, place }),
      (item) => {
        isSound = false;
        report(item);
      },
    );
    const documents = isSound && read.length === 1 ? read.map((one) => ({ ...one, file: bytes })) : read;
    for (const document of documents) sink(document);
    // What is reported has a place in its own file; a ClusterServiceVersion states its version, and has no equal.
    if (isSound && !documents.some(isCsv)) this.#remember(key, { bytes, documents });
  }

  #remember(key: string, file: KnownFile): void {
    if (this.#remembered + file.bytes.length > MAX_REMEMBERED) {
      this.#known.clear();
      this.#remembered = 0;
    }
    this.#remembered += file.bytes.length;
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, [file]);
    else known.push(file);
  }
}

/** The bytes of a small file, until the next call; undefined for any other, and for one that cannot be read, which its reader reports. */
function bytesOf(path: string): Uint8Array | undefined {
  try {
    return smallFile(path);
  } catch {
    return undefined;
  }
}
