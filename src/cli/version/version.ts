// Which version of plimsoll is this?

import type { Json } from "../../model/json.ts";
import { printJson } from "../../model/json.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import { printYaml } from "../../render/kit/yaml.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";

/** Prints the version. */
export function runVersion(version: string, output: string): ExitCode {
  const report: Json = { apiVersion: "plimsoll.dev/v1alpha1", kind: "Version", version, node: process.versions.node };
  switch (output) {
    case "text":
      process.stdout.write(`plimsoll ${version}\n`);
      return EXIT.yes;
    case "json":
      process.stdout.write(`${printJson(report)}\n`);
      return EXIT.yes;
    case "yaml":
      process.stdout.write(printYaml(report));
      return EXIT.yes;
    default:
      process.stderr.write(
        `plimsoll: the output form ${safeText(JSON.stringify(output))} is not text, json or yaml.\n`,
      );
      return EXIT.usage;
  }
}
