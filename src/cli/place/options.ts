// Which flags does `place` have, and which of them do not go together?

import { type Command, InvalidArgumentError, Option } from "commander";
import { parseTimestamp, Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import type { PlacingOptions } from "../../placement/engine.ts";
import { MAX_REMOVED, type RemovalLimit, readRemovalLimit } from "../../placement/placement-change.ts";
import { DEFAULT_MODE, OCM_MODE } from "../../placement/placement-mode.ts";
import { EXPLANATION_FORMS, PLACEMENT_FORMS } from "../../render/placement/render-placement.ts";
import { compatOption } from "../cel/options.ts";
import { deadline } from "../deadline.ts";
import { readSeconds } from "../question/options.ts";
import { oneOf, positiveInteger, type ReadingOptions, repeatable, withReadingOptions } from "../shared-options.ts";

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
  const path = (text: string, all: readonly string[]): string[] => [...all, text];
  return withReadingOptions(
    command
      .addOption(repeatable<string>("-f, --filename <PATH>", "Kubernetes objects: file, directory or -", path))
      .option("-n, --namespace <NAME>", "only the Placements of this namespace")
      .option("-A, --all-namespaces", "the Placements of all namespaces, as without -n")
      .option("--explain <CLUSTER>", "why this cluster is selected, or why not")
      .option("--all-checks", "evaluate every rule, even when an earlier one has decided")
      .addOption(
        repeatable<string>(
          "--against <PATH>",
          "files with the earlier version of some objects; shows which clusters are gained and lost since",
          path,
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
    PLACEMENT_FORMS,
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
    ...(timeout !== undefined && { isLate: deadline(timeout) }),
    onExpiredScore,
  };
}

/** Forms that have room for what would change. */
const FORMS_OF_CHANGE: readonly string[] = ["text", "wide", "json", "yaml"];

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
  if (explain !== undefined) return wrongForm("--explain", EXPLANATION_FORMS, output);
  return against.length > 0 ? wrongForm("--against", FORMS_OF_CHANGE, output) : undefined;
}

function wrongForm(flag: string, forms: readonly string[], output: string): string | undefined {
  return forms.includes(output) ? undefined : `${flag} is shown as ${forms.join(", ")}, not as ${output}.`;
}
