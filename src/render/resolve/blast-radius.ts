// How is the effect of other runtime constraints printed? For people: a headline, what each constraint does, and what would
// change, the worst first. For programs: the `BlastRadius` of docs/cli.md.

import { groupedBy } from "../../model/grouped.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import { type BlastRadius, isWorse, type ViolatingOperator } from "../../resolve/blast-radius/blast-radius.ts";
import type { ChangedPackage, ComparedStanding, Effect } from "../../resolve/blast-radius/changed-packages.ts";
import type { BundleGroup, ConstraintEffect } from "../../resolve/blast-radius/hidden-bundles.ts";
import type { Explanation } from "../../resolve/resolution.ts";
import type { Warning } from "../../resolve/warning.ts";
import { listed } from "../../text/words.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import type { ShownFinding } from "../finding/finding-text.ts";
import { paragraph, printLines, sentenceLines, titleLines } from "../kit/lines.ts";
import { type Look, type OutputLook, section, textLook } from "../kit/look.ts";
import { inFormat } from "../kit/report-format.ts";
import type { Style } from "../kit/style.ts";
import { REPORT_VERSION } from "../output-formats.ts";
import {
  blastRadiusText,
  changeText,
  constraintEffectText,
  constraintText,
  groupText,
  violatingText,
  violatorText,
} from "../sentence/blast-radius.ts";
import { bodyLines } from "../sentence/explanation-body.ts";
import { byVersion } from "../sentence/names.ts";
import { reasonText } from "../sentence/reason.ts";
import { explanationReport, scopeReport, warningReport } from "./report.ts";
import { reasonLines, warningLines } from "./sections.ts";

/** What is shown. */
export interface ShownBlastRadius {
  readonly radius: BlastRadius;
  readonly warnings: readonly Warning[];
  readonly inputFindings?: readonly ShownFinding[] | undefined;
  /** `file:line:column` of a place. */
  readonly at: (place: Place) => string;
}

/** The whole comparison, ending with a line end. */
export function renderBlastRadius(shown: ShownBlastRadius, look: OutputLook): string {
  return inFormat(look.output, () => blastRadiusReport(shown), {
    text: () => printLines(blastRadiusLines(shown, textLook(look))),
  });
}

/** How much of a terminal the headline may take. */
const MAX_HEADLINE = 1000;

function blastRadiusLines({ radius, warnings, at }: ShownBlastRadius, look: Look): string[] {
  const { hidden, revealed, changed, violating } = radius;
  const of = <Item>(heading: string, items: readonly Item[], lines: (item: Item) => readonly string[]): string[] =>
    section(heading, items.flatMap(lines), look);
  return [
    ...titleLines((style) => verdictText(radius, style), `: ${blastRadiusText(radius, MAX_HEADLINE)}`, look),
    ...of("Constraints", hidden.perConstraint, (one) => constraintLines(one, radius, look)),
    ...of("Revealed bundles", revealed.bundles === 0 ? [] : [revealed], (group) =>
      sentenceLines(groupText(group, mostShown(look)), look),
    ),
    ...EFFECTS.flatMap(([effect, heading]) =>
      of(
        heading,
        changed.filter((one) => one.effect === effect),
        (one) => changeLines(one, radius, look),
      ),
    ),
    ...section("Installed, and refused if it were new (it stays)", violatingLines(violating, look), look),
    ...warningLines(warnings, { at }, look),
  ];
}

function verdictText(radius: BlastRadius, { red, green, magenta }: Style): string {
  const { isReadable, isComplete, hidden, revealed, changed, violating } = radius;
  if (!isReadable) return red("Not usable");
  if (isWorse(radius)) return red("Gets worse");
  if (!isComplete) return magenta("Undecided");
  const isEmpty = hidden.bundles + revealed.bundles + changed.length + violating.length === 0;
  return green(isEmpty ? "No effect" : "Nothing gets worse");
}

const EFFECTS: readonly (readonly [effect: Effect, heading: string])[] = [
  ["refused", "Would be refused"],
  ["undecided", "Would be undecided"],
  ["held-back", "Would be held back"],
  ["other", "Would change"],
  ["better", "Would improve"],
];

/** Packages of a group of bundles that are listed; `wide` has all that are known. */
const MAX_SHOWN = 5;

function mostShown({ all }: Look): number | undefined {
  return all ? undefined : MAX_SHOWN;
}

/** A constraint that hides something, or refuses nothing at all, which may be a mistake; `wide` has all of them. */
function constraintLines(one: ConstraintEffect, { hidden }: BlastRadius, look: Look): string[] {
  if (one.hides.bundles === 0 && (one.refuses > 0 ? !look.all : !hidden.isComplete)) return [];
  return [
    ...sentenceLines(constraintText(one), look),
    ...below(constraintEffectText(one, hidden.ofBundles, mostShown(look)), look),
  ];
}

