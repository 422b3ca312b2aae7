// Where is an API declared that only one operator may provide? Of each package that provides it, in its newest bundle.

import type { ExplainedOperator } from "../../resolve/explain/fact.ts";
import type { SubjectExplanation } from "../../resolve/explain/subject.ts";
import { operatorSource, type Source } from "../resolve/sources.ts";

/** The place of each declaration that takes part in an explanation. */
export function declarationsOf({ explanation, unsatisfied, notNewer }: SubjectExplanation): readonly Source[] {
  const found = new Map<string, Source>();
  const refused = unsatisfied.map((item) => item.explanation);
  for (const { facts, operators } of [explanation, ...refused, ...(notNewer === undefined ? [] : [notNewer])])
    for (const fact of facts) {
      if (fact.kind !== "one-provider") continue;
      for (const { member, place } of fact.declarations) {
        const what = operatorSource(operators[member] as ExplainedOperator);
        if (place !== undefined && !found.has(what)) found.set(what, { place, what });
      }
    }
  return [...found.values()];
}
