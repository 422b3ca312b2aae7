import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuantity } from "../../cel/library/kubernetes/quantity-parse.ts";
import { asApproximateFloat, compareQuantities, type Quantity } from "../../cel/library/kubernetes/quantity-value.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../placement-mode.ts";
import { type Amount, allocatableScore, amountOf, compareAmounts } from "./allocatable-score.ts";

function amount(quantity: string | number): Amount {
  return amountOf(quantity) as Amount;
}

/** The scores of clusters with those amounts, as a prioritizer gives them. */
function scores(quantities: readonly (string | number)[], mode: PlacementMode): readonly number[] {
  const amounts = quantities.map(amount);
  const sorted = [...amounts].sort((a, b) => compareAmounts(a, b, mode));
  return amounts.map((one) => allocatableScore(one, sorted[0] as Amount, sorted.at(-1) as Amount, mode));
}

describe("the score of ResourceAllocatable", () => {
  test.each([
    { name: "F12 equal", quantities: [50, 50, 50], ocm: [100, 100, 100] },
    { name: "F12 zero", quantities: [0, 0, 0], ocm: [100, 100, 100] },
    { name: "F12 equal in other words", quantities: ["1Gi", "1024Mi", "1073741824"], ocm: [100, 100, 100] },
    { name: "F14", quantities: [10, 6, 2], ocm: [100, 0, -100] },
    { name: "F17", quantities: [50, 80, 90, 100], ocm: [-100, 19, 60, 100], exact: [-100, 20, 60, 100] },
    { name: "F18", quantities: ["1Gi", "1536Mi", "2Gi"], ocm: [-100, 0, 100] },
    { name: "golden 9 of 7..10", quantities: [7, 9, 10], ocm: [-100, 33, 100] },
    { name: "golden 80 of 50..90", quantities: [50, 80, 90], ocm: [-100, 50, 100] },
    {
      name: "golden 7 and 3 of 0..10",
      quantities: [0, 7, 3, 10],
      ocm: [-100, 39, -40, 100],
      exact: [-100, 40, -40, 100],
    },
    // 700 · 0.001 is a little above 0.7.
    { name: "thousandths", quantities: ["0", "700m", "300m", "1"], ocm: [-100, 40, -40, 100] },
    { name: "a negative amount", quantities: ["-1", "0", "1"], ocm: [-100, 0, 100] },
    { name: "beyond doubles", quantities: ["9007199254740993", "9007199254740994"], ocm: [-100, 100] },
  ])("$name", ({ quantities, ocm, exact }) => {
    expect(scores(quantities, OCM_MODE)).toEqual(ocm);
    expect(scores(quantities, DEFAULT_MODE)).toEqual(exact ?? ocm);
  });

  test("amounts with the same double differ in default mode only", () => {
    const quantities = ["9007199254740992", "9007199254740993"];
    expect(scores(quantities, OCM_MODE)).toEqual([100, 100]);
    expect(scores(quantities, DEFAULT_MODE)).toEqual([-100, 100]);
  });

  test("amounts further apart than 2^53 are no less exact", () => {
    const far = Number.MAX_SAFE_INTEGER;
    expect(scores([-far, "90071992547410", far], DEFAULT_MODE)).toEqual([-100, 1, 100]);
  });

  test("an amount beyond all doubles does not break the others", () => {
    expect(scores(["1", "2", "1e400"], DEFAULT_MODE)).toEqual([-100, -99, 100]);
    expect(scores(["1", "2", "1e400"], OCM_MODE)).toEqual([-100, -100, 0]);
  });
});

describe("an amount", () => {
  test.each([undefined, "", "much", "8Xi", "1 Gi", "1e1001", "Infinity", Number.NaN, "9".repeat(2000)])(
    "F13, F16: there is none in %j",
    (quantity) => expect(amountOf(quantity)).toBeUndefined(),
  );

  test.each([
    ["8", 8],
    [8, 8],
    [8n, 8],
    ["369942021Ki", 369942021 * 1024],
    ["8000m", 8],
    ["2k", 2000],
    ["0", 0],
    [-0, 0],
  ])("%s is a whole number", (quantity, expected) => expect(amountOf(quantity)).toBe(expected));

  test("92914m is kept exactly, and as the double that Kubernetes has", () => {
    expect(amountOf("92914m")).toEqual({ approximate: 92914 * 0.001, nanos: 92_914_000_000n });
    expect(amountOf(1.5)).toEqual({ approximate: 1.5, nanos: 1_500_000_000n });
  });

  test("is compared exactly in default mode, and as a double under compat", () => {
    const [more, less] = [amount("9007199254740993"), amount("9007199254740992")];
    expect(compareAmounts(more, less, DEFAULT_MODE)).toBe(1);
    expect(compareAmounts(less, more, DEFAULT_MODE)).toBe(-1);
    expect(compareAmounts(more, less, OCM_MODE)).toBe(0);
    // With this number of digits before Gi, Kubernetes counts in billionths, and makes a slightly larger double of it.
    const [long, short] = [amount("116828Gi"), amount("125443109814272")];
    expect(compareAmounts(long, short, DEFAULT_MODE)).toBe(0);
    expect(compareAmounts(long, short, OCM_MODE)).toBe(1);
  });

  const digits = fc.integer({ min: 1, max: 16 }).chain((length) => {
    return fc.integer({ min: 10 ** (length - 1), max: Math.min(10 ** length - 1, Number.MAX_SAFE_INTEGER) });
  });
  const quantity = fc
    .tuple(
      fc.constantFrom("", "", "", "-", "0"),
      fc.oneof(fc.nat(20), digits).map(String),
      fc.constantFrom("", "", ".5", ".000"),
      fc.constantFrom("", "m", "n", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti", "Pi", "e3", "E"),
    )
    .map((parts) => parts.join(""));

  test("is the result of the general reader, in order and as a double", () => {
    fc.assert(
      fc.property(quantity, quantity, (left, right) => {
        const [a, b] = [parseQuantity(left) as Quantity, parseQuantity(right) as Quantity];
        const order = compareAmounts(amount(left), amount(right), DEFAULT_MODE);
        expect(order).toBe(compareQuantities(a, b));
        const [x, y] = [asApproximateFloat(a), asApproximateFloat(b)];
        expect(compareAmounts(amount(left), amount(right), OCM_MODE)).toBe(x < y ? -1 : x > y ? 1 : 0);
        const read = amount(left);
        expect(typeof read === "number" ? read : read.approximate).toBe(x + 0);
      }),
      { numRuns: process.env.PLIMSOLL_LONG ? 100_000 : 1000 },
    );
  });

  test("scores rise with amounts, from -100 to 100", () => {
    fc.assert(
      fc.property(fc.array(quantity, { minLength: 1, maxLength: 6 }), (quantities) => {
        for (const mode of [DEFAULT_MODE, OCM_MODE]) {
          const sorted = [...quantities].sort((a, b) => compareAmounts(amount(a), amount(b), mode));
          const found = scores(sorted, mode);
          expect([...found].sort((a, b) => a - b)).toEqual(found);
          expect(found.at(-1)).toBe(100);
          expect(Math.abs(found[0] as number)).toBe(100);
        }
      }),
    );
  });
});
