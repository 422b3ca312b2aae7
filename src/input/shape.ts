// Does a value have the form of its kind? A shape is a table of fields; checking a value against it reports every
// field of the wrong type, every missing one, and every unknown one that looks like a misspelling.

import { type FindingDetail, finding, type Report } from "../model/finding.ts";
import { sameItems } from "../model/grouped.ts";
import { isList, isObject, type Json, type JsonObject, typeName } from "../model/json.ts";
import { inside, type Path, type Place, printPath } from "../model/place.ts";
import type { UnknownField } from "../model/placement.ts";
import { didYouMean } from "../text/did-you-mean.ts";

/** The required form of a value. */
export type Shape =
  | { readonly is: "text" | "integer" | "boolean" | "anything"; readonly oneOf?: readonly string[] }
  | { readonly is: "int32" | "count" | "integer-or-text" | "quantity" }
  | { readonly is: "list"; readonly of: Shape }
  | { readonly is: "map"; readonly of: Shape }
  | { readonly is: "object"; readonly fields: Fields; readonly required: readonly string[]; readonly hints?: Hints };

type Fields = Readonly<Record<string, Shape>>;
type Hints = Readonly<Record<string, string>>;

export const text: Shape = { is: "text" };
export const integer: Shape = { is: "integer" };
/** A 32-bit integer, as most numbers in Kubernetes are. */
export const int32: Shape = { is: "int32" };
/** A number of things. */
export const count: Shape = { is: "count" };
export const boolean: Shape = { is: "boolean" };
export const anything: Shape = { is: "anything" };
/** A string or number: Kubernetes reads `cpu: 2` and `cpu: "2"` alike. */
export const quantity: Shape = { is: "quantity" };
/** A number, or a string such as a percentage: `3` or `25%`. */
export const integerOrText: Shape = { is: "integer-or-text" };

export function oneOf(...words: readonly string[]): Shape {
  return { is: "text", oneOf: words };
}

export function list(of: Shape): Shape {
  return { is: "list", of };
}

/** An object whose keys are data, such as labels. */
export function map(of: Shape): Shape {
  return { is: "map", of };
}

/** An object with known fields; further ones are allowed. */
export function object(fields: Fields): Shape {
  return objectWith([], fields);
}

/** An object with known fields; the required ones must be present and not null. */
export function objectWith(required: readonly string[], fields: Fields): Shape {
  return { is: "object", fields, required };
}

/** An object that must have all of these fields. */
export function complete(fields: Fields): Shape {
  return objectWith(Object.keys(fields), fields);
}

/** Fields that have the same shape. */
export function each(shape: Shape, ...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, shape]));
}

/** The same object; for unknown fields that are often written there, `hints` states what to write instead. */
export function hinting(shape: Shape, hints: Hints): Shape {
  return shape.is === "object" ? { ...shape, hints } : shape;
}

/**
 * Checks a value, reports what does not fit, and returns whether all of it fits (misspelt fields are only a warning).
 */
export function fits(value: Json | undefined, shape: Shape, place: Place, report: Report): boolean {
  const check = new Check(place, report);
  check.value(value, shape);
  return check.fits;
}

/** Number of wrong fields reported per value; a value with more of them is wrong as a whole. */
const MAX_REPORTED = 100;
/** An object with more unknown fields than this is something else, and is not searched for misspellings. */
const MAX_MISSPELT = 100;
const INT32_MAX = 2 ** 31 - 1;

/**
 * One walk over a value; records whether everything fits. This is a hot path (every field of every cluster of a
 * fleet): `for…in` is the fastest loop, and sees own keys only, because objects of documents inherit nothing.
 */
class Check {
  fits = true;
  readonly #place: Place;
  readonly #report: Report;
  /** The path of the current value; one array for the whole walk, copied only for findings. */
  readonly #path: (string | number)[];
  #count = 0;
  #warned = 0;

  constructor(place: Place, report: Report) {
    this.#place = place;
    this.#report = report;
    this.#path = place.path === undefined ? [] : [...place.path];
  }

