// How is a value written in DER (X.690)? Only what a certificate needs: a tag, a length, and the content.

/** An ASN.1 value, written. */
export type Der = Uint8Array;

/** A value of any tag. */
export function tagged(tag: number, ...content: readonly Der[]): Der {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(bytes.length), bytes]);
}

function lengthOf(length: number): Der {
  if (length < 0x80) return Buffer.from([length]);
  const digits = digitsOf(length, 256);
  return Buffer.from([0x80 | digits.length, ...digits]);
}

/** The digits of a number, the highest first; none for 0. */
function digitsOf(value: number, base: number): number[] {
  const digits: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / base)) digits.unshift(rest % base);
  return digits;
}

export function sequence(...items: readonly Der[]): Der {
  return tagged(0x30, ...items);
}

export function set(...items: readonly Der[]): Der {
  return tagged(0x31, ...items);
}

export const TRUE: Der = tagged(0x01, Buffer.from([0xff]));

/** A number of bytes, not negative, the highest byte first. */
export function integer(magnitude: Der): Der {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : magnitude.subarray(first);
  // A first bit that is set would make it negative.
  return tagged(0x02, Buffer.from((digits[0] as number) >= 0x80 ? [0] : []), digits);
}

/** An object identifier in its usual form: `2.5.4.3`. */
export function oid(text: string): Der {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const arcs = [first * 40 + second, ...rest];
  const bytes = arcs.flatMap((arc) => {
    const digits = arc === 0 ? [0] : digitsOf(arc, 128);
    return digits.map((digit, at) => (at < digits.length - 1 ? digit | 0x80 : digit));
  });
  return tagged(0x06, Buffer.from(bytes));
}

export function utf8Text(text: string): Der {
  return tagged(0x0c, Buffer.from(text));
}

export function octets(content: Der): Der {
  return tagged(0x04, content);
}

/** Bits, of which the last `unused` ones do not count. */
export function bits(content: Der, unused = 0): Der {
  return tagged(0x03, Buffer.from([unused]), content);
}

/** A time in milliseconds since 1970, as RFC 5280 wants it: with two digits of the year until 2049, in whole seconds. */
export function time(milliseconds: number): Der {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, "");
  return digits < "2050" ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
