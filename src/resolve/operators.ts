// Which operators are in the next generation, and why each of them?

import { groupedBy } from "../model/grouped.ts";
import { compareText } from "../model/json.ts";
import type { Installed, Problem, Request } from "../model/problem.ts";
import { printVersion } from "../semver/version.ts";
import type { Candidates } from "./candidates.ts";
import type { Candidate } from "./catalog-index.ts";
import { isSameCatalog, sharesName, sourceNamespaceOf } from "./catalog-order.ts";
import { catalogRef, nameOf, type Operator, packageOf, refOf, requestRef } from "./member.ts";
import { type Need, needsIn } from "./needs.ts";
import {
  choiceReason,
  dependencyReason,
  type Prospect,
  type Reason,
  stayReason,
  type Waiting,
  waitingIn,
  withTogether,
} from "./reason.ts";
import type { GeneratedSubscription, Origin, PendingApproval, ResolvedOperator } from "./resolution.ts";
import type { Solution } from "./solution.ts";

/**
 * The operators of the next generation, by package and name; `free` is the solution in which nothing waits for
 * approval. Whether `uncertain` requests could have something newer is unknown.
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
    const demand = demands.get(member) ?? NO_DEMAND;
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

function keptOperator(
  solution: Solution,
  installed: Installed,
  { requiredBy }: Demand,
  prospect: Prospect,
): ResolvedOperator {
  const claims = solution.question.claims.get(installed) ?? [];
  const request = claims[0]?.request;
  const reason = withTogether(solution, installed, stayReason(solution, installed, claims, prospect));
  return stayingOperator(installed, request, requiredBy, reason);
}

/** An installed operator in an answer that does not change it. */
export function stayingOperator(
  installed: Installed,
  request: Request | undefined,
  requiredBy: readonly string[],
  reason: Reason,
): ResolvedOperator {
  const { package: owner = "", name, version } = installed;
  return {
    package: owner,
    name,
    ...(version !== undefined && { version: printVersion(version) }),
    action: "keep",
    installed: refOf(installed),
    ...(request && { request: requestRef(request) }),
    requiredBy,
    reason,
  };
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** What requires a chosen bundle, and what it waits for. */
interface Occasion extends Demand {
  readonly waits: Waiting | undefined;
}

function chosenOperator(
  solution: Solution,
  free: Solution,
  node: Candidate,
  { requiredBy, needs, waits }: Occasion,
  taken: ReadonlySet<string>,
): ResolvedOperator {
  const claims = solution.question.requestsFor.get(node) ?? [];
  // A request that needs no approval comes first.
  const first = claims.find(({ request }) => request.approval !== "Manual");
  const installed = claims.find((one) => one.installed !== undefined)?.installed;
  const channel = first?.channels.get(node) ?? node.channelPosition?.channel ?? "";
  const { bundle, index } = node;
  const isDeprecated = index.catalog.packages.get(bundle.package)?.deprecations.bundles.has(bundle.name);
  const why = first === undefined ? dependencyReason(solution, needs) : choiceReason(first, node, channel, waits);
  const operator: Writable<ResolvedOperator> = {
    package: bundle.package,
    name: bundle.name,
    version: printVersion(bundle.version),
    action: installed === undefined ? "install" : "update",
    from: originOf(node, channel, free.problem),
    requiredBy,
    reason: withTogether(solution, node, why),
  };
  if (installed !== undefined) operator.installed = refOf(installed);
  // Nothing generates a ClusterExtension.
  if (first === undefined && free.problem.scope !== "cluster")
    operator.generatedSubscription = generated(free.problem, node, channel, taken);
  if (first !== undefined) operator.request = requestRef(first.request);
  if (isDeprecated) operator.isDeprecated = true;
  return operator;
}

/** The catalog and channel of a bundle. */
function originOf({ index: { catalog } }: Candidate, channel: string, { catalogs }: Problem): Origin {
  const namesake = catalogs.filter((other) => isSameCatalog(other, catalog)).indexOf(catalog);
  return {
    catalog: catalogRef(catalog),
    ...(sharesName(catalog, catalogs) && { isNameShared: true }),
    ...(namesake > 0 && { namesake }),
    channel,
  };
}

/** The Subscription that OLM would make for a dependency. */
export function generated(
  problem: Problem,
  { bundle, index }: Candidate,
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

/** The names of existing Subscriptions. */
function namesTaken({ requests }: Problem): Set<string> {
  return new Set(requests.map(({ name }) => name));
}

/** The operators that require a member, and their requirements, optional ones included. */
interface Demand {
  readonly requiredBy: readonly string[];
  readonly needs: readonly Need[];
}

const NO_DEMAND: Demand = { requiredBy: [], needs: [] };

/** By member: the operators whose requirement it meets as their first provider. */
function demandFor(solution: Solution): ReadonlyMap<Operator, Demand> {
  const byProvider = groupedBy(needsIn(solution), (need) => need.provider);
  return new Map([...byProvider].map(([member, needs]) => [member, demandOf(needs)]));
}

function demandOf(needs: readonly Need[]): Demand {
  const own = needs.filter(({ leaf }) => !leaf.requirement.optional);
  return { requiredBy: [...new Set(own.map(({ requirer }) => nameOf(requirer)))].sort(compareText), needs };
}
