// Which values are large, by the type of the parameter that they are given for?
import { compile } from "../../dist/modules/cel/compile.js";
import { environment } from "../../dist/modules/cel/environment.js";
import { everyLibrary } from "../../dist/modules/cel/library/every-library.js";
import { STRING } from "../../dist/modules/cel/type.js";
import { Bytes, CelMap, Optional } from "../../dist/modules/cel/value/boxes.js";
import { Duration } from "../../dist/modules/cel/value/duration.js";
import { Uint } from "../../dist/modules/cel/value/number.js";
import { parseTimestamp } from "../../dist/modules/cel/value/timestamp.js";

const keys = Array.from({ length: 100_000 }, (_, index) => `key-${(index * 7919) % 100_000}`);

/** A map of the input with this number of entries. */
function mapOf(count, value = (index) => index) {
  return Object.fromEntries(keys.slice(0, count).map((key, index) => [key, value(index)]));
}

/** A list of two that are the same list of two, and so on: few objects, very many parts. */
function sharing(depth) {
  let list = ["a", "b"];
  for (let level = 0; level < depth; level++) list = [list, list];
  return list;
}

/** A long text of its own that differs from others of its length at the end only. */
const ending = (end) => Buffer.alloc(3_000_000, "a").toString() + end;

const ALIKE = [ending("x"), ending("y"), ending("\u4e2d")];

const TEXTS = [
  "a".repeat(1_000_000),
  "ä😀".repeat(100_000),
  "1".repeat(200_000),
  `1.2.3-${"a.1.".repeat(30_000)}b`,
  `https://host/${"a/".repeat(50_000)}?${"q=1&".repeat(50_000)}`,
  "%s%s%d".repeat(20_000),
  "a,b ".repeat(100_000),
  "(a|b)*".repeat(100),
  "(?i)[^\\pL\\pN]+",
  "(a?){500}",
  "2024-07-01T00:00:00Z",
  "1h",
  "",
  ...ALIKE,
];

const numbers = Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 100_000);
const largeMap = mapOf(100_000);

const LISTS = [
  numbers,
  keys,
  numbers.map((number) => number + 0.5),
  Array.from({ length: 100_000 }, () => "x".repeat(50)),
  Array.from({ length: 300 }, () => numbers.slice(0, 300)),
  Array.from({ length: 1000 }, () => largeMap),
  Array.from({ length: 10 }, () => TEXTS[0]),
  sharing(24),
  numbers.map((number) => new Optional(number)),
  numbers.map((number) => new Uint(BigInt(number))),
  Array.from({ length: 50_000 }, (_, index) => [index]),
  [],
];

const MAPS = [
  largeMap,
  mapOf(100_000, () => Number.POSITIVE_INFINITY),
  mapOf(50_000, (index) => mapOf(index % 3)),
  new CelMap(new Map(numbers.map((number) => [number, [number, number]]))),
  { a: sharing(24) },
  {},
  Object.fromEntries(ALIKE.slice(1).map((key) => [key, 1])),
  Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${"k".repeat(20_000)}${1000 + index}`, index])),
];

/** Two of each, because a value is the same as itself in no time. */
const OTHERS = {
  bytes: [new Bytes(new Uint8Array(1_000_000).fill(97)), new Bytes(new Uint8Array(1_000_000).fill(97))],
  int: [0, 3, 1_000_000, -1],
  uint: [new Uint(5n)],
  double: [0.5],
  bool: [true, false],
  timestamp: [parseTimestamp("2024-07-01T00:00:00Z")],
  duration: [new Duration(5n)],
};

const ANYTHING = [
  ...TEXTS.slice(0, 3),
  ...ALIKE,
  `${"k".repeat(20_000)}9999`,
  // As long as the first, equal, and not the same.
  Buffer.alloc(1_000_000, "a").toString(),
  ...LISTS,
  ...MAPS,
  ...OTHERS.bytes,
  structuredClone(largeMap),
  structuredClone(LISTS[6]),
  1,
  null,
];

/** Values that only an expression can make, by the names of their types. */
const MADE = {
  "kubernetes.URL": [`url("https://host/" + v)`, "a%20/".repeat(50_000)],
  "kubernetes.Semver": [`semver("1.2.3-" + v)`, "a.1.".repeat(60)],
  "kubernetes.Quantity": [`quantity(v)`, "1".repeat(1000)],
  "net.IP": [`ip(v)`, "fd00::7"],
  "net.CIDR": [`cidr(v)`, "fd00::7/64"],
  "kubernetes.NamedFormat": [`format.named(v).value()`, "dns1123Subdomain"],
};

const making = environment({ libraries: everyLibrary, variables: { v: STRING } });

function made([text, v]) {
  const { program } = compile(text, making);
  return [program.evaluate({ v }), program.evaluate({ v })];
}

const opaque = new Map(Object.entries(MADE).map(([name, how]) => [name, made(how)]));

/** Values that a parameter of the type can be given. */
export function valuesFor(type) {
  if (type.kind === "opaque" && opaque.has(type.name)) return opaque.get(type.name);
  if (type.kind === "string") return TEXTS;
  if (type.kind === "list") return LISTS;
  if (type.kind === "map") return MAPS;
  return OTHERS[type.kind] ?? [...ANYTHING, ...ANYTHING.slice(0, 6).map((value) => new Optional(value))];
}

/** Values of any type. */
export const anything = ANYTHING;
