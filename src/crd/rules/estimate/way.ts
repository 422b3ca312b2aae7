// Which way leads to a value?
//
// cel-go keeps ways in Go slices and adds steps with append(), so that two ways that begin alike may share their memory: the
// later step then replaces the earlier one. The API server's estimates come out of that, so it is done here, too.

/** A variable, then fields, `@items`, `@keys`, `@values` or `@indices`. Steps beyond its length belong to others. */
export interface Way {
  readonly steps: string[];
  readonly length: number;
  /** How many steps there is room for before the way is copied. */
  readonly room: number;
}

export const NO_WAY: Way = { steps: [], length: 0, room: 0 };

/** The way to a variable. */
export function wayTo(variable: string): Way {
  return { steps: [variable], length: 1, room: 1 };
}

/** The way, and one step further. */
export function further({ steps, length, room }: Way, step: string): Way {
  if (length < room) {
    steps[length] = step;
    return { steps, length: length + 1, room };
  }
  return { steps: [...steps.slice(0, length), step], length: length + 1, room: Math.max(1, 2 * room) };
}
