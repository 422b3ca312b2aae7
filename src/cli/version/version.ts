// Which version of plimsoll is this?

import type { Json } from "../../model/json.ts";
import { printJson } from "../../model/json.ts";
import { type Form, REPORT_VERSION } from "../../render/output-forms.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";

export { outputOption } from "../option-values.ts";

/** Prints the version. */
export async function runVersion(version: string, output: Form<"version">): Promise<ExitCode> {
  const report: Json = { apiVersion: REPORT_VERSION, kind: "Version", version, node: process.versions.node };
  process.stdout.write(await versionText(report, version, output));
  return EXIT.yes;
}

async function versionText(report: Json, version: string, output: Form<"version">): Promise<string> {
  switch (output) {
    case "text":
      return `plimsoll ${version}\n`;
    case "json":
      return `${printJson(report)}\n`;
    case "yaml":
      return (await import("../../render/kit/yaml.ts")).printYaml(report);
  }
}
