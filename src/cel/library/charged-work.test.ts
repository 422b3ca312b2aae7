// Does every function pay for what it goes through? What an evaluation is charged bounds how long it takes.
import { describe, expect, test } from "vitest";
import { type Counter, countCharacters, counted } from "../../../test/cel/counted-operations.ts";
import { callableOverloads, callText, withoutParameters } from "../../../test/cel/overload-call.ts";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import { DYN, type Type } from "../type.ts";
import { Bytes, Optional } from "../value/boxes.ts";
import { double, Uint } from "../value/number.ts";
import { everyLibrary } from "./every-library.ts";

const MANY = 4000;

const numbers = Array.from({ length: MANY }, (_, index) => (index * 7919) % MANY);
const keys = numbers.map((number) => `key-${number}`);

const counter: Counter = { operations: 0 };

const TEXTS = [
  "a".repeat(MANY),
  "",
  "ä😀".repeat(MANY / 4),
  "1".repeat(MANY),
  "a,".repeat(MANY / 2),
  `1.2.3-${"a.1.".repeat(MANY / 4)}b`,
  `https://host/${"a/".repeat(MANY / 4)}?${"q=1&".repeat(MANY / 8)}`,
  "%s".repeat(MANY / 2),
  "cmFj".repeat(MANY / 4),
];

const LISTS = [
  numbers,
  keys,
  numbers.map((number) => double(number)),
  numbers.map((number) => new Uint(BigInt(number))),
  numbers.map((number) => new Optional(number)),
  numbers.map((number) => [number]),
  keys.map(() => ""),
  [],
].map((list) => counted(list, counter));

const MAPS = [
  Object.fromEntries(keys.map((key, index) => [key, index])),
  Object.fromEntries(keys.map((key) => [key, Number.POSITIVE_INFINITY])),
].map((map) => counted(map, counter));

const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  int: [0, 3],
  uint: [new Uint(3n)],
  double: [0.5],
  bool: [true],
  bytes: [new Bytes(new Uint8Array(MANY).fill(97))],
};

function valuesFor(type: Type): readonly unknown[] {
  if (type.kind === "string") return TEXTS;
  if (type.kind === "list") return LISTS;
  if (type.kind === "map") return MAPS;
  return OTHERS[type.kind] ?? [TEXTS[0], LISTS[0], ...MAPS, new Optional(TEXTS[0] as string)];
}

/**
 * A unit of cost is ten characters, and a few passes over a text by the engine's own functions are as fast as one
 * by ours. There is also a fixed overhead.
 */
const FACTOR = 10;
const ANYWAY = 1000;

const COSTS = ["cel", "kubernetes", "api-server"] as const;
const calls = callableOverloads(everyLibrary).filter(({ parameters }) => parameters.length > 0);

describe.for(COSTS)("at the costs of %s", (costs) => {
  test.for(calls)("$id", (overload) => {
    const types = overload.parameters.map(withoutParameters);
    for (const declared of [types, types.map(() => DYN)]) {
      const variables = Object.fromEntries(declared.map((type, index) => [`v${index}`, type]));
      // With "any" data is looked through once more at the border, in proportion to its size, whatever the function does.
      const env = environment({ libraries: everyLibrary, variables, costs, checkLiterals: false, data: "json" });
      const { program } = compile(callText(overload), env);
      if (program === undefined) continue;
      const choices = types.map(valuesFor);
      const rounds = Math.max(...choices.map(({ length }) => length));
      for (let round = 0; round < rounds; round++) {
        const bindings = Object.fromEntries(
          choices.map((values, index) => [`v${index}`, values[(round + index) % values.length]]),
        );
        counter.operations = 0;
        countCharacters(counter, () => program.evaluate(bindings));
        const paid = 10 * program.cost + program.work + program.memory;
        expect(counter.operations, `round ${round}, ${paid} paid`).toBeLessThan(ANYWAY + FACTOR * paid);
      }
    }
  });
});
