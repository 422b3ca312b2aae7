// Which changes could remove a cause? The candidates for each kind of cause; trial.ts finds out whether they help.

import type { CelConstraint } from "../../constraint/constraint.ts";
import { correctedProperties } from "../../constraint/correct-constraint.ts";
import { providable } from "../../constraint/predicate-key.ts";
import { possibleVersions } from "../../constraint/version-rule.ts";
import type { Catalog, Property } from "../../model/catalog.ts";
import { compareText } from "../../model/json.ts";
import type { Installed, Problem, Request } from "../../model/problem.ts";
import { isHeld, liftsOfHold } from "../../rule/held-operator.ts";
import { statedVersion } from "../../rule/platform-version.ts";
import { UNARY_RULES } from "../../rule/rules.ts";
import { type Declaration, declaring, type Lift } from "../../rule/shape/lift.ts";
import { parseClusterVersion } from "../../semver/tolerant.ts";
import { compareVersions } from "../../semver/version.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { isUnread } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import { catalogsCalled } from "../catalog-order.ts";
import type { Encoding } from "../encoding.ts";
import { mayUse } from "../extension-candidates.ts";
import { catalogRef, newestFirst, type Operator } from "../member.ts";
import type { Question } from "../question.ts";
import { type Change, namedRequestOf } from "../what-if.ts";
import type { Cause, DemandCause, RefusalCause, Refused, WantedKind } from "./cause.ts";
import type { Subject } from "./why-not.ts";

/** A change to try; `isOpen` if it leaves the version open: the fix then names one that works. */
export interface Idea {
  readonly change: Change;
  readonly isOpen?: boolean;
  /** It requests the name that was probably meant. */
  readonly isMeant?: boolean;
}

/** The changes that may remove a cause. */
export function changesFor(cause: Cause, subject: Subject, question: Question): readonly Idea[] {
  switch (cause.kind) {
    case "wanted":
      return cause.request === undefined ? [] : forRequest(cause.request, cause.why, subject, question);
    case "stay-or-move":
    case "stays":
      return [...forStayOrMove(cause.installed, subject, question), ...removal(cause.installed, subject, question)];
    case "demand":
      return [
        ...forDemand(cause, question),
        ...forGone(cause, question),
        ...cause.demands.flatMap(({ member }) => removalOf(member, subject, question)),
      ];
    case "refusal":
      return [
        ...forRefusal(cause, question),
        ...cause.refused.flatMap(({ member }) => removalOf(member, subject, question)),
      ];
    case "one-bundle":
    case "one-provider":
      return cause.members.flatMap((member) => removalOf(member, subject, question));
    case "unserved":
      return cause.users.flatMap((member) => removalOf(member, subject, question));
    case "unavailable":
      return [{ change: { kind: "ignore-unavailable" } }];
  }
}

function forRequest(request: Request, why: WantedKind, subject: Subject, question: Question): readonly Idea[] {
  const ideas: Idea[] = [];
  const owner = request.package;
  const isSubject = subject.kind !== "bundles" && subject.request.package === owner;
  if (why === "goal" ? subject.kind === "request" : why === "request") ideas.push(...otherRequests(request, question));
  if (why === "update" || why === "best") {
    if (request.installed !== undefined) ideas.push({ change: { kind: "hold", package: owner } });
    ideas.push({ change: { kind: "instead", request: namedRequestOf(request) }, isOpen: true });
  }
  if (!isSubject && why !== "goal") ideas.push({ change: { kind: "drop", package: owner } });
  return ideas;
}

