// What is the SHA-256 of some bytes? Implemented here (FIPS 180-4), because the browser API is asynchronous and
// Node's is another one.

/** The first 32 bits of the fractional part of a root of each of the first primes; a double has enough precision. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const found = new Int32Array(count);
  for (let candidate = 2, index = 0; index < count; candidate++) {
    if (!isPrime(candidate)) continue;
    const value = root(candidate);
    found[index++] = Math.floor((value - Math.floor(value)) * 2 ** 32);
  }
  return found;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) return false;
  return true;
}

const START = fractions(8, Math.sqrt);
const ROUND = fractions(64, Math.cbrt);

const BLOCK = 64;
/** The message schedule of the current block. */
const WORDS = new Int32Array(64);

/** The digest, as 64 hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const state = START.slice();
  const whole = bytes.length - (bytes.length % BLOCK);
  for (let at = 0; at < whole; at += BLOCK) takeBlock(state, bytes, at);
  const rest = lastBlocks(bytes, whole);
  for (let at = 0; at < rest.length; at += BLOCK) takeBlock(state, rest, at);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The rest after the whole blocks, a single bit, zeros, and the number of all bits. */
function lastBlocks(bytes: Uint8Array, from: number): Uint8Array {
  const left = bytes.length - from;
  const last = new Uint8Array(left < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  last.set(bytes.subarray(from));
  last[left] = 0x80;
  new DataView(last.buffer).setBigUint64(last.length - 8, BigInt(bytes.length) * 8n);
  return last;
}

/** Every index is within its array. */
function takeBlock(state: Int32Array, bytes: Uint8Array, from: number): void {
  const words = WORDS;
  for (let i = 0, at = from; i < 16; i++, at += 4)
    words[i] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number);
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15] as number;
    const y = words[i - 2] as number;
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = ((words[i - 16] as number) + small0 + (words[i - 7] as number) + small1) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + (words[i] as number)) | 0;
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}
