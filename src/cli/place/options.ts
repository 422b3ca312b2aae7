// Which flags does `place` have, and which of them do not go together?

import { type Command, InvalidArgumentError, Option } from "commander";
import { parseTimestamp, Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import type { PlacingOptions } from "../../placement/engine.ts";
import { MAX_REMOVED, type RemovalLimit, readRemovalLimit } from "../../placement/placement-change.ts";
import { DEFAULT_MODE, OCM_MODE } from "../../placement/placement-mode.ts";
import { FORMS } from "../../render/forms.ts";
import { deadline } from "../deadline.ts";
import { compatOption, oneOf, positiveInteger, readSeconds, repeatable } from "../option-values.ts";
import { filenameOption, type ReadingOptions, withReadingOptions } from "../shared-options.ts";

/** The flags of `place`. */
export interface PlaceFlags extends ReadingOptions {
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
    command
      .addOption(filenameOption())
      .option("-n, --namespace <NAME>", "only the Placements of this namespace")
      .option("-A, --all-namespaces", "the Placements of all namespaces, as without -n")
      .option("--explain <CLUSTER>", "why this cluster is selected, or why not")
      .option("--all-checks", "evaluate every rule, even when an earlier one has decided")
      .addOption(
        repeatable(
          "--against <PATH>",
          "files with the earlier version of some objects; shows which clusters are gained and lost since",
          (path) => path,
        ),
      )
      .addOption(
        new Option(
          "--max-removed <N|P%>",
          "with --against: exit 1 if a Placement would lose more clusters, or more of what it had",
        ).argParser(removalLimit),
      )
      .addOption(
        new Option("--tie-break <name|hash>", "which of equal scores comes first")
          .default("name")
          .argParser(oneOf(["name", "hash"])),
      )
      .addOption(asOcm(compatOption()))
      .addOption(new Option("--now <TIME>", "the time of the run (RFC 3339; default: the clock)").argParser(readTime))
      .addOption(new Option("--cel-cost-limit <N>", "stop an evaluation that costs more").argParser(costLimit))
      .addOption(new Option("--placement-cost-limit <N>", "stop a Placement that costs more").argParser(costLimit))
      .addOption(
        new Option("--timeout <SECONDS>", "how long to judge clusters; then Placements are undecided").argParser(
          readSeconds,
        ),
      )
      .addOption(
        new Option(
          "--on-expired-score <error|keep>",
          "keep: for a cluster that the Placement has, scores that have expired still count",
        )
          .default("error")
          .argParser(oneOf(["error", "keep"])),
      ),
    FORMS.place,
  );
}

/** The flag knows OLM, too, which places nothing. */
function asOcm(option: Option): Option {
  option.description = "ocm: behave as Open Cluster Management";
  return option;
}

function readTime(text: string): Timestamp {
  const time = parseTimestamp(text);
  if (time instanceof CelError) throw new InvalidArgumentError(time.message);
  return time;
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

/** How the engine is to place. */
export function placingOptions(flags: PlaceFlags): PlacingOptions {
  const { celCostLimit, placementCostLimit, timeout, onExpiredScore } = flags;
  return {
    now: flags.now ?? new Timestamp(Math.floor(Date.now() / 1000), 0),
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
  if (flags.filename.length === 0)
    return "there is nothing to place; give Placements, clusters and their sets: plimsoll place -f fleet/";
  if ([...flags.filename, ...against].filter((path) => path === "-").length > 1)
    return "standard input (-) can be given only once.";
  if (namespace === "") return "-n needs the name of a namespace.";
  if (namespace !== undefined && allNamespaces) return "-n and -A exclude each other.";
  if (flags.maxRemoved !== undefined && against.length === 0)
    return "--max-removed needs --against PATH: what a Placement loses is known only beside what it had.";
  if (explain !== undefined && against.length > 0) return "--explain and --against exclude each other.";
  if (explain !== undefined) return wrongForm("--explain", output);
  return against.length > 0 ? wrongForm("--against", output) : undefined;
}

function wrongForm(flag: "--explain" | "--against", output: string): string | undefined {
  const forms: readonly string[] = FORMS[`place ${flag}`];
  return forms.includes(output) ? undefined : `${flag} is shown as ${forms.join(", ")}, not as ${output}.`;
}
