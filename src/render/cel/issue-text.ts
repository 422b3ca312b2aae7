// How is a mistake in an expression shown as text? With its line, and the affected part underlined.
import type { Issue } from "../../cel/issue.ts";
import { locate, type SourcePosition } from "../../input/locate.ts";
import { colourOf, marginOf, markedLines } from "../finding/finding-text.ts";
import { displayWidth } from "../kit/display-width.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";

/** The name of an expression that was given on the command line, in place of a file name. */
export const EXPRESSION = "<expression>";

export interface ShownIssue {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string | undefined;
  /** `file:line:column`. */
  readonly at: string;
  readonly spot: SourcePosition;
  /** How many columns are underlined. */
  readonly width: number;
  /** Whose expression it is. */
  readonly owner?: string | undefined;
  /** Is the spot one in the expression, and not in the file that `at` names? */
  readonly inExpression?: true;
}

/** The line of a part with a message about it, and how far it reaches on that line. */
export function spotInExpression(
  text: string,
  { start, end, line, column }: Pick<Issue, "start" | "end" | "line" | "column">,
): Pick<ShownIssue, "spot" | "width"> {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const [spot] = locate([{ source: EXPRESSION, line, column, exact: true }], text.slice(lineStart)) as [SourcePosition];
  const lineEnd = text.indexOf("\n", start);
  const part = text.slice(start, lineEnd < 0 ? end : Math.min(end, lineEnd));
  return { spot, width: [...part].length };
}

/** An issue on several lines, ending with a line end. */
export function issueText(issue: ShownIssue, style: Style): string {
  const { severity, message, hint, at, spot, owner } = issue;
  const colour = colourOf(severity, style);
  const margin = marginOf(spot);
  const marked = safeText([...spot.excerpt].slice(spot.caret, spot.caret + issue.width).join(""));
  const within = issue.inExpression === true ? `, in its expression at ${spot.line}:${spot.column}` : "";
  const lines = [
    `${colour(severity)}: ${style.bold(safeText(message))}`,
    `${margin}${style.dim("-->")} ${safeText(at)}${owner === undefined ? "" : style.dim(` (${safeText(owner)})`)}${within}`,
    ...markedLines(spot, colour("^".repeat(Math.max(1, displayWidth(marked)))), style),
  ];
  if (hint !== undefined) lines.push(`${margin} ${style.dim("=")} help: ${safeText(hint)}`);
  return `${lines.join("\n")}\n`;
}
