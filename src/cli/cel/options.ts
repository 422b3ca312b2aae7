// Which flags do `cel check` and `cel eval` have in addition to the shared ones?
import type { Command } from "commander";
import type { Timestamp } from "../../cel/value/timestamp.ts";
import { ENVIRONMENTS, type EnvironmentName } from "../../expression/environment-names.ts";
import { FORMATS } from "../../render/output-formats.ts";
import { withLiveOptions } from "../live/options.ts";
import { compatOption, oneOf, positiveInteger } from "../option-values.ts";
import { readTime } from "../run-time.ts";
import { type SharedOptions, withSharedOptions } from "../shared-options.ts";

/** The flags of both commands. */
export interface CelOptions extends SharedOptions {
  readonly env?: EnvironmentName;
  readonly compat: readonly ("olm" | "ocm")[];
}

/** The flags of `cel eval`. */
export interface CelEvalOptions extends CelOptions {
  readonly cluster?: string;
  readonly bundle?: string;
  readonly all?: boolean;
  readonly batch?: string;
  readonly trace?: boolean;
  readonly exitStatus?: boolean;
  readonly celCostLimit?: number;
  readonly now?: Timestamp;
}

/** Adds the flags of `cel check`. */
export function withCheckOptions(command: Command): Command {
  return withSharedOptions(withEnvironment(command), FORMATS["cel check"]);
}

/** Adds the flags of `cel eval`. */
export function withEvalOptions(command: Command): Command {
  return withSharedOptions(
    withEnvironment(command)
      .option("--cluster <NAME>", "cluster to evaluate on, with --env placement")
      .option("--bundle <NAME>", "bundle to evaluate on, with --env bundle")
      .option("--all", "evaluate on every cluster or bundle")
      .option("--batch <FILE>", "expressions as JSON lines; - for standard input")
      .option("--trace", "show the value of each subexpression")
      .option("--exit-status", "exit 1 if the value is false")
      .option("--cel-cost-limit <N>", "maximum cost of an evaluation", positiveInteger)
      .option("--now <TIME>", "time of the run, for the expiry of scores (RFC 3339)", readTime),
    FORMATS["cel eval"],
  );
}

function withEnvironment(command: Command): Command {
  return withLiveOptions(command)
    .option("--env <ENV>", `variables and functions: ${ENVIRONMENTS.join(", ")}`, oneOf(ENVIRONMENTS))
    .addOption(compatOption());
}
