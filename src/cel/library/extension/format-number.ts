// How is a double written: with all its digits, with a fixed number of them, or with an exponent?
//
// A double is a whole number times a power of two, so its decimal digits are computed exactly and rounded to the even
// neighbour where it is just between two, as C's printf and Go do; JavaScript's toFixed rounds such a double up.

/** NaN and the infinities, which are written as words in every form. */
function inWords(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? undefined : value < 0 ? "-Infinity" : "Infinity";
}

/** The shortest digits that read back as the same double, without an exponent. */
export function writePlain(value: number): string {
  const words = inWords(value);
  if (words !== undefined) return words;
  const [digits, exponent] = Math.abs(value).toExponential().split("e") as [string, string];
  return sign(value) + placePoint(digits.replace(".", ""), Number(exponent) + 1);
}

/** With `precision` digits after the point. */
export function writeFixed(value: number, precision: number): string {
  const words = inWords(value);
  if (words !== undefined) return words;
  const digits = String(scaled(Math.abs(value), precision)).padStart(precision + 1, "0");
  const point = digits.length - precision;
  return `${sign(value)}${digits.slice(0, point)}${precision === 0 ? "" : `.${digits.slice(point)}`}`;
}

/** One digit before the point, `precision` digits after it, and the power of ten in at least two digits. */
export function writeScientific(value: number, precision: number): string {
  const words = inWords(value);
  if (words !== undefined) return words;
  const magnitude = Math.abs(value);
  let power = 0;
  let digits = 0n;
  if (magnitude > 0) {
    // The shortest digits may be rounded up to the next power of ten, which the double itself does not reach.
    power = Number(magnitude.toExponential().split("e")[1]);
    digits = scaled(magnitude, precision - power);
    if (digits < 10n ** BigInt(precision)) digits = scaled(magnitude, precision - --power);
    if (digits >= 10n ** BigInt(precision + 1)) {
      digits /= 10n;
      power++;
    }
  }
  const [first = "0", ...rest] = String(digits).padStart(precision + 1, "0");
  const fraction = precision === 0 ? "" : `.${rest.join("")}`;
  return `${sign(value)}${first}${fraction}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function sign(value: number): string {
  return value < 0 || Object.is(value, -0) ? "-" : "";
}

/** Digits with the point after the first `whole` of them; missing digits are filled with zeros. */
function placePoint(digits: string, whole: number): string {
  if (whole <= 0) return digits === "0" ? "0" : `0.${"0".repeat(-whole)}${digits}`;
  if (whole >= digits.length) return digits + "0".repeat(whole - digits.length);
  return `${digits.slice(0, whole)}.${digits.slice(whole)}`;
}

/** A positive double times a power of ten, as the nearest whole number; the even one of two that are as near. */
function scaled(value: number, power: number): bigint {
  const { mantissa, exponent } = parts(value);
  const up = mantissa * 10n ** BigInt(Math.max(0, power)) * 2n ** BigInt(Math.max(0, exponent));
  const down = 10n ** BigInt(Math.max(0, -power)) * 2n ** BigInt(Math.max(0, -exponent));
  const quotient = up / down;
  const rest = 2n * (up % down);
  return rest > down || (rest === down && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** The whole number and the power of two whose product the double is. */
function parts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const field = (bits.getUint16(0) >> 4) & 0x7ff;
  const fraction = bits.getBigUint64(0) & 0xfffffffffffffn;
  return field === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: field - 1075 };
}
