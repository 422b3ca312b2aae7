// Where in a sorted list does an item belong?

/** The first position of `length` that is not before the item: a binary search. */
export function firstPosition(length: number, isBefore: (position: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
