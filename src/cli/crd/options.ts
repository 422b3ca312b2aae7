// Which flags does `crd check` have beside those of every command?

import { type Command, InvalidArgumentError, Option } from "commander";
import type { ApiUser } from "../../crd/upgrade/circumstances.ts";
import { NOTHING_KNOWN } from "../../crd/upgrade/circumstances.ts";
import type { Severity } from "../../model/finding.ts";
import { FORMS } from "../../render/forms.ts";
import { notEmpty, oneOf, positiveInteger, repeatable } from "../option-values.ts";
import { type ReadingOptions, withReadingOptions } from "../shared-options.ts";

/** The flags of `crd check`. */
export interface CrdOptions extends ReadingOptions {
  readonly instances: readonly string[];
  readonly owners: number;
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
    command
      .addOption(
        repeatable(
          "--instances <PATH>",
          "the objects of the kind, as kubectl prints them: file, directory or -",
          notEmpty,
        ),
      )
      .addOption(
        new Option("--owners <N>", "how many operators own the CRD; from 2 on, what may break objects is an error")
          .argParser(positiveInteger)
          .default(1),
      )
      .addOption(
        repeatable(
          "--stored <VERSION>",
          "a version in which objects may be stored, if not as OLD's status.storedVersions says",
          notEmpty,
        ),
      )
      .addOption(repeatable("--requires <API>", "GROUP/VERSION/KIND that somebody still uses", readApiUser))
      .option("--crd-settings <FILE>", "how serious each finding is: severities: {CRD203: warning}")
      .addOption(new Option("--compat <SYSTEM>", "olm: decide as OLM does").argParser(oneOf(["olm"])))
      .addOption(
        new Option("--fail-on <SEVERITY>", "exit 1 from this severity on: error, warning or info")
          .default("warning")
          .argParser(oneOf(["error", "warning", "info"])),
      )
      .addOption(
        new Option("--cel-cost-limit <N>", "what the CEL rules of one object may cost; beyond that it is not decided")
          .argParser(positiveInteger)
          .default(NOTHING_KNOWN.celCostLimit),
      ),
    FORMS["crd check"],
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
