import fc from "fast-check";
import { expect, test } from "vitest";
import { kubernetesCost } from "../../../test/differential/cel-kubernetes/call.ts";
import { parseRange } from "../library/kubernetes/address.ts";
import { cidrLibrary } from "../library/kubernetes/cidr.ts";
import { ipLibrary } from "../library/kubernetes/ip.ts";
import { quantityLibrary } from "../library/kubernetes/quantity.ts";
import { kubernetesSemverLibrary } from "../library/kubernetes/semver.ts";
import { urlLibrary } from "../library/kubernetes/url.ts";
import { STRING, type Type } from "../type.ts";
import type { Value } from "../value/value.ts";
import { apiServerEstimate } from "./kubernetes.ts";

/** All but the library of formats, for which Kubernetes estimates less than it charges. */
const LIBRARIES = [urlLibrary, quantityLibrary, ipLibrary, cidrLibrary, kubernetesSemverLibrary];

/** Calls that have a text among their arguments: only their costs depend on anything. */
const CALLS = LIBRARIES.flatMap((library) =>
  (library.functions ?? [])
    .filter(({ parameters }) => parameters.includes(STRING))
    .map((found) => ({ library, found })),
);

const RANGE = parseRange("2001:db8::/127") as Value;

function argument(parameter: Type, text: string): Value {
  if (parameter.kind === "string") return text;
  return parameter.kind === "bool" ? true : RANGE;
}

test("no call costs more than the API server estimates", () => {
  expect(CALLS.length).toBeGreaterThan(12);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const { library, found } of CALLS) {
        const max = [...text].length;
        const sizes = found.parameters.map((type) => ({
          type,
          size: type.kind === "string" ? { min: 0, max } : { min: 1, max: 1 },
        }));
        const args = found.parameters.map((parameter) => argument(parameter, text));
        const cost = kubernetesCost(library, found.id, ...args);
        expect([found.id, cost <= apiServerEstimate(found, sizes).cost.max]).toEqual([found.id, true]);
      }
    }),
  );
});
