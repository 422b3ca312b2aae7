// Which parts of an answer need attention? Everything that was requested and is refused, waits, breaks or may surprise; a
// section for each, and none if there is nothing to report.

import { isMadeByOlm } from "../../model/operator-ref.ts";
import type { ExplainedOperator, Fact } from "../../resolve/explain/fact.ts";
import { waitsOnly } from "../../resolve/not-satisfied.ts";
import type { Explanation, Fix, HeldBack, PendingApproval, Resolution, Unsatisfied } from "../../resolve/resolution.ts";
import type { Warning } from "../../resolve/warning.ts";
import { oneLine } from "../../text/one-line.ts";
import { enumerated } from "../../text/words.ts";
import { paintedStart, paragraph, sentenceLines } from "../kit/lines.ts";
import { type Look, namesText, section } from "../kit/look.ts";
import { safeLines, safeText } from "../kit/safe-text.ts";
import { sentence } from "../sentence/constraint.ts";
import { bodyLines } from "../sentence/explanation-body.ts";
import { factTexts } from "../sentence/fact.ts";
import { fixText, remedyText } from "../sentence/fix.ts";
import { byVersion } from "../sentence/names.ts";
import { type Line, wholeLine } from "../sentence/proof.ts";
import { channelsText, objectText } from "../sentence/request.ts";
import { brokenText, detailText, one } from "../sentence/rule.ts";
import { warningText } from "../sentence/warning.ts";
import { type ShownResolutions, versionIn } from "./shown.ts";
import { sourceLines, sourcesOf } from "./sources.ts";

export interface SectionContext extends ShownResolutions {
  /** The last answer with commands to try; the note about what they do is printed below them. */
  readonly lastAdvised: Resolution | undefined;
  /** Explanations whose advice was printed before. */
  readonly repeating?: ReadonlySet<Explanation> | undefined;
  /** The heading above operators that are held back. */
  readonly heldBackTitle?: string | undefined;
}

/** All sections of an answer, those that ask for action first. */
export function attentionLines(resolution: Resolution, shown: SectionContext, look: Look): string[] {
  const refused = resolution.unsatisfied.filter(({ undecided }) => !undecided);
  const undecided = resolution.unsatisfied.filter((item) => item.undecided);
  const of = <Item>(heading: string, items: readonly Item[], lines: (item: Item) => string[]): string[] =>
    section(heading, items.flatMap(lines), look);
  return [
    ...of("Not possible", refused, (item) => unsatisfiedLines(item, shown, look)),
    ...of("Undecided", undecided, (item) => unsatisfiedLines(item, shown, look)),
    ...of(shown.heldBackTitle ?? "Held back", heldBackOnly(resolution), (item) => heldBackLines(item, shown, look)),
    ...(resolution === shown.lastAdvised
      ? sentenceLines(ONLY_CALCULATES, look).map((line) => `  ${look.style.dim(line)}`)
      : []),
    ...of("Waiting for approval", resolution.pendingApproval, (item) => approvalLines(item, look)),
    ...of("Broken", resolution.broken, (rule) => sentenceLines(brokenText(rule, byVersion), look)),
    ...section("Optional requirements not met", wishLines(resolution, look), look),
    ...warningLines(resolution.warnings, shown, look),
  ];
}

/** Operators held back by more than a missing approval, which has its own section. */
export function heldBackOnly({
  heldBack,
  pendingApproval,
}: Pick<Resolution, "heldBack" | "pendingApproval">): readonly HeldBack[] {
  return heldBack.filter((one) => !waitsOnly(one, { pendingApproval }));
}

/** Warnings that put the whole answer in doubt are printed above it. */
const PRINTED_FIRST: ReadonlySet<string> = new Set(["catalog-name"]);

export function isPrintedFirst({ code }: Warning): boolean {
  return PRINTED_FIRST.has(code);
}

export function firstLines(warnings: readonly Warning[], context: Pick<SectionContext, "at">, look: Look): string[] {
  const lines = warningItems(warnings.filter(isPrintedFirst), context, look);
  return lines.length === 0 ? [] : [...lines, ""];
}

export function warningLines(warnings: readonly Warning[], context: Pick<SectionContext, "at">, look: Look): string[] {
  const others = warnings.filter((warning) => !isPrintedFirst(warning));
  return section("Warnings", warningItems(others, context, look), look);
}

