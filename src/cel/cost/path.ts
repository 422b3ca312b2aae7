// Which path leads to a value?
//
// cel-go keeps paths in Go slices and adds steps with append(), so two paths with the same beginning may share memory: the
// later step then replaces the earlier one. The API server's estimates depend on that, so the sharing is reproduced here.

/** A variable, then fields, `@items`, `@keys`, `@values` or `@indices`. Steps beyond its length belong to other paths. */
export interface ValuePath {
  readonly steps: string[];
  readonly length: number;
  /** How many steps fit before the path is copied. */
  readonly room: number;
}

export const NO_PATH: ValuePath = { steps: [], length: 0, room: 0 };

/** The path to a variable. */
export function pathTo(variable: string): ValuePath {
  return { steps: [variable], length: 1, room: 1 };
}

/** The path, extended by one step. */
export function further({ steps, length, room }: ValuePath, step: string): ValuePath {
  if (length < room) {
    steps[length] = step;
    return { steps, length: length + 1, room };
  }
  return { steps: [...steps.slice(0, length), step], length: length + 1, room: Math.max(1, 2 * room) };
}
