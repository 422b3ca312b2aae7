// Where are the lines of a text broken? A text is made of groups; a group is on one line if it fits.

/** A part of a text. */
export interface Doc {
  readonly kind: "text" | "line" | "group" | "indent" | "all" | "suffix";
  readonly text: string;
  readonly parts: readonly Doc[];
  /** Must the groups around it be broken? */
  readonly broken: boolean;
}

function doc(kind: Doc["kind"], text: string, parts: readonly Doc[], broken: boolean): Doc {
  return { kind, text, parts, broken };
}

/** This text. */
export function text(content: string): Doc {
  return doc("text", content, [], false);
}

/** A blank, or the end of the line if the group is broken. */
export const LINE: Doc = doc("line", " ", [], false);
/** Nothing, or the end of the line if the group is broken. */
export const SOFT_LINE: Doc = doc("line", "", [], false);
/** The end of the line: the groups around it are broken. */
export const HARD_LINE: Doc = doc("line", "", [], true);

/** One after the other. */
export function all(...parts: readonly Doc[]): Doc {
  return doc("all", "", parts, parts.some(isBroken));
}

/** On one line, if it fits. */
export function group(...parts: readonly Doc[]): Doc {
  return doc("group", "", parts, parts.some(isBroken));
}

/** With lines that begin further to the right. */
export function indent(...parts: readonly Doc[]): Doc {
  return doc("indent", "", parts, parts.some(isBroken));
}

/** A comment at the end of the line; the groups around it are broken, so that one follows. */
export function suffix(content: string): Doc {
  return doc("suffix", content, [], true);
}

function isBroken(part: Doc): boolean {
  return part.broken;
}

const INDENTATION = 2;

interface Open {
  readonly doc: Doc;
  readonly indentation: number;
  readonly flat: boolean;
}

/** The text, with lines that are no longer than `width` where that is possible. */
export function print(root: Doc, width: number): string {
  const out: string[] = [];
  const open: Open[] = [{ doc: root, indentation: 0, flat: false }];
  let column = 0;
  let waiting = "";
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { doc, indentation, flat } = item;
    switch (doc.kind) {
      case "text":
        out.push(doc.text);
        column = columnAfter(column, doc.text);
        break;
      case "suffix":
        waiting += doc.text;
        break;
      case "line":
        if (flat) {
          out.push(doc.text);
          column += doc.text.length;
        } else {
          out.push(`${waiting}\n${" ".repeat(indentation)}`);
          waiting = "";
          column = indentation;
        }
        break;
      case "group": {
        const isFlat = flat || (!doc.broken && fits(doc, width - column, open));
        pushParts(open, doc, indentation, isFlat);
        break;
      }
      case "indent":
        pushParts(open, doc, indentation + INDENTATION, flat);
        break;
      case "all":
        pushParts(open, doc, indentation, flat);
        break;
    }
  }
  out.push(waiting);
  return out.join("");
}

function pushParts(open: Open[], { parts }: Doc, indentation: number, flat: boolean): void {
  for (let index = parts.length - 1; index >= 0; index--) open.push({ doc: parts[index] as Doc, indentation, flat });
}

function columnAfter(column: number, written: string): number {
  const lineEnd = written.lastIndexOf("\n");
  return lineEnd === -1 ? column + written.length : written.length - lineEnd - 1;
}

/** Does the group fit on the line, with what follows it up to the next place where the line can end? */
function fits(group: Doc, room: number, after: readonly Open[]): boolean {
  let left = room;
  let next = after.length;
  const open: Open[] = [{ doc: group, indentation: 0, flat: true }];
  for (;;) {
    if (left < 0) return false;
    const item = open.pop() ?? (next > 0 ? after[--next] : undefined);
    if (item === undefined) return true;
    const { doc, flat } = item;
    switch (doc.kind) {
      case "text": {
        const lineEnd = doc.text.indexOf("\n");
        if (lineEnd !== -1) return left >= lineEnd;
        left -= doc.text.length;
        break;
      }
      case "line":
        if (!flat) return true;
        left -= doc.text.length;
        break;
      case "suffix":
        return true;
      case "group":
        pushParts(open, doc, 0, flat && !doc.broken);
        break;
      default:
        pushParts(open, doc, 0, flat);
    }
  }
}
