// Which flags does `explain` have? Those of `resolve`, since it asks about the same answer, and who needs it.

import type { Command } from "commander";
import type { Problem } from "../../model/problem.ts";
import { FORMS } from "../../render/forms.ts";
import type { NamedRequest } from "../../resolve/prepare/given.ts";
import { parseNamedRequest, printNamedRequest } from "../../resolve/prepare/named-request.ts";
import { type FixCommand, fixCommands, type Typed } from "../question/fix-command.ts";
import { type ResolveFlags, withResolveOptions } from "../question/options.ts";

/** The flags of `explain`. */
export interface ExplainFlags extends ResolveFlags {
  readonly whoNeeds?: boolean;
}

/** Adds the flags of `explain` to a command. */
export function withExplainOptions(command: Command): Command {
  const explaining = withResolveOptions(
    command.option("--who-needs", "who needs it, up to those who asked, and what breaks without it"),
    FORMS.explain,
  );
  for (const option of explaining.options) if (REFUSED.has(option.long ?? "")) option.hideHelp();
  return explaining;
}

/** Flags of `resolve` that mean nothing here; whoever gives one is told so. */
const REFUSED: ReadonlySet<string> = new Set(["--all-namespaces", "--fail-on", "--save-problem"]);

/** What the user typed for `explain`; `argv` is that of the process. */
export function typedExplain(argv: readonly string[], command: Command): Typed {
  return { words: argv.slice(3), options: command.options, namesPackages: false };
}

/**
 * Says which command asks for something and tries a fix, made from the one that asked about it: the word for the one
 * becomes that for the other. Where that cannot be told, there is none.
 */
export function askingCommands(
  argv: readonly string[],
  command: Command,
  problem: Problem,
  wish: NamedRequest,
): FixCommand {
  const typed = typedExplain(argv, command);
  const [text = ""] = command.args;
  const isNamed = typeof parseNamedRequest(text) !== "string";
  const isOnly = typed.words.filter((word) => word === text).length === 1;
  if (!isNamed && !isOnly) return () => "";
  const words = isNamed ? typed.words : typed.words.map((word) => (word === text ? printNamedRequest(wish) : word));
  const commandOf = fixCommands({ ...typed, words, namesPackages: true }, [problem]);
  return (fix) => commandOf({ ...fix, changes: [{ kind: "instead", wish }, ...fix.changes] });
}

/** Why flags do not go together here. */
export function wrongForExplain({
  allNamespaces,
  saveProblem,
  failOn,
  catalog,
  filename,
  replay,
}: ExplainFlags): string | undefined {
  if (allNamespaces) return "explain speaks of one namespace; choose it with -n instead of -A.";
  if (saveProblem !== undefined) return "--save-problem belongs to resolve; leave it out.";
  if (failOn !== undefined) return "--fail-on belongs to resolve; explain ends with 0 whenever it can explain.";
  if (catalog.length + filename.length === 0 && replay === undefined)
    return "there is nothing to explain it from; name a catalog: plimsoll explain --catalog ./catalog etcd";
  return undefined;
}
