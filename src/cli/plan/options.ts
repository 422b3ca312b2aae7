// Which flags does `plan` have? Those of `resolve`, since each generation is an answer of it, and those of the plan itself.

import type { Command } from "commander";
import { DEFAULT_PLAN_OPTIONS, type PlanOptions } from "../../plan/plan.ts";
import { FORMATS } from "../../render/output-formats.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
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
    .option(
      "--to <REQUEST>",
      "only the shortest path to this version: [CATALOG/]PACKAGE[@RANGE][:CHANNEL]; one namespace only",
      readWish,
    )
    .option("--prune", "also remove unused dependencies, unless objects of their kinds are in the input")
    .option("--prune=with-objects", "the same, even if objects of their kinds are in the input")
    .option(
      "--max-generations <N>",
      `maximum number of generations; exit 5 if updates are left (default: ${MAX_GENERATIONS})`,
      positiveInteger,
      MAX_GENERATIONS,
    )
    .option("--lock <FILE>", "write the plan and digests of its inputs to a lock file")
    .option("--locked <FILE>", "exit 1 unless the plan matches this lock file");
  return withResolveOptions(planning, FORMATS.plan);
}

/** The options of the plan that the flags set. */
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

/** OLM v1 answers for each ClusterExtension alone, so that no step would be safe. */
export const NOT_AS_OLM_V1 =
  "--compat olmv1 is for resolve: OLM v1 looks at each ClusterExtension alone, and a plan at all of them.";

/** The usage error for flags that cannot be combined. */
export function wrongForPlan({ to, allNamespaces, compat, allOrNothing, lock }: PlanFlags): string | undefined {
  if (compat.includes("olmv1")) return NOT_AS_OLM_V1;
  if (to !== undefined && allNamespaces)
    return "--to plans for one namespace and leaves the others as they are; choose it with -n instead of -A.";
  if (to !== undefined && allOrNothing) return "--to is about one package; leave out --all-or-nothing.";
  if (lock?.trim() === "") return "--lock needs the path of a file.";
  if (lock === "-") return "--lock needs the path of a file, not -.";
  return undefined;
}
