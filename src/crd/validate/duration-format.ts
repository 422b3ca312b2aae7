// Is a text a duration? The API server takes what Go does (1h30m), and numbers with names of units anywhere in a text
// ("2 days and 3 hours").

const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** Units by all their names. */
const UNITS: ReadonlySet<string> = new Set(["ns", "us", "µs", "ms", "s", "sec", "m", "min", "h", "hr", "d", "w", "wk"]);
/** What the name of a unit may begin with. */
const LONG_UNITS = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

/** Is there a duration in the text? */
export function isDuration(text: string): boolean {
  return GO_DURATION.test(text) || hasDuration(text);
}

function hasDuration(text: string): boolean {
  let found = false;
  let at = 0;
  while (at < text.length) {
    const digits = endOf(text, at, isDigit);
    if (digits === at) {
      at++;
      continue;
    }
    const blanks = endOf(text, digits, isBlank);
    const letters = endOf(text, blanks, isLetter);
    if (letters > blanks) {
      // A number that does not fit into 64 bits spoils the whole text.
      if (!fits(text.slice(at, digits))) return false;
      found ||= isUnit(text.slice(blanks, letters).toLowerCase());
    }
    at = letters;
  }
  return found;
}

function isUnit(name: string): boolean {
  return UNITS.has(name) || LONG_UNITS.some((start) => name.startsWith(start));
}

function fits(digits: string): boolean {
  const needed = digits.replace(/^0+/, "");
  return needed.length < 19 || (needed.length === 19 && needed <= "9223372036854775807");
}

function endOf(text: string, from: number, belongs: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && belongs(text[at] as string)) at++;
  return at;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === "\n" || character === "\f" || character === "\r";
}

function isLetter(character: string): boolean {
  return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") || character === "µ";
}
