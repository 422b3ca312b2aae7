// How is a report printed in the requested form?
import { type Json, printJson } from "../../model/json.ts";
import { safeJson } from "./safe-text.ts";
import { printYaml } from "./yaml.ts";

/** The forms of an answer for people: `text`, and those that a command offers beside it. */
type TextForms = Readonly<Record<string, () => string>> & { readonly text: () => string };

/** The report as JSON or YAML; in every other form its text, `text` unless there is another one. */
export function inForm(output: string, report: () => Json, forms: TextForms): string {
  switch (output) {
    case "json":
      return `${safeJson(printJson(report()))}\n`;
    case "yaml":
      return printYaml(report());
    default:
      return (forms[output] ?? forms.text)();
  }
}
