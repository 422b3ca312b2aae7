// Which documents did the user give, of any kind? For data that is not a Kubernetes object.
import type { PlacedDocument } from "../input/document.ts";
import { type Finding, FindingList } from "../model/finding.ts";
import type { InputFiles } from "./input-files.ts";
import { filesOf } from "./load-objects.ts";

/** The documents of all paths in order, their findings, and the paths that could not be read. */
export interface LoadedDocuments {
  readonly documents: readonly PlacedDocument[];
  readonly findings: readonly Finding[];
  readonly unreachable: readonly Finding[];
}

/** Loads the documents of the given paths. */
export async function loadDocuments(paths: readonly string[], files: InputFiles): Promise<LoadedDocuments> {
  const { kept: findings, report } = new FindingList();
  const unreachable: Finding[] = [];
  const documents: PlacedDocument[] = [];
  for (const path of paths) {
    for (const file of filesOf(path, report, unreachable))
      await files.read(file, (value, place) => documents.push({ value, place }), report);
  }
  return { documents, findings, unreachable };
}
