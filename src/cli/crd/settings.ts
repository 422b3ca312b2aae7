// Which severities does the file of --crd-settings choose? An invalid file fails the run: a misspelt rule must not go unnoticed.

import type { CrdCode } from "../../crd/finding-codes.ts";
import { readCrdSettings } from "../../crd/settings.ts";
import type { SeverityChoices } from "../../crd/upgrade/circumstances.ts";
import type { PlacedDocument } from "../../input/document.ts";
import { type Finding, FindingList, finding } from "../../model/finding.ts";
import { wholeSource } from "../../model/place.ts";
import type { InputFiles } from "../../source/input-files.ts";
import { filesOf } from "../../source/load-objects.ts";
import type { LoadedPart } from "./side.ts";

/** The severities that a file sets, and the errors in it. */
export interface LoadedSettings extends LoadedPart {
  readonly choices: SeverityChoices;
}

/** Reads the file of `--crd-settings`; without one, the default severities apply. */
export async function loadSettings(path: string | undefined, files: InputFiles): Promise<LoadedSettings> {
  if (path === undefined) return { choices: new Map(), findings: [], isUnreachable: false };
  const { kept, report } = new FindingList();
  const unreachable: Finding[] = [];
  const documents: PlacedDocument[] = [];
  const [file, ...more] = filesOf(path, report, unreachable);
  if (file !== undefined && more.length === 0)
    await files.read(file, (value, place) => documents.push({ value, place }), report);
  if (more.length > 0 || documents.length > 1)
    report(
      finding("PL009", documents[1]?.place ?? wholeSource(path), {
        message: "the settings must be one document",
        help: "only the first one is used",
      }),
    );
  const [first] = documents;
  const choices = first && readCrdSettings(first.value, first.place, report);
  return {
    choices: choices ?? new Map<CrdCode, never>(),
    findings: [...kept, ...unreachable],
    isUnreachable: unreachable.length > 0,
  };
}
