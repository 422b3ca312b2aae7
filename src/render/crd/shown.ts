// What does every format of a report about changed CustomResourceDefinitions show?

import type { QuotedValue } from "../../crd/finding.ts";
import type { CheckedDefinition, CrdReport, ListedFinding, VersionState } from "../../crd/report.ts";
import type { SourcePosition } from "../../input/locate.ts";
import { groupedBy } from "../../model/grouped.ts";
import { canonicalText, type Json, readCanonical } from "../../model/json.ts";
import { shortened } from "../../text/words.ts";
import type { ShownFinding } from "../finding/finding-text.ts";

/** A finding, and how its place looks if that could be found out. */
export type ShownCrdFinding = ListedFinding<SourcePosition>;

export interface CrdCheck extends CrdReport<SourcePosition> {
  /** What was wrong with the input. */
  readonly inputFindings?: readonly ShownFinding[] | undefined;
}

/** `served, storage`: what the API server does with a version. */
export function stateText({ served, storage }: VersionState): string {
  return `${served ? "served" : "not served"}${storage ? ", storage" : ""}`;
}

/** A value as compact JSON; a value that is too long is shortened with … */
export function valueText(value: QuotedValue, longest: number): string {
  return shortened("cut" in value ? value.cut : canonicalText(readCanonical(value.json)), longest + 1);
}

/** A value unchanged, or, if it is too large to show, its beginning as text. */
export function valueJson(value: QuotedValue): Json {
  return "cut" in value ? value.cut : readCanonical(value.json);
}

/** The listed findings by what they are about: each definition, then names of which there is no definition. */
export function sectionsOf({ definitions, listed }: CrdCheck): readonly CrdSection[] {
  const found = groupedBy(listed, ({ finding }) => finding.crd);
  const defined = new Set(definitions.map(({ name }) => name));
  return [
    ...definitions.map((definition) => ({
      definition,
      name: definition.name,
      found: found.get(definition.name) ?? [],
    })),
    ...[...found].filter(([name]) => !defined.has(name)).map(([name, own]) => ({ name, found: own })),
  ];
}

interface CrdSection {
  readonly definition?: CheckedDefinition;
  readonly name: string;
  readonly found: readonly ShownCrdFinding[];
}

export function notListed({ counts, listed }: CrdCheck): number {
  return counts.error + counts.warning + counts.info - listed.length;
}
