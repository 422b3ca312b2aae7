// Which rules does each participant bring? A cause is built from instances, one per version: what versions of a
// package share is one cause.

import type { Constraint, Requirement } from "../../constraint/constraint.ts";
import { isPredicate, predicateOf } from "../../constraint/predicate-key.ts";
import { providedApis } from "../../constraint/provided-apis.ts";
import { getOrAdd } from "../../model/grouped.ts";
import type { Installed, Request } from "../../model/problem.ts";
import { neededKinds } from "../../rule/crd/api-needs.ts";
import { crdUpgradeKey } from "../../rule/crd-upgrade.ts";
import { areRivals } from "../../rule/one-provider.ts";
import { type Detail, GROUP_RULES } from "../../rule/rules.ts";
import { unapproved } from "../../rule/subscription.ts";
import { stayOrMoveOf } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import type { BrokenBefore } from "../installed-state.ts";
import { compareNewest, grouped, type Operator, packageOf, propertiesOf, refOf } from "../member.ts";
import { freeNodes, type Question } from "../question.ts";
import { manualPackages } from "../without-approval.ts";
import type { Cause, Demand, OnePerCause, Refused, StayOrMoveCause, StaysCause, WantedCause } from "./cause.ts";

/** A whole cause, or the part of one member in it. Instances with the same key make one cause. */
export type RuleInstance =
  | { readonly kind: "whole"; readonly key: string; readonly cause: WantedCause | StayOrMoveCause | StaysCause }
  | Part<{ kind: "demand"; owner: string; demand: Demand; isRepair: boolean }>
  | Part<{ kind: "refusal"; owner: string; refused: Refused; isRepair: boolean }>
  | Part<{ kind: "one-per"; per: OnePerCause["kind"]; of: string; isRepair: boolean }>
  /** It requires the API, or it defines the kind. */
  | Part<{ kind: "unserved"; api: string; role: "user" | "bringer"; isRepair: false }>;

type Part<Data> = { readonly key: string; readonly member: Operator } & Readonly<Data>;

/** The key of the cause that a catalog is unavailable. */
export const UNAVAILABLE = "unavailable";

/** The instances of rules in a question. */
export class RuleInstances {
  readonly question: Question;
  readonly #ofNode = new Map<Candidate, readonly RuleInstance[]>();
  readonly #groupsOf = new Map<Operator, readonly RuleInstance[]>();
  readonly #ofInstalled = new Map<Installed, readonly RuleInstance[]>();
  readonly #contested = new Map<string, boolean>();
  readonly #elsewhere: ReadonlySet<Operator>;
  readonly #brokenDemands = new Map<Installed, Set<Requirement>>();
  readonly #manual: ReadonlyMap<string, Request>;
  readonly #free: ReadonlySet<Candidate>;

