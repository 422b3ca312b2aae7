// What does one leaf of a constraint require? An API, a package, a label, a CEL rule or a property, each in all of
// its spellings.

import type { Issue } from "../cel/issue.ts";
import type { Json } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import { splitElements } from "../semver/blang-element.ts";
import { parseRange, type Range, rangeMeant } from "../semver/blang-range.ts";
import type { RulePrograms } from "./bundle-environment.ts";
import type {
  CelConstraint,
  GvkConstraint,
  LabelConstraint,
  PackageConstraint,
  PropertyEqualsConstraint,
} from "./constraint.ts";
import { type Complain, type Fields, type Form, optionalTextOf, readFields, textOf } from "./constraint-fields.ts";

/** The context of reading a leaf. */
export interface LeafReading {
  readonly programs: RulePrograms;
  readonly complain: Complain;
  /** It is the value of its own property type, whose unknown keys OLM ignores. */
  readonly open?: boolean;
}

/** The whole constraint around a leaf: it has the message and is where a failure is reported. */
export interface Around {
  readonly path: Path;
  readonly message: string | undefined;
}

const GVK: Form = { name: "gvk", fields: ["group", "version", "kind"] };

/** Reads `{group, version, kind}`. */
export function readGvk(
  value: Json,
  at: Path,
  around: Around,
  { complain, open = false }: LeafReading,
): GvkConstraint | undefined {
  const fields = readFields(value, at, { ...GVK, open }, complain);
  if (fields === undefined) return undefined;
  const group = apiPart(fields, "group", at, complain);
  const version = apiPart(fields, "version", at, complain);
  const kind = apiPart(fields, "kind", at, complain);
  if (group === undefined || version === undefined || kind === undefined) return undefined;
  return { kind: "gvk", gvk: { group, version, kind }, ...around };
}

function apiPart(fields: Fields, name: string, at: Path, complain: Complain): string | undefined {
  const field = fields.get(name);
  if (field === undefined && name === "group") {
    complain({ message: "gvk has no group", hint: 'add it; the group of the core APIs is ""', path: at });
    return undefined;
  }
  const text = textOf(fields, name, at, GVK, complain);
  if (text === undefined || field === undefined) return undefined;
  if (text === "" && name !== "group")
    complain({ message: `the ${name} of an API must not be empty`, path: field.path });
  else if (/[/\s]/.test(text))
    complain({ message: `the ${name} of an API must not contain slashes or spaces`, path: field.path });
  else return text;
  return undefined;
}

const PACKAGE: Form = { name: "package", fields: ["packageName", "name", "versionRange"] };

/** Reads `{packageName, versionRange}`; the name may also be under `name`. */
export function readPackage(
  value: Json,
  at: Path,
  around: Around,
  { complain, open = false }: LeafReading,
): PackageConstraint | undefined {
  const fields = readFields(value, at, { ...PACKAGE, open }, complain);
  if (fields === undefined) return undefined;
  const name = packageName(fields, at, complain);
  const range = versionRange(fields, at, complain);
  if (name === undefined || range === undefined) return undefined;
  return { kind: "package", name, range, ...around };
}

function packageName(fields: Fields, at: Path, complain: Complain): string | undefined {
  const first = fields.get("packageName");
  const second = fields.get("name");
  if (first !== undefined && second !== undefined && first.value !== second.value) {
    const message = "packageName and name differ, but mean the same";
    complain({ message, hint: "keep packageName", path: second.path });
    return undefined;
  }
  const field = first === undefined && second !== undefined ? "name" : "packageName";
  const name = textOf(fields, field, at, PACKAGE, complain);
  if (name !== "") return name;
  complain({ message: "the name of the package is empty", path: (fields.get(field) ?? { path: at }).path });
  return undefined;
}