/** The same package in another version, channel or catalog. */
function otherRequests(request: Request, { problem }: Question): readonly Idea[] {
  const { package: owner, catalog, range, startingCSV, extension } = request;
  const { channel } = namedRequestOf(request);
  const namesChannel = channel !== undefined || (extension?.channels.length ?? 0) > 0;
  const own = catalogsFor(request, problem.catalogs);
  const ideas: Idea[] = [];
  const meant = own.some(({ packages }) => packages.has(owner))
    ? undefined
    : didYouMean(
        owner,
        own.flatMap(({ packages }) => [...packages.keys()]),
      );
  if (meant !== undefined && !problem.requests.some((one) => one.package === meant)) {
    const change: Change = { kind: "meant", package: owner, request: { ...namedRequestOf(request), package: meant } };
    ideas.push({ change, isMeant: true });
  }
  const here = { package: owner, ...(catalog !== undefined && { catalog: catalogRef(catalog) }) };
  const isTermed = extension?.versions !== undefined || extension?.malformed !== undefined;
  const isNarrow = range !== undefined || startingCSV !== undefined || isTermed;
  if (isNarrow) {
    const sameChannel = { ...here, ...(channel !== undefined && { channel }) };
    ideas.push({ change: { kind: "instead", request: sameChannel }, isOpen: true });
  }
  const channels = new Set(own.flatMap(({ packages }) => [...(packages.get(owner)?.channels.keys() ?? [])]));
  if (namesChannel) {
    const similar = channel === undefined || channels.has(channel) ? undefined : didYouMean(channel, channels);
    for (const other of [...channels].sort(compareText)) {
      const change: Change = { kind: "instead", request: { ...here, channel: other } };
      if (other !== channel && !extension?.channels.includes(other))
        ideas.push(other === similar ? { change, isMeant: true } : { change });
    }
    ideas.push({ change: { kind: "instead", request: here } });
  }
  if (extension !== undefined) return [...ideas, ...otherCatalogs(request, own, problem.catalogs)];
  if (catalog === undefined) return ideas;
  for (const other of problem.catalogs)
    if (!own.includes(other) && other.packages.has(owner)) {
      const { name, namespace } = other;
      const isAlone = name !== catalog.name && problem.catalogs.every((one) => one === other || one.name !== name);
      const place = isAlone || namespace === undefined ? { name } : { name, namespace };
      ideas.push({ change: { kind: "instead", request: { package: owner, catalog: place } } });
    }
  return ideas;
}

/** The catalogs that a request may use. */
function catalogsFor({ catalog, extension }: Request, all: readonly Catalog[]): readonly Catalog[] {
  if (extension !== undefined) return all.filter((one) => mayUse(extension, one));
  return catalog === undefined ? all : catalogsCalled<Catalog>(all, catalog);
}

/** Catalogs with the package that the selector of a ClusterExtension does not match. */
function otherCatalogs({ package: owner }: Request, own: readonly Catalog[], all: readonly Catalog[]): readonly Idea[] {
  return all
    .filter((other) => !own.includes(other) && other.packages.has(owner))
    .map(({ name }) => ({ change: { kind: "instead", request: { package: owner, catalog: { name } } } }));
}

/** A hold can be released; requests that claim the operator can name something it can be updated to. */
function forStayOrMove(installed: Installed, subject: Subject, question: Question): readonly Idea[] {
  const { name, package: known } = installed;
  const claims = question.problem.requests.filter((one) => one.installed === name);
  const owners = [...new Set(claims.map(({ package: owner }) => owner))];
  if (isHeld(installed)) return liftsOfHold(installed, owners).map((change) => ({ change }));
  if (claims.length === 0) {
    // If a request names the package already, a second Subscription would conflict.
    const isRequested = question.problem.requests.some((request) => request.package === known);
    return known === undefined || isRequested ? [] : [{ change: { kind: "ask", request: { package: known } } }];
  }
  const own = subject.kind === "better" ? subject.request.id : undefined;
  return claims.filter(({ id }) => id !== own).flatMap((request) => otherRequests(request, question));
}

function removalOf(member: Candidate | Installed, subject: Subject, question: Question): readonly Idea[] {
  return "bundle" in member ? [] : removal(member, subject, question);
}

