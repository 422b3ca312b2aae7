// How is a resolution printed for people? A headline, the operators, and then only what needs attention.

import { compareText } from "../../model/json.ts";
import { CLUSTER_SCOPE } from "../../model/problem.ts";
import type { Outcome, Resolution } from "../../resolve/resolution.ts";
import { counted } from "../../text/words.ts";
import { indented, narrower, sentenceLines, titleLines } from "../kit/lines.ts";
import type { Look } from "../kit/look.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { scopeName, scopeText } from "../sentence/names.ts";
import { OUTCOME_WORDS, outcomeStyle } from "../sentence/outcome.ts";
import { operatorLines } from "./operator-table.ts";
import {
  attentionLines,
  firstLines,
  hasCommands,
  heldBackOnly,
  repeatingOnes,
  type SectionContext,
  warningLines,
} from "./sections.ts";
import { goneFrom, type ShownResolutions } from "./shown.ts";

/** The answers of all namespaces, one after the other, followed by a summary if there are several. */
export function resolutionLines(shown: ShownResolutions, look: Look): string[] {
  const [only, ...more] = shown.resolutions;
  const isOne = only !== undefined && more.length === 0;
  const resolutions = isOne ? [{ ...only, warnings: [...shown.warnings, ...only.warnings] }] : shown.resolutions;
  const all = resolutions.flatMap((one) => [one, one.withoutRuntimeConstraints ?? []].flat());
  const context: SectionContext = {
    ...shown,
    lastAdvised: all.filter((one) => hasCommands(one, shown)).at(-1),
    repeating: repeatingOnes(all),
  };
  if (isOne)
    return resolutions.flatMap((resolution) => [
      ...firstLines(resolution.warnings, context, look),
      ...oneLines(resolution, context, look),
    ]);
  return [
    ...firstLines(shown.warnings, context, look),
    ...resolutions.flatMap((resolution) => [...indentedLines(resolution, context, look), ""]),
    ...summaryLines(shown, look),
    ...warningLines(shown.warnings, context, look),
  ];
}

function oneLines(resolution: Resolution, shown: SectionContext, look: Look): string[] {
  const operators = operatorLines(resolution, shown, look);
  return [
    ...headline(resolution, goneFrom(resolution, shown).length, look),
    ...(operators.length === 0 ? [] : ["", ...operators]),
    ...attentionLines(resolution, shown, look),
    ...withoutConstraints(resolution, shown, look),
    ...proofLines(resolution, look.style),
  ];
}

/** The same, with everything below the headline indented, so that headlines stand out. */
function indentedLines(resolution: Resolution, shown: SectionContext, look: Look): string[] {
  const [first = "", ...lines] = oneLines(resolution, shown, narrower(look));
  return [first, ...indented(lines)];
}

const HEADLINES: Readonly<Record<Outcome, string>> = {
  Resolved: "Resolved",
  Partial: "Partly resolved",
  Unsatisfiable: "Not resolved",
  Undecided: "Undecided",
};

/** "Resolved in namespace drydock: 1 to install, 2 to update, 2 kept; 1 held back". */
function headline(resolution: Resolution, removed: number, look: Look): string[] {
  const { outcome, namespace, broken } = resolution;
  const but = outcome === "Resolved" || outcome === "Partial" ? "but" : "and";
  const title = (style: Style): string => {
    const where = `${outcomeStyle(outcome, style)(HEADLINES[outcome])} in ${scopeText(namespace, (name) => style.bold(safeText(name)))}`;
    return broken.length === 0 ? where : `${where}, ${but} ${style.red(breaksText(broken.length))}`;
  };
  return titleLines(title, `: ${countsText([resolution], removed)}`, look);
}

/** What will be done, and which requests are not satisfied: "1 to install, 2 kept; 1 of 3 requests refused". */
export function countsText(resolutions: readonly Resolution[], removed: number): string {
  const operators = resolutions.flatMap((one) => one.operators);
  const count = (action: string): number => operators.filter((operator) => operator.action === action).length;
  const changes = [
    ...unlessNone(count("install"), "to install"),
    ...unlessNone(count("update"), "to update"),
    ...unlessNone(removed, "to remove"),
  ];
  const nothing = operators.length === 0 ? "nothing to install" : "nothing to change";
  return [
    [...(changes.length === 0 ? [nothing] : changes), ...unlessNone(count("keep"), "kept")].join(", "),
    ...openCounts(resolutions),
  ].join("; ");
}

