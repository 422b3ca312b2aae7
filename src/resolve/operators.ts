// Who runs next, and why each of them? The operators of a solution, one by one.

import { compareText } from "../model/json.ts";
import type { Installed } from "../model/problem.ts";
import { printVersion } from "../semver/version.ts";
import type { Candidates } from "./candidates.ts";
import type { Node } from "./catalog-index.ts";
import { nameOf, type Self } from "./member.ts";
import { type Need, needsIn } from "./needs.ts";
import { dependencyReason, requestReason, stayReason, togetherReason } from "./reason.ts";
import type { GeneratedSubscription, ResolvedOperator } from "./resolution.ts";
import type { Solution } from "./solution.ts";

/** The operators of the next generation, by package and name. */
export function operatorsOf(solution: Solution): readonly ResolvedOperator[] {
  const demands = demandFor(solution);
  const operators = [...solution.members].map((member) => {
    const demand = demands.get(member) ?? NOBODY;
    return "bundle" in member ? chosenOperator(solution, member, demand) : keptOperator(solution, member, demand);
  });
  return operators.sort((a, b) => compareText(a.package, b.package) || compareText(a.name, b.name));
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

function keptOperator(solution: Solution, installed: Installed, { requiredBy }: Demand): ResolvedOperator {
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
  return withReason(solution, installed, operator, () => stayReason(solution, installed, claims));
}

function chosenOperator(solution: Solution, node: Node, demand: Demand): ResolvedOperator {
  const asking = solution.round.candidates.filter(({ nodes }) => nodes.includes(node));
  const first = asking[0];
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
    generatedSubscription: first === undefined ? generated(solution, node, channel) : undefined,
    requiredBy: demand.requiredBy,
  };
  return withReason(solution, node, operator, () =>
    first === undefined ? dependencyReason(solution, demand.needs) : requestReason(first, node, channel),
  );
}

/** The Subscription that OLM would make for a dependency. */
function generated({ problem }: Solution, { bundle, index }: Node, channel: string): GeneratedSubscription {
  const { catalog } = index;
  const sourceNamespace = catalog.namespace ?? problem.namespace;
  return {
    name: `${bundle.package}-${channel}-${catalog.name}-${sourceNamespace}`,
    namespace: problem.namespace,
    package: bundle.package,
    channel,
    source: catalog.name,
    sourceNamespace,
    startingCSV: bundle.name,
  };
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
