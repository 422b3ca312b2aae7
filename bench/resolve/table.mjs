// How does a table of results look? Names to the left, figures to the right, every figure with its unit.
import { ms } from "../measure.mjs";

/** Prints rows of text under a header, the first column to the left. */
export function printTable(header, rows) {
  const table = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    console.log(`    ${cells.join("  ")}`);
  }
}

/** What we answered, as cells. */
export function ourCells(ours, check) {
  if (ours === undefined) return ["", "", "", "", ""];
  const { outcome, operators, objectives, statistics } = ours.result;
  const unproven = objectives.filter(({ proven }) => !proven).map(({ name }) => name);
  return [
    ms(ours.cpu),
    outcome,
    `${operators.length}${check === undefined || check.length === 0 ? "" : ` (${check.length} ✗)`}`,
    unproven.length === 0 ? "all" : `not ${unproven.join(", ")}`,
    String(statistics.conflicts),
  ];
}

export const OUR_HEADER = ["plimsoll", "outcome", "operators", "proven", "conflicts"];

/** What OLM's solver answered, as cells. */
export function olmCells(olm, seconds) {
  if (olm === undefined) return ["", "", "", ""];
  if (olm.kind === "stopped") return [`> ${seconds} s`, "none", "", ""];
  if (olm.kind === "failed") return ["", "failed", "", ""];
  if (olm.error !== undefined) return [ms(olm.cpu), olm.error, "", `${olm.megabytes.toFixed(0)} MB`];
  const answer = olm.wrong === 0 ? "valid" : `✗ ${olm.violations.length} rules violated`;
  return [ms(olm.cpu), answer, String(olm.operators), `${olm.megabytes.toFixed(0)} MB`];
}

export const OLM_HEADER = ["OLM", "answer", "operators", "memory"];

/** How much longer OLM's solver takes; a bound where it was stopped. */
export function ratio(ours, olm, seconds) {
  if (ours === undefined || olm === undefined || olm.kind === "failed") return "";
  const theirs = olm.kind === "stopped" ? seconds * 1000 : olm.cpu;
  const times = theirs / ours.cpu;
  return `${olm.kind === "stopped" ? "> " : ""}${times.toFixed(times < 10 ? 1 : 0)} x`;
}
