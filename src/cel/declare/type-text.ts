// Which type, or which signature of a function, does a text say?
import { didYouMean } from "../../text/did-you-mean.ts";
import { shortened } from "../../text/words.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  parameter,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOf,
  UINT,
} from "../type.ts";

/** A type as it was written, with the names in it that only an environment can know. */
export interface WrittenType {
  readonly text: string;
  readonly type: Type;
  /** The names of types that are not CEL's own: `Version` in `list(Version)`. */
  readonly names: readonly WrittenName[];
}

/** A name of a type in a text. */
export interface WrittenName {
  readonly name: string;
  readonly at: number;
}

/** A signature as it was written: `string.shout(int): string`. */
export interface WrittenSignature {
  readonly text: string;
  /** With its namespace: `net.host`. */
  readonly name: string;
  /** Is it called on its first parameter? */
  readonly member: boolean;
  /** The receiver first. */
  readonly parameters: readonly Type[];
  readonly result: Type;
  readonly names: readonly WrittenName[];
}

/** Types without parameters, by all names that are understood. */
const SIMPLE: ReadonlyMap<string, Type> = new Map([
  ["dyn", DYN],
  ["null", NULL],
  ["null_type", NULL],
  ["bool", BOOL],
  ["int", INT],
  ["uint", UINT],
  ["double", DOUBLE],
  ["string", STRING],
  ["bytes", BYTES],
  ["timestamp", TIMESTAMP],
  ["google.protobuf.Timestamp", TIMESTAMP],
  ["duration", DURATION],
  ["google.protobuf.Duration", DURATION],
  ["type", TYPE],
]);

/** Types with parameters: how many, and what they make. */
const GENERIC: ReadonlyMap<string, readonly [count: number, make: (...of: Type[]) => Type, example: string]> = new Map([
  ["list", [1, listOf, "list(dyn)"]],
  ["map", [2, mapOf, "map(string, dyn)"]],
  ["optional_type", [1, optionalOf, "optional_type(dyn)"]],
  ["wrapper", [1, (of: Type): Type => ({ kind: "wrapper", of }), "wrapper(int)"]],
]);

/** What people write for a type of CEL. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["boolean", "bool"],
  ["number", "double"],
  ["float", "double"],
  ["integer", "int"],
  ["bigint", "int"],
  ["str", "string"],
  ["text", "string"],
  ["any", "dyn"],
  ["unknown", "dyn"],
  ["object", "map(string, dyn)"],
  ["array", "list(dyn)"],
  ["date", "timestamp"],
  ["optional", "optional_type"],
]);

const KNOWN: readonly string[] = [...SIMPLE.keys(), ...GENERIC.keys()];

const MAX_LENGTH = 10_000;
const MAX_DEPTH = 50;
const BLANK = /\s*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/y;

/** Is it the name of a type parameter? Single capital letters are. */
export function isParameterName(name: string): boolean {
  return /^[A-Z]$/.test(name);
}

/** Can it be the name of a type that is not CEL's own? Its last part begins with a capital letter: `net.IP`. */
export function isTypeName(name: string): boolean {
  return /^(?:[A-Za-z_]\w*\.)*[A-Z]\w*$/.test(name) && !isParameterName(name) && !SIMPLE.has(name);
}

/** A TypeError that shows where in the text it went wrong. */
export function mistakeAt(what: string, text: string, at: number): TypeError {
  const from = Math.max(0, at - 60);
  const line = shortened(text.slice(from), 120).replace(/\s/g, " ");
  return new TypeError(`${what}\n  ${line}\n  ${" ".repeat(at - from)}^`);
}

class Reader {
  readonly #text: string;
  readonly #what: string;
  readonly names: WrittenName[] = [];
  at = 0;

  constructor(text: string, what: string) {
    if (typeof text !== "string") throw new TypeError(`${what} must be a text, not ${typeof text}`);
    if (text.length > MAX_LENGTH) throw new TypeError(`${what} is longer than ${MAX_LENGTH} characters`);
    this.#text = text;
    this.#what = what;
  }

