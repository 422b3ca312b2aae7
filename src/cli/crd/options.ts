// Which flags does `crd check` have in addition to those of every command?

import { type Command, InvalidArgumentError } from "commander";
import type { ApiUser } from "../../crd/upgrade/circumstances.ts";
import { NOTHING_KNOWN } from "../../crd/upgrade/circumstances.ts";
import type { Severity } from "../../model/finding.ts";
import { FORMATS } from "../../render/output-formats.ts";
import { type LiveFlags, withLiveOptions } from "../live/options.ts";
import { hidden, notEmpty, oneOf, positiveInteger, repeatable } from "../option-values.ts";
import { type ReadingOptions, withReadingOptions } from "../shared-options.ts";

/** The flags of `crd check`. */
export interface CrdOptions extends ReadingOptions, LiveFlags {
  /** False: the objects of a live cluster are not read. */
  readonly instances: readonly string[] | false;
  /** Default: those of the live cluster, or 1. */
  readonly owners?: number;
  readonly stored: readonly string[];
  readonly requires: readonly ApiUser[];
  readonly crdSettings?: string;
  readonly compat?: "olm";
  readonly failOn: Severity;
  readonly celCostLimit: number;
}

/** Adds the flags of `crd check`. */
export function withCrdOptions(command: Command): Command {
  return withReadingOptions(
    withLiveOptions(command)
      .addOption(
        repeatable(
          "--instances <PATH>",
          "existing objects of the kind, as kubectl prints them: file, directory or -",
          notEmpty,
        ),
      )
      .addOption(hidden("--no-instances", "do not read the objects of a live cluster"))
      .option(
        "--owners <N>",
        "number of operators that own the CRD (default: 1, or those of the cluster); with 2 or more, changes that can break objects are errors",
        positiveInteger,
      )
      .addOption(repeatable("--stored <VERSION>", "stored version, instead of status.storedVersions of OLD", notEmpty))
      .addOption(repeatable("--requires <API>", "GROUP/VERSION/KIND that is still in use", readApiUser))
      .option("--crd-settings <FILE>", "severities of findings, such as severities: {CRD203: warning}")
      .option("--compat <SYSTEM>", "olm: behave like OLM", oneOf(["olm"]))
      .option(
        "--fail-on <SEVERITY>",
        "exit 1 for findings of this severity or higher: error, warning or info",
        oneOf(["error", "warning", "info"]),
        "warning",
      )
      .option(
        "--cel-cost-limit <N>",
        "maximum cost of the CEL rules of one object; above it the object is undecided",
        positiveInteger,
        NOTHING_KNOWN.celCostLimit,
      ),
    FORMATS["crd check"],
  );
}

const PART = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/;

function readApiUser(text: string): ApiUser {
  const parts = text.split("/");
  const [group, version, kind] = parts;
  if (group === undefined || version === undefined || kind === undefined || !parts.every((part) => PART.test(part)))
    throw new InvalidArgumentError("It must be GROUP/VERSION/KIND, such as example.com/v1/Winch.");
  if (parts.length > 3) throw new InvalidArgumentError("It has more than three parts; it must be GROUP/VERSION/KIND.");
  return { group, version, kind, by: "an operator (--requires)" };
}
