// Which version of plimsoll is this?

import type { Command } from "commander";
import { type Json, printJson } from "../../model/json.ts";
import { FORMATS, type Format, REPORT_VERSION } from "../../render/output-formats.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { outputOption } from "../option-values.ts";

declare const PLIMSOLL_VERSION: string;

/** Adds the flags of the command. */
export function addFlags(command: Command): Command {
  return command.addOption(outputOption(FORMATS.version));
}

/** Prints the version. */
export async function run({ output }: { readonly output: Format<"version"> }): Promise<ExitCode> {
  process.stdout.write(await versionText(output));
  return EXIT.yes;
}

async function versionText(output: Format<"version">): Promise<string> {
  const version = PLIMSOLL_VERSION;
  const report: Json = { apiVersion: REPORT_VERSION, kind: "Version", version, node: process.versions.node };
  switch (output) {
    case "text":
      return `plimsoll ${version}\n`;
    case "json":
      return `${printJson(report)}\n`;
    case "yaml":
      return (await import("../../render/kit/yaml.ts")).printYaml(report);
  }
}
