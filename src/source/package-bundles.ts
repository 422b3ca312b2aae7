// Which bundles are in the directories of one package? Nothing here depends on other packages, so that packages can be read
// in any order and in several threads.

import { basename } from "node:path";
import type { Derivation } from "../input/bundle-directory/derive-bundle.ts";
import { DirectoryDocuments } from "../input/bundle-directory/directory-documents.ts";
import { type Code, type Finding, FindingList, finding, type Report } from "../model/finding.ts";
import { wholeSource } from "../model/place.ts";
import type { BundleFile, PackageFiles } from "./bundle-files.ts";
import { EqualFiles } from "./equal-files.ts";
import type { InputFiles } from "./input-files.ts";

/** What is in the directories of a package. */
export interface PackageReading {
  /** By directory. */
  readonly bundles: ReadonlyMap<string, Derivation>;
  readonly findings: readonly Finding[];
}

/** Files that are YAML or JSON by their name. */
export const CATALOG_FILE: RegExp = /\.(ya?ml|jsonl?|ndjson)(\.gz)?$/i;
/** Findings about a file that is not YAML or JSON: an image, prose, a list of words. */
const NO_DOCUMENT: ReadonlySet<Code> = new Set<Code>(["PL002", "PL003", "PL006"]);

/** Reads the directories of a package. */
export async function readPackage(directories: PackageFiles, files: InputFiles): Promise<PackageReading> {
  const findings = new FindingList();
  const bundles = new Map<string, Derivation>();
  // Files of another package are different.
  const equalFiles = new EqualFiles(files);
  for (const [directory, members] of directories) {
    const documents = new DirectoryDocuments(directory, findings.report);
    for (const member of members) await readBundleFile(member, documents, equalFiles, findings.report);
    bundles.set(directory, documents.derive());
  }
  return { bundles, findings: findings.kept };
}

/** Reads a file of a bundle directory; an unreadable one drops its bundle. Hidden files are not part of it. */
async function readBundleFile(
  { path, half }: BundleFile,
  documents: DirectoryDocuments,
  files: EqualFiles,
  report: Report,
): Promise<void> {
  if (basename(path).startsWith(".")) return;
  // Documents of a bundle are recognised by their content, not by the file name; a README or an image is ignored.
  const mayBeStray = !CATALOG_FILE.test(path);
  let isStray = false;
  await files.read(
    path,
    (document) => (half === "manifests" ? documents.addManifest(document) : documents.addMetadata(document)),
    (item) => {
      if (mayBeStray && NO_DOCUMENT.has(item.code)) {
        isStray = true;
        return;
      }
      report(item);
      if (item.dropped !== undefined) documents.addUnreadable();
    },
  );
  const message = "this file is not part of the bundle and is not read";
  if (isStray) report(finding("PL083", wholeSource(path), { message, help: `move it out of ${half}/` }));
}