  constructor(question: Question) {
    this.question = question;
    this.#elsewhere = new Set(question.problem.elsewhere);
    this.#manual = manualPackages(question.problem);
    this.#free = freeNodes(question.candidates);
    for (const { about } of question.state.broken)
      if (about.kind === "demand") getOrAdd(this.#brokenDemands, about.member, () => new Set()).add(about.requirement);
  }

  /** Is it an operator of another namespace? Those are always present. */
  isElsewhere(member: Operator): boolean {
    return this.#elsewhere.has(member);
  }

  /** The groups of a member: one bundle of its package, one provider of each of its APIs. */
  groupsOf(member: Operator): readonly RuleInstance[] {
    return getOrAdd(this.#groupsOf, member, () => {
      const possible = groupParts(member).filter(({ per, of }) => this.#isContested(per, of));
      return [...possible, ...this.#endsOf(member)];
    });
  }

  /** A participant that requires an API excludes a bundle that defines its kind without serving it. */
  #endsOf(member: Operator): readonly RuleInstance[] {
    const { encoding, problem } = this.question;
    if (!("bundle" in member) || problem.options.compat || !encoding.world.hasManifests) return [];
    const { crdChanges, world } = encoding;
    const running = crdChanges.broughtKinds(member).length === 0 ? [] : problem.installed;
    const defining = neededKinds(world, member).flatMap((kind) => [
      ...world.bundlesOfKind(kind),
      ...(encoding.defining.get(kind) ?? []),
    ]);
    return [
      ...running.flatMap((user) => this.#endOf(user, member)),
      ...[...new Set(defining)].flatMap((node) => this.#endOf(member, node)),
    ];
  }

  /** Versions of one package never run together. */
  #endOf(user: Operator, node: Candidate): readonly RuleInstance[] {
    const { encoding } = this.question;
    if (packageOf(user) === node.bundle.package) return [];
    const owner = "bundle" in user ? user.bundle.package : encoding.numberOf(user);
    return encoding.crdChanges.missing(user, node).flatMap((api): readonly RuleInstance[] => {
      const key = `unserved ${JSON.stringify([api, owner, node.bundle.package])}`;
      return [
        { kind: "unserved", key, api, member: user, role: "user", isRepair: false },
        { kind: "unserved", key, api, member: node, role: "bringer", isRepair: false },
      ];
    });
  }

  /** The instances of a bundle: why it is refused, and its requirements. */
  ofNode(node: Candidate): readonly RuleInstance[] {
    return getOrAdd(this.#ofNode, node, () => [...this.refusalOf(node), ...this.#demandsOfNode(node)]);
  }

  /** The requirements of an installed operator, here or in another namespace, unless they were broken before. */
  ofInstalled(installed: Installed): readonly RuleInstance[] {
    return getOrAdd(this.#ofInstalled, installed, () => {
      const { problem } = this.question;
      const isElsewhere = this.isElsewhere(installed);
      const broken = this.#brokenDemands.get(installed);
      const isBinding = (requirement: Requirement): boolean =>
        problem.options.compat || broken?.has(requirement) !== true;
      const owner = isElsewhere ? `${installed.namespace}/${installed.name}` : ownerOf(installed);
      const rivals = problem.options.compat && !isElsewhere ? this.#rivalsOf(installed, owner) : [];
      return [...this.#demandsOf(installed, owner, isBinding), ...rivals];
    });
  }

  /** OLM does not allow another package to provide elsewhere an API that an operator installed here provides. */
  #rivalsOf(installed: Installed, owner: string): readonly RuleInstance[] {
    const { encoding } = this.question;
    return providedApis(installed.properties).flatMap((api): RuleInstance[] => {
      const rivals = encoding.providersElsewhere(api).filter((one) => areRivals(installed.package, one.package));
      if (rivals.length === 0) return [];
      const detail = { rule: "one-provider", api, providers: rivals.map(refOf) } as const;
      const refused = { member: installed, refusal: { detail } };
      const key = `rival ${owner} ${api}`;
      return [{ kind: "refusal", key, owner, member: installed, refused, isRepair: false }];
    });
  }

  /** Why a bundle is refused on its own. */
  refusalOf(node: Candidate): readonly RuleInstance[] {
    const { refusals } = this.question.encoding;
    const owner = node.bundle.package;
    const waiting = this.#free.has(node) ? undefined : this.#manual.get(owner);
    const refusal = refusals.of(node) ?? (waiting && unapproved(waiting));
    if (refusal === undefined) return [];
    const refused = { member: node, refusal, demanded: refusals.demandedBy(refusal) };
    const key = `refusal ${owner} ${refusal.detail.rule} ${groundOf(refusal.detail)}`;
    return [{ kind: "refusal", key, owner, member: node, refused, isRepair: false }];
  }

  /** A rule that was broken before holds again. */
  ofRepair({ about, rule }: BrokenBefore, index: number): readonly RuleInstance[] {
    const key = `repair ${index}`;
    if (about.kind === "demand")
      return [demandPart(key, ownerOf(about.member), { member: about.member, requirement: about.requirement }, true)];
    const refusal = (member: Installed): RuleInstance => ({
      kind: "refusal",
      key: `${key} alone`,
      owner: ownerOf(member),
      member,
      refused: { member, refusal: rule },
      isRepair: true,
    });
    if (about.kind === "alone") return [refusal(about.member)];
    const { kind: per, of, members, beside } = about;
    return [
      ...members.map((member): RuleInstance => ({ kind: "one-per", key, per, of, member, isRepair: true })),
      ...beside.map(refusal),
    ];
  }

  /** The possible changes of an operator of the namespace. */
  ofStayOrMove(installed: Installed): RuleInstance {
    const key = `fate ${this.question.encoding.numberOf(installed)}`;
    return { kind: "whole", key, cause: stayOrMoveOf(installed, this.question.claims.get(installed) ?? []) };
  }

  /** All instances of a member. */
  of(member: Operator): readonly RuleInstance[] {
    if ("bundle" in member) return [...this.ofNode(member), ...this.groupsOf(member)];
    return this.isElsewhere(member)
      ? this.ofInstalled(member)
      : [...this.ofInstalled(member), ...this.groupsOf(member)];
  }

  #demandsOfNode(node: Candidate): readonly RuleInstance[] {
    return getOrAdd(demandsOfNodes, node, () => this.#demandsOf(node, node.bundle.package, () => true));
  }

  #demandsOf(
    member: Operator,
    owner: string,
    isBinding: (requirement: Requirement) => boolean,
  ): readonly RuleInstance[] {
    const { requirements } = this.question.encoding.world.requirementsOf(propertiesOf(member));
    return requirements
      .filter((requirement) => !requirement.optional && isBinding(requirement))
      .map((requirement) =>
        demandPart(`demand ${owner} ${matterOf(requirement.constraint)}`, owner, { member, requirement }, false),
      );
  }

  /** Can there be two of a group? For an API, only if bundles or operators of several packages provide it. */
  #isContested(per: OnePerCause["kind"], of: string): boolean {
    if (per === "one-bundle") return true;
    return getOrAdd(this.#contested, of, () => {
      const only = this.question.encoding.world.onlyPackageOf(of);
      const { installed } = this.question.problem;
      if (only === undefined) return true;
      return installed.some((one) => one.package !== only && providedApis(one.properties).includes(of));
    });
  }
}

