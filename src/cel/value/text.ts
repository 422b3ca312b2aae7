// How long is a string, and which comes first, counted in code points as CEL does?

const SURROGATE = /[\ud800-\udfff]/;

/** Does the text consist of characters that are one UTF-16 unit each? */
export function isSimpleText(text: string): boolean {
  return !SURROGATE.test(text);
}

/** How many code points the text has. */
export function codePointCount(text: string): number {
  if (isSimpleText(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The text's code points, each as a text of its own. */
export function codePoints(text: string): readonly string[] {
  return isSimpleText(text) ? text.split("") : Array.from(text);
}

/** Negative, zero or positive: the order of code points (which is the order of UTF-8 bytes). */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // A surrogate stands for a code point above all others of the basic plane.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}
