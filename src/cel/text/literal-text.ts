// How is a literal written?
import type { Literal } from "../ast.ts";
import { Bytes } from "../value/boxes.ts";
import { writeValue } from "../value/describe.ts";
import { Double, isDouble } from "../value/number.ts";

/** The literal as it was written in the source; without a source, in its simplest form. */
export function literalText(literal: Literal, source: string): string {
  if (source === "") return canonical(literal);
  const written = source.slice(literal.start, literal.end);
  // Blanks and comments may stand between a sign and its number.
  return written.startsWith("-") ? `-${/[0-9.]\S*$/.exec(written)?.[0]}` : written;
}

function canonical({ value }: Literal): string {
  if (typeof value === "string") return quotedText(value);
  if (value instanceof Bytes) return writeValue(value);
  if (!isDouble(value)) return writeValue(value);
  const number = value instanceof Double ? value.value : value;
  const digits = Object.is(number, -0) ? "-0" : String(number);
  return /^-?[0-9]+$/.test(digits) ? `${digits}.0` : digits;
}

/** In double quotes. A half of a surrogate pair has no escape and is written as it is. */
function quotedText(value: string): string {
  return JSON.stringify(value).replace(
    /(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})/g,
    (_, before: string, code: string) => {
      return before + String.fromCharCode(Number.parseInt(code, 16));
    },
  );
}