  value(value: Json | undefined, shape: Shape): void {
    switch (shape.is) {
      case "anything":
        return;
      case "text":
        if (typeof value !== "string") this.#wrong(value, "text");
        else if (shape.oneOf && !shape.oneOf.includes(value)) this.#notOneOf(value, shape.oneOf);
        return;
      case "integer":
        if (typeof value !== "bigint" && !Number.isInteger(value)) this.#wrong(value, "a whole number");
        return;
      case "int32":
        if (!Number.isInteger(value)) this.#wrong(value, "a whole number");
        else if ((value as number) > INT32_MAX || (value as number) < -INT32_MAX - 1)
          this.#wrong(value, "a whole number of 32 bits");
        return;
      case "count":
        if (!Number.isInteger(value)) this.#wrong(value, "a whole number");
        else if ((value as number) > INT32_MAX || (value as number) < 0)
          this.#wrong(value, `a whole number from 0 to ${INT32_MAX}`);
        return;
      case "boolean":
        if (typeof value !== "boolean") this.#wrong(value, "true or false");
        return;
      case "quantity":
        if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint")
          this.#wrong(value, "a quantity such as 500m or 2Gi");
        return;
      case "integer-or-text":
        if (typeof value !== "string" && !Number.isInteger(value)) this.#wrong(value, "a whole number or text");
        return;
      case "list":
        if (!isList(value)) this.#wrong(value, "a list");
        else for (let index = 0; index < value.length; index++) this.#below(index, value[index], shape.of);
        return;
      case "map":
        if (!isObject(value)) this.#wrong(value, "an object");
        else for (const key in value) this.#below(key, value[key], shape.of);
        return;
      case "object":
        if (!isObject(value)) this.#wrong(value, "an object");
        else this.#fields(value, shape.fields, shape.required, shape.hints);
    }
  }

