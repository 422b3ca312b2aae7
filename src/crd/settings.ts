// Which severities does a CrdSettings file choose? Invalid parts are reported and choose nothing.

import { type Finding, finding, type Report, type Severity } from "../model/finding.ts";
import { isObject, type Json, type JsonObject, own, typeName } from "../model/json.ts";
import { inside, keyOf, type Place } from "../model/place.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { CRD_RULES, type CrdCode, ruleOf } from "./finding-codes.ts";
import type { SeverityChoices } from "./upgrade/circumstances.ts";

/** The kind that the file may give itself. */
const KIND = "CrdSettings";
const KNOWN_FIELDS: readonly string[] = ["apiVersion", "kind", "severities"];
const CHOICES: readonly (Severity | "off")[] = ["error", "warning", "info", "off"];
const CODES = Object.keys(CRD_RULES) as readonly CrdCode[];
/** Every rule, by its name and by its code. */
const RULES: ReadonlyMap<string, CrdCode> = new Map(
  CODES.flatMap((code) => [[code, code] as const, [ruleOf(code).name, code] as const]),
);

/** The severities that a file chooses. What cannot be understood is reported and chooses nothing. */
export function readCrdSettings(document: Json, place: Place, report: Report): SeverityChoices {
  const choices = new Map<CrdCode, Severity | "off">();
  if (!isObject(document)) {
    const message = `the settings must be an object, but are ${typeName(document)}`;
    report(finding("PL009", place, { message, help: 'write { "severities": { "enum-narrowed": "warning" } }' }));
    return choices;
  }
  checkFields(document, place, report);
  const severities = own(document, "severities");
  if (severities === undefined) return choices;
  const at = inside(place, "severities");
  if (!isObject(severities)) {
    const message = `severities must be an object of rules, but is ${typeName(severities)}`;
    report(finding("PL009", at, { message, help: 'write { "enum-narrowed": "warning" }' }));
    return choices;
  }
  for (const rule of Object.keys(severities)) {
    const code = RULES.get(rule);
    // A bare off of YAML is read as false.
    const written = severities[rule] === false ? "off" : severities[rule];
    const choice = CHOICES.find((one) => one === written);
    if (code === undefined) report(unknownRule(rule, at));
    else if (choice === undefined) report(notAChoice(rule, severities[rule], at));
    else if ((choices.get(code) ?? choice) !== choice) {
      const message = `${rule} is chosen twice: ${code} and ${ruleOf(code).name} are the same rule`;
      report(finding("PL009", inside(at, rule), { message, help: "keep one of them" }));
    } else choices.set(code, choice);
  }
  return choices;
}

function checkFields(document: JsonObject, place: Place, report: Report): void {
  for (const key of Object.keys(document)) {
    if (KNOWN_FIELDS.includes(key)) continue;
    const absent = KNOWN_FIELDS.filter((known) => !Object.hasOwn(document, known));
    const help = meantText(didYouMean(key, absent)) ?? "remove it: it is ignored";
    report(finding("PL010", keyOf(place, key), { message: `unknown field ${JSON.stringify(key)}`, help }));
  }
  const kind = own(document, "kind");
  if (kind === undefined || kind === KIND) return;
  const shown = typeof kind === "string" ? JSON.stringify(kind) : typeName(kind);
  const message = `the kind of the settings must be ${KIND}, but is ${shown}`;
  report(finding("PL009", inside(place, "kind"), { message, help: `write ${KIND}, or leave kind out` }));
}

function unknownRule(rule: string, at: Place): Finding {
  const otherwise = "write the code of a rule, such as CRD203, or its name, such as enum-narrowed";
  const help = meantText(didYouMean(rule, RULES.keys())) ?? otherwise;
  return finding("PL010", keyOf(at, rule), { message: `no rule is called ${JSON.stringify(rule)}`, help });
}

function notAChoice(rule: string, value: Json | undefined, at: Place): Finding {
  const isText = typeof value === "string";
  const meant = isText ? didYouMean(value, CHOICES) : undefined;
  return finding("PL009", inside(at, rule), {
    message: `the severity of ${rule} must be error, warning, info or off, but is ${isText ? JSON.stringify(value) : typeName(value)}`,
    help: meantText(meant) ?? "write error, warning, info or off",
  });
}

function meantText(meant: string | undefined): string | undefined {
  return meant && `did you mean ${JSON.stringify(meant)}?`;
}
