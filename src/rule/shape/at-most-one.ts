// How is at most one of a group allowed? Two that are installed already may both stay. The shape of "one bundle per
// package" and "one provider per API".

import type { OperatorRef } from "../../model/operator-ref.ts";
import type { Problem } from "../../model/problem.ts";
import type { Detail } from "../rules.ts";
import type { Excludes } from "./clauses.ts";

/** What a rule about groups reads from a member. */
export interface Grouped {
  readonly package: string | undefined;
  /** The APIs that it provides, by `gvkKey`. */
  readonly provides: readonly string[];
}

/** A rule that allows at most one of a group: `¬a ∨ ¬b` for each two. */
export interface GroupRule {
  readonly name: "one-bundle" | "one-provider";
  /** It also counts operators of other namespaces, if they are of other packages. */
  readonly spansNamespaces: boolean;
  /** The groups that a member is in. */
  readonly groupsOf: (member: Grouped) => readonly string[];
  /** The statement that these are in a group together. */
  readonly detail: (group: string, members: readonly OperatorRef[], scope: Problem["scope"]) => Detail;
}

/** Do the present members of a group satisfy the rule? */
export function isKept(present: readonly { readonly runs: boolean }[]): boolean {
  return present.length < 2 || present.every(({ runs }) => runs);
}

/** The members that the present members of a group exclude; `runs`: whether each member is installed already. */
export function excludedBy(runs: ReadonlyMap<number, boolean>, isRepair: boolean): Excludes {
  return (present) => {
    const inside = new Set(present);
    const mayGoOn = !isRepair && present.some((member) => runs.get(member));
    return [...runs].flatMap(([member, isRunning]) => (inside.has(member) || (isRunning && mayGoOn) ? [] : [member]));
  };
}
