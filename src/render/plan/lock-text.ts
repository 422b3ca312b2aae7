// Is the answer the one that was locked? The comparison, as JSON and as lines.

import type { JsonObject } from "../../model/json.ts";
import type { LockComparison, LockDifference } from "../../model/lock.ts";
import { safeText } from "../kit/safe-text.ts";
import { differenceText } from "../sentence/lock.ts";
import { scopeName } from "../sentence/names.ts";

/** A report with a field `lock`: the result of the comparison with a lock, if there was one. */
export function withComparison(report: JsonObject, comparison: LockComparison | undefined): JsonObject {
  if (comparison === undefined) return report;
  const { same, generation, generations, differences } = comparison;
  const texts = differences.map((one) => ({ kind: one.kind, subject: subjectOf(one), text: differenceText(one) }));
  return { ...report, lock: { same, generation, generations, differences: texts } };
}

/** What a difference is about; the cluster scope has no name of its own. */
function subjectOf({ kind, subject }: LockDifference): string {
  const isAboutScope = kind !== "change" && ANSWER_KINDS.has(kind);
  return isAboutScope ? scopeName(subject) : subject;
}

/** Differences that people are shown; `-o json` has all of them. */
const MAX_SHOWN = 50;

/** The text about an answer and the lock file that it was compared with. */
export function comparisonLines(path: string, comparison: LockComparison): readonly string[] {
  const { same, differences } = comparison;
  const isInput = ({ kind }: LockDifference): boolean => !ANSWER_KINDS.has(kind);
  const answer = differences.filter((one) => !isInput(one));
  const inputs = differences.filter(isInput);
  const end = !same ? ":" : inputs.length > 0 ? ", though not everything is as it was:" : ".";
  const lines = [
    `plimsoll: this is ${same ? "" : "not "}what was locked in ${path} (${momentText(comparison)})${end}`,
    ...differenceLines(answer),
    ...(answer.length === 0 || inputs.length === 0 ? [] : ["What has changed since:"]),
    ...differenceLines(inputs),
    ...(same || inputs.length > 0 ? [] : ["As far as the lock can tell, nothing else has changed."]),
  ];
  return lines.map(safeText);
}

function momentText({ generation, generations }: LockComparison): string {
  if (generations === 0) return "nothing was to be done";
  return generation > generations ? "after its last generation" : `before generation ${generation} of ${generations}`;
}

const ANSWER_KINDS: ReadonlySet<LockDifference["kind"]> = new Set(["unlocked", "state", "change", "steps", "end"]);

function differenceLines(differences: readonly LockDifference[]): readonly string[] {
  const more = differences.length - MAX_SHOWN;
  return [
    ...differences.slice(0, MAX_SHOWN).map((one) => `  - ${differenceText(one)}`),
    ...(more > 0 ? [`  and ${more} more; -o json lists all of them`] : []),
  ];
}
