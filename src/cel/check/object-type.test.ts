// What does the checker know of objects whose fields have types?
import { expect, test } from "vitest";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import { optionalsLibrary } from "../library/extension/optionals.ts";
import { stringsLibrary } from "../library/extension/strings.ts";
import { standardLibrary } from "../library/standard/standard.ts";
import { DYN, INT, listOf, mapOf, printType, STRING, type Type } from "../type.ts";

const PORT: Type = { kind: "object", name: "Port", fields: new Map([["number", INT]]) };
const OTHER: Type = { ...PORT, name: "Other" };
const SERVICE: Type = {
  kind: "object",
  name: "Service",
  fields: new Map<string, Type>([
    ["name", STRING],
    ["ports", listOf(PORT)],
    ["main", PORT],
    ["other", OTHER],
    ["byName", mapOf(STRING, PORT)],
    ["any", DYN],
  ]),
};

const known = environment({
  libraries: [standardLibrary, optionalsLibrary, stringsLibrary],
  variables: { s: SERVICE },
  uniformLiterals: true,
});

function typeOf(text: string): string {
  const { type, errors } = compile(text, known);
  return type === undefined ? errors.map(({ message }) => message).join("; ") : printType(type);
}

test.for<[text: string, type: string]>([
  ["s.name", "string"],
  ["s.main", "Port"],
  ["s.main.number + 1", "int"],
  ["s.ports[0].number", "int"],
  ["s.ports.map(p, p.number)", "list(int)"],
  ["s.ports.filter(p, p.number > 1)", "list(Port)"],
  ["s.byName['a'].number", "int"],
  ["s.?main.?number", "optional_type(int)"],
  ["has(s.main.number)", "bool"],
  ["s.main == s.ports[0]", "bool"],
  ["s.main == null", "bool"],
  ["s.main == dyn(1)", "bool"],
  ["dyn(s).anything", "dyn"],
  ["true ? s.main : s.ports[0]", "Port"],
  ["s.any.thing", "dyn"],
  ["s.nam", "Service has no field `nam`"],
  ["has(s.main.nmber)", "Port has no field `nmber`"],
  ["s.main == s.other", "`==` does not work on Port and Other"],
  ["s.name + s.main.number", "`+` does not work on string and int"],
  ["s['name']", "`[ ]` does not work on Service and string"],
  ["s.all(k, true)", "all() goes through a list or a map, not through Service"],
  ["s.main == {'number': 1}", "`==` does not work on Port and map(string, int)"],
])("%s: %s", ([text, type]) => {
  expect(typeOf(text)).toBe(type);
});

test("an error suggests what was meant", () => {
  expect(compile("s.nam", known).errors[0]?.hint).toBe("did you mean `name`?");
  expect(compile("s.size", known).errors[0]?.hint).toBe("`size` is a function; write size()");
});

test("an object is a map while an expression runs", () => {
  const s = { name: "a", ports: [{ number: 1 }], main: { number: 1 } };
  expect(compile("s.ports[0] == s.main && type(s) == map", known).program?.evaluate({ s })).toBe(true);
  expect(compile("[s.main].exists(p, p.number == 1)", known).program?.evaluate({ s })).toBe(true);
});

test.for<[text: string, message: string | undefined]>([
  ["[1, 2]", undefined],
  ["[[], [1]]", undefined],
  ["[1, google]", "no such variable `google`"],
  ["[1, 'a']", "an element is string, but the first is int"],
  ["[1, dyn(2)]", "an element is dyn, but the first is int"],
  ["{'a': 1, 'b': 2}", undefined],
  ["{'a': 1, 'b': 'c'}", "an element is string, but the first is int"],
  ["{'a': 1, 2: 3}", "an element is int, but the first is string"],
  ["[?s.?name, 'a']", undefined],
  ["[?s.?name, 1]", "an element is int, but the first is string"],
  ["[[1], ['a']]", "an element is list(string), but the first is list(int)"],
  ["1 + 2 + [1, 'a'].size()", "an element is string, but the first is int"],
  ["'%s %d'.format(['a', 1])", undefined],
])("uniform literals: %s", ([text, message]) => {
  expect(compile(text, known).errors[0]?.message).toBe(message);
});

test("literals may be mixed unless the environment asks", () => {
  const lax = environment({ libraries: [standardLibrary] });
  expect(compile("[1, 'a']", lax).errors).toEqual([]);
});
