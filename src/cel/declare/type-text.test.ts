// Are types and signatures read, and mistakes in them shown where they are?
import { describe, expect, test } from "vitest";
import { opaque, parameter, printType, STRING } from "../type.ts";
import { parseType, readSignature } from "./type-text.ts";

/** The message of the exception. */
function mistake(read: () => unknown): string {
  try {
    return `read: ${JSON.stringify(read())}`;
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(TypeError);
    return (thrown as TypeError).message;
  }
}

describe("types", () => {
  test.for([
    "dyn",
    "null",
    "bool",
    "int",
    "uint",
    "double",
    "string",
    "bytes",
    "timestamp",
    "duration",
    "type",
    "type(int)",
    "list(int)",
    "map(string, list(dyn))",
    "optional_type(T)",
    "wrapper(int)",
    "net.IP",
    "Box(int, T)",
  ])("%s is read as it is printed", (text) => {
    expect(printType(parseType(text))).toBe(text);
  });

  test("names of the language definition and blanks are understood", () => {
    expect(printType(parseType(" map( null_type ,google.protobuf.Timestamp ) "))).toBe("map(null, timestamp)");
    expect(parseType("T")).toEqual(parameter("T"));
    expect(parseType("Version")).toEqual(opaque("Version"));
  });

  test.for([
    ["strng", "there is no type strng; did you mean string?", 0],
    ["list(number)", "there is no type number; did you mean double?", 5],
    ["list", "list needs the type of what is in it, such as list(dyn)", 4],
    ["list(int, int)", "list has 1 type in it", 0],
    ["map(string)", "map has 2 types in it", 0],
    ["map(string, int", "expected , or ) and found the end", 15],
    ["int)", 'expected the end and found ")"', 3],
    ["list[int]", "list needs the type of what is in it, such as list(dyn)", 4],
    ["", "expected a type and found the end", 0],
    ["1", 'expected a type and found "1"', 0],
    ["version", "there is no type version", 0],
  ] as [string, string, number][])("%s is malformed", ([text, why, at]) => {
    expect(mistake(() => parseType(text))).toBe(
      `the type ${JSON.stringify(text)} is malformed: ${why}\n  ${text}\n  ${" ".repeat(at)}^`,
    );
  });

  test("hostile texts are refused", () => {
    expect(mistake(() => parseType("list(".repeat(10_001)))).toContain("is longer than 10000 characters");
    expect(mistake(() => parseType("list(".repeat(100)))).toContain("it is nested more than 50 levels deep");
    expect(mistake(() => parseType(5 as never))).toBe("the type 5 must be a text, not number");
    expect(mistake(() => parseType("constructor"))).toContain("there is no type constructor");
    expect(mistake(() => parseType("__proto__"))).toContain("there is no type __proto__");
  });
});

describe("signatures", () => {
  test.for([
    ["shout(string, int): string", "shout", false, ["string", "int"], "string"],
    ["string.shout(int): string", "shout", true, ["string", "int"], "string"],
    ["net.host(string): string", "net.host", false, ["string"], "string"],
    ["a.b.c(): int", "a.b.c", false, [], "int"],
    ["list(T).first(): optional_type(T)", "first", true, ["list(T)"], "optional_type(T)"],
    ["T.same(): T", "same", true, ["T"], "T"],
    ["Version.bump(): Version", "bump", true, ["Version"], "Version"],
    ["acme.Version.bump(): int", "bump", true, ["acme.Version"], "int"],
    ["Box(T).open(): T", "open", true, ["Box(T)"], "T"],
    ["Version(string): Version", "Version", false, ["string"], "Version"],
    ["string(Version): string", "string", false, ["Version"], "string"],
    ["timestamp.next(): timestamp", "next", true, ["timestamp"], "timestamp"],
    ["google.protobuf.Timestamp.next(): int", "next", true, ["timestamp"], "int"],
    [" f ( ) : int ", "f", false, [], "int"],
  ] as [string, string, boolean, string[], string][])("%s", ([text, name, member, parameters, result]) => {
    const read = readSignature(text);
    expect(read).toMatchObject({ name, member });
    expect(read.parameters.map(printType)).toEqual(parameters);
    expect(printType(read.result)).toBe(result);
  });

  test.for([
    ["shout(string int): string", 'expected , or ) and found "i"', 13],
    ["shout(string)", "expected : and the type of the result, and found the end", 13],
    ["shout: string", 'expected ( and found ":"', 5],
    ["(int): int", 'expected the name of a function and found "("', 0],
    ["f(strng): int", "there is no type strng; did you mean string?", 2],
    ["f(int,): int", 'expected a type and found ")"', 6],
    ["list(int)first(): int", 'expected . and found "f"', 9],
    ["list(int).a.b(): int", "a function that is called on a value has no namespace", 10],
    ["f(): T", "no parameter has the type T, so that the type of the result is never known", 5],
    ["f(): int; g(): int", 'expected the end and found ";"', 8],
  ] as [string, string, number][])("%s is malformed", ([text, why, at]) => {
    expect(mistake(() => readSignature(text))).toBe(
      `the signature is malformed: ${why}\n  ${text}\n  ${" ".repeat(at)}^`,
    );
  });

  test("the receiver of a type that is not CEL's own is a name to be resolved", () => {
    expect(readSignature("Version.of(string, list(Other)): int").names.map(({ name }) => name)).toEqual([
      "Version",
      "Other",
    ]);
    expect(readSignature("Box(Other)(int): int".replace("(Other)", "")).names).toEqual([]);
    expect(readSignature("f(string): int").parameters).toEqual([STRING]);
  });
});
