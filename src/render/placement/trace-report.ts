// How does a program learn what the parts of an expression came to? Where a part failed, so did all around it: each of them
// has the error.

import type { TraceRecord } from "../../cel/plan/frame.ts";
import type { Json } from "../../model/json.ts";
import { type TraceBranch, traceJson, traceTree } from "../cel/trace.ts";

/** The values of all parts of an expression. */
export function traceReport(trace: TraceRecord, text: string): Json {
  return traceJson(withErrors(traceTree(trace, text)));
}

/** An error without a text is that of the part which failed. */
function withErrors(branch: TraceBranch): TraceBranch {
  const parts = branch.parts.map(withErrors);
  if (branch.outcome !== "error" || branch.told !== "") return { ...branch, parts };
  const failed = parts.find(({ outcome }) => outcome === "error");
  return { ...branch, parts, told: failed?.told ?? "" };
}
