// What do the flags want to be different? The changes that they mean, and a word about those that change nothing.

import { compareText } from "../../model/json.ts";
import { numbersOf, type Problem } from "../../model/problem.ts";
import type { NamedRequest, PreparationWarning } from "../../resolve/prepare/given.ts";
import { isOfPackage } from "../../resolve/prepare/hold.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import { warningKey } from "../../resolve/warning.ts";
import { type Change, changedByAll } from "../../resolve/what-if.ts";
import { declaring } from "../../rule/shape/lift.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { COMPOUND_GATE, nodeProperties, type ResolveFlags } from "./options.ts";

/** Problems as they would be, and a warning for each flag that does not matter to any of them. */
export interface WhatIf {
  readonly problems: readonly Problem[];
  readonly warnings: readonly PreparationWarning[];
}

/** The changes that are made to problems which were prepared with all other flags. */
export function preparedChanges({ instead, drop, approve, withoutConstraint }: ResolveFlags): readonly Change[] {
  return [
    ...instead.map((wish): Change => ({ kind: "instead", wish })),
    ...drop.map((owner): Change => ({ kind: "drop", package: owner })),
    ...approve.map((owner): Change => ({ kind: "approve", package: owner })),
    ...withoutConstraint.map((number): Change => ({ kind: "without-constraint", number })),
  ];
}

/** The changes that are made to a saved problem. */
export function replayedChanges(flags: ResolveFlags, named: readonly NamedRequest[]): readonly Change[] {
  const { release, partly, remove, hold, ignoreUnavailable, maxConflicts, celCostLimit } = flags;
  const limit = (name: "maxConflicts" | "celCostLimit", value: number | undefined): Change[] =>
    value === undefined ? [] : [{ kind: "limit", limit: name, value }];
  return [
    ...release.flatMap((owner): Change[] => [
      { kind: "release", package: owner, flag: "hold" },
      { kind: "release", package: owner, flag: "remove" },
    ]),
    ...(partly ? [{ kind: "partly" } as const] : []),
    ...remove.map((owner): Change => ({ kind: "remove", package: owner })),
    ...[...hold].sort(compareText).map((owner): Change => ({ kind: "hold", package: owner })),
    ...nodeProperties(flags).map(declaring),
    ...(flags.featureGates[COMPOUND_GATE] ? [{ kind: "compound-constraints" } as const] : []),
    ...(ignoreUnavailable ? [{ kind: "ignore-unavailable" } as const] : []),
    ...limit("maxConflicts", maxConflicts),
    ...limit("celCostLimit", celCostLimit),
    ...named.map((wish): Change => ({ kind: "ask", wish })),
    ...preparedChanges(flags),
  ];
}

/** Makes the changes to each of the problems. */
export function whatIf(problems: readonly Problem[], changes: readonly Change[]): WhatIf {
  if (changes.length === 0 || problems.length === 0) return { problems, warnings: [] };
  const told = new Map<string, PreparationWarning>();
  for (const change of changes) {
    const warning = withoutEffect(change, problems);
    if (warning !== undefined) told.set(warningKey(warning), warning);
  }
  return { problems: problems.map((problem) => changedByAll(problem, changes)), warnings: [...told.values()] };
}

/** Why a change is none. */
function withoutEffect(change: Change, problems: readonly Problem[]): PreparationWarning | undefined {
  const where = problems.length === 1 ? { namespace: problems[0]?.namespace } : {};
  const requests = problems.flatMap((problem) => problem.requests);
  const isAsked = (owner: string): boolean => requests.some((request) => request.package === owner);
  const vain = (owner: string) => ({ package: owner, where, ...meant(owner, problems) });
  switch (change.kind) {
    case "drop":
      return isAsked(change.package) ? undefined : { code: "nothing-to-drop", ...vain(change.package) };
    case "instead": {
      const { wish } = change;
      if (isAsked(wish.package)) return undefined;
      return { code: "nothing-to-replace", ...vain(wish.package), wish: printNamedRequest(wish) };
    }
    case "approve": {
      const owner = change.package;
      if (requests.some((request) => request.package === owner && request.approval === "Manual")) return undefined;
      return { code: "nothing-to-approve", ...vain(owner), isAsked: isAsked(owner) };
    }
    case "without-constraint": {
      const numbers = [...new Set(problems.flatMap(({ runtime }) => numbersOf(runtime)))].sort((a, b) => a - b);
      return numbers.includes(change.number)
        ? undefined
        : { code: "no-such-constraint", number: change.number, numbers };
    }
    case "remove": {
      const isThere = isAsked(change.package) || isInstalled(change.package, problems);
      return isThere ? undefined : { code: "nothing-to-remove", ...vain(change.package) };
    }
    case "hold":
      return isInstalled(change.package, problems) ? undefined : { code: "nothing-to-hold", ...vain(change.package) };
    case "release":
      return isTakenBack(change.package, problems)
        ? undefined
        : { code: "nothing-to-release", package: change.package };
    default:
      return undefined;
  }
}

function isInstalled(owner: string, problems: readonly Problem[]): boolean {
  return problems.some(({ installed, requests }) => installed.some((one) => isOfPackage(one, owner, requests)));
}

function isTakenBack(owner: string, problems: readonly Problem[]): boolean {
  return problems.some(
    ({ removed, installed, requests }) =>
      removed.includes(owner) || installed.some((one) => one.hold?.by === "flag" && isOfPackage(one, owner, requests)),
  );
}

/** The package that was probably meant, among those that are asked for or run. */
function meant(owner: string, problems: readonly Problem[]): { readonly meant?: string } {
  const known = new Set<string>();
  for (const { requests, installed } of problems)
    for (const one of [...requests, ...installed]) if (one.package !== undefined) known.add(one.package);
  const nearest = known.has(owner) ? undefined : didYouMean(owner, known);
  return nearest === undefined ? {} : { meant: nearest };
}
