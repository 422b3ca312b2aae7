// Which flags does `plan` have? Those of `resolve`, since each generation is such an answer, and where the way is to lead.

import { type Command, Option } from "commander";
import { DEFAULT_PLAN_OPTIONS, type PlanOptions } from "../../plan/plan.ts";
import { FORMS } from "../../render/forms.ts";
import type { NamedRequest } from "../../resolve/prepare/given.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import { positiveInteger } from "../option-values.ts";
import { type ResolveFlags, readWish, withResolveOptions } from "../question/options.ts";
import { shellText } from "../shell-text.ts";

/** The flags of `plan`. */
export interface PlanFlags extends ResolveFlags {
  readonly to?: NamedRequest;
  readonly maxGenerations: number;
  readonly prune?: boolean;
  /** `--prune=with-objects`: a flag of its own, so that `--prune PACKAGE` does not take the package for its value. */
  readonly "prune=withObjects"?: boolean;
  readonly lock?: string;
}

const { maxGenerations: MAX_GENERATIONS } = DEFAULT_PLAN_OPTIONS;

/** Adds the flags of `plan` to a command. */
export function withPlanOptions(command: Command): Command {
  const planning = command
    .addOption(
      new Option(
        "--to <REQUEST>",
        "only what leads there, on the shortest way: [CATALOG/]PACKAGE[@RANGE][:CHANNEL]; one namespace only",
      ).argParser(readWish),
    )
    .option("--prune", "also remove dependencies that nobody needs any more, unless objects of their kinds were given")
    .option("--prune=with-objects", "the same, whether or not objects of their kinds were given")
    .addOption(
      new Option("--max-generations <N>", `how far to plan; exit 5 if more could move (default: ${MAX_GENERATIONS})`)
        .default(MAX_GENERATIONS)
        .argParser(positiveInteger),
    )
    .option("--lock <FILE>", "write down the plan, and what it depends on")
    .option("--locked <FILE>", "exit 1 unless the plan is the one that was written down");
  return withResolveOptions(planning, FORMS.plan);
}

/** What the plan is to do. */
export function planOptions({ to, maxGenerations, prune, "prune=withObjects": all }: PlanFlags): PlanOptions {
  return { ...DEFAULT_PLAN_OPTIONS, maxGenerations, to, prune: all ? "with-objects" : prune === true };
}

/** How to plan the same for a saved problem: the command, without the file. */
export function replayingPlan({ to, maxGenerations, prune, "prune=withObjects": all }: PlanFlags): string {
  const words = [
    "plan",
    ...(to === undefined ? [] : ["--to", printNamedRequest(to)]),
    ...(all ? ["--prune=with-objects"] : prune ? ["--prune"] : []),
    ...(maxGenerations === MAX_GENERATIONS ? [] : ["--max-generations", String(maxGenerations)]),
  ];
  return words.map(shellText).join(" ");
}

/** Why flags do not go together here. */
export function wrongForPlan({ to, allNamespaces, allOrNothing, lock }: PlanFlags): string | undefined {
  if (to !== undefined && allNamespaces)
    return "--to leads to a version in one namespace, with the others as they are; choose it with -n instead of -A.";
  if (to !== undefined && allOrNothing) return "--to is about one package; leave out --all-or-nothing.";
  if (lock?.trim() === "") return "--lock needs the path of a file.";
  if (lock === "-") return "--lock needs the path of a file; - is none.";
  return undefined;
}
