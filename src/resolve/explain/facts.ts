// Which facts are the causes of a "no", and which operators do they mention? The result of the search as plain data:
// everything that a sentence needs is looked up here.

import type { Constraint } from "../../constraint/constraint.ts";
import { demandedBy } from "../../constraint/negation.ts";
import { outlineOf } from "../../constraint/outline.ts";
import { isPredicate, predicateOf } from "../../constraint/predicate-key.ts";
import { providedApis } from "../../constraint/provided-apis.ts";
import { requiredVersion } from "../../constraint/version-rule.ts";
import { gvkOf } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { given } from "../../model/json.ts";
import type { RequestRef } from "../../model/operator-ref.ts";
import { at, inside, type Place } from "../../model/place.ts";
import type { Installed, Problem } from "../../model/problem.ts";
import { sortedEntries } from "../../model/sorted.ts";
import { statedVersion } from "../../rule/platform-version.ts";
import { requirementName } from "../../rule/requirement.ts";
import { compareWithBuild, printVersion, type Version } from "../../semver/version.ts";
import { plainNone } from "../candidates.ts";
import type { Candidate, CatalogIndex } from "../catalog-index.ts";
import { nameOf, type Operator, packageOf, placeOf, propertiesOf, refOf, requestRef, versionOf } from "../member.ts";
import type { Question } from "../question.ts";
import type {
  Cause,
  Demand,
  DemandCause,
  Matches,
  OnePerCause,
  RefusalCause,
  Refused,
  StaysCause,
  WantedCause,
} from "./cause.ts";
import type {
  Declaration,
  Demanded,
  DemandFact,
  ExplainedOperator,
  Fact,
  Meeting,
  Mentioned,
  Missing,
  Offer,
  OperatorId,
  RefusalFact,
  RequestFact,
} from "./fact.ts";
import { matchesIn } from "./matching.ts";
import { missFor, nearestMiss } from "./near-miss.ts";

/** Collects the operators that facts mention and numbers them: an operator keeps its number in every question. */
export class Mentions {
  readonly #ids = new Map<Operator, OperatorId>();
  readonly #numbers = new Map<string, OperatorId>();
  readonly #all: Operator[] = [];

  readonly idOf = (self: Operator): OperatorId => getOrAdd(this.#ids, self, () => this.#numberOf(self));

  #numberOf(self: Operator): OperatorId {
    const key = JSON.stringify([nameOf(self), "bundle" in self ? self.index.number : self.namespace]);
    return getOrAdd(this.#numbers, key, () => this.#all.push(self) - 1);
  }

  /** The operators so far, and further versions of their packages. */
  list(): Mentioned {
    const all = this.#all;
    const bundles = new Map<string, Candidate>();
    for (const one of all) if ("bundle" in one) bundles.set(one.bundle.package, one);
    const offered = new Map([...bundles].map(([owner, one]) => [owner, new Set(one.index.offered(owner))]));
    const offers = [...offered].flatMap(([owner, nodes]) =>
      offerOf(
        owner,
        nodes,
        all.filter((one) => packageOf(one) === owner),
      ),
    );
    const operators = all.map((one): ExplainedOperator => {
      const isOffChain = "bundle" in one && offered.get(one.bundle.package)?.has(one) !== true;
      return isOffChain ? { ...refOf(one), isOffChain } : refOf(one);
    });
    return { operators, offers };
  }
}

/** The versions beyond the mentioned ones that keep the mentioned versions from being one run. */
function offerOf(owner: string, offered: ReadonlySet<Candidate>, mentioned: readonly Operator[]): readonly Offer[] {
  const known = new Set(mentioned);
  const unmentioned = [...offered].filter((node) => !known.has(node)).map(({ bundle }) => bundle.version);
  if (unmentioned.length === 0) return [];
  const steps = mentioned.flatMap((one) => versionOf(one) ?? []).sort(compareWithBuild);
  const gaps = new Map<number, string>();
  let next = 0;
  for (const version of unmentioned.sort(compareWithBuild)) {
    while (next < steps.length && compareWithBuild(steps[next] as Version, version) < 0) next++;
    const step = steps[next];
    const isMentioned = step !== undefined && compareWithBuild(step, version) === 0;
    const gap = isMentioned ? next : next - 0.5;
    if (!gaps.has(gap)) gaps.set(gap, printVersion(version));
  }
  return [{ package: owner, others: [...gaps.values()] }];
}

/** Turns the causes of a question into facts. */
export class FactFinder {
  readonly mentions: Mentions;
  readonly #scope: Problem["scope"];
  readonly #matches: Matches;
  readonly #meetings = new Map<CatalogIndex | undefined, Map<string, Meeting>>();

  constructor(mentions: Mentions, question: Question) {
    this.mentions = mentions;
    this.#scope = question.problem.scope;
    this.#matches = matchesIn(question);
  }