function warningItems(warnings: readonly Warning[], { at }: Pick<SectionContext, "at">, look: Look): string[] {
  return warnings.flatMap((warning) => {
    const { code, place } = warning;
    const where = place === undefined ? [] : [`  ${look.style.dim("-->")} ${safeText(at(place))}`];
    const lines = sentenceLines(`${code}: ${warningText(warning, byVersion)}`, look);
    return [...paintedStart(lines, code, look.style.yellow), ...where];
  });
}

function unsatisfiedLines({ request, kept, explanation }: Unsatisfied, shown: SectionContext, look: Look): string[] {
  const { extension } = request;
  const version = extension?.versions ?? request.range?.text;
  const asked = [request.package, version].filter((part) => part !== undefined).join("@");
  const channels = extension?.channels ?? (request.channel === undefined ? [] : [request.channel]);
  const channel = channels.length === 0 ? "" : ` from ${channelsText(channels)}`;
  const object = isMadeByOlm(request) ? `the Subscription that OLM made for it, ${request.id}` : objectText(request);
  const who = request.place === undefined ? "" : ` (${object})`;
  const stays = kept === undefined ? "" : `; ${kept} stays`;
  return [
    `${look.style.bold(safeText(asked))}${safeText(`${channel}${who}${stays}`)}`,
    ...explanationLines(explanation, shown, look),
  ];
}

function heldBackLines(held: HeldBack, shown: SectionContext, look: Look): string[] {
  const { package: name, available, head, explanation } = held;
  const versions = available.map((bundle) => versionIn(name, bundle));
  const end = head === undefined ? "" : `; head of channel ${head.channel}: ${versionIn(name, head.bundle)}`;
  const what = `at ${versionIn(name, held)}; available: ${namesText(versions, look)}${end}`;
  const title = `${look.style.bold(safeText(name))} ${safeText(what)}`;
  return [title, ...explanationLines(explanation, shown, look)];
}

function approvalLines({ requests, changes, awaiting }: PendingApproval, look: Look): string[] {
  const who = requests.map(({ id }) => id);
  const waits = awaiting.length === 0 ? [] : [`  can only move with it: ${namesText(awaiting, look)}`];
  return [
    safeText(`${who.length === 1 ? "Subscription" : "Subscriptions"} ${namesText(who, look)}`),
    ...changes.map(({ package: name, from, to }) => {
      const target = versionIn(name, to);
      const change = from === undefined ? `install ${target}` : `${versionIn(name, from)} → ${target}`;
      return safeText(`  ${name}: ${change}`);
    }),
    ...waits.map(safeText),
  ];
}

function wishLines({ optionalNotMet }: Resolution, look: Look): string[] {
  return optionalNotMet.flatMap(({ operator, detail }) =>
    sentenceLines(detailText(detail, one(byVersion(operator)), byVersion), look),
  );
}

/** Why something is not possible, what would help, and in format `wide` the sources; empty without explanations. */
export function explanationLines(explanation: Explanation | undefined, shown: SectionContext, look: Look): string[] {
  if (explanation === undefined) return [];
  const sources = look.all ? sourceLines(sourcesOf(explanation), shown.at, look.style) : [];
  return [
    ...reasonLines(bodyLines(explanation, byVersion), look),
    ...helpLines(explanation, shown, look),
    ...(sources.length === 0 ? [] : [`  ${look.style.bold("Sources")}`, ...sources.map((line) => `    ${line}`)]),
  ];
}

/** The sentences of an explanation; with a width they are broken into lines. */
export function reasonLines(lines: readonly Line[], look: Look): string[] {
  return lines
    .map(wholeLine)
    .flatMap((line) => wrapped({ ...line, text: safeLines(oneLine(line.text)).join(" ") }, look));
}

/** The fixes, each with its command; or a line that says that nothing helps. */
export function helpLines(
  explanation: Explanation,
  { command, repeating }: Pick<SectionContext, "command" | "repeating">,
  look: Look,
): string[] {
  const { fixes, isLeftOut, body } = explanation;
  // OLM v1 says what is wrong, and nothing else.
  if (isLeftOut || body.kind === "olmv1" || repeating?.has(explanation)) return [];
  const help = fixes.flatMap((fix) => {
    const line = safeText(command(fix));
    return [
      ...wrapped({ indent: 2, text: safeText(fixText(fix)) }, look),
      ...becauseTexts(fix).flatMap((text) => wrapped({ indent: 4, text: safeText(text) }, look)),
      // A command is one line, so that it can be copied.
      ...(line === "" ? [] : [`      ${look.style.cyan(line)}`]),
    ];
  });
  const none = help.length > 0 ? [] : noHelpTexts(explanation);
  const noneLines = none.flatMap((text) => wrapped({ indent: 2, text: safeText(text) }, look));
  return [`  ${look.style.green("What would help")}`, ...help, ...noneLines];
}

