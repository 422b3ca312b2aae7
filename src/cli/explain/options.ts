// Which flags does `explain` have? Those of `resolve`, since it asks about the same answer, and --who-needs.

import type { Command } from "commander";
import { FORMATS } from "../../render/output-formats.ts";
import { type ResolveFlags, withResolveOptions } from "../question/options.ts";

/** The flags of `explain`. */
export interface ExplainFlags extends ResolveFlags {
  readonly whoNeeds?: boolean;
}

/** Adds the flags of `explain` to a command. */
export function withExplainOptions(command: Command): Command {
  const explaining = withResolveOptions(
    command.option("--who-needs", "show what needs it, up to the requests, and what breaks without it"),
    FORMATS.explain,
  );
  for (const option of explaining.options) if (REFUSED.has(option.long ?? "")) option.hideHelp();
  return explaining;
}

/** Flags of `resolve` that are refused here. */
const REFUSED: ReadonlySet<string> = new Set(["--all-namespaces", "--fail-on", "--save-problem"]);

/** The usage error for flags that cannot be combined. */
export function wrongForExplain({ allNamespaces, saveProblem, failOn, compat }: ExplainFlags): string | undefined {
  if (compat.includes("olmv1")) return "--compat olmv1 is for resolve, whose answer has the messages of OLM v1.";
  if (allNamespaces) return "explain is about one namespace; choose it with -n instead of -A.";
  if (saveProblem !== undefined) return "--save-problem is a flag of resolve; leave it out.";
  if (failOn !== undefined) return "--fail-on is a flag of resolve; explain exits 0 whenever it has an explanation.";
  return undefined;
}