/** Requests that are not satisfied, and operators that are held back: "1 of 3 requests refused", "1 held back". */
export function openCounts(resolutions: readonly Resolution[]): readonly string[] {
  const unsatisfied = resolutions.flatMap((one) => one.unsatisfied);
  const total = resolutions.reduce((sum, one) => sum + requestCount(one), 0);
  const undecided = unsatisfied.filter((item) => item.undecided).length;
  const held = resolutions.flatMap(heldBackOnly).length;
  const waiting = resolutions.flatMap((one) => one.pendingApproval.flatMap(({ changes }) => changes)).length;
  return [
    ...requestsText(unsatisfied.length - undecided, total, "refused"),
    ...requestsText(undecided, total, "undecided"),
    ...unlessNone(held, "held back"),
    ...unlessNone(waiting, "change waits for approval", "changes wait for approval"),
  ];
}

/** How many requests there were: those that have an operator, or will once it is approved, and those without. */
function requestCount({ objectives, unsatisfied }: Resolution): number {
  const having = objectives.find(({ name }) => name === "subscriptions")?.value;
  const without = unsatisfied.filter(({ kept }) => kept === undefined).length;
  return Math.max(unsatisfied.length, without + (typeof having === "number" ? having : 0));
}

/** "1 of 2 requests refused"; if it is all of them, only the number. */
function requestsText(count: number, total: number, what: string): readonly string[] {
  if (count === 0) return [];
  return [count < total ? `${count} of ${counted(total, "request")} ${what}` : `${counted(count, "request")} ${what}`];
}

/** "1 requirement breaks", "2 requirements break". */
export function breaksText(count: number): string {
  return counted(count, "requirement breaks", "requirements break");
}

/** "3 kept"; nothing for none. */
export function unlessNone(count: number, one: string, many: string = one): readonly string[] {
  return count === 0 ? [] : [counted(count, one, many)];
}

/** While the administrator's constraints cannot be read: what would be done otherwise. */
function withoutConstraints({ withoutRuntimeConstraints }: Resolution, shown: SectionContext, look: Look): string[] {
  if (withoutRuntimeConstraints === undefined) return [];
  return [
    "",
    look.style.bold("Without the runtime constraints, which cannot be read, it would be"),
    ...indentedLines(withoutRuntimeConstraints, shown, look),
  ];
}

function proofLines({ proven, objectives, outcome }: Resolution, style: Style): string[] {
  if (proven || outcome === "Undecided") return [];
  const open = objectives.filter((objective) => !objective.proven).map(({ name }) => name);
  const what = open.length === 0 ? "" : ` in: ${open.join(", ")}`;
  return ["", style.yellow(`Valid, but not proven to be the best${what} (raise --max-conflicts to search further)`)];
}

/** How many namespaces are resolved, which are not, and what there is to do in all of them. */
function summaryLines({ resolutions, gone = [] }: ShownResolutions, look: Look): string[] {
  const { style } = look;
  const outcomes = Object.keys(OUTCOME_WORDS) as readonly Outcome[];
  const parts = outcomes.flatMap((outcome) => {
    const some = resolutions.filter((resolution) => resolution.outcome === outcome);
    if (some.length === 0) return [];
    const names = outcome === "Resolved" ? "" : ` (${some.map(nameOf).sort(compareText).join(", ")})`;
    return [`${outcomeStyle(outcome, style)(`${some.length} ${OUTCOME_WORDS[outcome]}`)}${names}`];
  });
  const broken = resolutions.filter((resolution) => resolution.broken.length > 0);
  const count = broken.reduce((sum, resolution) => sum + resolution.broken.length, 0);
  const breaks =
    count === 0 ? "" : `; ${style.red(breaksText(count))} (${broken.map(nameOf).sort(compareText).join(", ")})`;
  return [
    `${countText(resolutions)}: ${parts.join(", ")}${breaks}`,
    ...(resolutions.length === 0 ? [] : sentenceLines(`In all: ${countsText(resolutions, gone.length)}`, look)),
  ];
}

/** "3 namespaces", "1 namespace and the cluster scope". */
function countText(resolutions: readonly Resolution[]): string {
  const namespaces = resolutions.filter(({ namespace }) => namespace !== CLUSTER_SCOPE).length;
  if (namespaces === resolutions.length) return `${namespaces} namespaces`;
  return namespaces === 0 ? "the cluster scope" : `${counted(namespaces, "namespace")} and the cluster scope`;
}

function nameOf({ namespace }: Resolution): string {
  return safeText(scopeName(namespace));
}
