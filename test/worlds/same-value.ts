// Are two values the same? As `toEqual`, but quick if they are: a test may ask very often.

import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** Fails, and shows where it happened and the difference, unless the two are the same. */
export function expectSame(where: () => string, given: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(given, wanted))
    expect({ where: where(), value: given }).toEqual({ where: where(), value: wanted });
}