  factOf(cause: Cause): Fact {
    const { idOf } = this.mentions;
    switch (cause.kind) {
      case "wanted":
        return this.#wanted(cause);
      case "stays":
        return this.#stays(cause);
      case "stay-or-move": {
        const { installed, channels } = cause;
        const targets = cause.targets.map(idOf);
        return { kind: cause.kind, ...ofRunning(installed), installed: idOf(installed), channels, targets };
      }
      case "demand":
        return this.#demand(cause);
      case "refusal":
        return this.#refusal(cause);
      case "one-bundle":
      case "one-provider":
        return this.#onePer(cause);
      case "unserved": {
        const api = gvkOf(cause.api);
        const [users, definers] = [cause.users.map(idOf), cause.definers.map(idOf)];
        return { kind: cause.kind, rule: "crd-upgrade", subject: cause.api, api, users, definers };
      }
      case "unavailable": {
        const { kind, catalogs } = cause;
        return { kind, rule: "dependency", subject: catalogs[0]?.name ?? "", catalogs };
      }
    }
  }

  #wanted({ kind, why, request, members }: WantedCause): Fact {
    const [first] = members;
    const base = { kind, why, rule: "subscription", members: members.map(this.mentions.idOf) } as const;
    if (request === undefined) return { ...base, subject: first === undefined ? "" : nameOf(first) };
    return { ...base, subject: request.id, request: requestRef(request), ...at(request.place) };
  }

  #stays({ kind, installed, why, open, targets }: StaysCause): Fact {
    const { hold } = installed;
    const { idOf } = this.mentions;
    return {
      kind,
      ...ofRunning(installed),
      installed: idOf(installed),
      why,
      targets: targets.map(idOf),
      ...(hold !== undefined && {
        rule: "held-operator",
        hold: given({ by: hold.by, text: hold.text, package: hold.package }),
      }),
      ...(open?.none !== undefined && { open: { request: requestRef(open.request), none: plainNone(open.none) } }),
    };
  }

  #demand({ owner, demands, isRepair }: DemandCause): Fact {
    const demanded = new Numbered<Demanded>();
    const met = new Numbered<readonly Meeting[]>();
    const numbered = demands.map((demand): DemandFact["demands"][number] => {
      const { member, requirement } = demand;
      const { constraint, action } = requirement;
      const base = { constraint: outlineOf(constraint), ...(action === "conflict" && { isConflict: true as const }) };
      const id = this.mentions.idOf(member);
      return { member: id, demanded: demanded.of(base), met: met.of(this.#meetingsOf(demand)) };
    });
    const [newest] = demands;
    return {
      kind: "demand",
      rule: newest === undefined ? "dependency" : requirementName(newest.requirement),
      subject: owner,
      owner,
      demands: numbered,
      demanded: demanded.all,
      met: met.all,
      ...at(newest && placeOfDemand(newest)),
      ...(isRepair && { isRepair }),
    };
  }

  /**
   * The participants that meet the parts of a requirement that its sentence is about: the whole, if it is about one
   * operator at a time; otherwise those of its parts that are. For a `none`, its constraints, or what a double
   * negation requires.
   */
  #meetingsOf({ member, requirement }: Demand): readonly Meeting[] {
    const { constraint, action } = requirement;
    const parts = partsOf(constraint);
    const isAgainst = action === "conflict" || constraint.kind === "none";
    const mentioned = isAgainst ? demandedBy(parts.length === 0 ? [constraint] : parts) : constraint;
    const all = mentioned === undefined ? parts : isPredicate(mentioned) ? [mentioned] : partsOf(mentioned);
    return all.filter(isPredicate).map((part) => this.#meetingOf(part, member));
  }

  /** Cached: hundreds of versions have the same requirement in the same catalogs. */
  #meetingOf(constraint: Constraint, member: Operator): Meeting {
    const from = "bundle" in member ? member.index : undefined;
    const own = getOrAdd(this.#meetings, from, () => new Map<string, Meeting>());
    return getOrAdd(own, predicateOf(constraint).key, () => this.#newMeeting(constraint, member));
  }

  #newMeeting(constraint: Constraint, member: Operator): Meeting {
    const { members, doubtful, fixed, ...more } = this.#matches(predicateOf(constraint), member);
    const { idOf } = this.mentions;
    const met = {
      members: members.map(idOf),
      doubtful: doubtful.map(idOf),
      fixed: fixed.map((one) => ("bundle" in one || "namespace" in one ? idOf(one) : "cluster")),
    };
    if (members.length + doubtful.length > 0) return met;
    const required = constraint.kind === "cel" ? requiredVersion(constraint) : undefined;
    const stated = required && statedVersion(more.node, required.type);
    const missing: Missing = {
      ...(more.isOrphan && { isOrphan: true }),
      ...(!more.isOrphan && more.mayBeUnread && { mayBeUnread: true }),
      ...(stated !== undefined && { stated }),
      ...(!more.isOrphan && required === undefined && this.#insteadOf(constraint, member)),
    };
    return { ...met, missing };
  }

  /** What exists in place of a missing provider. */
  #insteadOf(constraint: Constraint, member: Operator): Missing {
    const { idOf } = this.mentions;
    if (constraint.kind === "gvk" || constraint.kind === "propertyEquals") return {};
    if (constraint.kind === "package") {
      const all = { ...constraint, range: { text: ">=0.0.0-0", anyOf: [[]] } };
      const { members, doubtful } = this.#matches(predicateOf(all), member);
      return { others: [...members, ...doubtful].map(idOf) };
    }
    const nearest = "bundle" in member ? nearestMiss(constraint, member.index, idOf) : undefined;
    return nearest === undefined ? {} : { nearest };
  }

  #refusal({ kind, owner, refused, isRepair }: RefusalCause): Fact {
    const [first] = refused;
    return {
      kind,
      rule: first?.refusal.detail.rule ?? "subscription",
      subject: owner,
      owner,
      refused: refused.map((one) => this.#refused(one)),
      ...at(first && (first.refusal.place ?? placeOf(first.member))),
      ...(isRepair && { isRepair }),
    };
  }

  /** With the values for which the administrator's rule is false. An error is part of the refusal itself. */
  #refused({ member, refusal: { detail }, demanded }: Refused): RefusalFact["refused"][number] {
    const { idOf } = this.mentions;
    const isError = detail.rule === "runtime-constraint" && detail.why === "refused" && detail.error !== undefined;
    const miss = demanded?.action === "require" && !isError ? missFor(demanded.constraint, member, idOf) : undefined;
    return { member: idOf(member), detail, ...(miss !== undefined && { miss }) };
  }

  #onePer({ kind, of, members, isRepair }: OnePerCause): Fact {
    const { idOf } = this.mentions;
    const base = { members: members.map(idOf), ...(isRepair && { isRepair }) };
    if (kind === "one-bundle") {
      const scope = this.#scope && { scope: this.#scope };
      return { kind, rule: kind, subject: of, package: of, ...scope, ...base };
    }
    const api = gvkOf(of);
    return { kind, rule: kind, subject: of, api, ...base, declarations: declarationsOf(of, members, idOf) };
  }
}

