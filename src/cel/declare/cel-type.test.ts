// Are objects of declared classes values of their type, with nothing reachable but declared fields?
import { describe, expect, test } from "vitest";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import { CelError, DataError } from "../value/value.ts";
import { celFunction } from "./cel-function.ts";
import { celType } from "./cel-type.ts";

class Version {
  readonly major: number;
  readonly minor: number;
  readonly secret = "hidden";
  constructor(major: number, minor: number) {
    this.major = major;
    this.minor = minor;
  }
  get text(): string {
    return `${this.major}.${this.minor}`;
  }
  get next(): Version {
    return new Version(this.major + 1, 0);
  }
  get broken(): never {
    throw new Error("boom");
  }
}

class Preview extends Version {}

const version = celType({
  name: "Version",
  class: Version,
  fields: {
    major: "int",
    minor: "double",
    text: "string",
    next: "Version",
    history: "list(Version)",
    broken: "int",
    secret: "int",
  },
  equals: (a, b) => a.major === b.major && a.minor === b.minor,
  toString: (value) => `v${value.text}`,
});

const functions = [
  celFunction("version(int, int): Version", (major, minor) => new Version(major, minor)),
  celFunction("Version.bump(): Version", (value: Version) => value.next),
  celFunction("Version.isInstance(): bool", (value: unknown) => value instanceof Version),
  celFunction("wrong(): Version", () => ({ major: 1 })),
  celFunction("Version.raw(): dyn", (value: Version) => value),
];

const env = environment({ types: [version], functions, variables: { v: "Version", x: "dyn", l: "list(Version)" } });

function answer(text: string, data: Readonly<Record<string, unknown>> = {}): unknown {
  const { program, errors } = compile(text, env);
  if (program === undefined) return `refused: ${errors.map(({ message }) => message).join("; ")}`;
  const result = program.evaluate({ v: new Version(1, 2), x: new Version(1, 2), l: [new Version(3, 4)], ...data });
  return result instanceof CelError
    ? `error: ${result.message}`
    : program.run({ v: new Version(1, 2), x: new Version(1, 2), l: [new Version(3, 4)], ...data });
}

describe("an object of a declared class", () => {
  test.for([
    ["v.major", 1],
    ["v.minor / 4.0", 0.5],
    ["v.text", "1.2"],
    ["v.next.major", 2],
    ["v.next.next.text", "3.0"],
    ["x.text", "1.2"],
    ["l[0].major + l.map(y, y.major)[0]", 6],
    ["v.bump().major", 2],
    ["x.bump().major", 2],
    ["version(5, 6).text", "5.6"],
    ["v.isInstance()", true],
    ["type(v) == Version && type(x) == Version && type(v) != map", true],
    ["v == version(1, 2)", true],
    ["x == v && v in [x]", true],
    ["v == version(1, 3)", false],
    ["x == 1", false],
    ["string(v)", "v1.2"],
    ["has(v.history)", false],
    ["v.?history.hasValue()", false],
    ["v.?major.orValue(0)", 1],
    ["v.raw().major", 1],
    ["v", new Version(1, 2)],
    ["[v]", [new Version(1, 2)]],
    ["{'a': x}", { a: new Version(1, 2) }],
  ] as [string, unknown][])("%s", ([text, expected]) => {
    expect(answer(text)).toEqual(expected);
  });

  test.for([
    ["v.constructor", "refused: Version has no field `constructor`"],
    ["v.__proto__", "refused: Version has no field `__proto__`"],
    ["v.toString", "refused: Version has no field `toString`"],
    ["x.constructor", "error: no such key: constructor"],
    ["x.__proto__", "error: no such key: __proto__"],
    ["x['major']", 'error: no such key: major (the value is version("v1.2"))'],
    ["x.size()", "error: no such overload: size(Version)"],
    ["x.all(k, true)", 'error: cannot go through version("v1.2"): it is no list and no map'],
    ["v.major == '1'", "refused: `==` does not work on int and string"],
    ["v.secret", 'error: the field secret of Version is "hidden", not int'],
    ["v.broken", "error: the field broken of Version cannot be read: boom"],
    ["v.broken == 1 || true", true],
    ["v < v", "refused: `<` does not work on Version and Version"],
    ["wrong()", "error: wrong() returned an object, not Version; its signature is wrong(): Version"],
    ["v.mayor", "refused: Version has no field `mayor`"],
  ] as [string, unknown][])("%s is no way into it", ([text, expected]) => {
    expect(answer(text)).toEqual(expected);
  });

  test("a subclass is a value of the nearest declared type", () => {
    expect(answer("type(v) == Version && v.major == 7", { v: new Preview(7, 0) })).toBe(true);
    const preview = celType({ name: "Preview", class: Preview, fields: { minor: "int" } });
    const both = compile("[type(x) == Preview, type(y) == Version, x.minor == 1]", {
      types: [version, preview],
      variables: { x: "dyn", y: "dyn" },
    });
    expect(both.program?.run({ x: new Preview(1, 1), y: new Version(1, 1) })).toEqual([true, true, true]);
  });

  test("other objects are maps of their own properties, as ever", () => {
    expect(
      answer("x.a", {
        x: new (class {
          a = 1;
        })(),
      }),
    ).toBe(1);
  });

  test("without equals, only the same object is equal", () => {
    const thing = celType({ name: "Thing", class: Version });
    const { program } = compile("x == y", { types: [thing], variables: { x: "Thing", y: "Thing" } });
    const x = new Version(1, 2);
    expect(program?.run({ x, y: x })).toBe(true);
    expect(program?.run({ x, y: new Version(1, 2) })).toBe(false);
  });

  test("an equals that fails ends the evaluation", () => {
    for (const [equals, message] of [
      [
        () => {
          throw new Error("boom");
        },
        "equals of Thing failed: boom",
      ],
      [() => 1 as never, "equals of Thing returned no boolean"],
    ] as const) {
      const thing = celType({ name: "Thing", class: Version, equals });
      const { program } = compile("x == y || true", { types: [thing], variables: { x: "Thing", y: "Thing" } });
      const result = program?.evaluate({ x: new Version(1, 2), y: new Version(1, 2) });
      expect(result).toBeInstanceOf(DataError);
      expect(result).toMatchObject({ message });
    }
  });
});

