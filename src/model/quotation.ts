// Which parts of a sentence are somebody's own words? Those between quotation marks stay as they were written.

const OPENS = /(?<=^|[\s(])"/g;
const CLOSES = /"(?=$|[\s),;:.])/g;

/** A sentence of which only the parts outside quotation marks are changed. */
export function outsideQuotes(text: string, change: (part: string) => string): string {
  let changed = "";
  let end = 0;
  for (;;) {
    OPENS.lastIndex = end;
    const start = OPENS.exec(text)?.index;
    CLOSES.lastIndex = (start ?? 0) + 1;
    const close = start === undefined ? undefined : CLOSES.exec(text)?.index;
    if (start === undefined || close === undefined) return changed + change(text.slice(end));
    changed += change(text.slice(end, start)) + text.slice(start, close + 1);
    end = close + 1;
  }
}
