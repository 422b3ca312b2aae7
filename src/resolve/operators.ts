// Who runs next, and why each of them? The operators of a solution, one by one.

import { edgeFrom } from "../constraint/upgrade-edge-rule.ts";
import { compareText } from "../model/json.ts";
import type { Installed, Request } from "../model/problem.ts";
import { printVersion } from "../semver/version.ts";
import type { Candidates } from "./candidates.ts";
import type { Node } from "./catalog-index.ts";
import { propertiesOf, type Self } from "./member.ts";
import type { GeneratedSubscription, ResolvedOperator } from "./resolution.ts";
import type { Solution } from "./solution.ts";
import { providersFor } from "./walk.ts";

/** The operators of the next generation, by package and name. */
export function operatorsOf(solution: Solution): readonly ResolvedOperator[] {
  const needed = neededBy(solution);
  const operators = [...solution.members].map((member) =>
    "bundle" in member
      ? chosenOperator(solution, member, needed.get(member) ?? [])
      : keptOperator(solution, member, needed.get(member) ?? []),
  );
  return operators.sort((a, b) => compareText(a.package, b.package) || compareText(a.name, b.name));
}

function keptOperator(solution: Solution, installed: Installed, requiredBy: readonly string[]): ResolvedOperator {
  const claims = solution.round.candidates.filter((one) => one.installed === installed);
  const better = claims.flatMap(({ nodes }) => nodes);
  const reason =
    installed.hold !== undefined
      ? `stays: ${installed.hold.text}`
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

function chosenOperator(solution: Solution, node: Node, requiredBy: readonly string[]): ResolvedOperator {
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
    requiredBy,
    reason: first === undefined ? dependencyReason(requiredBy) : requestReason(first, node, channel),
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

function dependencyReason(requiredBy: readonly string[]): string {
  if (requiredBy.length === 0) return "it repairs what was broken, or fulfils a wish";
  const rest = requiredBy.length > 2 ? ` and ${requiredBy.length - 2} more` : "";
  return `required by ${requiredBy.slice(0, 2).join(" and ")}${rest}`;
}

/** By member: those whose requirement it meets as the first in their order. */
export function neededBy({ round, members }: Solution): ReadonlyMap<Self, readonly string[]> {
  const needed = new Map<Self, Set<string>>();
  for (const member of members)
    for (const { predicate } of round.encoding.universe.leavesOf(propertiesOf(member))) {
      const provider = providersFor(round, predicate, member).find((one) => one === "fixed" || members.has(one));
      if (provider === undefined || provider === "fixed" || provider === member) continue;
      const names = needed.get(provider) ?? new Set();
      needed.set(provider, names.add("bundle" in member ? member.bundle.name : member.name));
    }
  return new Map([...needed].map(([member, names]) => [member, [...names].sort(compareText)]));
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