  fail(message: string, at: number = this.at): never {
    throw mistakeAt(`${this.#what} is malformed: ${message}`, this.#text, at);
  }

  blanks(): void {
    BLANK.lastIndex = this.at;
    this.at += BLANK.exec(this.#text)?.[0].length ?? 0;
  }

  is(character: string): boolean {
    this.blanks();
    return this.#text[this.at] === character;
  }

  take(character: string): boolean {
    if (!this.is(character)) return false;
    this.at++;
    return true;
  }

  expect(character: string): void {
    if (!this.take(character)) this.fail(`expected ${character} and found ${this.found()}`);
  }

  found(): string {
    this.blanks();
    return this.at < this.#text.length ? JSON.stringify(this.#text[this.at]) : "the end";
  }

  end(): void {
    this.blanks();
    if (this.at < this.#text.length) this.fail(`expected the end and found ${this.found()}`);
  }

  name(what: string): WrittenName {
    this.blanks();
    NAME.lastIndex = this.at;
    const name = NAME.exec(this.#text)?.[0];
    if (name === undefined) this.fail(`expected ${what} and found ${this.found()}`);
    const at = this.at;
    this.at += name.length;
    return { name, at };
  }

  type(depth = 0): Type {
    if (depth > MAX_DEPTH) this.fail(`it is nested more than ${MAX_DEPTH} levels deep`);
    return this.typeOf(this.name("a type"), depth);
  }

  /** The type of this name, with the parameters that follow. */
  typeOf(written: WrittenName, depth = 0): Type {
    const { name, at } = written;
    const generic = GENERIC.get(name);
    if (generic !== undefined) {
      const [count, make, example] = generic;
      if (!this.is("(")) this.fail(`${name} needs the type of what is in it, such as ${example}`, this.at);
      const of = this.types(depth);
      if (of.length !== count) this.fail(`${name} has ${count} ${count === 1 ? "type" : "types"} in it`, at);
      return make(...of);
    }
    const simple = SIMPLE.get(name);
    if (name === "type" && this.is("(")) {
      const [of, ...more] = this.types(depth);
      if (of === undefined || more.length > 0) this.fail("type has 1 type in it", at);
      return typeOf(of);
    }
    if (simple !== undefined) return simple;
    if (isParameterName(name)) return parameter(name);
    if (!isTypeName(name)) {
      const meant = SYNONYMS.get(name.toLowerCase()) ?? didYouMean(name, KNOWN);
      this.fail(`there is no type ${name}${meant === undefined ? "" : `; did you mean ${meant}?`}`, at);
    }
    this.names.push(written);
    return this.is("(") ? opaque(name, ...this.types(depth)) : opaque(name);
  }

  /** Types in parentheses. */
  types(depth: number): readonly Type[] {
    this.expect("(");
    const types: Type[] = [];
    if (this.take(")")) return types;
    do types.push(this.type(depth + 1));
    while (this.take(","));
    if (!this.take(")")) this.fail(`expected , or ) and found ${this.found()}`);
    return types;
  }
}

/** Reads the type of something that exists, so that it has no type parameters. Throws a TypeError about `what`. */
export function readType(text: string, what: string): WrittenType {
  const reader = new Reader(text, what);
  const type = reader.type();
  reader.end();
  const [parameter] = parametersIn(type);
  if (parameter !== undefined) reader.fail(`only functions have type parameters, such as ${parameter}`, 0);
  return { text, type, names: reader.names };
}

/**
 * The type that a text says: `int`, `list(string)`, `map(string, dyn)`, `optional_type(int)`. A name that begins with a
 * capital letter is a type that an environment declares; a single capital letter is a type parameter. Throws a TypeError
 * that shows where the mistake is.
 */
export function parseType(text: string): Type {
  const reader = new Reader(text, `the type ${JSON.stringify(text)}`);
  const type = reader.type();
  reader.end();
  return type;
}

/** Reads a signature. Throws a TypeError that shows where the mistake is. */
export function readSignature(written: string): WrittenSignature {
  const text = typeof written === "string" ? written.trim() : written;
  const reader = new Reader(text, "the signature");
  const first = reader.name("the name of a function");
  let receiver: Type | undefined;
  let name = first.name;
  if (GENERIC.has(name)) {
    // `list(T).first(): …`, as opposed to a function that is called like a type.
    receiver = reader.typeOf(first);
    reader.expect(".");
    name = memberName(reader);
  } else {
    const dot = name.lastIndexOf(".");
    const before = name.slice(0, Math.max(0, dot));
    const last = before.slice(before.lastIndexOf(".") + 1);
    if (SIMPLE.has(before) || isParameterName(before) || /^[A-Z]/.test(last)) {
      receiver = SIMPLE.get(before) ?? (isParameterName(before) ? parameter(before) : opaque(before));
      if (isTypeName(before)) reader.names.push({ name: before, at: first.at });
      name = name.slice(dot + 1);
    } else if (isTypeName(name) && reader.is("(")) {
      // `Box(T).open(): T`: a type with parameters, if a dot follows them.
      const start = reader.at;
      const known = reader.names.length;
      const type = reader.typeOf(first);
      if (reader.take(".")) {
        receiver = type;
        name = memberName(reader);
      } else {
        reader.at = start;
        reader.names.length = known;
      }
    }
  }
  const parameters = reader.types(0);
  if (!reader.take(":")) reader.fail(`expected : and the type of the result, and found ${reader.found()}`);
  const result = reader.type();
  reader.end();
  const unbound = parametersIn(result).find(
    (used) => ![...(receiver === undefined ? [] : [receiver]), ...parameters].flatMap(parametersIn).includes(used),
  );
  if (unbound !== undefined)
    reader.fail(`no parameter has the type ${unbound}, so that the type of the result is never known`, text.length - 1);
  return {
    text,
    name,
    member: receiver !== undefined,
    parameters: receiver === undefined ? parameters : [receiver, ...parameters],
    result,
    names: reader.names,
  };
}

function memberName(reader: Reader): string {
  const { name, at } = reader.name("the name of a function");
  if (name.includes(".")) reader.fail("a function that is called on a value has no namespace", at);
  return name;
}

/** The names of the type parameters in a type. */
function parametersIn(type: Type): readonly string[] {
  switch (type.kind) {
    case "parameter":
      return [type.name];
    case "list":
      return parametersIn(type.element);
    case "map":
      return [...parametersIn(type.key), ...parametersIn(type.value)];
    case "wrapper":
      return parametersIn(type.of);
    case "type":
      return type.of === undefined ? [] : parametersIn(type.of);
    case "opaque":
      return type.of.flatMap(parametersIn);
    default:
      return [];
  }
}
