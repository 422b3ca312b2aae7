// Which named formats of Kubernetes can a text be checked against?
import { upTo } from "../../cost/range.ts";
import { globalFunction, type Library, memberFunction, type Overload, type Running } from "../../library.ts";
import { listOf, opaque, optionalOf, STRING, type Type } from "../../type.ts";
import { Optional } from "../../value/boxes.ts";
import { Boxed, type Result, type Value } from "../../value/value.ts";
import { toBytes } from "./byte-text.ts";
import {
  isBase64,
  isDate,
  isDateTime,
  isUuid,
  whyNotDns1035Label,
  whyNotDns1123Label,
  whyNotDns1123Subdomain,
  whyNotLabelValue,
  whyNotQualifiedName,
} from "./format-rules.ts";

import { parseRequestUri, UrlMistake } from "./url-parse.ts";

const NAMED_FORMAT: Type = opaque("kubernetes.NamedFormat");

/** What is wrong with a text, in the words of Kubernetes; empty if it is valid. */
type Rule = (text: string) => readonly string[];

/** A format as a value. */
export class NamedFormat extends Boxed {
  /** What the original calls it; formats are equal when their names are. */
  readonly name: string;
  readonly rule: Rule;
  /** The length of the regular expression that Kubernetes assumes for its costs. */
  readonly expressionLength: number;
  constructor(name: string, expressionLength: number, rule: Rule) {
    super();
    this.name = name;
    this.expressionLength = expressionLength;
    this.rule = rule;
  }
  get type(): Type {
    return NAMED_FORMAT;
  }
  equals(other: Value): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
  toString(): string {
    return this.name;
  }
}

function onePattern(isRight: (text: string) => boolean, message: string): Rule {
  return (text) => (isRight(text) ? [] : [message]);
}

/** A rule for names, which are measured in bytes. */
function name(rule: Rule): Rule {
  return (text) => rule(toBytes(text));
}

/** The beginning of a name may end with a hyphen, because something is to follow. */
function beginning(rule: Rule): Rule {
  return name((bytes) => rule(bytes.length > 1 && bytes.endsWith("-") ? `${bytes.slice(0, -2)}a` : bytes));
}

function whyNotUri(text: string): readonly string[] {
  const parts = parseRequestUri(text);
  return parts instanceof UrlMistake ? [parts.message] : [];
}

const FORMATS: ReadonlyMap<string, NamedFormat> = new Map([
  ["dns1123Label", new NamedFormat("DNS1123Label", 30, name(whyNotDns1123Label))],
  ["dns1123Subdomain", new NamedFormat("DNS1123Subdomain", 60, name(whyNotDns1123Subdomain))],
  ["dns1035Label", new NamedFormat("DNS1035Label", 30, name(whyNotDns1035Label))],
  ["qualifiedName", new NamedFormat("QualifiedName", 60, name(whyNotQualifiedName))],
  ["dns1123LabelPrefix", new NamedFormat("DNS1123LabelPrefix", 30, beginning(whyNotDns1123Label))],
  ["dns1123SubdomainPrefix", new NamedFormat("DNS1123SubdomainPrefix", 60, beginning(whyNotDns1123Subdomain))],
  ["dns1035LabelPrefix", new NamedFormat("DNS1035LabelPrefix", 30, beginning(whyNotDns1035Label))],
  ["labelValue", new NamedFormat("LabelValue", 40, name(whyNotLabelValue))],
  ["uri", new NamedFormat("URI", 1103, whyNotUri)],
  ["uuid", new NamedFormat("uuid", 70, onePattern(isUuid, "does not match the UUID format"))],
  ["byte", new NamedFormat("byte", 84, onePattern(isBase64, "invalid base64"))],
  ["date", new NamedFormat("date", 71, onePattern(isDate, "invalid date"))],
  ["datetime", new NamedFormat("datetime", 71, onePattern(isDateTime, "invalid datetime"))],
]);

/** Name and prefix of a qualified name can both be too long and of the wrong form. */
const MAX_MISTAKES = 4;

function validate(format: NamedFormat, text: string, running: Running): Result {
  const mistakes = format.rule(text);
  if (mistakes.length === 0) return Optional.none;
  running.allocate(mistakes.reduce((total, mistake) => total + mistake.length, mistakes.length));
  return new Optional(mistakes);
}

function named(name: string): Result {
  const format = FORMATS.get(name);
  return format === undefined ? Optional.none : new Optional(format);
}

const FUNCTIONS: readonly Overload[] = [
  globalFunction("format.named", "format-named", [STRING], optionalOf(NAMED_FORMAT), named),
  memberFunction("validate", "format-validate", [NAMED_FORMAT, STRING], optionalOf(listOf(STRING)), validate, {
    estimate: () => upTo(1, MAX_MISTAKES),
  }),
  ...[...FORMATS].map(([name, format]) =>
    globalFunction(`format.${name}`, `format.${name}`, [], NAMED_FORMAT, () => format),
  ),
];

/** Kubernetes' library of named formats. */
export const formatLibrary: Library = { name: "kubernetes.format", functions: FUNCTIONS };
