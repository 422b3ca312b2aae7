// How deeply is a JSON text nested? Checked before parsing: deep nesting would overflow the stack.

/** Are objects and lists nested deeper than this? The text need not be JSON. */
export function nestsDeeper(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (quoted) {
      if (unit === 0x5c) index++;
      else if (unit === 0x22) quoted = false;
    } else if (unit === 0x22) quoted = true;
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > most) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
}
