import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call } from "../../../../test/differential/cel-kubernetes/call.ts";
import { CelError, type Result } from "../../value/value.ts";
import { quantityLibrary } from "./quantity.ts";
import { parseQuantity } from "./quantity-parse.ts";
import { addQuantities, compareQuantities, type Quantity, subtractQuantities } from "./quantity-value.ts";

// Hundreds of texts, sums and comparisons are checked against Kubernetes in test/differential/cel-quantity.test.ts.

const ask = (id: string, ...args: readonly Result[]): Result => call(quantityLibrary, id, ...args);
const quantity = (text: string): Quantity => parseQuantity(text) as Quantity;

const quantities = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.constantFrom("", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "e3", "e-3", "e20"),
  )
  .map(([number, unit]) => quantity(`${number}${unit}`));

describe("quantities", () => {
  test("the examples of the documentation", () => {
    expect(compareQuantities(quantity("200M"), quantity("0.2G"))).toBe(0);
    expect(compareQuantities(quantity("50M"), quantity("50Mi"))).toBe(-1);
    expect(ask("quantity_get_int", quantity("50k"))).toBe(50_000);
    expect(ask("quantity_is_integer", quantity("9999999999999999999999999999999999999G"))).toBe(false);
    expect(String(ask("quantity_add_int", quantity("50k"), 20))).toBe("50020");
    expect(["200K", "Three", "1,3G", ""].map((text) => ask("is_quantity_string", text))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test("errors name what is wrong", () => {
    expect(ask("string_to_quantity", "200K")).toEqual(
      new CelError('"200K" is not a quantity: write a number with a unit, such as 500m, 1.5Gi or 2e3'),
    );
    expect(ask("quantity_get_int", quantity("1500m"))).toMatchObject({
      message: "the quantity 1500m is not a 64-bit integer",
    });
    expect(ask("string_to_quantity", "1e1001")).toEqual(
      new CelError('the exponent of the quantity "1e1001" is larger than 1000'),
    );
    expect(ask("string_to_quantity", "Ei")).toEqual(new CelError('the quantity "Ei" has no digits'));
  });

  test("the text parses to the same amount", () => {
    fc.assert(
      fc.property(quantities, (amount) => {
        expect(compareQuantities(quantity(String(amount)), amount)).toBe(0);
      }),
    );
  });

  test("a sum has no order, and subtracting undoes adding", () => {
    fc.assert(
      fc.property(quantities, quantities, (a, b) => {
        const sum = addQuantities(a, b);
        expect(compareQuantities(sum, addQuantities(b, a))).toBe(0);
        expect(compareQuantities(subtractQuantities(sum, b), a)).toBe(0);
        expect(compareQuantities(a, b) + compareQuantities(b, a)).toBe(0);
        expect(a.equals(b)).toBe(compareQuantities(a, b) === 0);
      }),
    );
  });

  test("an int beyond 2^53 is added exactly", () => {
    expect(String(ask("quantity_add_int", quantity("1"), 9_007_199_254_740_993n))).toBe("9007199254740994");
    expect(String(ask("quantity_sub_int", quantity("0"), -(2n ** 63n)))).toBe("9223372036854775808");
  });

  test("long texts and large exponents are refused", () => {
    for (const text of ["1".repeat(1_000_000), `1e${"9".repeat(1000)}`, "1e2147483647", `${"1".repeat(1000)}x`]) {
      expect(ask("is_quantity_string", text)).toBe(false);
    }
    expect(ask("is_quantity_string", `0.${"1".repeat(1000)}e-1000`)).toBe(true);
  });
});
