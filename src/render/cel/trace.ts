// How is the trace of an expression printed?
import type { TraceBranch } from "../../cel/trace-tree.ts";
import type { Json } from "../../model/json.ts";
import { cutMiddle } from "../kit/display-width.ts";
import { safeText } from "../kit/safe-text.ts";
import type { Style } from "../kit/style.ts";
import { type Drawn, drawnTree } from "../kit/tree.ts";

const MAX_TEXT_LENGTH = 70;

export function traceLines(root: TraceBranch, style: Style): string[] {
  const below = ({ parts, left }: TraceBranch): readonly (TraceBranch | string)[] =>
    left > 0 ? [...parts, `… ${left} more`] : parts;
  const draw = (branch: TraceBranch | string): Drawn<TraceBranch | string> =>
    typeof branch === "string"
      ? { lines: [style.dim(branch)], below: [] }
      : { lines: [branchLine(branch, style)], below: below(branch) };
  return [branchLine(root, style), ...drawnTree(below(root), draw, style)];
}

function branchLine({ text, variables, outcome, result, absorbed }: TraceBranch, style: Style): string {
  const forWhat = variables.length === 0 ? "" : `${style.cyan(safeText(variables.join(", ")))}: `;
  const expression = safeText(cutMiddle(text, MAX_TEXT_LENGTH));
  if (outcome === "skipped") return style.dim(`${expression} (not needed)`);
  if (outcome === "value") return `${forWhat}${expression} ${style.dim("→")} ${style.bold(safeText(result))}`;
  const error = style.red(absorbed ? "error, absorbed" : "error");
  return `${forWhat}${expression} ${style.dim("→")} ${error}${result === "" ? "" : `: ${safeText(result)}`}`;
}

export function traceJson({ text, variables, outcome, result, absorbed, parts, left }: TraceBranch): Json {
  return {
    expression: text,
    ...(variables.length > 0 && { variables }),
    outcome,
    ...(outcome === "value" && { value: result }),
    ...(outcome === "error" && { error: result === "" ? null : result, absorbed }),
    ...(parts.length > 0 && { parts: parts.map(traceJson) }),
    ...(left > 0 && { left }),
  };
}
