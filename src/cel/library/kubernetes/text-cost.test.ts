import fc from "fast-check";
import { expect, test } from "vitest";
import { call, kubernetesCost } from "../../../../test/differential/cel-kubernetes/call.ts";
import type { Library, Overload } from "../../library.ts";
import { STRING, type Type } from "../../type.ts";
import type { Value } from "../../value/value.ts";
import { parseRange } from "./address.ts";
import { cidrLibrary } from "./cidr.ts";
import { formatLibrary } from "./format.ts";
import { ipLibrary } from "./ip.ts";
import { quantityLibrary } from "./quantity.ts";
import { kubernetesSemverLibrary } from "./semver.ts";
import { urlLibrary } from "./url.ts";

const LIBRARIES = [urlLibrary, quantityLibrary, ipLibrary, cidrLibrary, formatLibrary, kubernetesSemverLibrary];

/** Calls that have a text among their arguments: only their costs depend on anything. */
const CALLS = LIBRARIES.flatMap((library) =>
  (library.functions ?? [])
    .filter(({ parameters }) => parameters.includes(STRING))
    .map((found) => ({ library, found })),
);

const RANGE = parseRange("2001:db8::/127") as Value;
const URI = call(formatLibrary, "format.uri") as Value;

function argument(parameter: Type, text: string): Value {
  if (parameter.kind === "string") return text;
  if (parameter.kind === "bool") return true;
  return parameter.kind === "opaque" && parameter.name === "net.CIDR" ? RANGE : URI;
}

function bounds(found: Overload, args: readonly Value[], characters: number): { min: number; max: number } {
  const estimate = found.estimate ?? (() => ({ cost: { min: 1, max: 1 } }));
  const size = (value: Value): number => (typeof value === "string" ? characters : 1);
  const arguments_ = args.map((value, index) => ({
    type: found.parameters[index] as Type,
    size: { min: 0, max: size(value) },
  }));
  return estimate(arguments_).cost;
}

function isWithin(library: Library, found: Overload, text: string): boolean {
  const args = found.parameters.map((parameter) => argument(parameter, text));
  const { min, max } = bounds(found, args, [...text].length);
  const cost = kubernetesCost(library, found.id, ...args);
  return min <= cost && cost <= max && min <= 1 && max >= 1;
}

test("no call costs more than was estimated, with Kubernetes' costs or cel-go's", () => {
  expect(CALLS.length).toBeGreaterThan(14);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const { library, found } of CALLS)
        expect([found.id, isWithin(library, found, text)]).toEqual([found.id, true]);
    }),
  );
});
