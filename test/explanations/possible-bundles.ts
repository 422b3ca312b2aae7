// Could a bundle have been there? Beside all requests that have an operator, by trying everything.

import type { Mask, Table } from "../worlds/table.ts";
import type { Absent } from "./explained.ts";

/** Tests the bundles that are absent from the answer to the problem of a table. */
export function possibleBundles(
  table: Table,
  allowed: readonly Mask[],
  [first]: readonly Absent[],
): (absent: Absent) => boolean {
  const { requests } = table.problem;
  const refused = new Set(first?.resolution.unsatisfied.map(({ request }) => request.id));
  const owed = table.ladders.filter((_, index) => !refused.has(requests[index]?.id ?? ""));
  const good = allowed.filter((members) => owed.every((ladder) => ladder.some((bit) => (bit & members) !== 0)));
  return ({ bundle }) => {
    const bit = table.bundles(bundle.chosen === undefined ? [] : [bundle.chosen]);
    return good.some((members) => (members & bit) !== 0);
  };
}
