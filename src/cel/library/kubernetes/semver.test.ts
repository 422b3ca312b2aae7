import { describe, expect, test } from "vitest";
import { call } from "../../../../test/differential/cel-kubernetes/call.ts";
import { INT_OVERFLOW } from "../../value/number.ts";
import { CelError, type Result } from "../../value/value.ts";
import { kubernetesSemverLibrary } from "./semver.ts";

// Hundreds of texts are checked against Kubernetes in test/differential/cel-semver.test.ts.

const ask = (id: string, ...args: readonly Result[]): Result => call(kubernetesSemverLibrary, id, ...args);

describe("semantic versions", () => {
  test.for([
    ["v1.0", true, "1.0.0"],
    ["01.01.01", true, "1.1.1"],
    ["1", true, "1.0.0"],
    ["1.2.3-alpha.1+b", true, "1.2.3-alpha.1+b"],
    ["1.2.3", false, "1.2.3"],
  ] as const)("%s, normalized %s", ([text, normalize, expected]) => {
    expect(String(ask("string_bool_to_semver", text, normalize))).toBe(expected);
  });

  test.for([
    ["v1.0.0", false],
    [" 1.0.0", true],
    ["1.0-alpha", true],
    ["", true],
    ["1".repeat(2000), true],
  ] as const)("%s, normalized %s, is none", ([text, normalize]) => {
    expect(ask("string_bool_to_semver", text, normalize)).toBeInstanceOf(CelError);
    expect(ask("is_semver_string_bool", text, normalize)).toBe(false);
  });

  test("a number beyond 63 bits is an overflow, and still compared exactly", () => {
    const largest = ask("string_to_semver", "18446744073709551615.0.0");
    expect(ask("semver_major", largest)).toBe(INT_OVERFLOW);
    expect(ask("semver_is_greater_than", largest, ask("string_to_semver", "18446744073709551614.9.9"))).toBe(true);
    expect(ask("semver_major", ask("string_to_semver", "9223372036854775807.0.0"))).toBe(9_223_372_036_854_775_807n);
  });

  test("build metadata does not count", () => {
    const [a, b] = [ask("string_to_semver", "1.2.3+a"), ask("string_to_semver", "1.2.3+b")];
    expect(ask("semver_compare_to", a, b)).toBe(0);
  });
});
