// Is what can be written at a position proposed, also in a text that is not finished?
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expressions } from "../../../test/cel/expressions.ts";
import { celFunction } from "../declare/cel-function.ts";
import { celType } from "../declare/cel-type.ts";
import { environment } from "../environment.ts";
import { everyLibrary } from "../library/every-library.ts";
import { DYN, mapOf, type Shape, STRING, shaped } from "../type.ts";
import { complete } from "./complete.ts";

class Version {}

const metadata: Shape = {
  name: "Cluster.metadata",
  fields: new Map([
    ["labels", { name: "labels" }],
    ["name", { name: "name" }],
  ]),
};
const cluster: Shape = {
  name: "Cluster",
  fields: new Map([
    ["metadata", metadata],
    ["status", { name: "status" }],
  ]),
};

const env = environment({
  types: [celType({ name: "Version", class: Version, fields: { major: "int", minor: "int", "build-tag": "string" } })],
  functions: [celFunction("Version.bump(): Version", (v) => v), celFunction("net.host(string): string", (s) => s)],
  variables: {
    cluster: shaped(mapOf(STRING, DYN), cluster),
    v: "Version",
    versions: "list(Version)",
    byName: "map(string, Version)",
    text: "string",
    count: "int",
    "acme.limit": "int",
  },
});

/** The proposals at the | of a text: labels, without those that only contain the word. */
function at(marked: string, settings = env): readonly string[] {
  const offset = marked.indexOf("|");
  return complete(marked.replace("|", ""), offset, settings).map(({ label }) => label);
}

describe("behind a dot", () => {
  test.for([
    ["cluster.|", ["metadata", "status", "size", "all"]],
    ["cluster.meta|", ["metadata"]],
    ["cluster.metadata.|", ["labels", "name"]],
    ["cluster['metadata'].na|", ["name"]],
    ["v.|", ["`build-tag`", "major", "minor", "bump"]],
    ["v.m|", ["major", "minor", "bump"]],
    ["v.bump().ma|", ["major"]],
    ["versions[0].mi|", ["minor"]],
    ["v.?ma|", ["major"]],
    ["optional.of(v).ma|", ["major", "optFlatMap", "optMap"]],
    ["optional.of(v).or|", ["or", "orValue"]],
    ["text.starts|", ["startsWith"]],
    ["text.up|", ["upperAscii"]],
    ["count.starts|", []],
    ["versions.fil|", ["filter"]],
    ["text.fil|", []],
    ["math.gr|", ["greatest"]],
    ["math.ab|", ["abs"]],
    ["net.|", ["host"]],
    ["acme.|", ["limit"]],
    ["google.|", ["protobuf"]],
    ["google.protobuf.Time|", ["Timestamp"]],
    ["cel.|", ["bind"]],
    ["size(v.ma|", ["major"]],
    ["count > 1 && v.mi|", ["minor"]],
    ["count > 1 ? v.mi|", ["minor"]],
    ["count > 1 ? v.mi| : 3", ["minor"]],
    ["{'a': v.mi|", ["minor"]],
    ["{v.mi|", ["minor"]],
    ["[1, v.mi|, 2]", ["minor"]],
    ["has(v.mi|)", ["minor"]],
    ["text.si|ze() + 1", ["size"]],
    ["versions.ex|(x, x.major > 1)", ["exists", "existsOne", "exists_one"]],
  ] as [string, string[]][])("%s", ([text, expected]) => {
    expect(at(text).slice(0, Math.max(expected.length, 1))).toEqual(expected);
  });
});

