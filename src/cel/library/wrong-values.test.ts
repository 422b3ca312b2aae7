// Does a function survive values of other types than it declares? A variable can be bound to anything.
import { expect, test } from "vitest";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import type { Overload } from "../library.ts";
import { DYN, listOf, mapOf, type Type } from "../type.ts";
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

function withoutParameters(type: Type): Type {
  switch (type.kind) {
    case "parameter":
      return DYN;
    case "list":
      return listOf(withoutParameters(type.element));
    case "map":
      return mapOf(withoutParameters(type.key), withoutParameters(type.value));
    case "opaque":
      return { ...type, of: type.of.map(withoutParameters) };
    default:
      return type;
  }
}

/** The call as it is written, with variables v0, v1, … */
function callOf({ name, member, parameters }: Overload): string {
  const names = parameters.map((_, index) => `v${index}`);
  const [operator] = /^_(.+)_$/.exec(name)?.slice(1) ?? [];
  if (name === "_[_]") return "v0[v1]";
  if (name === "_[?_]") return "v0[?v1]";
  if (name === "_?_:_") return "v0 ? v1 : v2";
  if (name === "@in") return "v0 in v1";
  if (name === "!_" || name === "-_") return `${name[0]}v0`;
  if (operator !== undefined) return `v0 ${operator} v1`;
  // A name that no expression can spell is called by a macro only.
  return member ? `v0.${name}(${names.slice(1).join(", ")})` : `${name}(${names.join(", ")})`;
}

const overloads = [...everyLibrary, networkLibrary].flatMap((library) =>
  (library.functions ?? []).map((overload) => ({ overload, library })),
);

const callable = overloads.filter(({ overload }) => !overload.name.includes("@") || overload.name === "@in");

const COSTS = ["cel", "kubernetes", "api-server"] as const;

test.for(callable.flatMap((call) => COSTS.map((costs) => ({ ...call, costs }))))(
  "$overload.id of $library.name at the costs of $costs",
  ({ overload, library, costs }) => {
    const types = overload.parameters.map(withoutParameters);
    const variables = Object.fromEntries(types.map((type, index) => [`v${index}`, type]));
    const libraries = library === networkLibrary ? [standardLibrary, networkLibrary] : everyLibrary;
    const crossTypeComparisons = true;
    const env = environment({ libraries, variables, checkLiterals: false, crossTypeComparisons, costs });
    const { program, errors } = compile(callOf(overload), env);
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
