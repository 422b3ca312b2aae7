// Are doubles written as Go's strconv writes them?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeFixed, writePlain, writeScientific } from "./format-number.ts";

const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });

describe("doubles", () => {
  it("without an exponent read back as the same double", () => {
    expect(writePlain(5e-324)).toBe(`0.${"0".repeat(323)}5`);
    expect(writePlain(1e300)).toBe(`1${"0".repeat(300)}`);
    fc.assert(
      fc.property(doubles, (value) => {
        expect(writePlain(value)).toMatch(/^-?\d+(\.\d*[1-9])?$/);
        expect(Object.is(Number(writePlain(value)), value)).toBe(true);
      }),
      { seed: 1 },
    );
  });

  it("with a fixed number of digits are JavaScript's, unless they are exactly halfway", () => {
    const fractions = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fractions, fc.nat(20), (value, precision) => {
        const between = Number.isInteger(value * 2 ** 21); // then half of a unit may be exact
        if (!between)
          expect(writeFixed(value, precision)).toBe(value.toFixed(precision).replace(/^-?(?=0)/, sign(value)));
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  it("with an exponent are JavaScript's, with two digits in the exponent", () => {
    fc.assert(
      fc.property(doubles, (value) => {
        const written = value.toExponential(17).replace(/e([+-])(\d)$/, "e$10$2");
        expect(writeScientific(value, 17)).toBe(Object.is(value, -0) ? `-${written}` : written);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  it("just between two go to the even one", () => {
    expect([0.5, 1.5, 2.5, -0.5].map((value) => writeFixed(value, 0))).toEqual(["0", "2", "2", "-0"]);
    expect([1.25, 1.75].map((value) => writeScientific(value, 1))).toEqual(["1.2e+00", "1.8e+00"]);
    expect(writeFixed(2 ** 70, 2)).toBe("1180591620717411303424.00");
  });
});

function sign(value: number): string {
  return value < 0 || Object.is(value, -0) ? "-" : "";
}
