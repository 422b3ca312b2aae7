// How are findings written as workflow commands, which GitHub turns into annotations of a pull request?

import type { Severity } from "../../model/finding.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Annotation, AnnotationRule } from "./annotation.ts";

const LEVEL: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** One command on a line for each finding; its message has the help on a second line (`%0A`). */
export function githubCommands(annotations: readonly Annotation[], ruleOf: (code: string) => AnnotationRule): string {
  return annotations
    .map(({ code, severity, message, help, source, line, column }) => {
      const place = `file=${escapeProperty(safeText(source))},line=${Math.max(1, line)},col=${Math.max(1, column)}`;
      const title = escapeProperty(`${code} ${ruleOf(code).name}`);
      const lines = help === undefined ? [message] : [message, `help: ${help}`];
      return `::${LEVEL[severity]} ${place},title=${title}::${escapeMessage(lines.map(safeText).join("\n"))}\n`;
    })
    .join("");
}

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
