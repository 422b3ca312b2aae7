// Which well-typed expressions, and which data for them, are tried at random?
import fc from "fast-check";

/** Words that keys and texts are made of, prototype keys among them. */
const WORDS = ["a", "b", "env", "prod", "name", "constructor", "__proto__", "toString", "é", "😀", ""] as const;

const word: fc.Arbitrary<string> = fc.constantFrom(...WORDS);

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(
      word,
      fc.integer({ min: -5, max: 5 }),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom(0.5, -1.5, 9007199254740991),
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.uniqueArray(fc.tuple(word, tie("value")), { maxLength: 3, selector: ([key]) => key }).map((entries) => {
      const object: Record<string, unknown> = {};
      for (const [key, value] of entries)
        Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
      return object;
    }),
  ),
})).value;

/** The variables that generated expressions use: `o` is a map of anything, `n` an int, `s` a string, `l` a list of ints, `d` anything. */
export const bindings: fc.Arbitrary<Record<string, unknown>> = fc.record({
  o: fc.dictionary(fc.constantFrom("a", "b", "env", "name"), json, { noNullPrototype: true }),
  n: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(9007199254740991, -9007199254740991)),
  s: word,
  l: fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 4 }),
  d: json,
});

interface Kinds {
  readonly bool: string;
  readonly int: string;
  readonly text: string;
  readonly list: string;
  readonly map: string;
  readonly dyn: string;
}

const quoted = (text: string): string => JSON.stringify(text);

/** Boolean expressions; they nest all other kinds. Macro variables are called x0, x1, … by depth, so that they may shadow. */
export const expressions: fc.Arbitrary<string> = fc
  .letrec<Kinds>((tie) => {
    const some = (kind: keyof Kinds): fc.Arbitrary<string> => tie(kind) as fc.Arbitrary<string>;
    const call = (name: string, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
      fc.tuple(...parts).map(([receiver, ...args]) => `${receiver}.${name}(${args.join(", ")})`);
    const infix = (
      operators: readonly string[],
      left: fc.Arbitrary<string>,
      right: fc.Arbitrary<string>,
    ): fc.Arbitrary<string> =>
      fc.tuple(left, fc.constantFrom(...operators), right).map((parts) => `(${parts.join(" ")})`);
    const variable = fc.constantFrom("x", "y");
    const chosen = (kind: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc.tuple(some("bool"), kind, kind).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`);
    /** The body uses the macro's variable as an int, through dyn so that it fits elements of every type. */
    const macro = (name: string, range: fc.Arbitrary<string>, body: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc
        .tuple(range, variable, body, fc.constantFrom("x", "y"))
        .map(([over, name1, inner]) => `${over}.${name}(${name1}, ${inner.replaceAll("@@", `dyn(${name1})`)})`);
    const field = fc.oneof(
      word.map((key) => `[${quoted(key)}]`),
      fc.constantFrom(".a", ".b", ".env", ".name", ".constructor", ".toString"),
    );
    const options = { depthSize: "small", maxDepth: 4 } as const;
    return {
      bool: fc.oneof(
        options,
        fc.constantFrom("true", "false", "has(o.a)", "has(o.env)", "d == 1", "@@ == 1", "@@ == 'a'"),
        infix(["&&", "||"], some("bool"), some("bool")),
        some("bool").map((inner) => `!(${inner})`),
        infix(["==", "!=", "<", "<=", ">", ">="], some("int"), some("int")),
        infix(["==", "!=", "<", ">="], some("text"), some("text")),
        infix(["==", "!="], some("dyn"), some("dyn")),
        infix(["==", "!="], some("list"), some("list")),
        infix(["<", ">"], some("dyn"), some("int")),
        infix(["in"], some("int"), some("list")),
        infix(["in"], some("text"), some("map")),
        infix(["in"], some("dyn"), some("dyn")),
        call("contains", some("text"), some("text")),
        call("startsWith", some("text"), some("text")),
        ...["all", "exists", "exists_one"].flatMap((name) => [
          macro(name, some("list"), some("bool")),
          macro(name, some("dyn"), some("bool")),
          macro(name, some("map"), some("bool")),
        ]),
        chosen(some("bool")),
      ),
      int: fc.oneof(
        options,
        fc.constantFrom("n", "0", "1", "2", "-7", "9223372036854775807", "-9223372036854775808", "9007199254740992"),
        infix(["+", "-", "*", "/", "%"], some("int"), some("int")),
        some("list").map((list) => `size(${list})`),
        some("text").map((text) => `size(${text})`),
        some("map").map((map) => `${map}.size()`),
        fc.tuple(some("list"), some("int")).map(([list, at]) => `${list}[${at}]`),
        some("text").map((text) => `int(${text})`),
        some("int").map((inner) => `-(${inner})`),
        fc
          .tuple(variable, some("int"), some("int"))
          .map(([name, value, body]) => `cel.bind(${name}, ${value}, ${body} + ${name})`),
        chosen(some("int")),
      ),
      text: fc.oneof(
        options,
        word.map(quoted),
        fc.constant("s"),
        infix(["+"], some("text"), some("text")),
        some("int").map((inner) => `string(${inner})`),
        chosen(some("text")),
      ),
      list: fc.oneof(
        options,
        fc.constantFrom("l", "[1, 2]", "[n]"),
        infix(["+"], some("list"), some("list")),
        fc.tuple(some("int"), some("int")).map((parts) => `[${parts.join(", ")}]`),
        macro("filter", some("list"), some("bool")),
        macro("map", some("list"), some("int")),
        chosen(some("list")),
      ),
      map: fc.oneof(
        options,
        fc.constant("o"),
        fc.tuple(some("text"), some("dyn")).map(([key, value]) => `{${key}: ${value}}`),
        fc.tuple(some("text"), some("text"), some("dyn")).map(([a, b, value]) => `{${a}: dyn(1), ${b}: ${value}}`),
      ),
      dyn: fc.oneof(
        options,
        fc.constantFrom("d", "dyn(n)", "dyn(1.5)", "@@", "dyn(null)", "dyn(2u)", "dyn(2.0)"),
        fc.tuple(some("map"), field).map(([map, key]) => `dyn(${map}${key})`),
        fc
          .tuple(fc.constantFrom("o", "d"), fc.array(field, { minLength: 1, maxLength: 3 }))
          .map(([root, keys]) => root + keys.join("")),
        fc
          .tuple(fc.constantFrom("o.?a", "o.?env", "o.?a.b"), some("dyn"))
          .map(([optional, other]) => `${optional}.orValue(${other})`),
        some("int").map((inner) => `dyn(${inner})`),
        some("text").map((inner) => `dyn(${inner})`),
        some("list").map((inner) => `dyn(${inner})`),
      ),
    };
  })
  .bool.map((text) => text.replaceAll("@@", "d"));
