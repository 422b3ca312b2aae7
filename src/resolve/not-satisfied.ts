// Which requests have no operator, or an older one than possible?

import { type Candidates, rankOf } from "./candidates.ts";
import { refOf, requestRef } from "./member.ts";
import type { HeldBack, Resolution, Unsatisfied } from "./resolution.ts";
import type { Solution } from "./solution.ts";

/** A request that is not satisfied, and the solution it comes from. */
export interface Refused {
  readonly item: Unsatisfied;
  readonly by: Solution;
  readonly candidates: Candidates;
}

/** An operator with better candidates than the one it got: those before an index of the list. */
export interface Held {
  readonly item: HeldBack;
  readonly candidates: Candidates;
  readonly rank: number;
}

/**
 * Operators with a better candidate than the one they got, each once. Whether `uncertain` requests are held back is
 * unknown.
 */
export function heldBackIn(solution: Solution, uncertain: readonly Candidates[]): readonly Held[] {
  if (solution.impossible) return [];
  const held = new Map<string, Held>();
  for (const candidates of solution.satisfied) {
    if (solution.open.includes(candidates)) continue;
    const { installed, nodes, request } = candidates;
    if (uncertain.some((one) => one.request === request)) continue;
    const rank = rankOf(candidates, solution.members);
    const now = nodes[rank] ?? installed;
    if (rank === 0 || nodes.length === 0 || now === undefined) continue;
    const here = refOf(now);
    if (held.has(here.name)) continue;
    const item = {
      ...here,
      package: here.package ?? request.package,
      available: nodes.slice(0, rank).map(refOf),
      ...headBeyond(candidates, rank),
    };
    held.set(here.name, { item, candidates, rank });
  }
  return [...held.values()];
}

/** Is an operator held back only by a missing approval? */
export function waitsOnly({ available }: HeldBack, { pendingApproval }: Pick<Resolution, "pendingApproval">): boolean {
  return pendingApproval.some(({ changes }) => changes.some(({ to }) => to.name === available[0]?.name));
}

/** The channel head of the best candidate's channel, if one update cannot reach it. */
function headBeyond({ nodes, channels }: Candidates, rank: number): Pick<HeldBack, "head"> {
  const [best] = nodes;
  const channel = best === undefined ? undefined : channels.get(best);
  if (best === undefined || channel === undefined) return {};
  const { index, bundle } = best;
  const owner = index.catalog.packages.get(bundle.package);
  const head = owner?.bundles.get(owner.channels.get(channel)?.head.name ?? "") ?? bundle;
  const isAvailable = nodes.slice(0, rank + 1).some((one) => one.bundle.name === head.name);
  return isAvailable ? {} : { head: { channel, bundle: refOf(index.nodeOf(head)) } };
}

/** A request that is not satisfied; `kept` are the operators that stay. */
export function unsatisfiedBy(
  by: Solution,
  candidates: Candidates,
  undecided: boolean,
  kept: Solution["kept"],
): Refused {
  const { request } = candidates;
  const own = kept.find(({ name }) => name === request.installed)?.name;
  const item = { request: requestRef(request), undecided, ...(own !== undefined && { kept: own }) };
  return { item, by, candidates };
}
