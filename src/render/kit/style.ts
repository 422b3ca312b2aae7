// How is a word emphasised? By colour on a terminal, not at all elsewhere; colour never carries meaning alone.

type Emphasis = "bold" | "dim" | "red" | "yellow" | "green" | "cyan" | "magenta";

/** Ways to make text stand out; each returns the text as it is when colour is off. */
export type Style = Readonly<Record<Emphasis, (text: string) => string>>;

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
