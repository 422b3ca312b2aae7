// How is a finding shown as text? What is wrong, its place with the line and a caret, and what to do.

import type { ListedFinding } from "../../crd/report.ts";
import type { SourcePosition } from "../../input/locate.ts";
import type { Finding, Severity } from "../../model/finding.ts";
import { printPath, printShown } from "../../model/place.ts";
import { counted, enumerated } from "../../text/words.ts";
import { displayWidth } from "../kit/display-width.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";

/** A finding, and how its place looks if that could be found out. */
export interface ShownFinding {
  readonly finding: Finding;
  readonly spot: SourcePosition | undefined;
}

/** `file:line:column` of a finding about the input, or about a CRD. */
export function whereText({ finding: { place }, spot }: ListedFinding<SourcePosition> | ShownFinding): string {
  return printShown(place, spot);
}

export function findingText(shown: ShownFinding, style: Style): string {
  const { finding, spot } = shown;
  const colour = colourOf(finding.severity, style);
  const { line, path: steps } = finding.place;
  // Without lines the path is part of the place.
  const path = line > 0 && steps?.length ? ` (${safeText(printPath(steps))})` : "";
  const lines = [
    `${colour(`${finding.severity}[${finding.code}]`)}: ${style.bold(safeText(finding.message))}`,
    `  ${style.dim("-->")} ${safeText(whereText(shown))}${style.dim(path)}`,
    ...excerptLines(spot, colour, style),
  ];
  const margin = marginOf(spot);
  if (finding.help !== undefined) lines.push(`${margin} ${style.dim("=")} help: ${safeText(finding.help)}`);
  // That the objects of a kind are missing is in the message.
  if (finding.dropped !== undefined && finding.dropped !== "kind")
    lines.push(`${margin} ${style.dim("=")} left out: ${leftOut(finding.dropped, line > 0)}`);
  return `${lines.join("\n")}\n`;
}

/** What was left out; something without lines is an object of a cluster, not a document of a file. */
function leftOut(dropped: NonNullable<Finding["dropped"]>, hasLines: boolean): string {
  if (dropped === "deprecation") return "this deprecation";
  return `the ${dropped === "document" && !hasLines ? "object" : dropped}`;
}

/** The line of a spot with a caret under its column; nothing if there is no line to show. */
export function excerptLines(
  spot: SourcePosition | undefined,
  colour: (text: string) => string,
  style: Style,
): string[] {
  return spot === undefined || spot.excerpt.trim() === "" ? [] : markedLines(spot, colour("^"), style);
}

/** The line of a spot with a mark under its column. */
export function markedLines(spot: SourcePosition, mark: string, style: Style): string[] {
  const margin = marginOf(spot);
  // Under the right character: escapes make a line longer than it was.
  const before = safeText([...spot.excerpt].slice(0, spot.caret).join(""));
  return [
    `${margin} ${style.dim("|")}`,
    `${spot.line} ${style.dim("|")} ${safeText(spot.excerpt)}`,
    `${margin} ${style.dim("|")} ${" ".repeat(displayWidth(before))}${mark}`,
  ];
}

/** Spaces as wide as the line number of a spot: the indentation of the notes below the line. */
export function marginOf(spot: SourcePosition | undefined): string {
  return " ".repeat(spot === undefined ? 1 : String(spot.line).length);
}

/** The colour of a severity; the word itself is always printed, too. */
export function colourOf(severity: Severity, style: Style): (text: string) => string {
  return severity === "error" ? style.red : severity === "warning" ? style.yellow : style.cyan;
}

/** "2 errors and 1 warning", or nothing if there is nothing. */
export function countText(findings: readonly { readonly severity: Severity }[]): string {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  return countsText(counts);
}

/** The same, from how many there are of each severity. */
export function countsText(counts: Readonly<Record<Severity, number>>): string {
  const severities = (["error", "warning", "info"] as const).filter((severity) => counts[severity] > 0);
  return enumerated(severities.map((severity) => counted(counts[severity], severity === "info" ? "remark" : severity)));
}

/** "3 packages, 1 channel, 2 bundles"; zero counts are left out unless all are requested. */
export function partsText(counts: { packages: number; channels: number; bundles: number }, all: boolean): string {
  return (["packages", "channels", "bundles"] as const)
    .filter((noun) => all || counts[noun] > 0)
    .map((noun) => counted(counts[noun], noun.slice(0, -1)))
    .join(", ");
}
