// Where do the arrays of a solver come from? Small ones are cut out of shared chunks: explanations create thousands
// of solvers for a few operators each, and thirty separate arrays cost more than many a search.

/** Initial capacity in variables. */
export const FIRST_VARIABLES = 64;

const CHUNK = 65_536;
/** An array of more bytes than this gets its own buffer. */
const SMALL = 4_096;
/** Arrays of fewer numbers than this grow fourfold. */
const FAST = 1_024;
/** Every array begins at a multiple of this. */
const ALIGNMENT = 8;

let chunk = new ArrayBuffer(CHUNK);
let used = 0;

/** Allocates bytes of the chunk, never handed out before: they are all zero. */
function take(bytes: number): number {
  if (used + bytes > CHUNK) {
    chunk = new ArrayBuffer(CHUNK);
    used = 0;
  }
  const at = used;
  used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
  return at;
}

/** Zeros of 32 bits each. */
export function ints(count: number): Int32Array<ArrayBuffer> {
  if (4 * count > SMALL) return new Int32Array(count);
  const at = take(4 * count);
  return new Int32Array(chunk, at, count);
}

/** Zeros of 8 bits each. */
export function bytes(count: number): Uint8Array<ArrayBuffer> {
  if (count > SMALL) return new Uint8Array(count);
  const at = take(count);
  return new Uint8Array(chunk, at, count);
}

/** Zeros that may become 1 or -1. */
export function signs(count: number): Int8Array<ArrayBuffer> {
  if (count > SMALL) return new Int8Array(count);
  const at = take(count);
  return new Int8Array(chunk, at, count);
}

/** Zeros that may become fractions. */
export function fractions(count: number): Float64Array<ArrayBuffer> {
  if (8 * count > SMALL) return new Float64Array(count);
  const at = take(8 * count);
  return new Float64Array(chunk, at, count);
}

/** A copy with at least twice the capacity; small arrays grow faster, since they are likely to grow again. */
export function grown(array: Int32Array<ArrayBuffer>, needed: number): Int32Array<ArrayBuffer> {
  const larger = ints(Math.max(needed, array.length * (array.length < FAST ? 4 : 2)));
  larger.set(array);
  return larger;
}

/** A copy with more capacity, in the same steps. */
export function grownBytes(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = bytes(array.length * (array.length < FAST ? 4 : 2));
  larger.set(array);
  return larger;
}
