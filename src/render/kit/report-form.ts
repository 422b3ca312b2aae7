// How is a report printed in the requested form?
import { type Json, printJson } from "../../model/json.ts";
import { safeJson } from "./safe-text.ts";
import { printYaml } from "./yaml.ts";

/** The report as JSON or YAML; in every other form the text. */
export function inForm(output: string, report: () => Json, text: () => string): string {
  switch (output) {
    case "json":
      return `${safeJson(printJson(report()))}\n`;
    case "yaml":
      return printYaml(report());
    default:
      return text();
  }
}
