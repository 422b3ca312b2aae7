// How do documents become a catalog that opm and catalogd accept? A file for each package, one document in each line: opm takes
// the comment above the first `---` of a YAML file as a document without a schema, and refuses the file.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../src/model/json.ts";
import type { Files } from "./tar.ts";

/** The files of a catalog with these documents, by their path in it. */
export function catalogFiles(documents: readonly JsonObject[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const document of documents) {
    const path = `${document.schema === "olm.package" ? document.name : document.package}/catalog.json`;
    files.set(path, `${files.get(path) ?? ""}${JSON.stringify(document)}\n`);
  }
  return files;
}

/** The documents without those that `opm serve` refuses: their schema has a slash. catalogd serves them. */
export function servedByOpm(documents: readonly JsonObject[]): readonly JsonObject[] {
  return documents.filter(({ schema }) => !`${schema}`.includes("/"));
}

/** Writes files below a directory; returns the directory. */
export function writeFiles(directory: string, files: Files): string {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}
