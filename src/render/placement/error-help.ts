// An expression ended with an error: what would make it a plain no?

import type { TraceBranch } from "../cel/trace.ts";

/** Longer parts of an expression are not taken up again. */
const MAX_PART_LENGTH = 120;

/** What to write in front of the expression, by the part of it that failed; nothing where nobody knows. */
export function errorHelp(trace: TraceBranch): string | undefined {
  const failed = failedPart(trace);
  if (failed.text.length > MAX_PART_LENGTH) return undefined;
  const guard = guardOf(failed.text);
  return guard === undefined ? undefined : `${guard} && … makes it a plain no`;
}

/** The innermost part with an error. */
function failedPart(branch: TraceBranch): TraceBranch {
  const below = branch.parts.find(({ outcome, absorbed }) => outcome === "error" && !absorbed);
  return below === undefined ? branch : failedPart(below);
}

function guardOf(text: string): string | undefined {
  const score = /^(managedCluster)\.score(\([^()]*\))$/.exec(text);
  if (score !== null) return `${score[1]}.hasScore${score[2]}`;
  const entry = /^(managedCluster[A-Za-z0-9_.]*)\[("[^"\\]*"|'[^'\\]*')\]$/.exec(text);
  return entry === null ? undefined : `${entry[2]} in ${entry[1]}`;
}