/** An installed operator of this namespace could be removed, unless it is the subject. */
function removal(installed: Installed, subject: Subject, { problem, candidates }: Question): readonly Idea[] {
  const owner = installed.package ?? problem.requests.find((one) => one.installed === installed.name)?.package;
  if (owner === undefined || !problem.installed.includes(installed)) return [];
  // An operator that stays because its source was not read may be updated out of the way.
  if (candidates.some((one) => one.installed === installed && isUnread(one))) return [];
  const isSubject =
    subject.kind === "bundles"
      ? subject.nodes.some(({ bundle }) => bundle.package === owner)
      : subject.request.package === owner || subject.request.installed === installed.name;
  return isSubject ? [] : [{ change: { kind: "remove", package: owner } }];
}

/** If no bundle provides it, the cluster may. */
function forDemand({ demands }: DemandCause, { problem, encoding }: Question): readonly Idea[] {
  const ideas = new Map<string, Idea>();
  for (const { member, requirement } of demands)
    for (const { predicate } of providable(requirement.constraint)) {
      const own = "bundle" in member ? member.index.catalog : undefined;
      const offers = encoding.world.providers(predicate, own, problem.namespace);
      if (offers.some((node) => encoding.refusals.of(node) === undefined)) continue;
      const { constraint } = predicate;
      const declare = (type: string, value: Property["value"]): void => {
        ideas.set(predicate.key, { change: declaring({ type, value }) });
      };
      if (constraint.kind === "gvk") declare("olm.gvk", { ...constraint.gvk });
      else if (constraint.kind === "label") declare("olm.label", { label: constraint.label });
      else if (constraint.kind === "propertyEquals") declare(constraint.name, constraint.value);
      else if (constraint.kind === "cel")
        for (const change of otherVersions(constraint, problem))
          ideas.set(`${predicate.key} ${change.value}`, { change });
    }
  return [...ideas.values()];
}

/** Newer versions of the cluster for which a rule about its version may hold. */
function otherVersions(constraint: CelConstraint, { node }: Problem): readonly Declaration[] {
  return possibleVersions(constraint)
    .filter(({ type, text }) => {
      const [now, then] = [statedVersion(node, type), text].map((one) => parseClusterVersion(one ?? ""));
      if (typeof now !== "object" || typeof then !== "object") return typeof then === "object";
      return compareVersions(then, now) > 0;
    })
    .map(({ type, text, isLeast }) => ({ ...declaring({ type, value: text }), ...(isLeast && { isLeast }) }));
}

/** The operator to be removed may be the provider. */
function forGone({ demands }: DemandCause, { problem, encoding }: Question): readonly Idea[] {
  const predicates = demands.flatMap(({ requirement }) => providable(requirement.constraint));
  const missed = problem.gone.filter(({ properties }) =>
    predicates.some(({ predicate }) => encoding.world.isMatch(predicate, properties)),
  );
  const owners = new Set(missed.flatMap((one) => one.package ?? []).filter((one) => problem.removed.includes(one)));
  return [...owners].map((owner) => ({ change: { kind: "release", package: owner, flag: "remove" } }));
}

/** Changes that could lift the rule that refuses versions. */
function forRefusal({ refused, owner }: RefusalCause, { encoding }: Question): readonly Idea[] {
  const ranks = new Map(newestFirst(refused.map(({ member }) => member)).map((member, rank) => [member, rank]));
  const rankOf = ({ member }: Refused): number => ranks.get(member) ?? 0;
  const operators = refused
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ member, refusal: { detail } }) => ({
      detail,
      owner,
      correction: () => correctionOf(member, encoding),
    }));
  return UNARY_RULES.filter(({ name }) => name === refused[0]?.refusal.detail.rule)
    .flatMap(({ lifts }) => lifts?.(operators) ?? [])
    .map((change) => ({ change }));
}

/** The correction that the author of a bundle could make. */
function correctionOf(member: Operator, { world }: Encoding): Lift | undefined {
  if (!("bundle" in member)) return undefined;
  const { index, bundle } = member;
  if (correctedProperties(bundle.properties, world.reader) === undefined) return undefined;
  return { kind: "correct", catalog: catalogRef(index.catalog), package: bundle.package, bundle: bundle.name };
}
