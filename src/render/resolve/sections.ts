// What about an answer needs attention? Everything that was asked for and did not come, waits, broke or may surprise;
// a section for each, and none where there is nothing.

import type {
  Explanation,
  HeldBack,
  PendingApproval,
  Resolution,
  Unsatisfied,
  Warning,
} from "../../resolve/resolution.ts";
import { printVersion } from "../../semver/version.ts";
import { wrapWords } from "../display-width.ts";
import { safeLines, safeText } from "../safe-text.ts";
import { type Look, namesText, section } from "../show/look.ts";
import type { ShownResolutions } from "./shown.ts";

/** All sections of an answer, those that ask for action first. */
export function attentionLines(resolution: Resolution, shown: ShownResolutions, look: Look): string[] {
  const refused = resolution.unsatisfied.filter(({ undecided }) => !undecided);
  const undecided = resolution.unsatisfied.filter((item) => item.undecided);
  return [
    ...section(
      "Not possible",
      refused.flatMap((item) => unsatisfiedLines(item, look)),
      look,
    ),
    ...section(
      "Undecided",
      undecided.flatMap((item) => unsatisfiedLines(item, look)),
      look,
    ),
    ...section(
      "Held back",
      heldBackOnly(resolution).flatMap((item) => heldBackLines(item, shown, look)),
      look,
    ),
    ...section(
      "Waiting for approval",
      resolution.pendingApproval.flatMap((item) => approvalLines(item, shown, look)),
      look,
    ),
    ...section(
      "Broken",
      resolution.broken.flatMap(({ subject, text }) => sentence(about(subject, text), look)),
      look,
    ),
    ...section("Wishes not met", wishLines(resolution, look), look),
    ...warningLines(resolution.warnings, shown, look),
  ];
}

/** Operators that are held back by more than a missing approval, which is told by itself. */
export function heldBackOnly({ heldBack, pendingApproval }: Resolution): readonly HeldBack[] {
  const waiting = new Set(pendingApproval.flatMap(({ changes }) => changes.map(({ to }) => to)));
  return heldBack.filter(({ available }) => !waiting.has(available[0] ?? ""));
}

/** The section of warnings. */
export function warningLines(warnings: readonly Warning[], { at }: ShownResolutions, look: Look): string[] {
  const lines = warnings.flatMap(({ code, message, place }) => {
    const where = place === undefined ? [] : [`  ${look.style.dim("-->")} ${safeText(at(place))}`];
    const [first = "", ...more] = sentence(`${code}: ${message}`, look);
    const head = first.startsWith(`${code}:`) ? `${look.style.yellow(code)}${first.slice(code.length)}` : first;
    return [head, ...more, ...where];
  });
  return section("Warnings", lines, look);
}

function unsatisfiedLines({ request, explanation }: Unsatisfied, look: Look): string[] {
  const asked = [request.package, request.range?.text].filter((part) => part !== undefined).join("@");
  const channel = request.channel === undefined ? "" : ` from channel ${request.channel}`;
  const who = request.place === undefined ? "" : ` (Subscription ${request.id})`;
  return [`${look.style.bold(safeText(asked))}${safeText(`${channel}${who}`)}`, ...explanationLines(explanation, look)];
}

function heldBackLines(
  { package: name, name: at, available, explanation }: HeldBack,
  shown: ShownResolutions,
  look: Look,
): string[] {
  const versions = available.map((bundle) => versionOf(name, bundle, shown));
  const title = `${look.style.bold(safeText(name))} ${safeText(`at ${versionOf(name, at, shown)}; available: ${namesText(versions, look)}`)}`;
  return [title, ...explanationLines(explanation, look)];
}

/** The version of a bundle where a catalog has it, otherwise its name. */
function versionOf(name: string, bundle: string, { catalogs }: ShownResolutions): string {
  for (const catalog of catalogs) {
    const found = catalog.packages.get(name)?.bundles.get(bundle);
    if (found !== undefined) return printVersion(found.version);
  }
  return bundle;
}

function approvalLines(
  { requests, changes, awaiting }: PendingApproval,
  shown: ShownResolutions,
  look: Look,
): string[] {
  const who = requests.map(({ id }) => id);
  const waits = awaiting.length === 0 ? [] : [`  can only move with it: ${namesText(awaiting, look)}`];
  return [
    safeText(`${who.length === 1 ? "Subscription" : "Subscriptions"} ${namesText(who, look)}`),
    ...changes.map(({ package: name, from, to }) => {
      const target = versionOf(name, to, shown);
      const change = from === undefined ? `install ${target}` : `${versionOf(name, from, shown)} → ${target}`;
      return safeText(`  ${name}: ${change}`);
    }),
    ...waits.map(safeText),
  ];
}

function wishLines({ optionalNotMet }: Resolution, look: Look): string[] {
  return optionalNotMet.flatMap(({ bundle, text, message }) => {
    const more = message === undefined || text.includes(message) ? "" : ` (${message})`;
    return sentence(`${about(bundle, text)}${more}`, look);
  });
}

/** A sentence that says whom it is about. */
function about(subject: string, text: string): string {
  return text.includes(subject) ? text : `${subject}: ${text}`;
}

function explanationLines({ text, fixes }: Explanation, look: Look): string[] {
  return [
    ...safeLines(text).flatMap((line) => wrapped(line, look)),
    ...fixes.map(({ text: what, command }) => {
      const told = command === "" ? safeText(what) : `${safeText(what)}: ${look.style.cyan(safeText(command))}`;
      return `  ${look.style.green("fix:")} ${told}`;
    }),
  ];
}

/** A line below a title; with a width it is broken into several, its own indentation kept. */
function wrapped(line: string, { width }: Look): string[] {
  const indent = `  ${/^ */.exec(line)?.[0] ?? ""}`;
  const room = width === undefined ? undefined : Math.max(20, width - indent.length - MARGIN);
  return wrapWords(line.trimStart(), room).map((part) => `${indent}${part}`);
}

const MARGIN = 2;

/** One sentence; its further lines are indented. */
function sentence(text: string, { width }: Look): string[] {
  const room = width === undefined ? undefined : Math.max(20, width - 2 * MARGIN);
  return safeLines(text)
    .flatMap((line) => wrapWords(line, room))
    .map((line, index) => (index === 0 ? line : `  ${line}`));
}
