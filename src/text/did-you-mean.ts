// Which known word did the user mean? The nearest by edits (a swap of two neighbours counts as one), if it is near; or
// the one that begins with what was written.

const MAX_LENGTH = 64;
/** A beginning of fewer letters says too little. */
const SHORTEST_BEGINNING = 4;

/** The known word nearest to `word`, or nothing if none is near enough; ties go to the first in byte order. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const allowed = Math.min(3, Math.floor((word.length + 2) / 4));
  if (word.length > MAX_LENGTH) return undefined;
  const folded = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = edits(folded, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance || (distance === bestDistance && best !== undefined && candidate < best)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (bestDistance <= allowed || best?.toLowerCase() === folded) return best;
  return shortestThatBegins(folded, known);
}

function shortestThatBegins(folded: string, known: Iterable<string>): string | undefined {
  if (folded.length < SHORTEST_BEGINNING) return undefined;
  let best: string | undefined;
  for (const candidate of known) {
    if (!candidate.toLowerCase().startsWith(folded)) continue;
    if (best === undefined || candidate.length < best.length || (candidate.length === best.length && candidate < best))
      best = candidate;
  }
  return best;
}

/** The number of edits between two words, or any number above `limit` if there are more. */
function edits(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return least;
    beforeLast = last;
    last = current;
  }
  return last[b.length] as number;
}