/** Separates refusals of one rule: by API, constraint or CRD change. */
function groundOf(detail: Detail): string {
  if (detail.rule === "one-provider") return detail.api;
  if (detail.rule === "runtime-constraint") return detail.why === "refused" ? String(detail.number) : "";
  return detail.rule === "crd-upgrade" ? crdUpgradeKey(detail) : "";
}

/** The package of an operator, or its name if the package is unknown. */
function ownerOf(installed: Installed): string {
  return installed.package ?? installed.name;
}

type OnePerPart = Extract<RuleInstance, { kind: "one-per" }>;

/** The requirements of a bundle follow from its catalog alone: shared by all explanations and trials. */
const demandsOfNodes = new WeakMap<Candidate, readonly RuleInstance[]>();

/** The groups of a member, whether there is a competitor or not. */
const groupsOfMembers = new WeakMap<Operator, readonly OnePerPart[]>();

function groupParts(member: Operator): readonly OnePerPart[] {
  return getOrAdd(groupsOfMembers, member, () => {
    const own = grouped(member);
    return GROUP_RULES.flatMap(({ name: per, groupsOf }) =>
      groupsOf(own).map((of) => ({ kind: "one-per", key: `${per} ${of}`, per, of, member, isRepair: false })),
    );
  });
}

function demandPart(key: string, owner: string, demand: Demand, isRepair: boolean): RuleInstance {
  return { kind: "demand", key, owner, member: demand.member, demand, isRepair };
}

/** The subject of a requirement: versions that require different ranges of one package share it. */
function matterOf(constraint: Constraint): string {
  return constraint.kind === "package" ? `package ${JSON.stringify(constraint.name)}` : shapeOf(constraint);
}

function shapeOf(constraint: Constraint): string {
  if (isPredicate(constraint)) return predicateOf(constraint).key;
  const children = "constraints" in constraint ? constraint.constraints.map(shapeOf) : [];
  return `${constraint.kind} of [${children.join(", ")}]`;
}

/** The cause that catalogs are unavailable. */
export function unavailableCause({ problem }: Question): Cause {
  return { kind: "unavailable", catalogs: problem.unavailable };
}

/** The causes made from instances. */
export function causesOf(parts: readonly RuleInstance[]): readonly Cause[] {
  const keys = [...new Set(parts.map(({ key }) => key))];
  return keys.map((key) => causeOf(parts.filter((part) => part.key === key)));
}

/** The cause made from instances with the same key; there is at least one. */
export function causeOf(own: readonly RuleInstance[]): Cause {
  const parts = own.toSorted(newestFirst);
  const first = parts[0] as RuleInstance;
  switch (first.kind) {
    case "whole":
      return first.cause;
    case "demand": {
      const demands = parts.flatMap((part) => (part.kind === "demand" ? [part.demand] : []));
      return { kind: "demand", owner: first.owner, demands, isRepair: first.isRepair };
    }
    case "refusal": {
      const refused = parts.flatMap((part) => (part.kind === "refusal" ? [part.refused] : []));
      return { kind: "refusal", owner: first.owner, refused, isRepair: first.isRepair };
    }
    case "one-per": {
      const members = parts.flatMap((part) => (part.kind === "one-per" ? [part.member] : []));
      return { kind: first.per, of: first.of, members, isRepair: first.isRepair };
    }
    case "unserved": {
      const all = parts.flatMap((part) => (part.kind === "unserved" ? [part] : []));
      const [users, definers] = (["user", "bringer"] as const).map((role) =>
        all.filter((part) => part.role === role).map(({ member }) => member),
      ) as [Operator[], Operator[]];
      return { kind: "unserved", api: first.api, users, definers };
    }
  }
}

function newestFirst(a: RuleInstance, b: RuleInstance): number {
  return a.kind === "whole" || b.kind === "whole" ? 0 : compareNewest(a.member, b.member);
}
