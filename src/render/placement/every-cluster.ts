// What is the verdict on every cluster? A row for each, with its verdict and the reason.

import type { ClusterReport, Verdict } from "../../placement/placement-result.ts";
import type { Look } from "../kit/look.ts";
import type { Cell } from "../kit/table.ts";
import { reasonInShort } from "../sentence/placement-why-not.ts";
import { numberText, scoreTable } from "./score-columns.ts";
import type { ListedPlacement } from "./shown.ts";

/** Every member of the eligible sets, by name; `added` were not selected before. */
export function everyClusterLines({ clusters }: ListedPlacement, added: ReadonlySet<string>, look: Look): string[] {
  if (clusters.length === 0) return [];
  const before = [{ header: "CLUSTER" }, { header: "VERDICT" }, { header: "RANK", isNumber: true }];
  const rows = clusters.map((report) => ({
    report,
    before: [report.name, verdictCell(report, look), numberText(report.rank)],
    behind: [`${added.has(report.name) ? "new: " : ""}${reasonInShort(report)}`],
  }));
  return scoreTable(before, rows, [{ header: "REASON", isText: true }], look);
}

const VERDICTS: Readonly<Record<Verdict, string>> = {
  outside: "outside",
  undecided: "undecided",
  terminating: "being deleted",
  unmatched: "no match",
  failed: "error",
  tainted: "tainted",
  left: "left over",
  unread: "unread",
  selected: "selected",
  kept: "kept",
};

function verdictCell({ selected, verdict }: ClusterReport, { style }: Look): Cell {
  const paint = selected ? style.green : verdict === "failed" ? style.red : style.dim;
  return { text: VERDICTS[verdict], style: paint };
}