function versionRange(fields: Fields, at: Path, complain: Complain): Range | undefined {
  const text = textOf(fields, "versionRange", at, PACKAGE, complain);
  if (text === undefined) return undefined;
  const range = parseRange(text);
  if (typeof range !== "string") return range;
  const path = fields.get("versionRange")?.path ?? at;
  const offset = faultyElement(text);
  const message = `${JSON.stringify(text)} is not a version range: ${range}`;
  const meant = rangeMeant(text);
  complain({
    message,
    path,
    ...(offset !== undefined && { offset }),
    ...(meant !== undefined && { correction: { was: text, is: meant } }),
  });
  return undefined;
}

/** The position of the first part that is not a range by itself. */
function faultyElement(text: string): number | undefined {
  const element = splitElements(text).find((one) => one !== "||" && typeof parseRange(one) === "string");
  const offset = element === undefined ? -1 : text.indexOf(element);
  return offset < 0 ? undefined : offset;
}

const LABEL: Form = { name: "a required label", fields: ["label"] };

/** Reads `{label}`. */
export function readLabel(
  value: Json,
  at: Path,
  around: Around,
  { complain, open = false }: LeafReading,
): LabelConstraint | undefined {
  const fields = readFields(value, at, { ...LABEL, open }, complain);
  const label = fields === undefined ? undefined : textOf(fields, "label", at, LABEL, complain);
  return label === undefined ? undefined : { kind: "label", label, ...around };
}

const CEL: Form = { name: "cel", fields: ["rule"] };

/** Reads `{rule}`. */
export function readCel(value: Json, at: Path, around: Around, reading: LeafReading): CelConstraint | undefined {
  const fields = readFields(value, at, CEL, reading.complain);
  return fields === undefined ? undefined : readRule(fields, "rule", at, CEL, around, reading);
}

/** Reads the rule in a field. */
export function readRule(
  fields: Fields,
  name: string,
  at: Path,
  form: Form,
  around: Around,
  { programs, complain }: LeafReading,
): CelConstraint | undefined {
  const rule = textOf(fields, name, at, form, complain);
  if (rule === undefined) return undefined;
  const { program, errors } = programs.of(rule);
  const path = fields.get(name)?.path ?? at;
  const correction = { was: rule, is: withNamesMeant(rule, errors) };
  for (const { message, hint, start, meant } of errors)
    complain({
      message: `the rule cannot be compiled: ${message}`,
      hint,
      path,
      offset: start,
      ...(meant !== undefined && { correction }),
    });
  return program === undefined ? undefined : { kind: "cel", rule, program, ...around };
}

/** The rule with every name replaced by the one that was probably meant. */
function withNamesMeant(rule: string, errors: readonly Issue[]): string {
  const backwards = errors.toSorted((a, b) => b.start - a.start);
  return backwards.reduce(
    (text, { start, end, meant }) => (meant === undefined ? text : `${text.slice(0, start)}${meant}${text.slice(end)}`),
    rule,
  );
}

const PROPERTY_EQUALS: Form = { name: "propertyEquals", fields: ["name", "value"], nullable: ["value"] };

/** Reads `{name, value}`. */
export function readPropertyEquals(
  value: Json,
  at: Path,
  around: Around,
  { complain }: LeafReading,
): PropertyEqualsConstraint | undefined {
  const fields = readFields(value, at, PROPERTY_EQUALS, complain);
  if (fields === undefined) return undefined;
  const name = textOf(fields, "name", at, PROPERTY_EQUALS, complain);
  const wanted = fields.get("value");
  if (wanted === undefined)
    complain({ message: "propertyEquals has no value", hint: "add the value that the property must have", path: at });
  return name === undefined || wanted === undefined
    ? undefined
    : { kind: "propertyEquals", name, value: wanted.value, ...around };
}

/** The author's message, under either of its names. */
export function readMessage(fields: Fields, complain: Complain): string | undefined {
  const message = optionalTextOf(fields, "message", complain);
  const failureMessage = optionalTextOf(fields, "failureMessage", complain);
  const second = fields.get("failureMessage");
  if (message !== undefined && failureMessage !== undefined && second !== undefined && message !== failureMessage)
    complain({ message: "message and failureMessage differ, but mean the same", hint: "keep one", path: second.path });
  return message || failureMessage || undefined;
}
