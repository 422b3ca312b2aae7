// Which cases does a file of YAML documents have? Each document is one, in the notation of its folder.
import { readFileSync } from "node:fs";
import { DEFAULT_LIMITS } from "../src/input/limits.ts";
import { Documents } from "../src/input/read-documents.ts";
import type { JsonObject } from "../src/model/json.ts";

/** The cases of a file, read one by one; `where` is the place of the document. Throws where it is no good YAML. */
export function caseDocuments<Case>(
  source: string,
  bytes: Uint8Array,
  read: (value: JsonObject, where: string) => Case,
): readonly Case[] {
  const cases: Case[] = [];
  const documents = new Documents({
    source,
    limits: DEFAULT_LIMITS,
    report: (found) => {
      throw new Error(`${source}:${found.place.line}: ${found.message}`);
    },
    sink: (value, place) => cases.push(read(value, `${source}:${place.line}`)),
  });
  documents.push(bytes);
  documents.end();
  return cases;
}

/** The documents of a file, from the root of the project. */
export function documentsOf(path: string): readonly JsonObject[] {
  return caseDocuments(path, readFileSync(path), (value) => value);
}
