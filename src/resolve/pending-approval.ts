// What is pending approval? In the automatic answer, operators with a Manual request do not change; what
// the free answer changes beyond it is pending approval (semantics: "Manual approval").

import { unapprovedChanges } from "../check/approval.ts";
import { compareText } from "../model/json.ts";
import type { Request } from "../model/problem.ts";
import type { Candidate } from "./catalog-index.ts";
import { type Operator, propertiesOf, refOf, requestRef } from "./member.ts";
import type { PackageChange, PendingApproval } from "./resolution.ts";
import { answerOf, refuse, type Solution } from "./solution.ts";

/** A change in the free answer that is not in the automatic answer. */
interface Difference {
  readonly to: Candidate;
  /** The operator in its place in the automatic answer. */
  readonly from: Operator | undefined;
  readonly manual: readonly Request[];
  readonly isRequested: boolean;
}

/** The groups of changes that are pending approval. */
export function pendingApprovals(automatic: Solution, free: Solution): readonly PendingApproval[] {
  if (automatic === free) return [];
  refuse(free.problem, unapprovedChanges(free.problem, answerOf(automatic)));
  const differences = free.chosen
    .filter((node) => !automatic.members.has(node))
    .map((to) => difference(to, automatic, free));
  const groups = connected(differences, (a, b) => areRelated(a, b, free));
  const manual = groups.filter((group) => group.some((one) => one.manual.length > 0));
  const others = groups.filter((group) => !manual.includes(group)).flat();
  return manual.map((group, index) => pending(index === 0 ? [...group, ...others] : group));
}

function difference(to: Candidate, automatic: Solution, free: Solution): Difference {
  const requests = free.question.requestsFor.get(to) ?? [];
  const replaced = requests.find(({ installed }) => installed !== undefined)?.installed;
  const same = automatic.chosen.find((node) => node.packageName === to.packageName);
  const kept = automatic.kept.find(
    ({ name, package: owner }) => name === replaced?.name || owner === to.packageName.name,
  );
  return {
    to,
    from: same ?? kept,
    manual: requests.map(({ request }) => request).filter(({ approval }) => approval === "Manual"),
    isRequested: requests.length > 0,
  };
}

/** Does one change provide what the other one needs, before or after the change? */
function areRelated(a: Difference, b: Difference, free: Solution): boolean {
  return needs(a, b, free) || needs(b, a, free);
}

function needs(a: Difference, b: Difference, { question }: Solution): boolean {
  const { world } = question.encoding;
  const sides = (one: Difference): readonly Operator[] => (one.from === undefined ? [one.to] : [one.to, one.from]);
  return sides(a).some((requirer) =>
    world
      .leavesOf(propertiesOf(requirer))
      .some(({ predicate }) => sides(b).some((provider) => world.isMatch(predicate, propertiesOf(provider)))),
  );
}

function connected(all: readonly Difference[], related: (a: Difference, b: Difference) => boolean): Difference[][] {
  const groups: Difference[][] = [];
  for (const one of all) {
    const joined = groups.filter((group) => group.some((other) => related(one, other)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined.flat(), one]);
  }
  return groups;
}

function pending(group: readonly Difference[]): PendingApproval {
  const changes = group
    .map(
      ({ to, from }): PackageChange => ({
        package: to.bundle.package,
        ...(from !== undefined && { from: refOf(from) }),
        to: refOf(to),
      }),
    )
    .sort((a, b) => compareText(a.package, b.package));
  const requests = [...new Set(group.flatMap(({ manual }) => manual))].sort((a, b) => compareText(a.id, b.id));
  const awaiting = group.filter(({ manual, isRequested }) => isRequested && manual.length === 0);
  return {
    requests: requests.map(requestRef),
    changes,
    awaiting: awaiting.map(({ to }) => to.bundle.package).sort(compareText),
  };
}