describe("in macros", () => {
  test.for([
    ["versions.filter(x, x.ma|", ["major"]],
    ["versions.all(x, x.major > 1 && x.mi|)", ["minor"]],
    ["versions.map(x, x.ma|, x)", ["major"]],
    ["byName.all(k, v2, v2.ma|", ["major"]],
    ["byName.transformMap(k, item, item.mi|", ["minor"]],
    ["byName.exists(key, byName[key].mi|", ["minor"]],
    ["versions.exists(x, byName.exists(y, x.mi|", ["minor"]],
    ["cel.bind(w, v, w.ma|", ["major"]],
    ["cel.bind(w, v.ma|", ["major"]],
    ["optional.of(v).optMap(o, o.ma|", ["major"]],
    ["versions.sortBy(x, x.ma|", ["major"]],
    ["versions.filter(element, ele|", ["element"]],
    ["byName.all(key, item, |", ["item", "key"]],
    ["versions.exists(x, byName.exists(y, |", ["x", "y", "byName"]],
    ["versions.filter(v, v.ma|", ["major"]],
    // The name of a variable is new.
    ["versions.filter(|", []],
    ["versions.filter(te|", []],
    ["cel.bind(te|", []],
  ] as [string, string[]][])("%s", ([text, expected]) => {
    expect(at(text).slice(0, Math.max(expected.length, 1))).toEqual(expected);
  });

  test("variables of macros have their types", () => {
    const text = "byName.all(key, item, ";
    expect(complete(text, text.length, env).slice(0, 2)).toEqual([
      { label: "item", kind: "local", detail: "Version", start: 22, end: 22 },
      { label: "key", kind: "local", detail: "string", start: 22, end: 22 },
    ]);
  });

  test("outside of a macro its variable is unknown", () => {
    expect(at("versions.filter(element, true) == ele|")).not.toContain("element");
    expect(at("ele| == versions.filter(element, true)")).not.toContain("element");
  });
});

describe("where a value begins", () => {
  test.for([
    ["|", ["byName", "cluster", "count", "text", "v", "versions", "bool"]],
    ["size(|", ["byName", "cluster", "count", "text", "v", "versions", "bool"]],
    ["cl|", ["cluster"]],
    ["CL|", ["cluster"]],
    ["count + |", ["byName"]],
    ["ver|", ["versions", "Version"]],
    ["Ver|", ["Version", "versions"]],
    ["mat|", ["matches", "math"]],
    ["acm|", ["acme"]],
    ["tru|", ["true"]],
    ["ha|", ["has"]],
    ["by|Name == 1", ["byName"]],
  ] as [string, string[]][])("%s", ([text, expected]) => {
    expect(at(text).slice(0, expected.length)).toEqual(expected);
  });

  test.for(["'cl|'", "'cl|", "// cl|", "count // cl|", "1|", "0x1|", "a.`b|", "Name{fi|", "Name{a: 1, fi|"])(
    "nothing can be completed in %s",
    (text) => {
      expect(at(text)).toEqual([]);
    },
  );

  test("behind a value comes an operator", () => {
    expect(at("text |")).toEqual(["in"]);
    expect(at("f(text) i|")).toEqual(["in"]);
  });

  test("the names of the container need no prefix", () => {
    expect(at("lim|", environment({ container: "acme", variables: { "acme.limit": "int" } }))).toEqual(["limit"]);
  });
});

test("a proposal says what it is and what it replaces", () => {
  expect(complete("size(text.conta)", 14, env)).toEqual([
    { label: "contains", kind: "method", detail: "string.contains(string): bool", start: 10, end: 15 },
  ]);
  expect(complete("ne", 2, env)[0]).toEqual({ label: "net", kind: "namespace", detail: "net.…", start: 0, end: 2 });
  expect(complete("net.h", 5, env)).toEqual([
    { label: "host", kind: "function", detail: "net.host(string): string", start: 4, end: 5 },
  ]);
});

test("without an environment the default one is used", () => {
  expect(complete("siz", 3).map(({ label }) => label)).toEqual(["size"]);
});

test("no text and no offset is too strange", () => {
  const everything = environment({
    libraries: everyLibrary,
    variables: { o: "dyn", n: "int", s: "string", l: "list(int)", d: "dyn" },
  });
  fc.assert(
    fc.property(expressions, fc.nat(), fc.nat(), (text, from, to) => {
      const cut = text.slice(0, text.length - (from % (text.length + 1)));
      const offset = to % (cut.length + 1);
      const first = complete(cut, offset, everything);
      expect(complete(cut, offset, everything)).toEqual(first);
      for (const { start, end } of first) expect(start <= offset && offset <= end).toBe(true);
    }),
    { numRuns: 300 },
  );
  for (const offset of [-1, 99, Number.NaN, 1.5]) expect(complete("a", offset)).toBeInstanceOf(Array);
  expect(complete("(".repeat(1000), 1000, env)).toBeInstanceOf(Array);
  expect(complete(`${"count + ".repeat(10_000)}co`, 80_002, env).map(({ label }) => label)).toContain("count");
  expect(complete("a".repeat(200_000), 5, env)).toEqual([]);
});
