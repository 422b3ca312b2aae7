// Is a Date, Map or Uint8Array of the data for every function what its counterpart of CEL is?
import { expect, test } from "vitest";
import { callableOverloads, callText, withoutParameters } from "../../../test/cel/overload-call.ts";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import type { Program } from "../program.ts";
import { DYN, type Type } from "../type.ts";
import { Bytes, CelMap } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { Timestamp } from "../value/timestamp.ts";
import { CelError, type Value } from "../value/value.ts";
import { everyLibrary } from "./every-library.ts";

/** Values of JavaScript and their counterparts. */
const PAIRS: readonly (readonly [foreign: unknown, own: Value])[] = [
  [new Date(0), new Timestamp(0, 0)],
  [Uint8Array.of(97), new Bytes(Uint8Array.of(97))],
  [new Map([["a", 1]]), new CelMap(new Map([["a", ["a", 1]]]))],
  [
    [new Date(0), new Date(1000)],
    [new Timestamp(0, 0), new Timestamp(1, 0)],
  ],
  [[Uint8Array.of(97)], [new Bytes(Uint8Array.of(97))]],
  [{ a: new Date(0) }, { a: new Timestamp(0, 0) }],
  [[{ a: [new Date(0)] }], [{ a: [new Timestamp(0, 0)] }]],
  [
    ["%s", new Date(0)],
    ["%s", new Timestamp(0, 0)],
  ],
];

const OTHERS: readonly Value[] = ["%s", 0, [1], { a: 1 }];

function outcome(program: Program, values: readonly unknown[]): string {
  const result = program.evaluate(Object.fromEntries(values.map((value, index) => [`v${index}`, value])));
  return result instanceof CelError ? `error: ${result.message}` : describeValue(result);
}

const overloads = [...new Map(callableOverloads(everyLibrary).map((one) => [callText(one), one])).values()];
const declarations: readonly ((type: Type) => Type)[] = [() => DYN, withoutParameters];

test.for(declarations.flatMap((declared) => overloads.map((overload) => ({ overload, declared }))))(
  "$overload.id",
  ({ overload, declared }) => {
    const variables = Object.fromEntries(overload.parameters.map((type, index) => [`v${index}`, declared(type)]));
    const env = environment({ libraries: everyLibrary, variables, crossTypeComparisons: true });
    const text = callText(overload);
    const own = PAIRS.map(([, value]) => value);
    const all = [...PAIRS, ...[...own, ...OTHERS].map((value) => [value, value] as const)];
    for (const first of all) {
      for (const second of overload.parameters.length > 1 ? all : [first]) {
        const pairs = overload.parameters.map((_, index) => (index === 0 ? first : second));
        // A program of its own, which has met no such data yet.
        const [one, other] = [0, 1].map(() => compile(text, env).program as Program) as [Program, Program];
        const given = pairs.map(([value]) => value);
        const wanted = pairs.map(([, value]) => value);
        expect(outcome(one, given), text).toBe(outcome(other, wanted));
        expect(one.cost).toBe(other.cost);
      }
    }
  },
);
