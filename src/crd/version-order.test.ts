// Follows apimachinery v0.36.3, CompareKubeAwareVersionStrings.

import fc from "fast-check";
import { expect, test } from "vitest";
import { compareVersionNames } from "./version-order.ts";

const OLDEST_FIRST = [
  "vfoo",
  "v1beta",
  "v1alpha1beta2",
  "foo10",
  "foo1",
  "v1alpha1",
  "v1alpha2",
  "v11alpha1",
  "v1beta1",
  "v3beta1",
  "v1",
  "v2",
  "v10",
  "v9223372036854775807",
];

test("the order of Kubernetes", () => {
  expect([...OLDEST_FIRST].reverse().sort(compareVersionNames)).toEqual(OLDEST_FIRST);
});

test("a number that Go's int does not hold makes it a name as any other", () => {
  expect(compareVersionNames("v9223372036854775808", "v1alpha1")).toBeLessThan(0);
  expect(compareVersionNames("v1beta9223372036854775808", "v1alpha1")).toBeLessThan(0);
});

test("it is an order", () => {
  const names = fc.oneof(fc.constantFrom(...OLDEST_FIRST), fc.stringMatching(/^v[0-9]{1,3}((alpha|beta)[0-9])?$/));
  fc.assert(
    fc.property(names, names, names, (a, b, c) => {
      expect(Math.sign(compareVersionNames(a, b))).toBe(-Math.sign(compareVersionNames(b, a)) || 0);
      if (compareVersionNames(a, b) <= 0 && compareVersionNames(b, c) <= 0)
        expect(compareVersionNames(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});
