// Who runs next, and why each of them? The operators of a solution, one by one.

import { edgeFrom } from "../constraint/upgrade-edge-rule.ts";
import { compareText } from "../model/json.ts";
import type { Installed, Request } from "../model/problem.ts";
import { printVersion } from "../semver/version.ts";
import type { Candidates } from "./candidates.ts";
import type { Node } from "./catalog-index.ts";
import { nameOf, propertiesOf, type Self } from "./member.ts";
import { providable } from "./predicate-key.ts";
import type { GeneratedSubscription, ResolvedOperator } from "./resolution.ts";
import type { Solution } from "./solution.ts";
import { providersFor } from "./walk.ts";

/** The operators of the next generation, by package and name. */
export function operatorsOf(solution: Solution): readonly ResolvedOperator[] {
  const demands = demandFor(solution);
  const operators = [...solution.members].map((member) => {
    const demand = demands.get(member) ?? NOBODY;
    const operator =
      "bundle" in member ? chosenOperator(solution, member, demand) : keptOperator(solution, member, demand);
    const together = metTogether(solution, member);
    return together === undefined ? operator : { ...operator, reason: `${operator.reason}; ${together}` };
  });
  return operators.sort((a, b) => compareText(a.package, b.package) || compareText(a.name, b.name));
}

function keptOperator(solution: Solution, installed: Installed, { requiredBy }: Demand): ResolvedOperator {
  const claims = solution.round.candidates.filter((one) => one.installed === installed);
  const better = claims.flatMap(({ nodes }) => nodes);
  const reason =
    installed.hold !== undefined
      ? `stays: ${installed.hold.text}`
      : solution.nothingFor.length > 0
        ? "stays: not everything is possible, and it is all or nothing"
        : claims.length === 0
          ? "stays: no Subscription claims it"
          : better.length === 0
            ? "stays: nothing newer to go to"
            : "stays: it cannot move";
  return {
    package: installed.package ?? "",
    name: installed.name,
    version: installed.version && printVersion(installed.version),
    action: "keep",
    from: undefined,
    installed,
    request: claims[0]?.request,
    generatedSubscription: undefined,
    requiredBy,
    reason,
  };
}

function chosenOperator(solution: Solution, node: Node, demand: Demand): ResolvedOperator {
  const asking = solution.round.candidates.filter(({ nodes }) => nodes.includes(node));
  const first = asking[0];
  const installed = asking.find((one) => one.installed !== undefined)?.installed;
  const channel = first?.channels.get(node) ?? node.spot?.channel ?? "";
  const { bundle, index } = node;
  return {
    package: bundle.package,
    name: bundle.name,
    version: printVersion(bundle.version),
    action: installed === undefined ? "install" : "update",
    from: { catalog: index.catalog, channel, bundle },
    installed,
    request: first?.request,
    generatedSubscription: first === undefined ? generated(solution, node, channel) : undefined,
    requiredBy: demand.requiredBy,
    reason: first === undefined ? dependencyReason(demand) : requestReason(first, node, channel),
  };
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

function requestReason({ nodes, installed, request }: Candidates, node: Node, channel: string): string {
  const rank = nodes.indexOf(node);
  const edge = installed === undefined ? "" : edgeReason(installed, node, channel);
  if (request.startingCSV === node.bundle.name && installed === undefined) return "startingCSV names it";
  const choice =
    rank === 0
      ? installed === undefined
        ? `the best of channel ${channel}`
        : `as far as channel ${channel} goes from here`
      : `the best that is possible, ${rank === 1 ? "one is" : `${rank} are`} better in channel ${channel}`;
  return edge === "" ? choice : `${choice}; ${edge}`;
}

function edgeReason(installed: Installed, node: Node, channel: string): string {
  const entry = node.index.catalog.packages
    .get(node.bundle.package)
    ?.channels.get(channel)
    ?.entries.get(node.bundle.name);
  const edge = entry === undefined ? undefined : edgeFrom(installed, entry);
  if (edge === undefined) return "";
  return edge === "skipRange" ? `its skipRange covers ${installed.name}` : `it ${edge} ${installed.name}`;
}

function dependencyReason({ requiredBy, wishedBy }: Demand): string {
  if (requiredBy.length > 0) return `required by ${shortList(requiredBy)}`;
  if (wishedBy.length > 0) return `wished for by ${shortList(wishedBy)}`;
  return "it repairs what was broken";
}

function shortList(names: readonly string[]): string {
  const rest = names.length > 2 ? ` and ${names.length - 2} more` : "";
  return `${names.slice(0, 2).join(" and ")}${rest}`;
}

/** An `all` may be met by several operators together; whoever reads it as one operator should be told. */
function metTogether({ round, members }: Solution, member: Self): string | undefined {
  for (const { constraint, optional } of round.encoding.universe.requirementsOf(propertiesOf(member)).requirements) {
    if (optional || constraint.kind !== "all" || constraint.scope !== "solution") continue;
    const names = new Set<string>();
    for (const leaf of providable(constraint)) {
      const provider = providersFor(round, leaf, member).find((one) => one === "fixed" || members.has(one));
      if (provider !== undefined) names.add(provider === "fixed" ? "the cluster" : nameOf(provider));
    }
    if (names.size > 1) return `all that it requires is met by ${[...names].join(" and ")} together`;
  }
  return undefined;
}

/** Who needs a member, and who would rather have it than not. */
interface Demand {
  readonly requiredBy: readonly string[];
  readonly wishedBy: readonly string[];
}

const NOBODY: Demand = { requiredBy: [], wishedBy: [] };

/** By member: those whose requirement it meets as the first in their order. */
function demandFor({ round, members }: Solution): ReadonlyMap<Self, Demand> {
  const demands = new Map<Self, { readonly requiredBy: Set<string>; readonly wishedBy: Set<string> }>();
  for (const member of members)
    for (const leaf of round.encoding.universe.walkedLeavesOf(propertiesOf(member))) {
      const provider = providersFor(round, leaf, member).find((one) => one === "fixed" || members.has(one));
      if (provider === undefined || provider === "fixed" || provider === member) continue;
      const demand = demands.get(provider) ?? { requiredBy: new Set(), wishedBy: new Set() };
      demands.set(provider, demand);
      demand[leaf.requirement.optional ? "wishedBy" : "requiredBy"].add(nameOf(member));
    }
  const listed = (names: ReadonlySet<string>): readonly string[] => [...names].sort(compareText);
  return new Map(
    [...demands].map(([member, { requiredBy, wishedBy }]) => [
      member,
      { requiredBy: listed(requiredBy), wishedBy: listed(wishedBy) },
    ]),
  );
}

/** The request's place in the answer: which candidate it got. */
export function rankOf({ nodes }: Candidates, members: ReadonlySet<Self>): number {
  const rank = nodes.findIndex((node) => members.has(node));
  return rank === -1 ? nodes.length : rank;
}

/** What a request asks for, in words. */
export function wishOf({ package: name, range, channel, catalog }: Request): string {
  return [
    `package ${name}`,
    ...(range === undefined ? [] : [`in range ${range.text}`]),
    ...(channel === undefined ? [] : [`in channel ${channel}`]),
    ...(catalog === undefined ? [] : [`of catalog ${catalog.name}`]),
  ].join(" ");
}
