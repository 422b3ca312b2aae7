/** Are semantic versions in expressions those of Kubernetes? */
import { expect, test } from "vitest";
import { kubernetesSemverLibrary } from "../../src/cel/library/kubernetes/semver.ts";
import { equalValues } from "../../src/cel/value/equality.ts";
import type { Result, Value } from "../../src/cel/value/value.ts";
import { countingRun } from "../cel/call-overload.ts";
import { call, expectRows, kubernetesCost, plain } from "./cel-kubernetes/call.ts";
import { readTable, type Table } from "./table.ts";

type Row =
  | { readonly kind: "version"; readonly text: string }
  | { readonly kind: "pair"; readonly a: string; readonly b: string };

const ask = (id: string, ...args: readonly Result[]): Result => call(kubernetesSemverLibrary, id, ...args);

function answer(row: Row): unknown {
  const { kind } = row;
  if (kind === "pair") {
    const [a, b] = [ask("string_to_semver", row.a), ask("string_to_semver", row.b)];
    return {
      kind,
      a: row.a,
      b: row.b,
      compare: plain(ask("semver_compare_to", a, b)),
      greater: ask("semver_is_greater_than", a, b),
      less: ask("semver_is_less_than", a, b),
      equal: equalValues(a as Value, b as Value, countingRun()),
    };
  }
  const { text } = row;
  const value = ask("string_to_semver", text);
  const parts = ["major", "minor", "patch"].map((part) => plain(ask(`semver_${part}`, value)));
  const cost = kubernetesCost(kubernetesSemverLibrary, "string_to_semver", text);
  expect(plain(ask("string_bool_to_semver", text, false))).toBe(plain(value));
  return {
    kind,
    text,
    cost,
    isSemver: ask("is_semver_string", text),
    isNormalized: ask("is_semver_string_bool", text, true),
    strict: plain(value),
    normalized: plain(ask("string_bool_to_semver", text, true)),
    parts: plain(value) === null ? undefined : parts,
  };
}

test("versions", () => {
  expectRows(readTable<Table<Row>>("cel-semver.json").rows, answer);
});
