// Which Kubernetes objects did the user give? Files, directories and standard input become ClusterObjects and findings.

import { accessSync, constants, statSync } from "node:fs";
import { basename } from "node:path";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import { SharedTexts } from "../input/shared-texts.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { compareFindings, type Finding, FindingList, finding, type Report } from "../model/finding.ts";
import { wholeSource } from "../model/place.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import { filesBelow } from "./directory-files.ts";
import { reasonOf } from "./file-chunks.ts";
import { type InputFiles, STDIN } from "./input-files.ts";

/** The objects of all paths, their findings, and the paths that could not be read. */
export interface LoadedObjects {
  readonly objects: ClusterObjects;
  readonly findings: readonly Finding[];
  readonly unreachable: readonly Finding[];
}

/** Files of a directory that contain objects; other files of it are ignored, as in kubectl. */
const OBJECT_FILE = /\.(ya?ml|jsonl?|ndjson)(\.gz)?$/i;

/** Loads the objects of the given paths; `names` are searched in what cannot be read. */
export async function loadObjects(
  paths: readonly string[],
  files: InputFiles,
  namespace?: string,
  names?: readonly string[],
): Promise<LoadedObjects> {
  const { reader, findings, unreachable } = await readObjects(paths, files, namespace, names);
  const objects = reader.finish();
  return { objects, findings: findings.toSorted(compareFindings), unreachable };
}

/** What the given paths contain, before it is put together: objects of a cluster can still be added below. */
export interface GivenObjects extends Pick<LoadedObjects, "unreachable"> {
  readonly reader: ObjectsReader;
  /** More may come when the objects are put together. */
  readonly findings: readonly Finding[];
}

/** Reads the objects of the given paths. */
export async function readObjects(
  paths: readonly string[],
  files: InputFiles,
  namespace?: string,
  names?: readonly string[],
): Promise<GivenObjects> {
  const { kept: findings, report } = new FindingList();
  const unreachable: Finding[] = [];
  const reader = new ObjectsReader(report, namespace, names);
  const texts = new SharedTexts();
  const reportLost = (found: Finding): void => {
    // Only the name of a file that cannot be opened is known.
    if (found.code === "PL001") reader.lose(basename(found.place.source), found.place, false);
    report(found);
  };
  for (const path of paths) {
    const known = unreachable.length;
    for (const file of filesOf(path, reportLost, unreachable))
      await files.read(
        file,
        (value, place) => {
          texts.share(value);
          reader.add(value, place);
        },
        reportLost,
        {
          lost: (text, place, isWhole) => reader.lose(text, place, isWhole),
          unambiguous: reader.unambiguous,
        },
      );
    for (const { place } of unreachable.slice(known)) reader.lose(basename(place.source), place, false);
  }
  return { reader, findings, unreachable };
}

/** The files of a path of the command line; what cannot be read is reported. */
export function filesOf(path: string, report: Report, unreachable: Finding[]): readonly string[] {
  if (path === "-") return [STDIN];
  try {
    accessSync(path, constants.R_OK);
    if (!statSync(path).isDirectory()) return [path];
  } catch (error) {
    const message = `cannot be read: ${reasonOf(error)}`;
    unreachable.push(finding("PL001", wholeSource(withoutUrlSecrets(path)), { message, dropped: "file" }));
    return [];
  }
  const found = filesBelow(path, { ignoreFiles: false, wanted: (name) => OBJECT_FILE.test(name) }, report);
  const message = "the directory has no .yaml, .yml, .json or .jsonl file";
  const help = "name a file, or another directory";
  if (found.length === 0) report(finding("PL011", wholeSource(path), { message, help }));
  return found;
}
