// Does a function survive values of other types than it declares? A variable can be bound to anything.
import { expect, test } from "vitest";
import { callableOverloads, callText, withoutParameters } from "../../../test/cel/overload-call.ts";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import type { Result } from "../value/value.ts";
import { everyLibrary } from "./every-library.ts";
import { networkLibrary } from "./extension/network.ts";
import { standardLibrary } from "./standard/standard.ts";

const WRONG: readonly unknown[] = [
  3,
  2.5,
  "abc",
  null,
  true,
  [1, "a"],
  [[1]],
  ["a", 5],
  { a: 1 },
  { a: { b: [] } },
  undefined,
  2n ** 70n,
  -(2n ** 70n),
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  "",
  [],
  {},
  "\ud800",
  Object.assign(Object.create(null), { a: 1 }),
];

const callable = [...everyLibrary, networkLibrary].flatMap((library) =>
  callableOverloads([library]).map((overload) => ({ overload, library })),
);

const COSTS = ["cel", "kubernetes", "api-server"] as const;

test.for(callable.flatMap((call) => COSTS.map((costs) => ({ ...call, costs }))))(
  "$overload.id of $library.name at the costs of $costs",
  ({ overload, library, costs }) => {
    const types = overload.parameters.map(withoutParameters);
    const variables = Object.fromEntries(types.map((type, index) => [`v${index}`, type]));
    const libraries = library === networkLibrary ? [standardLibrary, networkLibrary] : everyLibrary;
    const crossTypeComparisons = true;
    const env = environment({ libraries, variables, checkLiterals: false, crossTypeComparisons, costs });
    const { program, errors } = compile(callText(overload), env);
    expect(errors).toEqual([]);
    for (let first = 0; first < WRONG.length; first++) {
      for (let step = 0; step < (types.length > 1 ? WRONG.length : 1); step++) {
        const bindings = Object.fromEntries(
          types.map((_, index) => [`v${index}`, WRONG[(first + index * step) % WRONG.length]]),
        );
        const result = program?.evaluate(bindings) as Result;
        expect(result).toBeDefined();
        expect(program?.cost).toBeGreaterThanOrEqual(0);
      }
    }
  },
);
