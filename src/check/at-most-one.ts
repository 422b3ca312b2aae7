// Are there two where only one is allowed? One bundle per package in the namespace, one provider per API.

import { groupedByAll } from "../model/grouped.ts";
import type { CheckedRule, Violation } from "./answer.ts";
import type { Member, State } from "./state.ts";

/**
 * For each package and each API that has two, one pair. Two that are installed already are no violation if `relaxed`.
 */
export function onePerViolations(state: State, relaxed: boolean): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (
    rule: CheckedRule,
    members: readonly Member[],
    what: (first: string, second: string) => string,
  ): void => {
    const pair = offendingPair(members, relaxed);
    if (pair !== undefined) violations.push({ rule, text: what(pair[0].name, pair[1].name) });
  };
  for (const [owner, members] of groupedByAll(state.local, (one) => (one.package === undefined ? [] : [one.package])))
    report("one-bundle", members, (first, second) => `${first} and ${second} are both of package ${owner}`);
  for (const [api, members] of state.providers)
    report("one-provider", members, (first, second) => `${first} and ${second} both provide ${api}`);
  return violations;
}

function offendingPair(members: readonly Member[], relaxed: boolean): readonly [Member, Member] | undefined {
  for (const one of members) {
    if (!(one.role === "chosen" || (one.role === "kept" && !relaxed))) continue;
    const other = members.find((second) => second !== one && excludeEachOther(one, second));
    if (other !== undefined) return [one, other];
  }
  return undefined;
}

/** Do a member of the namespace and another member exclude each other? */
function excludeEachOther(local: Member, other: Member): boolean {
  if (other.role === "node") return false;
  if (other.role !== "elsewhere") return true;
  return local.package === undefined || local.package !== other.package;
}