/** The fact that a request waits for approval, or that --all-or-nothing was given and it cannot be satisfied. */
export function requestFact(kind: RequestFact["kind"], request: RequestRef): RequestFact {
  const rule = kind === "waits" ? "subscription" : kind;
  return { kind, rule, subject: request.id, request, ...at(request.place) };
}

/** Distinct values with their indexes. */
class Numbered<One> {
  readonly all: One[] = [];
  readonly #places = new Map<string, number>();

  of(one: One): number {
    return getOrAdd(this.#places, JSON.stringify(one), () => this.all.push(one) - 1);
  }
}

/** The subject and place of a fact about an installed operator. */
function ofRunning(installed: Installed): Pick<Fact, "rule" | "subject" | "place"> {
  return { rule: "upgrade-edge", subject: installed.package ?? installed.name, ...at(installed.place) };
}

/**
 * The property that requires it, for a bundle; the requirements of an installed operator may be derived from its
 * APIs.
 */
function placeOfDemand({ member, requirement }: Demand): Place | undefined {
  return "bundle" in member ? inside(member.bundle.place, "properties", requirement.property) : member.place;
}

function partsOf(constraint: Constraint): readonly Constraint[] {
  return "constraints" in constraint ? constraint.constraints : [];
}

/** Where an API with a single provider is declared: per package, in its newest bundle. */
function declarationsOf(api: string, members: readonly Operator[], idOf: Mentions["idOf"]): readonly Declaration[] {
  const newest = new Map<string, Operator>();
  for (const member of members.toSorted(bundlesFirst)) {
    const owner = (versionOf(member) && packageOf(member)) ?? nameOf(member);
    if (!newest.has(owner)) newest.set(owner, member);
  }
  return sortedEntries(newest).map(([, member]) => ({ member: idOf(member), ...at(placeOfApi(member, api)) }));
}

/** Newest first; a bundle of a catalog before the installed operator of the same version. */
function bundlesFirst(a: Operator, b: Operator): number {
  const [one, other] = [versionOf(a), versionOf(b)];
  const order = one === undefined || other === undefined ? 0 : compareWithBuild(other, one);
  return order || Number("bundle" in b) - Number("bundle" in a);
}

/** The property that declares it, for a bundle; the APIs of an installed operator may be derived from its CRDs. */
function placeOfApi(self: Operator, api: string): Place | undefined {
  if (!("bundle" in self)) return self.place;
  const property = propertiesOf(self).findIndex((one) => providedApis([one]).includes(api));
  return property < 0 ? self.bundle.place : inside(self.bundle.place, "properties", property);
}
