// Why this operator? The request or requirement it is there for, and why it was preferred.

import { providable } from "../constraint/predicate-key.ts";
import type { Package } from "../model/catalog.ts";
import { compareText, given } from "../model/json.ts";
import type { OperatorRef, RequestRef } from "../model/operator-ref.ts";
import { CLUSTER_SCOPE, type Hold, type Installed } from "../model/problem.ts";
import { type EdgeKind, edgeFrom } from "../rule/upgrade-edge.ts";
import { compareVersions, compareWithBuild, printVersion } from "../semver/version.ts";
import { type Candidates, lacksSource, type NoCandidates, plainNone } from "./candidates.ts";
import type { Candidate } from "./catalog-index.ts";
import { rangeTextOf } from "./extension-candidates.ts";
import { type Operator, propertiesOf, refOf, requestRef } from "./member.ts";
import { type Demanded, demandedBy, isOnlyCandidate, type Listed, listed, type Need } from "./needs.ts";
import { providersFor } from "./provider-walk.ts";
import type { PackageChange, PendingApproval } from "./resolution.ts";
import type { Solution } from "./solution.ts";

/** An update that is pending approval. */
export interface AwaitedUpdate {
  readonly to: OperatorRef;
  /** The packages whose approval is needed, if not its own. */
  readonly approvalOf?: Listed<string> | undefined;
}

/** A better candidate: pending approval, or not possible. */
export type BetterChoice =
  | { readonly kind: "waits"; readonly update: AwaitedUpdate }
  | { readonly kind: "impossible"; readonly version: string; readonly more: number };

/** Why an installed operator stays. */
export type StayReason =
  | { readonly kind: "waits"; readonly update: AwaitedUpdate }
  | { readonly kind: "held"; readonly by: Hold["by"]; readonly text: string }
  /** The source of its request is gone, or was not read. */
  | { readonly kind: "no-source"; readonly request: RequestRef; readonly none: NoCandidates }
  /** No request claims it: no Subscription, or no ClusterExtension. */
  | { readonly kind: "unclaimed"; readonly scope?: "cluster" | undefined }
  /** --all-or-nothing was given and a request cannot be satisfied; its channel has nothing newer. */
  | { readonly kind: "all-or-nothing" | "newest" | "nothing-newer-possible" }
  /** OLM v1 would report an error (--compat olmv1). */
  | { readonly kind: "olmv1-error" }
  /** The search ended before its request, or a newer version, was decided; unread input may contain something newer. */
  | { readonly kind: "search-ended" | "unproven" | "unread" };

/** Why a request got this candidate. */
export type ChoiceReason =
  | {
      readonly kind: "update";
      /** The version, or the name, of the updated operator. */
      readonly from: string;
      readonly channel: string;
      /** It is older: the terms of a ClusterExtension exclude the installed version and every newer one, or OLM v1 prefers it. */
      readonly older?: "excluded" | "olmv1" | undefined;
      /** A ClusterExtension could get something newer, which is deprecated or in a catalog that comes later. */
      readonly isNotNewest?: true | undefined;
      readonly edge?: EdgeKind | undefined;
      /** Undefined if it is the first choice. */
      readonly better?: BetterChoice | undefined;
    }
  | { readonly kind: "starting-csv" }
  | { readonly kind: "best-possible"; readonly better: BetterChoice }
  /** The requested range, as written. */
  | Readonly<{ kind: "first-choice"; rank: "only" | "newest" | "first"; channel: string; range?: string | undefined }>;

/** Why an operator without a request is there. */
export type DependencyReason =
  | { readonly kind: "repair" }
  | {
      readonly kind: "needed";
      /** The requirement is optional. */
      readonly isOptional?: true | undefined;
      readonly by: Listed<OperatorRef>;
      readonly demanded: Demanded;
      readonly isOnlyCandidate?: true | undefined;
    };

/** Why this operator, at this version. */
export type Reason = (StayReason | ChoiceReason | DependencyReason) & {
  /** Operators that meet one requirement only together: several may meet an `all`. */
  readonly together?: readonly (OperatorRef | "cluster")[] | undefined;
};

/** The update of an operator that is pending approval, and the packages to approve. */
export interface Waiting {
  readonly change: PackageChange;
  readonly packages: readonly string[];
}

/** Pending updates, by the name of the present operator. */
export function waitingIn(pending: readonly PendingApproval[]): ReadonlyMap<string, Waiting> {
  return new Map(
    pending.flatMap(({ changes, requests }) =>
      changes.flatMap((change): [string, Waiting][] => {
        const packages = [...new Set(requests.map((request) => request.package))];
        return change.from === undefined ? [] : [[change.from.name, { change, packages }]];
      }),
    ),
  );
}

function awaited({ change: { package: owner, to }, packages }: Waiting): AwaitedUpdate {
  return packages.includes(owner) ? { to } : { to, approvalOf: listed(packages) };
}

/** What is known about updates of an operator that stays. */
export interface Prospect {
  readonly waits: Waiting | undefined;
  /** It is unknown whether there is something newer, because input was not read. */
  readonly isUncertain: boolean;
}

