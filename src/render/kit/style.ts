// How is a word emphasised? By colour on a terminal, not at all elsewhere; colour never carries meaning alone.

/** Styles of emphasised text; each returns the text unchanged if colour is off. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly magenta: (text: string) => string;
}

/** A style with or without colour. */
export function makeStyle(colour: boolean): Style {
  const between = (start: number, end: number) => (text: string) =>
    colour && text !== "" ? `\u001b[${start}m${text}\u001b[${end}m` : text;
  return {
    bold: between(1, 22),
    dim: between(2, 22),
    red: between(31, 39),
    yellow: between(33, 39),
    green: between(32, 39),
    cyan: between(36, 39),
    magenta: between(35, 39),
  };
}