function changeLines(change: ChangedPackage, { isReadable }: BlastRadius, look: Look): string[] {
  const { why } = change;
  const title = sentenceLines(changeText(change), look);
  // The reason is the same for all, and in the headline.
  if (why === undefined || !isReadable) return title;
  if (why.kind === "chosen") return [...title, ...below(reasonText(why.operator), look)];
  return [...title, ...reasonLines(bodyLines(why.explanation, byVersion), look)];
}

/** The installed operators that each constraint refuses. */
function violatingLines(violating: readonly ViolatingOperator[], look: Look): string[] {
  const byConstraint = groupedBy(violating, ({ detail }) => (detail.why === "refused" ? detail.number : 0));
  return [...byConstraint].flatMap(([number, some]) => {
    const names = some.map(violatorText);
    return sentenceLines(`by constraint ${number}: ${listed(names, look.all ? names.length : MAX_SHOWN)}`, look);
  });
}

/** A sentence below another one, in a section. */
function below(text: string, look: Look): string[] {
  return paragraph(text, look, { first: "  ", rest: "      ", margin: 2 });
}

function blastRadiusReport({ radius, warnings, inputFindings, at }: ShownBlastRadius): JsonObject {
  const { hidden, revealed, changed, violating } = radius;
  return {
    apiVersion: REPORT_VERSION,
    kind: "BlastRadius",
    summary: blastRadiusText(radius),
    worse: isWorse(radius),
    readable: radius.isReadable,
    complete: radius.isComplete,
    namespaces: radius.namespaces,
    compared: radius.compared,
    unproven: radius.unproven,
    hidden: {
      bundles: hidden.bundles,
      ofBundles: hidden.ofBundles,
      packages: hidden.packages,
      complete: hidden.isComplete,
      constraints: hidden.perConstraint.map((one) => constraintReport(one, at)),
    },
    revealed: groupReport(revealed),
    heldBack: radius.heldBack,
    refused: radius.refused,
    undecided: radius.undecided,
    changed: changed.map((one) => changeReport(one, at)),
    installedViolating: violating.map((one) => violatingReport(one, at)),
    warnings: warnings.map((warning) => warningReport(warning, { at })),
    ...inputFindingsReport(inputFindings),
  };
}

type At = ShownBlastRadius["at"];

function constraintReport(one: ConstraintEffect, at: At): JsonObject {
  const { number, action, constraint, place, refuses, failures, failure, hides } = one;
  return {
    number,
    action,
    text: constraintText(one),
    message: constraint.message ?? null,
    at: place === undefined ? null : at(place),
    refuses,
    failures,
    failure: failure ?? null,
    hides: groupReport(hides),
  };
}

function groupReport({ bundles, inPackages, packages }: BundleGroup): JsonObject {
  return {
    bundles,
    inPackages,
    packages: packages.map(({ package: owner, bundles: count, ofBundles, versions }) => ({
      package: owner,
      bundles: count,
      ofBundles,
      ...(versions !== undefined && { versions }),
    })),
  };
}

function changeReport(
  { package: owner, effect, requests, before, after, why, ...scope }: ChangedPackage,
  at: At,
): JsonObject {
  return {
    ...scopeReport(scope),
    package: owner,
    effect,
    requests: requests.map(({ id }) => id),
    before: standingReport(before),
    after: standingReport(after),
    ...(why?.kind === "chosen" && { reason: reasonText(why.operator) }),
    ...(why?.kind === "not-possible" && { explanation: reasonReport(why.explanation, at) }),
  };
}

function standingReport({ standing, operator, waiting }: ComparedStanding): JsonObject {
  return {
    verdict: standing,
    action: operator?.action ?? null,
    bundle: operator?.name ?? null,
    version: operator?.version ?? null,
    waiting: waiting?.name ?? null,
  };
}

/** Why something is not possible; what would help is not searched here. */
function reasonReport(explanation: Explanation, at: At): JsonObject {
  const { fixes: _, ...reason } = explanationReport(explanation, { at, command: () => "" });
  return reason;
}

function violatingReport(one: ViolatingOperator, at: At): JsonObject {
  const { operator, detail, place, ...scope } = one;
  return {
    ...scopeReport(scope),
    package: operator.package ?? "",
    bundle: operator.name,
    version: operator.version ?? null,
    constraint: detail.why === "refused" ? detail.number : null,
    text: violatingText(one),
    at: place === undefined ? null : at(place),
  };
}
