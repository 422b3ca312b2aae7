// Who goes without an operator, or with an older one? Why is found out when somebody wants to know.

import { oneLine } from "../model/one-line.ts";
import type { Problem } from "../model/problem.ts";
import type { Candidates } from "./candidates.ts";
import { explainHeldAnyway, explainHeldBack, explainUnsatisfied } from "./explain/why.ts";
import { refOf, requestRef } from "./member.ts";
import { rankOf } from "./operators.ts";
import type { Explanation, HeldBack, Unsatisfied } from "./resolution.ts";
import type { Solution } from "./solution.ts";

/** An explanation takes time in proportion to what runs and is asked for: so many in all are looked for in one answer. */
const MOST_WORK = 30_000;

/** How many refused requests, and how many operators that are held back, are explained in the answer to a problem. */
export function mostExplained({ installed, elsewhere, requests }: Problem): number {
  return Math.ceil(MOST_WORK / (installed.length + elsewhere.length + requests.length + 1));
}

/**
 * Operators that have a better candidate than the one they got, each once; so many of them explained. `free` is where
 * nothing waits for approval; of the `uncertain` requests there nobody can say that they are held back.
 */
export function heldBackIn(
  solution: Solution,
  free: Solution,
  most: number,
  uncertain: readonly Candidates[],
): readonly HeldBack[] {
  if (solution.impossible) return [];
  const held = new Map<string, HeldBack>();
  for (const candidates of solution.satisfied) {
    if (solution.open.includes(candidates)) continue;
    const { installed, nodes, request } = candidates;
    if (uncertain.some((one) => one.request === request)) continue;
    const rank = rankOf(candidates, solution.members);
    const now = nodes[rank];
    const name = now?.bundle.name ?? installed?.name;
    if (rank === 0 || nodes.length === 0 || name === undefined || held.has(name)) continue;
    const here = now ?? installed;
    const item = {
      ...(here && refOf(here)),
      package: now?.bundle.package ?? installed?.package ?? request.package,
      name,
      available: nodes.slice(0, rank).map(refOf),
      ...headBeyond(candidates, rank),
    };
    const place = held.size;
    held.set(
      name,
      explained(item, () => {
        if (place >= most) return notHere(item.package);
        const other = free.satisfied.find((one) => one.request === request);
        const isHeldAnyway = solution !== free && other !== undefined && rankOf(other, free.members) === rank;
        return isHeldAnyway
          ? explainHeldAnyway(solution, free, other, rank)
          : explainHeldBack(solution, candidates, rank, solution !== free);
      }),
    );
  }
  return [...held.values()];
}

/** The head of the channel of the best candidate, where an update cannot go there at once. */
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

/** What is known of a request beside its candidates. */
interface Circumstances {
  readonly undecided: boolean;
  readonly kept: Solution["kept"];
  readonly isExplained: boolean;
}

/** A request that is not satisfied, and perhaps why; `kept` are the operators that stay. */
export function unsatisfiedBy(
  solution: Solution,
  candidates: Candidates,
  { undecided, kept, isExplained }: Circumstances,
): Unsatisfied {
  const { request } = candidates;
  const own = kept.find(({ name }) => name === request.installed)?.name;
  return explained({ request: requestRef(request), undecided, ...(own !== undefined && { kept: own }) }, () =>
    isExplained ? explainUnsatisfied(solution, candidates) : notHere(request.package),
  );
}

/** There are too many of them. */
function notHere(owner: string): Explanation {
  const text = `There are too many to explain all of them here; plimsoll explain ${owner} tells why.`;
  return {
    story: { kind: "text", text: oneLine(text) },
    notes: [],
    facts: [],
    isMinimal: true,
    fixes: [],
    causes: [],
    derivation: undefined,
    isLeftOut: true,
  };
}

/** With an explanation that is looked for when it is first read: most readers only want the answer. */
function explained<Item extends object>(
  item: Item,
  explain: () => Explanation,
): Item & { readonly explanation: Explanation } {
  let known: Explanation | undefined;
  return {
    ...item,
    get explanation(): Explanation {
      known ??= explain();
      return known;
    },
  };
}
