// What does `place` print to standard error in addition to its answers?

import type { SourcePosition } from "../../input/locate.ts";
import { type Place, printShown } from "../../model/place.ts";
import type { PlacementChange } from "../../placement/compare/placement-change.ts";
import { placementKey } from "../../placement/placement-name.ts";
import type { Mistake, PlacementResult } from "../../placement/placement-result.ts";
import { issueText } from "../../render/cel/issue-text.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import type { Style } from "../../render/kit/style.ts";
import { namesText } from "../../render/placement/choice-text.ts";
import { isEmptyResult } from "../../render/placement/headline.ts";
import { isAboutUnread, warningsOf } from "../../render/placement/shown.ts";
import { faultText } from "../../render/sentence/placement-fault.ts";
import { counted } from "../../text/words.ts";

/** An error or a warning, with its line in the input. */
function mistakeText(
  severity: "error" | "warning",
  { fault, place }: Mistake,
  owner: string,
  spot: SourcePosition | undefined,
  style: Style,
): string {
  const { message, hint } = faultText(fault);
  const at = printShown(place, spot);
  if (spot !== undefined) return issueText({ severity, message, hint, at, spot, width: 1, owner }, style);
  const help = hint === undefined ? "" : `  = help: ${safeText(hint)}\n`;
  return `${severity}: ${safeText(message)}\n  --> ${safeText(at)} (${safeText(owner)})\n${help}`;
}

/** The wanted ones of the errors and warnings of Placements. */
export function mistakeTexts(
  results: readonly PlacementResult[],
  spotOf: (place: Place) => SourcePosition | undefined,
  style: Style,
  wanted: { readonly errors: boolean; readonly warnings: boolean },
): readonly string[] {
  return results.flatMap((result) => {
    const { placement, mistakes } = result;
    const owner = `Placement ${placementKey(placement)}`;
    const texts = (severity: "error" | "warning", list: readonly Mistake[]): readonly string[] =>
      list.map((mistake) => mistakeText(severity, mistake, owner, spotOf(mistake.place), style));
    return [
      ...(wanted.errors ? texts("error", mistakes) : []),
      ...(wanted.warnings ? texts("warning", warningsOf(result)) : []),
    ];
  });
}

/** One sentence for each Placement that would lose more clusters than allowed. */
export function brakeSentences(changes: readonly PlacementChange[]): readonly string[] {
  return changes.flatMap(({ key, lost, before, exceeded }) =>
    exceeded === undefined
      ? []
      : [
          `Placement ${key} would lose ${lost.length} of ${counted(before, "cluster")}, and --max-removed allows ${exceeded.text}`,
        ],
  );
}

/** What a format that lists only clusters does not show. */
export function unshownSentences(results: readonly PlacementResult[]): readonly string[] {
  const sentence = (isMeant: (result: PlacementResult) => boolean, one: string, many: string, more = ""): string[] => {
    const keys = results.filter(isMeant).map(({ placement }) => placementKey(placement));
    if (keys.length === 0) return [];
    return [`${counted(keys.length, `Placement ${one}`, `Placements ${many}`)}: ${namesText(keys)}${more}`];
  };
  return [
    ...sentence(
      (result) => result.mistakes.some(({ isLimit }) => isLimit !== true) && !isAboutUnread(result),
      "is misconfigured",
      "are misconfigured",
    ),
    ...sentence(
      isAboutUnread,
      "is undecided, since not everything that concerns it could be read",
      "are undecided, since not everything that concerns them could be read",
    ),
    ...sentence(({ mistakes }) => mistakes.some(({ isLimit }) => isLimit === true), "hits a limit", "hit a limit"),
    ...sentence(
      ({ mistakes, unscheduled }) => mistakes.length === 0 && unscheduled > 0,
      "has fewer clusters than it asks for",
      "have fewer clusters than they ask for",
      "; -o text says why",
    ),
    ...sentence(
      isEmptyResult,
      "gets no cluster, and asks for no number",
      "get no cluster, and ask for no number",
      "; -o text says why",
    ),
    ...sentence(
      ({ state }) => state === "ignored",
      "is passed over, since it is being deleted or its annotation disables scheduling",
      "are passed over, since they are being deleted or their annotations disable scheduling",
    ),
  ];
}