  #below(step: string | number, value: Json | undefined, shape: Shape): void {
    // Most values of a document are strings without restrictions.
    if (typeof value === "string" && (shape.is === "text" ? !shape.oneOf : shape.is === "quantity")) return;
    this.#path.push(step);
    this.value(value, shape);
    this.#path.pop();
  }

  #fields(value: JsonObject, fields: Fields, required: readonly string[], hints: Hints | undefined): void {
    let unknown: string[] | undefined;
    for (const key in value) {
      if (Object.hasOwn(fields, key)) {
        const item = value[key];
        // Kubernetes reads an explicit null as "not given".
        if (item !== null) this.#below(key, item, fields[key] as Shape);
      } else if (unknown === undefined) unknown = [key];
      else if (unknown.length <= MAX_MISSPELT) unknown.push(key);
    }
    for (const key of required) {
      const item = Object.hasOwn(value, key) ? value[key] : undefined;
      if (item === undefined || item === null || item === "") this.#missing(key);
    }
    if (unknown !== undefined && unknown.length <= MAX_MISSPELT) this.#unknown(value, unknown, fields, hints);
  }

  #wrong(value: Json | undefined, expected: string): void {
    const name = this.#path.length === 0 ? "the document" : printPath(this.#path);
    const isNumber = typeof value === "number" || typeof value === "bigint";
    const actual = isNumber && expected.startsWith("a whole number") ? String(value) : typeName(value);
    const unquoted = expected === "text" && (isNumber || typeof value === "boolean");
    this.#mistake({
      message: `${name} must be ${expected}, but is ${actual}`,
      ...(unquoted && { help: "put it in quotes" }),
    });
  }

  #notOneOf(value: string, words: readonly string[]): void {
    const meant = didYouMean(value, words);
    this.#mistake({
      message: `${printPath(this.#path)} is ${JSON.stringify(value)}, which is not one of ${words.filter((word) => word !== "").join(", ")}`,
      ...(meant && { help: `did you mean ${JSON.stringify(meant)}?` }),
    });
  }

  #missing(key: string): void {
    this.#mistake({ message: `${printPath([...this.#path, key])} is missing` });
  }

  #mistake(detail: FindingDetail): void {
    this.fits = false;
    this.#count++;
    if (this.#count < MAX_REPORTED) this.#report(finding("PL009", this.#at(this.#path), detail));
    else if (this.#count === MAX_REPORTED)
      this.#report(finding("PL009", this.#place, { message: `more than ${MAX_REPORTED - 1} fields are wrong` }));
  }

  #unknown(value: JsonObject, unknown: readonly string[], fields: Fields, hints: Hints = {}): void {
    const free = Object.keys(fields).filter((field) => !Object.hasOwn(value, field));
    for (const key of unknown) {
      if (this.#warned >= MAX_REPORTED) return;
      const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
      const meant = hint === undefined ? didYouMean(key, free) : undefined;
      if (hint === undefined && meant === undefined) continue;
      this.#warned++;
      const path = [...this.#path, key];
      this.#report(
        finding(
          "PL010",
          { ...this.#at(path), ofKey: true },
          {
            message: `unknown field ${printPath(path)}`,
            help: `${hint === undefined ? `did you mean ${JSON.stringify(meant)}?` : `${hint}.`} As it is, the field is ignored`,
          },
        ),
      );
    }
  }

  #at(path: Path): Place {
    return inside({ ...this.#place, path: [] }, ...path);
  }
}

/**
 * The part of a value that has the form of a shape: without fields and items that do not fit, unknown fields and nulls. Undefined if
 * nothing is left, also of an object without a field that is required.
 */
export function fittingPart(value: Json | undefined, shape: Shape): Json | undefined {
  switch (shape.is) {
    case "list":
      return isList(value) ? value.flatMap((item) => fittingPart(item, shape.of) ?? []) : undefined;
    case "map":
      return isObject(value) ? fittingFields(value, Object.keys(value), () => shape.of) : undefined;
    case "object": {
      if (!isObject(value)) return undefined;
      const { fields, required } = shape;
      const part = fittingFields(value, Object.keys(fields), (key) => fields[key] as Shape);
      return required.every((key) => Object.hasOwn(part, key) && part[key] !== "") ? part : undefined;
    }
    default:
      return value !== null && fits(value, shape, NOWHERE, () => {}) ? value : undefined;
  }
}

const NOWHERE: Place = { source: "", line: 0, column: 0 };

function fittingFields(value: JsonObject, keys: readonly string[], shapeOf: (key: string) => Shape): JsonObject {
  const parts = keys.flatMap((key) => {
    const part = Object.hasOwn(value, key) ? fittingPart(value[key], shapeOf(key)) : undefined;
    return part === undefined ? [] : [[key, part] as const];
  });
  return Object.fromEntries(parts);
}

/** Maximum number of names. */
const MAX_STRANGE = 100;

/** The keys that a strict reader would reject, in the order of the value. */
export function strangeKeys(value: Json, shape: Shape, path: Path): readonly UnknownField[] {
  const found: UnknownField[] = [];
  const walk = (one: Json, form: Shape, at: Path): void => {
    if (found.length >= MAX_STRANGE) return;
    if (form.is === "list" && isList(one))
      for (const [index, item] of one.entries()) walk(item, form.of, [...at, index]);
    if (form.is !== "object" || !isObject(one)) return;
    const free = Object.keys(form.fields).filter((field) => !Object.hasOwn(one, field));
    for (const [key, item] of Object.entries(one)) {
      if (Object.hasOwn(form.fields, key)) walk(item, form.fields[key] as Shape, [...at, key]);
      else {
        const meant = didYouMean(key, free);
        const hint = form.hints !== undefined && Object.hasOwn(form.hints, key) ? form.hints[key] : undefined;
        found.push({ path: [...at, key], hint: hint ?? (meant === undefined ? undefined : `did you mean ${meant}?`) });
      }
    }
  };
  walk(value, shape, path);
  return found.slice(0, MAX_STRANGE);
}

/**
 * The value with its keys in the case of the shape: Go, and so `opm`, reads keys case-insensitively. A key in
 * canonical case is kept.
 */
export function foldedKeys(value: Json, shape: Shape): Json {
  if (shape.is === "list" && isList(value)) {
    const items = value.map((item) => foldedKeys(item, shape.of));
    return sameItems(items, value) ? value : items;
  }
  if (shape.is !== "object" || !isObject(value)) return value;
  let folded: Record<string, Json> | undefined;
  for (const key in value) {
    const item = value[key] as Json;
    const proper = Object.hasOwn(shape.fields, key) ? key : properKey(key, shape.fields);
    const inner = proper === undefined ? item : foldedKeys(item, shape.fields[proper] as Shape);
    if (inner === item && (proper === undefined || proper === key)) continue;
    folded ??= { ...value };
    if (proper !== undefined && proper !== key && !Object.hasOwn(folded, proper)) {
      delete folded[key];
      folded[proper] = inner;
    } else folded[key] = inner;
  }
  return folded ?? value;
}

function properKey(key: string, fields: Fields): string | undefined {
  const lower = key.toLowerCase();
  return Object.keys(fields).find((field) => field.toLowerCase() === lower);
}
