// Which findings are listed, in which order, and where in the files are they shown?

import type { CrdFinding } from "../../crd/finding.ts";
import { placeInNew, placeOfSubject } from "../../crd/upgrade/place-in-new.ts";
import { SEVERITIES } from "../../crd/verdict.ts";
import { plainPlace } from "../../model/place.ts";
import type { ShownCrdFinding } from "../../render/crd/shown.ts";
import type { InputFiles } from "../../source/input-files.ts";
import type { DefinitionPair } from "./pairs.ts";
import type { Side } from "./side.ts";

/** How many findings are listed. */
const MAX_COUNT = 10_000;

/**
 * The findings to be listed: the most serious ones if there are too many; by definition, errors first. For a review each
 * stands on the new side, as far as it has a place there.
 */
export async function listFindings(
  all: readonly CrdFinding[],
  definitions: readonly DefinitionPair[],
  review: Side | undefined,
  files: InputFiles,
): Promise<readonly ShownCrdFinding[]> {
  const order = new Map(definitions.map(({ name }, index) => [name, index]));
  const rank = ({ severity }: CrdFinding): number => -SEVERITIES.indexOf(severity);
  const position = ({ crd }: CrdFinding): number => order.get(crd) ?? order.size;
  const chosen = all
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_COUNT)
    .sort((a, b) => position(a) - position(b) || rank(a) - rank(b))
    .map((finding) =>
      review === undefined ? finding : onNewSide(finding, definitions[position(finding)], review, files),
    );
  const spots = await files.spots(chosen.map(({ place }) => place));
  return chosen.map((finding) => {
    const spot = spots.get(finding.place);
    return { finding: { ...finding, place: plainPlace(finding.place) }, ...(spot && { spot }) };
  });
}

/** A finding at a place of the new side, if its own is in the old definition, or in an object that stands in no file. */
function onNewSide(
  finding: CrdFinding,
  definition: DefinitionPair | undefined,
  side: Side,
  files: InputFiles,
): CrdFinding {
  if (definition === undefined) return finding;
  const { before, after } = definition;
  if (after === undefined) return { ...finding, place: side.place };
  const isStray = finding.object !== undefined && files.isStream(finding.place.source);
  return { ...finding, place: isStray ? placeOfSubject(finding, after) : placeInNew(finding, before, after) };
}
