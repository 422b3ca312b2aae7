// What has to be done by others before something is possible, where no change of what is asked for helps? Mistakes have to
// be corrected; and before a bundle may change its custom kinds, something has to be done on the cluster: where several
// versions are refused, for the one that needs the least.

import { remediesOf } from "../../rule/crd-upgrade.ts";
import type { Explanation } from "../resolution.ts";
import type { RefusalCause } from "./cause.ts";
import { memberText, newestFirst } from "./version-runs.ts";

/** Sentences, one for each thing to do before; none where nothing of the kind would help. */
export function remediesFor({ causes }: Explanation): readonly string[] {
  const refusals = causes.filter((cause) => cause.kind === "refusal");
  const lists = refusals.flatMap(({ refused }) => refused.map(({ rule }) => remediesOf(rule) ?? []));
  const useful = lists.filter((list) => list.length > 0);
  const least = useful.reduce((few, list) => (list.length < few.length ? list : few), useful[0] ?? []);
  return [...new Set([...least, ...refusals.flatMap(correctionOf)])];
}

/** What is written wrongly is to be corrected; what else is in the way shows only then. */
function correctionOf({ refused, number }: RefusalCause): readonly string[] {
  const [first] = refused;
  if (first?.rule.name === "runtime-constraint" && number === undefined)
    return ["Repair the administrator's constraints, as the errors in the input say."];
  if (first?.rule.name !== "malformed-constraint") return [];
  const [newest = first.member] = newestFirst(refused.map(({ member }) => member));
  return [
    `Have the constraints of ${memberText(newest)} corrected, as it says above; what else is in the way shows only then.`,
  ];
}
