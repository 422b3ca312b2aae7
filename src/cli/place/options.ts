// Which flags does `place` have, and which of them cannot be combined?

import { type Command, InvalidArgumentError, type Option } from "commander";
import type { Timestamp } from "../../cel/value/timestamp.ts";
import { MAX_REMOVED, type RemovalLimit, readRemovalLimit } from "../../placement/compare/placement-change.ts";
import type { PlacingOptions } from "../../placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE } from "../../placement/placement-mode.ts";
import { FORMATS } from "../../render/output-formats.ts";
import { deadline } from "../deadline.ts";
import { type LiveFlags, withLiveOptions } from "../live/options.ts";
import { compatOption, oneOf, positiveInteger, readSeconds, repeatable } from "../option-values.ts";
import { readTime, timeOf } from "../run-time.ts";
import {
  filenameOption,
  isStdinTwice,
  type ReadingOptions,
  STDIN_TWICE,
  withReadingOptions,
} from "../shared-options.ts";

/** The flags of `place`. */
export interface PlaceFlags extends ReadingOptions, LiveFlags {
  readonly filename: readonly string[];
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly explain?: string;
  readonly allChecks?: boolean;
  readonly against: readonly string[];
  readonly maxRemoved?: RemovalLimit;
  readonly tieBreak: "name" | "hash";
  readonly compat: readonly ("olm" | "ocm")[];
  readonly now?: Timestamp;
  readonly celCostLimit?: number;
  readonly placementCostLimit?: number;
  readonly timeout?: number;
  readonly onExpiredScore: "error" | "keep";
}

/** Adds the flags of `place` to a command. */
export function withPlaceOptions(command: Command): Command {
  return withReadingOptions(
    withLiveOptions(command.addOption(filenameOption()))
      .option("-n, --namespace <NAME>", "only the Placements of this namespace")
      .option("-A, --all-namespaces", "the Placements of all namespaces (the default)")
      .option("--explain <CLUSTER>", "every check of this cluster: why it is selected, or why not")
      .option("--all-checks", "evaluate every rule of every cluster, even if an earlier one excludes it")
      .addOption(
        repeatable(
          "--against <PATH>",
          "earlier version of some objects; shows the clusters gained and lost since",
          (path) => path,
        ),
      )
      .option(
        "--max-removed <N|P%>",
        "with --against: exit 1 if a Placement loses more clusters, or a larger share of them",
        removalLimit,
      )
      .option("--tie-break <name|hash>", "order of clusters with equal scores", oneOf(["name", "hash"]), "name")
      .addOption(asOcm(compatOption()))
      .option("--now <TIME>", "time of the run (RFC 3339; default: the current time)", readTime)
      .option("--cel-cost-limit <N>", "maximum cost of an evaluation", costLimit)
      .option("--placement-cost-limit <N>", "maximum cost of a Placement", costLimit)
      .option("--timeout <SECONDS>", "maximum time; Placements not evaluated by then are undecided", readSeconds)
      .option(
        "--on-expired-score <error|keep>",
        "keep: expired scores still count for clusters that are selected already",
        oneOf(["error", "keep"]),
        "error",
      ),
    FORMATS.place,
  );
}

/** The shared flag lists OLM, too, which has no placement. */
function asOcm(option: Option): Option {
  option.description = "ocm: behave like Open Cluster Management";
  return option;
}

function costLimit(text: string): number {
  if (/^[1-9][0-9]{15,}$/.test(text)) throw new InvalidArgumentError("It is at most 999999999999999.");
  return positiveInteger(text);
}

function removalLimit(text: string): RemovalLimit {
  const limit = readRemovalLimit(text);
  if (limit === undefined)
    throw new InvalidArgumentError(`It is a number of clusters up to ${MAX_REMOVED}, or a share such as 10%.`);
  return limit;
}

/** The options of the engine that the flags set. */
export function placingOptions(flags: PlaceFlags): PlacingOptions {
  const { celCostLimit, placementCostLimit, timeout, onExpiredScore } = flags;
  return {
    now: timeOf(flags),
    mode: flags.compat.includes("ocm") ? OCM_MODE : DEFAULT_MODE,
    tieBreak: flags.tieBreak,
    ...(celCostLimit !== undefined && { costLimit: celCostLimit }),
    ...(placementCostLimit !== undefined && { placementCostLimit }),
    isLate: deadline(timeout),
    onExpiredScore,
  };
}

/** What is wrong with the command line as a whole. */
export function wrongForPlace(flags: PlaceFlags): string | undefined {
  const { namespace, allNamespaces, explain, against, output } = flags;
  if (isStdinTwice([...flags.filename, ...against])) return STDIN_TWICE;
  if (namespace === "") return "-n needs the name of a namespace.";
  if (namespace !== undefined && allNamespaces) return "-n and -A cannot be combined.";
  if (flags.maxRemoved !== undefined && against.length === 0)
    return "--max-removed needs --against PATH, the earlier version to compare with.";
  if (explain !== undefined && against.length > 0) return "--explain and --against cannot be combined.";
  if (explain !== undefined) return wrongForm("--explain", output);
  return against.length > 0 ? wrongForm("--against", output) : undefined;
}

function wrongForm(flag: "--explain" | "--against", output: string): string | undefined {
  const formats: readonly string[] = FORMATS[`place ${flag}`];
  return formats.includes(output) ? undefined : `${flag} has the output formats ${formats.join(", ")}, not ${output}.`;
}
