// How is the state of a cluster printed in each format, at once and while it changes?

import { canonicalText } from "../../model/json.ts";
import type { ResolutionAdvice } from "../../model/resolution-advice.ts";
import type { ShownFinding } from "../finding/finding-text.ts";
import { printLines, printNames } from "../kit/lines.ts";
import { type OutputLook, textLook } from "../kit/look.ts";
import { inFormat } from "../kit/report-format.ts";
import { safeJson } from "../kit/safe-text.ts";
import { printYaml } from "../kit/yaml.ts";
import { changeReport, type StatusChange, statusReport } from "./report.ts";
import { statusTable } from "./status-table.ts";
import { type ShownStatus, statusLines } from "./text.ts";

/** The answer of `status`. */
export function renderStatus(
  shown: ShownStatus & { readonly inputFindings: readonly ShownFinding[] },
  look: OutputLook,
): string {
  const { resolutions, inputFindings } = shown;
  const text = (): string => (resolutions.length === 0 ? "" : printLines(statusLines(shown, textLook(look))));
  const name = (): string => printNames(resolutions.map(fullName));
  return inFormat(look.output, () => statusReport(resolutions, inputFindings), { text, name });
}

/** The output of `status --watch`: what is printed first, and for each change. */
export interface WatchText {
  readonly first: string;
  /** Empty if what is shown did not change. */
  readonly change: (change: StatusChange, resolution: ResolutionAdvice) => string;
}

/** Watches what is shown of these Resolutions. */
export function watchText(resolutions: readonly ResolutionAdvice[], look: OutputLook): WatchText {
  const printed = printer(resolutions, look);
  const last = new Map<string, string>();
  const change = (what: StatusChange, resolution: ResolutionAdvice): string => {
    const key = JSON.stringify([resolution.namespace, resolution.name]);
    const seen = printed.seen(resolution);
    const isKnown = last.get(key) === seen;
    if (what === "deleted") last.delete(key);
    else last.set(key, seen);
    return isKnown && what !== "deleted" ? "" : printed.change(what, resolution);
  };
  const first = resolutions.map((resolution) => change("added", resolution)).join("");
  return { first: `${printed.header}${first}`, change };
}

/** How one format prints changes. */
interface ChangePrinter {
  readonly header: string;
  /** What is shown of a Resolution: as long as it is the same, nothing is printed. */
  readonly seen: (resolution: ResolutionAdvice) => string;
  readonly change: (what: StatusChange, resolution: ResolutionAdvice) => string;
}

function printer(resolutions: readonly ResolutionAdvice[], look: OutputLook): ChangePrinter {
  const report = (resolution: ResolutionAdvice): string => canonicalText(changeReport("changed", resolution));
  switch (look.output) {
    case "json": {
      const line = (what: StatusChange, one: ResolutionAdvice): string =>
        `${safeJson(JSON.stringify(changeReport(what, one)))}\n`;
      return { header: "", seen: report, change: line };
    }
    case "yaml":
      return { header: "", seen: report, change: (what, one) => `---\n${printYaml(changeReport(what, one))}` };
    case "name":
      return { header: "", seen: report, change: (_, one) => printNames([fullName(one)]) };
    default: {
      const table = statusTable(resolutions, textLook(look), true);
      const row = (one: ResolutionAdvice): string => printLines(table.row(one));
      const change = (what: StatusChange, one: ResolutionAdvice): string =>
        what === "deleted" ? printLines(table.deleted(one)) : row(one);
      return { header: printLines(table.header), seen: row, change };
    }
  }
}

/** `NAMESPACE/NAME`. */
function fullName({ namespace, name }: ResolutionAdvice): string {
  return `${namespace}/${name}`;
}
