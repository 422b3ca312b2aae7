// What is shown of a run of `explain`? The explanation, and what is needed to print places and commands.

import type { ExplainedOperator, Facts } from "../../resolve/explain/fact.ts";
import type { SubjectExplanation } from "../../resolve/explain/subject.ts";
import { isHarmless } from "../../resolve/explain/who-needs.ts";
import type { Try } from "../../resolve/explain/why-absent.ts";
import type { Fix } from "../../resolve/resolution.ts";
import type { Warning } from "../../resolve/warning.ts";
import { listed } from "../../text/words.ts";
import type { ShownResolutions } from "../resolve/shown.ts";
import { operatorSource, type Source } from "../resolve/sources.ts";
import { fixText } from "../sentence/fix.ts";
import { byVersion } from "../sentence/names.ts";
import { lossSentences } from "./needs-tree.ts";

export interface ShownExplanation extends Pick<ShownResolutions, "inputFindings" | "at" | "command"> {
  readonly answer: SubjectExplanation;
  /** Where APIs are declared that only one operator may provide. */
  readonly declarations: readonly Source[];
  /** Warnings about the input that could change the answer. */
  readonly warnings: readonly Warning[];
  /** The complete command that requests it; empty if there is none. */
  readonly tryCommand: (one: Try) => string;
}

/** All explanations of an answer: its own, those of refused requests, and why it is not newer. */
export function explanationsOf({ explanation, unsatisfied, notNewer }: SubjectExplanation): readonly Facts[] {
  return [explanation, ...unsatisfied.map((item) => item.explanation), ...(notNewer === undefined ? [] : [notNewer])];
}

/** Where an API is declared that only one operator may provide: in the newest bundle of each package that provides it. */
export function declarationsOf(answer: SubjectExplanation): readonly Source[] {
  const found = new Map<string, Source>();
  for (const { facts, operators } of explanationsOf(answer))
    for (const fact of facts) {
      if (fact.kind !== "one-provider") continue;
      for (const { member, place } of fact.declarations) {
        const what = operatorSource(operators[member] as ExplainedOperator);
        if (place !== undefined && !found.has(what)) found.set(what, { place, what });
      }
    }
  return [...found.values()];
}

/** The subject of the question: `PACKAGE` or `PACKAGE VERSION`. */
export function subjectText({ subject: { package: owner, version } }: SubjectExplanation): string {
  return version === undefined ? owner : `${owner} ${version}`;
}

/** The package whose requests and needs are shown: of the operator that takes the place, where that is so. */
export function neededPackage({ verdict, subject, operators }: SubjectExplanation): string {
  return verdict === "replaced" ? (operators[0]?.package ?? subject.package) : subject.package;
}

/** Is the subject in the answer, itself or updated? Then no fix is needed. */
export function isInAnswer({ verdict }: SubjectExplanation): boolean {
  return verdict === "chosen" || verdict === "replaced";
}

/** What can be done, as it is shown: fixes, and possible requests. */
export interface ShownAdvice {
  readonly text: string;
  readonly command: string;
  /** Further obstacles that the explanation does not mention. */
  readonly because?: Facts | undefined;
  /** It leads to another version than that of the subject. */
  readonly isInstead: boolean;
}

/** All advice of an explanation: fixes first, advice that leads to something else last. */
export function adviceOf(shown: ShownExplanation): readonly ShownAdvice[] {
  const { answer, command, tryCommand } = shown;
  const { explanation, tries, instead } = answer;
  const fixed = (fix: Fix, isInstead: boolean): ShownAdvice => ({
    text: fixText(fix),
    command: command(fix),
    because: fix.because,
    isInstead,
  });
  return [
    ...explanation.fixes.map((fix) => fixed(fix, false)),
    ...tries.map((one) => ({
      text: tryText(shown, one),
      command: tryCommand(one),
      because: one.after?.because,
      isInstead: false,
    })),
    ...instead.map((fix) => fixed(fix, true)),
  ];
}

function tryText(shown: ShownExplanation, { how, after, brings, loss }: Try): string {
  const what = subjectText(shown.answer);
  const asking = how === "instead" ? `ask for ${what} instead` : `ask for ${what}`;
  if (after !== undefined) return `${fixText(after)}, and ${asking}`;
  // An operator that no other needs any more does not count as a loss.
  const changed = loss.changed.filter((one) => one.after !== undefined);
  const moved = new Set(changed.map((one) => one.after?.name));
  const more = brings
    .filter(({ name }) => !moved.has(name))
    .map(byVersion)
    .filter((one) => one !== what);
  return [
    asking,
    ...(how === "instead" || more.length === 0 ? [] : [`that brings ${listed(more)}`]),
    ...(isHarmless(loss) && changed.length === 0 ? [] : [`then ${listed(lossSentences({ ...loss, changed }))}`]),
  ].join("; ");
}