describe("declarations of types", () => {
  test.for([
    [
      { name: "version", class: Version },
      /the type "version": the last part of a type's name begins with a capital letter/,
    ],
    [{ name: "V", class: Version }, /the type "V": the last part/],
    [{ name: "a b", class: Version }, /the type "a b": the last part/],
    [{ name: "Version", class: {} }, /the type "Version": class must be a class/],
    [{ name: "Version", class: () => 1 }, /the type "Version": class must be a class/],
    [{ name: "Version", class: Object }, /the type "Version": class must be a class of its own, not Object/],
    [{ name: "Version", class: Version, equals: 1 }, /the type "Version": equals must be a function/],
    [{ name: "Version", class: Version, toString: 1 }, /the type "Version": toString must be a function/],
    [
      { name: "Version", class: Version, fields: { a: "strng" } },
      /the type of the field a of Version is malformed: there is no type strng/,
    ],
  ] as [never, RegExp][])("%j is refused", ([options, message]) => {
    expect(() => celType(options)).toThrow(message);
  });

  test("names and classes are unique, and known", () => {
    const other = celType({ name: "Other", class: Version });
    expect(() => environment({ types: [version, version] })).toThrow("there are two types with the name Version");
    expect(() => environment({ types: [version, other] })).toThrow("the types Version and Other have the same class");
    expect(() => environment({ types: [{} as never] })).toThrow("types[0] was not made by celType()");
    expect(() => environment({ types: [version], variables: { v: "list(Vershion)" } })).toThrow(
      "the type of the variable v: there is no type Vershion here; did you mean Version?\n  list(Vershion)\n       ^",
    );
    expect(() => environment({ variables: { v: "strng" } })).toThrow(
      "the type of the variable v is malformed: there is no type strng; did you mean string?\n  strng\n  ^",
    );
    expect(() => environment({ variables: { v: "list(T)" } })).toThrow(
      "the type of the variable v is malformed: only functions have type parameters, such as T\n  list(T)\n  ^",
    );
    expect(() => environment({ variables: { v: 5 as never } })).toThrow(
      "the type of the variable v must be a text, not number",
    );
    expect(() => environment({ variable: {} } as never)).toThrow(
      "there is no option variable; did you mean variables?",
    );
  });
});

test("a field of an optional type is empty where the property is undefined", () => {
  class Box {
    readonly size: number | undefined;
    constructor(size?: number) {
      this.size = size;
    }
  }
  const types = [celType({ name: "Box", class: Box, fields: { size: "optional_type(int)" } })];
  const { program } = compile("b.size.orValue(7)", { types, variables: { b: "Box" } });
  expect(program?.run({ b: new Box(5) })).toBe(5);
  expect(program?.run({ b: new Box() })).toBe(7);
});

test("a rejected promise of equals or toString does not end the process", async () => {
  const rejected: unknown[] = [];
  const note = (reason: unknown): number => rejected.push(reason);
  process.on("unhandledRejection", note);
  class Box {}
  const late = (): never => Promise.reject(new Error("late")) as never;
  const types = [celType({ name: "Box", class: Box, equals: late, toString: late })];
  const { program } = compile("a == b || a.c", { types, variables: { a: "dyn", b: "dyn" } });
  expect(program?.evaluate({ a: new Box(), b: new Box() })).toMatchObject({
    message: "equals of Box returned no boolean",
  });
  expect(compile("a.c + 1", { types, variables: { a: "dyn" } }).program?.evaluate({ a: new Box() })).toMatchObject({
    message: expect.stringContaining("no such key: c"),
  });
  expect(compile("a + 1", { types, variables: { a: "dyn" } }).program?.evaluate({ a: [new Box()] })).toMatchObject({
    message: expect.any(String),
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("unhandledRejection", note);
  expect(rejected).toEqual([]);
});
