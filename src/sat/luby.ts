// How long is the next run before a restart? 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …: mostly short, sometimes long, and
// within a constant factor of the best strategy that does not know the problem.

/** The number at a position of the sequence, from 1. */
export function luby(place: number): number {
  let length = 1;
  let value = 1;
  while (length < place) {
    length = 2 * length + 1;
    value *= 2;
  }
  while (length !== place) {
    length = (length - 1) / 2;
    value /= 2;
    if (place > length) place -= length;
  }
  return value;
}
