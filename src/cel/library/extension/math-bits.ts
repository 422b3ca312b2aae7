// What can be done with the 64 bits of a number? Ints are two's complements.
import { globalFunction, type Overload } from "../../library.ts";
import { INT, UINT } from "../../type.ts";
import { intOrOverflow, Uint } from "../../value/number.ts";
import { CelError, type Result } from "../../value/value.ts";

type Int = number | bigint;

function intOfBits(bits: bigint): Result {
  return intOrOverflow(BigInt.asIntN(64, bits));
}

function uintOfBits(bits: bigint): Result {
  return new Uint(BigInt.asUintN(64, bits));
}

function bitsOf(value: Int): bigint {
  return BigInt.asUintN(64, BigInt(value));
}

/** Two numbers of one kind, bit by bit. */
function combine(name: string, of: (a: bigint, b: bigint) => bigint): readonly Overload[] {
  const ints = (a: Int, b: Int): Result => intOfBits(of(bitsOf(a), bitsOf(b)));
  const uints = (a: Uint, b: Uint): Result => uintOfBits(of(a.value, b.value));
  return [
    globalFunction(`math.${name}`, `math_${name}_int_int`, [INT, INT], INT, ints),
    globalFunction(`math.${name}`, `math_${name}_uint_uint`, [UINT, UINT], UINT, uints),
  ];
}

/** Shifts bits; zeros are shifted in, even at the sign bit. */
function shift(name: string, of: (bits: bigint, places: bigint) => bigint): readonly Overload[] {
  const moved = (bits: bigint, places: Int, result: (bits: bigint) => Result): Result => {
    if (places < 0) return new CelError(`bits cannot be moved by ${places} places`);
    return result(places >= 64 ? 0n : of(bits, BigInt(places)));
  };
  const ints = (value: Int, places: Int): Result => moved(bitsOf(value), places, intOfBits);
  const uints = (value: Uint, places: Int): Result => moved(value.value, places, uintOfBits);
  return [
    globalFunction(`math.${name}`, `math_${name}_int_int`, [INT, INT], INT, ints),
    globalFunction(`math.${name}`, `math_${name}_uint_int`, [UINT, INT], UINT, uints),
  ];
}

/** `math.bitAnd`, `math.bitOr`, `math.bitXor`, `math.bitNot`, `math.bitShiftLeft`, `math.bitShiftRight` */
export const bitFunctions: readonly Overload[] = [
  ...combine("bitAnd", (a, b) => a & b),
  ...combine("bitOr", (a, b) => a | b),
  ...combine("bitXor", (a, b) => a ^ b),
  globalFunction("math.bitNot", "math_bitNot_int_int", [INT], INT, (value: Int) => intOfBits(~bitsOf(value))),
  globalFunction("math.bitNot", "math_bitNot_uint_uint", [UINT], UINT, ({ value }: Uint) => uintOfBits(~value)),
  ...shift("bitShiftLeft", (bits, places) => bits << places),
  ...shift("bitShiftRight", (bits, places) => bits >> places),
];
