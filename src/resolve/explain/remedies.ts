// What has to be done on the cluster before a bundle may change its custom kinds? Where several versions are refused, for
// the one that needs the least.

import { remediesOf } from "../../constraint/crd-upgrade-rule.ts";
import type { Explanation } from "../resolution.ts";

/** Sentences, one for each thing to do before; none where nothing of the kind would help. */
export function remediesFor({ causes }: Explanation): readonly string[] {
  const lists = causes.flatMap((cause) =>
    cause.kind === "refusal" ? cause.refused.flatMap(({ rule }) => [remediesOf(rule) ?? []]) : [],
  );
  const useful = lists.filter((list) => list.length > 0);
  return useful.reduce((least, list) => (list.length < least.length ? list : least), useful[0] ?? []);
}
