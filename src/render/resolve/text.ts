// How is a resolution told to a person? A headline, the operators, and then only what needs attention.

import { compareText } from "../../model/json.ts";
import type { Outcome, Resolution } from "../../resolve/resolution.ts";
import { safeText } from "../safe-text.ts";
import type { Look } from "../show/look.ts";
import type { Style } from "../style.ts";
import { operatorLines } from "./operator-table.ts";
import { attentionLines, heldBackOnly, warningLines } from "./sections.ts";
import { goneFrom, type ShownResolutions } from "./shown.ts";

/** The answers of all namespaces, one after the other, and for several of them a last line that sums up. */
export function resolutionLines(shown: ShownResolutions, look: Look): string[] {
  const [only, ...more] = shown.resolutions;
  if (only !== undefined && more.length === 0)
    return oneLines({ ...only, warnings: [...shown.warnings, ...only.warnings] }, shown, look);
  return [
    ...shown.resolutions.flatMap((resolution) => [...indented(resolution, shown, look), ""]),
    summaryLine(shown.resolutions, look.style),
    ...warningLines(shown.warnings, shown, look),
  ];
}

function oneLines(resolution: Resolution, shown: ShownResolutions, look: Look): string[] {
  const operators = operatorLines(resolution, shown, look);
  return [
    headline(resolution, goneFrom(resolution, shown).length, look.style),
    ...(operators.length === 0 ? [] : ["", ...operators]),
    ...attentionLines(resolution, shown, look),
    ...withoutConstraints(resolution, shown, look),
    ...proofLines(resolution, look.style),
  ];
}

/** The same, with everything below the headline a little to the right, so that headlines can be found among others. */
function indented(resolution: Resolution, shown: ShownResolutions, look: Look): string[] {
  const width = look.width === undefined ? undefined : look.width - MARGIN.length;
  const [first = "", ...lines] = oneLines(resolution, shown, { ...look, width });
  return [first, ...lines.map((line) => (line === "" ? "" : `${MARGIN}${line}`))];
}

const MARGIN = "  ";

const HEADLINES: Readonly<Record<Outcome, string>> = {
  Resolved: "Resolved",
  Partial: "Partly resolved",
  Unsatisfiable: "Not resolved",
  Undecided: "Undecided",
};

function outcomeStyle(outcome: Outcome, style: Style): (text: string) => string {
  return { Resolved: style.green, Partial: style.yellow, Unsatisfiable: style.red, Undecided: style.magenta }[outcome];
}

/** "Resolved: 5 operators in drydock: 1 installed, 2 updated, 2 kept; 1 held back". */
function headline(resolution: Resolution, removed: number, style: Style): string {
  const { outcome, namespace, operators, unsatisfied, pendingApproval, broken } = resolution;
  const count = (action: string): number => operators.filter((operator) => operator.action === action).length;
  const undecided = unsatisfied.filter((item) => item.undecided).length;
  const actions = [
    ...counted(count("install"), "installed"),
    ...counted(count("update"), "updated"),
    ...counted(count("keep"), "kept"),
  ];
  const parts = [
    `${operators.length === 0 ? "no operators" : plural(operators.length, "operator")} in ${style.bold(safeText(namespace))}${actions.length === 0 ? "" : `: ${actions.join(", ")}`}`,
    ...counted(removed, "removed"),
    ...counted(unsatisfied.length - undecided, "refused"),
    ...counted(undecided, "undecided"),
    ...counted(heldBackOnly(resolution).length, "held back"),
    ...counted(
      pendingApproval.reduce((sum, { changes }) => sum + changes.length, 0),
      "waiting for approval",
    ),
  ];
  const title = outcomeStyle(outcome, style)(HEADLINES[outcome]);
  const but = outcome === "Resolved" || outcome === "Partial" ? "but" : "and";
  return `${title}${broken.length === 0 ? "" : `, ${but} ${style.red(breaksText(broken.length))}`}: ${parts.join("; ")}`;
}

function breaksText(count: number): string {
  return count === 1 ? "1 thing breaks" : `${count} things break`;
}

function counted(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** While the administrator's constraints cannot be read: what would be done otherwise. */
function withoutConstraints({ withoutRuntimeConstraints }: Resolution, shown: ShownResolutions, look: Look): string[] {
  if (withoutRuntimeConstraints === undefined) return [];
  return [
    "",
    look.style.bold("Without the runtime constraints, which cannot be read, it would be"),
    ...indented(withoutRuntimeConstraints, shown, look),
  ];
}

function proofLines({ proven, objectives, outcome }: Resolution, style: Style): string[] {
  if (proven || outcome === "Undecided") return [];
  const open = objectives.filter((objective) => !objective.proven).map(({ name }) => name);
  const what = open.length === 0 ? "" : ` in: ${open.join(", ")}`;
  return ["", style.yellow(`Valid, but not proven to be the best${what} (raise --max-conflicts to search further)`)];
}

const SUMMARY: Readonly<Record<Outcome, string>> = {
  Resolved: "resolved",
  Partial: "partly resolved",
  Unsatisfiable: "not resolved",
  Undecided: "undecided",
};

function summaryLine(resolutions: readonly Resolution[], style: Style): string {
  const outcomes: readonly Outcome[] = ["Resolved", "Partial", "Unsatisfiable", "Undecided"];
  const parts = outcomes.flatMap((outcome) => {
    const some = resolutions.filter((resolution) => resolution.outcome === outcome);
    if (some.length === 0) return [];
    const names = outcome === "Resolved" ? "" : ` (${some.map(nameOf).sort(compareText).join(", ")})`;
    return [`${outcomeStyle(outcome, style)(`${some.length} ${SUMMARY[outcome]}`)}${names}`];
  });
  const broken = resolutions.filter((resolution) => resolution.broken.length > 0);
  const count = broken.reduce((sum, resolution) => sum + resolution.broken.length, 0);
  const breaks =
    count === 0 ? "" : `; ${style.red(breaksText(count))} (${broken.map(nameOf).sort(compareText).join(", ")})`;
  return `${resolutions.length} namespaces: ${parts.join(", ")}${breaks}`;
}

function nameOf({ namespace }: Resolution): string {
  return safeText(namespace);
}
