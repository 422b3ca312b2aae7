// How is a report printed in the requested format?
import { type Json, printJson } from "../../model/json.ts";
import { safeJson } from "./safe-text.ts";
import { printYaml } from "./yaml.ts";

/** The formats of an answer for people: `text`, and those that a command offers beside it. */
type TextFormats = Readonly<Record<string, () => string>> & { readonly text: () => string };

/** The report as JSON or YAML; in every other format its text, `text` unless there is another one. */
export function inFormat(output: string, report: () => Json, formats: TextFormats): string {
  switch (output) {
    case "json":
      return `${safeJson(printJson(report()))}\n`;
    case "yaml":
      return printYaml(report());
    default:
      return (formats[output] ?? formats.text)();
  }
}