/** Why an installed operator stays; `claims` are the requests that claim it. */
export function stayReason(
  { nothingFor, undecided, objectives }: Pick<Solution, "nothingFor" | "undecided" | "objectives">,
  { hold, namespace }: Pick<Installed, "hold" | "namespace">,
  claims: readonly Candidates[],
  { waits, isUncertain }: Prospect,
): StayReason {
  const hasBetter = claims.some(({ nodes }) => nodes.length > 0);
  if (waits !== undefined && (hold === undefined || hold.by === "approval"))
    return { kind: "waits", update: awaited(waits) };
  if (hold !== undefined && (hold.by !== "approval" || hasBetter))
    return { kind: "held", by: hold.by, text: hold.text };
  if (nothingFor.length > 0) return { kind: "all-or-nothing" };
  if (claims.length === 0) return { kind: "unclaimed", ...(namespace === CLUSTER_SCOPE && { scope: "cluster" }) };
  for (const { request, none, installed } of claims)
    if (none !== undefined && lacksSource({ installed, none }))
      return { kind: "no-source", request: requestRef(request), none: plainNone(none) };
  if (!hasBetter) return { kind: "newest" };
  if (claims.some((one) => undecided.has(one))) return { kind: "search-ended" };
  if (isUncertain) return { kind: "unread" };
  const isOpen = objectives.some(({ name, proven }) => (name === "updates" || name === "candidates") && !proven);
  return { kind: isOpen ? "unproven" : "nothing-newer-possible" };
}

/** Why a request got this candidate. */
export function choiceReason(
  candidates: Candidates,
  node: Candidate,
  channel: string,
  waiting: Waiting | undefined,
): ChoiceReason {
  const { nodes, installed, request, isNotNewest } = candidates;
  const better = betterThan(nodes, node, waiting);
  if (installed !== undefined) {
    const from = installed.version === undefined ? installed.name : printVersion(installed.version);
    const edge = edgeTo(installed, node, channel);
    const isOlder = installed.version !== undefined && compareWithBuild(node.bundle.version, installed.version) < 0;
    return given({
      kind: "update" as const,
      from,
      channel,
      older: request.extension !== undefined && isOlder ? ("excluded" as const) : undefined,
      isNotNewest,
      edge,
      better,
    });
  }
  if (request.startingCSV === node.bundle.name) return { kind: "starting-csv" };
  return better === undefined ? firstChoice(candidates, node, channel) : { kind: "best-possible", better };
}

function betterThan(
  nodes: readonly Candidate[],
  node: Candidate,
  waiting: Waiting | undefined,
): BetterChoice | undefined {
  const [best] = nodes;
  const rank = nodes.indexOf(node);
  if (rank === 0 || best === undefined) return undefined;
  if (waiting !== undefined) return { kind: "waits", update: awaited(waiting) };
  return { kind: "impossible", version: printVersion(best.bundle.version), more: rank - 1 };
}

/** Why the first candidate is the first. */
function firstChoice({ nodes, channels, request }: Candidates, node: Candidate, channel: string): ChoiceReason {
  const { extension } = request;
  const isPreferred = extension !== undefined || channel === (request.channel ?? ownerOf(node)?.defaultChannel);
  const isNewest = (): boolean =>
    nodes.every(
      (one) => compareVersions(one.bundle.version, node.bundle.version) <= 0 || channels.get(one) !== channel,
    );
  const rank = nodes.length === 1 ? "only" : isPreferred && isNewest() ? "newest" : "first";
  const range = rangeTextOf(request);
  return { kind: "first-choice", rank, channel, ...(range !== undefined && { range }) };
}

function ownerOf({ bundle, index }: Candidate): Package | undefined {
  return index.catalog.packages.get(bundle.package);
}

/** The upgrade edge from the installed operator. */
function edgeTo(installed: Installed, node: Candidate, channel: string): EdgeKind | undefined {
  const entry = ownerOf(node)?.channels.get(channel)?.entries.get(node.bundle.name);
  return entry === undefined ? undefined : edgeFrom(installed, entry);
}

/** Why a bundle without a request is there; `needs` are the requirements it meets. */
export function dependencyReason(solution: Solution, needs: readonly Need[]): DependencyReason {
  if (needs.length === 0) return { kind: "repair" };
  const required = needs.filter(({ leaf }) => !leaf.requirement.optional);
  const own = required.length > 0 ? required : needs;
  const requirers = [...new Set(own.map(({ requirer }) => requirer))].map(refOf);
  const byName = requirers.sort(
    (a, b) => compareText(a.package ?? a.name, b.package ?? b.name) || compareText(a.version ?? "", b.version ?? ""),
  );
  return {
    kind: "needed",
    ...(required.length === 0 && { isOptional: true }),
    by: listed(byName),
    demanded: demandedBy(own),
    ...(own.some((need) => isOnlyCandidate(solution, need)) && { isOnlyCandidate: true }),
  };
}

/** The reason with the operators that meet an `all` only together: an `all` is easily misread as about one operator. */
export function withTogether(solution: Solution, member: Operator, reason: Reason): Reason {
  const together = metTogether(solution, member);
  return together === undefined ? reason : { ...reason, together };
}

function metTogether({ question, members }: Solution, member: Operator): Reason["together"] {
  for (const { constraint, optional } of question.encoding.world.requirementsOf(propertiesOf(member)).requirements) {
    if (optional || constraint.kind !== "all" || constraint.scope !== "solution") continue;
    const found = new Set<Operator | "fixed">();
    for (const leaf of providable(constraint)) {
      const provider = providersFor(question, leaf, member).find((one) => one === "fixed" || members.has(one));
      if (provider !== undefined) found.add(provider);
    }
    if (found.size > 1) return [...found].map((one) => (one === "fixed" ? "cluster" : refOf(one)));
  }
  return undefined;
}
