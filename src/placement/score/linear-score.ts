// How far along is something between the least and the most, from -100 to 100, without any loss?

/** trunc(100 · (2·part − whole) / whole), exactly; both are whole numbers with 0 ≤ part ≤ whole ≤ 2^53 and whole > 0. */
export function linearScore(part: number, whole: number): number {
  const distance = part + part - whole;
  const scaled = 100 * distance;
  if (Number.isSafeInteger(scaled)) return (scaled - (scaled % whole)) / whole + 0;
  return Number((100n * BigInt(distance)) / BigInt(whole));
}
