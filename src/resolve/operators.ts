// Who runs next, and why each of them? The operators of a solution, one by one.

import { compareText } from "../model/json.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { printVersion } from "../semver/version.ts";
import type { Candidates } from "./candidates.ts";
import type { Node } from "./catalog-index.ts";
import { nameOf, packageOf, type Self } from "./member.ts";
import { type Need, needsIn } from "./needs.ts";
import {
  dependencyReason,
  type Prospect,
  requestReason,
  stayReason,
  togetherReason,
  type Waiting,
  waitingIn,
} from "./reason.ts";
import type { GeneratedSubscription, PendingApproval, ResolvedOperator } from "./resolution.ts";
import type { Solution } from "./solution.ts";
import { sourceNamespaceOf } from "./source-namespace.ts";

/**
 * The operators of the next generation, by package and name; `free` is the solution in which nothing waits for approval. Of the
 * `uncertain` requests nobody can say whether they could have something newer.
 */
export function operatorsOf(
  solution: Solution,
  free: Solution,
  pending: readonly PendingApproval[],
  uncertain: readonly Candidates[],
): readonly ResolvedOperator[] {
  const waiting = waitingIn(pending);
  const demands = demandFor(solution);
  const taken = namesTaken(free.problem);
  const members = [...solution.members].sort(
    (a, b) => compareText(packageOf(a) ?? "", packageOf(b) ?? "") || compareText(nameOf(a), nameOf(b)),
  );
  return members.map((member) => {
    const demand = demands.get(member) ?? NOBODY;
    const waits = waiting.get(nameOf(member));
    if (!("bundle" in member)) {
      const isUncertain = uncertain.some((one) => one.installed === member);
      return keptOperator(solution, member, demand, { waits, isUncertain });
    }
    const operator = chosenOperator(solution, free, member, { ...demand, waits }, taken);
    if (operator.generatedSubscription !== undefined) taken.add(operator.generatedSubscription.name);
    return operator;
  });
}

/** With its reason, which is put into words when it is first read. */
function withReason(
  solution: Solution,
  member: Self,
  operator: Omit<ResolvedOperator, "reason">,
  tell: () => string,
): ResolvedOperator {
  let known: string | undefined;
  return {
    ...operator,
    get reason(): string {
      known ??= [tell(), togetherReason(solution, member)].filter((part) => part !== undefined).join("; ");
      return known;
    },
  };
}

function keptOperator(
  solution: Solution,
  installed: Installed,
  { requiredBy }: Demand,
  prospect: Prospect,
): ResolvedOperator {
  const claims = solution.round.candidates.filter((one) => one.installed === installed);
  const operator = {
    package: installed.package ?? "",
    name: installed.name,
    version: installed.version && printVersion(installed.version),
    action: "keep" as const,
    from: undefined,
    installed,
    request: claims[0]?.request,
    generatedSubscription: undefined,
    requiredBy,
  };
  return withReason(solution, installed, operator, () => stayReason(solution, installed, claims, prospect));
}

function chosenOperator(
  solution: Solution,
  free: Solution,
  node: Node,
  demand: Demand & { readonly waits: Waiting | undefined },
  taken: ReadonlySet<string>,
): ResolvedOperator {
  const asking = solution.round.askers.get(node) ?? [];
  // It comes for the sake of those who do not ask for approval.
  const first = asking.find(({ request }) => request.approval !== "Manual");
  const installed = asking.find((one) => one.installed !== undefined)?.installed;
  const channel = first?.channels.get(node) ?? node.spot?.channel ?? "";
  const { bundle, index } = node;
  const operator = {
    package: bundle.package,
    name: bundle.name,
    version: printVersion(bundle.version),
    action: installed === undefined ? ("install" as const) : ("update" as const),
    from: { catalog: index.catalog, channel, bundle },
    installed,
    request: first?.request,
    generatedSubscription: first === undefined ? generated(free.problem, node, channel, taken) : undefined,
    requiredBy: demand.requiredBy,
  };
  return withReason(solution, node, operator, () =>
    first === undefined ? dependencyReason(solution, demand.needs) : requestReason(first, node, channel, demand.waits),
  );
}

/** The Subscription that OLM would make for a dependency. */
export function generated(
  problem: Problem,
  { bundle, index }: Node,
  channel: string,
  taken: ReadonlySet<string> = namesTaken(problem),
): GeneratedSubscription {
  const { catalog } = index;
  const sourceNamespace = sourceNamespaceOf(catalog, problem);
  const usual = `${bundle.package}-${channel}-${catalog.name}-${sourceNamespace}`;
  let name = usual;
  for (let count = 2; taken.has(name); count++) name = `${usual}-${count}`;
  return {
    name,
    namespace: problem.namespace,
    package: bundle.package,
    channel,
    source: catalog.name,
    sourceNamespace,
    startingCSV: bundle.name,
  };
}

/** The names of Subscriptions that are there. */
function namesTaken({ requests }: Problem): Set<string> {
  return new Set(requests.map(({ name }) => name));
}

/** Who needs a member, and for what; wishes are among the needs. */
interface Demand {
  readonly requiredBy: readonly string[];
  readonly needs: readonly Need[];
}

const NOBODY: Demand = { requiredBy: [], needs: [] };

/** By member: those whose requirement it meets as the first in their order. */
function demandFor(solution: Solution): ReadonlyMap<Self, Demand> {
  const byProvider = new Map<Self, Need[]>();
  for (const need of needsIn(solution)) {
    const known = byProvider.get(need.provider);
    if (known === undefined) byProvider.set(need.provider, [need]);
    else known.push(need);
  }
  return new Map([...byProvider].map(([member, needs]) => [member, demandOf(needs)]));
}

function demandOf(needs: readonly Need[]): Demand {
  const own = needs.filter(({ leaf }) => !leaf.requirement.optional);
  return { requiredBy: [...new Set(own.map(({ requirer }) => nameOf(requirer)))].sort(compareText), needs };
}

/** The request's place in the answer: which candidate it got. */
export function rankOf({ nodes }: Candidates, members: ReadonlySet<Self>): number {
  const rank = nodes.findIndex((node) => members.has(node));
  return rank === -1 ? nodes.length : rank;
}
