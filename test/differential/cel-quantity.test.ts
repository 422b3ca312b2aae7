/** Do quantities count as in Kubernetes? */
import { expect, test } from "vitest";
import { quantityLibrary } from "../../src/cel/library/kubernetes/quantity.ts";
import type { Result } from "../../src/cel/value/value.ts";
import { call, expectRows, kubernetesCost, plain } from "./cel-kubernetes/call.ts";
import { readTable, type Table } from "./table.ts";

type Row = { readonly [key: string]: unknown } & (
  | { readonly kind: "quantity"; readonly text: string; readonly canonical?: string }
  | { readonly kind: "quantities"; readonly a: string; readonly b: string }
  | { readonly kind: "int"; readonly a: string; readonly n: string }
);

const table = readTable<Table<Row>>("cel-quantity.json");

const ask = (id: string, ...args: readonly Result[]): Result => call(quantityLibrary, id, ...args);
const quantity = (text: string): Result => ask("string_to_quantity", text);

/** Kubernetes prints decimal amounts from 10^21 on without their exponent; the table only marks them. */
const MISPRINTED = "misprinted";

function printed(value: Result, expected: unknown): unknown {
  return expected === MISPRINTED && /e\d+$/.test(String(value)) ? MISPRINTED : plain(value);
}

/** Text, integer and float, as the table has a computed quantity. */
function triple(result: Result, expected: unknown): unknown[] {
  const text = printed(result, (expected as readonly unknown[])[0]);
  return [text, plain(ask("quantity_get_int", result)), plain(ask("quantity_get_float", result))];
}

function answer(row: Row): unknown {
  switch (row.kind) {
    case "quantity": {
      const { kind, text } = row;
      const value = quantity(text);
      const isQuantity = ask("is_quantity_string", text) === true;
      const cost = kubernetesCost(quantityLibrary, "string_to_quantity", text);
      if (!isQuantity) return { kind, text, cost, refused: plain(value) === null };
      return {
        kind,
        text,
        cost,
        canonical: printed(value, row.canonical),
        sign: plain(ask("quantity_sign", value)),
        integer: plain(ask("quantity_get_int", value)),
        isInteger: ask("quantity_is_integer", value),
        float: plain(ask("quantity_get_float", value)),
      };
    }
    case "quantities": {
      const { kind, a, b } = row;
      const [left, right] = [quantity(a), quantity(b)];
      return {
        kind,
        a,
        b,
        compare: plain(ask("quantity_compare_to", left, right)),
        greater: ask("quantity_is_greater_than", left, right),
        less: ask("quantity_is_less_than", left, right),
        equal: ask("quantity_compare_to", left, right) === 0,
        sum: triple(ask("quantity_add", left, right), row.sum),
        difference: triple(ask("quantity_sub", left, right), row.difference),
      };
    }
    case "int": {
      const { kind, a, n } = row;
      const left = quantity(a);
      const count = Number.isSafeInteger(Number(n)) ? Number(n) : BigInt(n);
      const sum = triple(ask("quantity_add_int", left, count), row.sum);
      return { kind, a, n, sum, difference: triple(ask("quantity_sub_int", left, count), row.difference) };
    }
  }
}

test("quantities", () => {
  expect(table.rows.length).toBeGreaterThan(600);
  expectRows(table.rows, answer);
});

test("a large decimal amount keeps its exponent, which Kubernetes drops", () => {
  expect(String(quantity("1000E"))).toBe("1e21");
  expect(String(ask("quantity_sub", quantity("1"), quantity("5000000000000G")))).toBe("-4999999999999999999999");
});
