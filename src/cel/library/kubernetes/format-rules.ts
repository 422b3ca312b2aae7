// What is wrong with a name, in the words of Kubernetes?
//
// The messages are results of expressions, so they are those of k8s.io/apimachinery. The rules for names take texts of
// bytes, because Kubernetes measures names in bytes.
import { isCalendarDay } from "../../value/timestamp.ts";

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const DNS_1035_LABEL = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const LABEL_KEY = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

const LABEL_PATTERN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const LABEL_KEY_PATTERN = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

function tooLong(limit: number, unit: "bytes" | "characters"): string {
  return `must be no more than ${limit} ${unit}`;
}

function mustMatch(rule: string, pattern: string, ...examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

function isSubdomain(bytes: string): boolean {
  return bytes.split(".").every((label) => LABEL.test(label));
}

const NOT_LABEL = mustMatch(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL_PATTERN,
  "my-name",
  "123-abc",
);

/** One label of a DNS name as RFC 1123 has it, in lower case. */
export function whyNotDns1123Label(bytes: string): readonly string[] {
  const mistakes = bytes.length > 63 ? [tooLong(63, "characters")] : [];
  if (!LABEL.test(bytes)) mistakes.push(isSubdomain(bytes) ? "must not contain dots" : NOT_LABEL);
  return mistakes;
}

const NOT_SUBDOMAIN = mustMatch(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  `${LABEL_PATTERN}(\\.${LABEL_PATTERN})*`,
  "example.com",
);

/** Labels of a DNS name with dots between them. */
export function whyNotDns1123Subdomain(bytes: string): readonly string[] {
  return whyNotSubdomain(bytes, "characters");
}

function whyNotSubdomain(bytes: string, unit: "bytes" | "characters"): readonly string[] {
  const mistakes = bytes.length > 253 ? [tooLong(253, unit)] : [];
  if (!isSubdomain(bytes)) mistakes.push(NOT_SUBDOMAIN);
  return mistakes;
}

const NOT_DNS_1035_LABEL = mustMatch(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "[a-z]([-a-z0-9]*[a-z0-9])?",
  "my-name",
  "abc-123",
);

/** One label of a DNS name as RFC 1035 has it, which begins with a letter. */
export function whyNotDns1035Label(bytes: string): readonly string[] {
  const mistakes = bytes.length > 63 ? [tooLong(63, "characters")] : [];
  if (!DNS_1035_LABEL.test(bytes)) mistakes.push(NOT_DNS_1035_LABEL);
  return mistakes;
}

const NOT_LABEL_KEY = mustMatch(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_KEY_PATTERN,
  "MyName",
  "my.name",
  "123-abc",
);

/** The key of a label: a name, and a DNS subdomain with a slash before it if there is one. */
export function whyNotQualifiedName(bytes: string): readonly string[] {
  const parts = bytes.split("/", 3);
  if (parts.length === 3) {
    return [
      `a valid label key ${NOT_LABEL_KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts[parts.length - 1] as string;
  const mistakes = parts.length === 2 ? [...whyNotPrefix(parts[0] as string)] : [];
  if (name === "") mistakes.push("name part must be non-empty");
  else if (name.length > 63) mistakes.push(`name part ${tooLong(63, "bytes")}`);
  if (!LABEL_KEY.test(name)) mistakes.push(`name part ${NOT_LABEL_KEY}`);
  return mistakes;
}

function whyNotPrefix(bytes: string): readonly string[] {
  const mistakes = bytes === "" ? ["must be non-empty"] : whyNotSubdomain(bytes, "bytes");
  return mistakes.map((mistake) => `prefix part ${mistake}`);
}

const NOT_LABEL_VALUE = mustMatch(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${LABEL_KEY_PATTERN})?`,
  "MyValue",
  "my_value",
  "12345",
);

/** The value of a label, which may be empty. */
export function whyNotLabelValue(bytes: string): readonly string[] {
  const mistakes = bytes.length > 63 ? [tooLong(63, "bytes")] : [];
  if (bytes !== "" && !LABEL_KEY.test(bytes)) mistakes.push(NOT_LABEL_VALUE);
  return mistakes;
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Is it a UUID, with or without its hyphens? */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const BASE_64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Is it base64 of at least one byte, with padding? */
export function isBase64(text: string): boolean {
  return text !== "" && text.length % 4 === 0 && BASE_64.test(text);
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Is it a day of the calendar? */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  return day !== undefined && isCalendarDay(Number(year), Number(month), Number(day));
}

/** The original takes any character for the decimal point. */
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:[zZ]|[+-][0-9]{2}:[0-9]{2})$/u;

/** Is it a date, a T and a time with an offset? What follows a second T is not looked at, as in the original. */
export function isDateTime(text: string): boolean {
  const [date = "", time] = text.split(/[tT]/, 2);
  if (time === undefined || !isDate(date)) return false;
  const [, hour, minute, second] = TIME.exec(time) ?? [];
  return second !== undefined && Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59;
}
