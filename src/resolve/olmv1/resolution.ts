// What would OLM v1 do about all ClusterExtensions of a cluster? The answer of `--compat olmv1`: each is resolved alone,
// without a search, and what it has installed stays if OLM v1 reports an error.

import { compareText, given } from "../../model/json.ts";
import type { Installed, Problem, Request, UnavailableCatalog } from "../../model/problem.ts";
import { compareWithBuild, printVersion } from "../../semver/version.ts";
import { type UnreadByOlmV1, withoutFacts } from "../explain/explanation-body.ts";
import { rangeTextOf, usableFor } from "../extension-candidates.ts";
import { lostOf } from "../lost-parts.ts";
import { catalogRef, refOf, requestRef } from "../member.ts";
import { stayingOperator } from "../operators.ts";
import type { Reason } from "../reason.ts";
import type { Resolution, ResolvedOperator, Unsatisfied } from "../resolution.ts";
import { chooseAsOlmV1, type OlmV1Choice } from "./choose.ts";

/** Is the problem to be answered as OLM v1 would? */
export function isAskedOfOlmV1({ scope, options }: Pick<Problem, "scope" | "options">): boolean {
  return scope === "cluster" && options.olmv1;
}

/** What OLM v1 would do. */
export function olmV1Resolution(problem: Problem): Resolution {
  const operators: ResolvedOperator[] = [];
  const unsatisfied: Unsatisfied[] = [];
  const claimed = new Set<string>();
  for (const request of problem.requests) {
    const installed = problem.installed.find(({ name }) => name === request.installed);
    if (installed !== undefined) claimed.add(installed.name);
    const choice = chooseAsOlmV1(request, installed, usableFor(request, problem.catalogs));
    if (choice.kind === "chosen") {
      operators.push(operatorOf(request, installed, choice));
      continue;
    }
    const unread = choice.kind === "no-bundles" ? unreadFor(request, problem) : undefined;
    unsatisfied.push({
      request: requestRef(request),
      undecided: unread !== undefined,
      ...(installed !== undefined && { kept: installed.name }),
      explanation: withoutFacts({ kind: "olmv1", refusal: choice, ...(unread !== undefined && { unread }) }),
    });
    if (installed !== undefined) operators.push(stayingOperator(installed, request, [], { kind: "olmv1-error" }));
  }
  for (const installed of problem.installed)
    if (!claimed.has(installed.name))
      operators.push(stayingOperator(installed, undefined, [], { kind: "unclaimed", scope: "cluster" }));
  return {
    namespace: problem.namespace,
    outcome: outcomeOf(problem.requests.length, unsatisfied),
    operators: operators.sort((a, b) => compareText(a.package, b.package) || compareText(a.name, b.name)),
    heldBack: [],
    unsatisfied,
    pendingApproval: [],
    broken: [],
    optionalNotMet: [],
    warnings: [],
    objectives: [],
    proven: true,
    statistics: { conflicts: 0, propagations: 0, decisions: 0, variables: 0, clauses: 0, bundles: 0 },
  };
}

function outcomeOf(requests: number, unsatisfied: readonly Unsatisfied[]): Resolution["outcome"] {
  if (unsatisfied.length === 0) return "Resolved";
  if (unsatisfied.length < requests) return "Partial";
  return unsatisfied.some(({ undecided }) => undecided) ? "Undecided" : "Unsatisfiable";
}

/** A catalog that was not read, or not all of it, and may have what was not found. */
function unreadFor(
  request: Request,
  { catalogs, unavailable, notGiven = [], areCatalogsUnread }: Problem,
): UnreadByOlmV1 | undefined {
  if (areCatalogsUnread) return { kind: "catalogs" };
  const damaged = catalogs.filter((catalog) => lostOf(catalog, request.package).length > 0);
  const all: readonly Pick<UnavailableCatalog, "name">[] = [...damaged, ...unavailable, ...notGiven];
  const [first] = usableFor(request, all);
  return first && { kind: "catalog", name: first.name };
}

function operatorOf(
  request: Request,
  installed: Installed | undefined,
  { catalog, bundle, channel, edge, isNotNewest }: OlmV1Choice,
): ResolvedOperator {
  if (installed?.name === bundle.name) return stayingOperator(installed, request, [], { kind: "newest" });
  const from = installed?.version === undefined ? installed?.name : printVersion(installed.version);
  const isOlder = installed?.version !== undefined && compareWithBuild(bundle.version, installed.version) < 0;
  const range = rangeTextOf(request);
  const reason: Reason =
    from === undefined
      ? given({
          kind: "first-choice" as const,
          rank: isNotNewest ? ("first" as const) : ("newest" as const),
          channel,
          range,
        })
      : given({
          kind: "update" as const,
          from,
          channel,
          older: isOlder ? ("olmv1" as const) : undefined,
          isNotNewest,
          edge,
        });
  const isDeprecated = catalog.packages.get(bundle.package)?.deprecations.bundles.has(bundle.name);
  return {
    package: bundle.package,
    name: bundle.name,
    version: printVersion(bundle.version),
    action: installed === undefined ? "install" : "update",
    from: { catalog: catalogRef(catalog), channel },
    ...(installed !== undefined && { installed: refOf(installed) }),
    request: requestRef(request),
    requiredBy: [],
    ...(isDeprecated && { isDeprecated: true }),
    reason,
  };
}