/** The further obstacles that a fix of several changes removes: a line, or none. */
export function becauseTexts({ because }: Pick<Fix, "because">): readonly string[] {
  return because === undefined ? [] : [`Also in the way: ${factTexts(because, byVersion).join("; ")}.`];
}

/** The text if no change was found that helps. */
export function noHelpTexts(explanation: Explanation): readonly string[] {
  if (explanation.isCutOff) return ["Give it more time (--timeout)."];
  const { remedies = [] } = explanation;
  if (remedies.length > 0) return remedies.map(remedyText);
  for (const fact of explanation.facts)
    if (fact.kind === "stays" && fact.hold?.by === "condition") {
      const name = byVersion(explanation.operators[fact.installed] as ExplainedOperator);
      return [
        `Wait until ${name} reports Upgradeable=True, or override the condition (spec.overrides of its OperatorCondition).`,
      ];
    }
  if (explanation.facts.length === 0) return ["What would help is not known, because the reason is not."];
  const missing = explanation.facts.flatMap(missingPackage);
  if (missing.length > 0) return [`Give a catalog that has ${enumerated(missing)} (--catalog).`];
  return ["Nothing that can be changed here was found to help."];
}

/** A package that a fact misses in every catalog, with its range; none if another source is asked for it. */
function missingPackage(fact: Fact): readonly string[] {
  if (fact.kind === "no-candidates")
    return fact.none.kind === "no-package" && fact.request.catalog === undefined ? [fact.request.package] : [];
  if (fact.kind !== "demand" || fact.demanded.length > 1) return [];
  const [{ constraint, isConflict } = {}] = fact.demanded;
  const isMissing = fact.met.flat().every(({ missing }) => missing !== undefined);
  return constraint?.kind === "package" && !isConflict && isMissing ? [sentence(constraint)] : [];
}

/** Explanations that only ask for catalogs that an earlier one has asked for. */
export function repeatingOnes(resolutions: readonly Resolution[]): ReadonlySet<Explanation> {
  const seen = new Set<string>();
  const explanations = resolutions.flatMap(({ unsatisfied }) => unsatisfied.flatMap((one) => one.explanation ?? []));
  return new Set(
    explanations.filter(({ fixes }) => {
      const advice = fixes.flatMap((fix) => fix.advice);
      if (advice.length === 0 || advice.some(({ kind }) => kind !== "give-catalog")) return false;
      const texts = fixes.map(fixText);
      const isRepeating = texts.every((text) => seen.has(text));
      for (const text of texts) seen.add(text);
      return isRepeating;
    }),
  );
}

/** Printed once below commands. */
export const ONLY_CALCULATES = "Every command is a dry run; no cluster is changed.";

/** Does any of the advice have a command? */
export function hasCommands(
  { unsatisfied, heldBack, ...resolution }: Resolution,
  { command }: ShownResolutions,
): boolean {
  const items = [...unsatisfied, ...heldBackOnly({ heldBack, ...resolution })];
  return items.some(({ explanation }) => explanation?.fixes.some((fix) => command(fix) !== ""));
}

/**
 * A line below a title; with a width it is broken into several, its own indentation kept, and its number left alone. What an
 * author has put into it is then indented deeper than any surrounding line of the report.
 */
function wrapped({ indent, number, text }: Line, look: Look): string[] {
  const spaces = " ".repeat(indent + MARGIN);
  const mark = number === undefined ? "" : `${number}. `;
  const rest = `${spaces}${mark === "" ? "    " : " ".repeat(mark.length)}`;
  return paragraph(text, look, { first: `${spaces}${mark}`, rest, margin: MARGIN });
}

const MARGIN = 2;

/** The same lines without a title above them. */
export function outdented(lines: readonly string[]): string[] {
  return lines.map((line) => line.slice(MARGIN));
}
