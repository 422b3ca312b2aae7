// What is installed, and which rules follow from it? A state holds the clauses about installed operators. They are in
// force only while its literal is assumed, so that a solver can serve one state of a cluster after another.

import type { Constraint, Requirement } from "../constraint/constraint.ts";
import { isPredicate, predicateOf } from "../constraint/predicate-key.ts";
import { groupedByAll, sameItems } from "../model/grouped.ts";
import { at } from "../model/place.ts";
import type { Installed } from "../model/problem.ts";
import { sortedEntries } from "../model/sorted.ts";
import { neededKinds } from "../rule/crd/api-needs.ts";
import { areRivals } from "../rule/one-provider.ts";
import { requirementDetail } from "../rule/requirement.ts";
import { type BrokenRule, GROUP_RULES } from "../rule/rules.ts";
import type { GroupRule } from "../rule/shape/at-most-one.ts";
import { apart, refused } from "../rule/shape/clauses.ts";
import { holdsOver } from "../rule/shape/holds.ts";
import { requires } from "../rule/shape/requires.ts";
import { type Literal, negate } from "../sat/literal.ts";
import type { Candidate } from "./catalog-index.ts";
import type { Encoding, Gate, OptionalRequirement } from "./encoding.ts";
import { matchingOperators } from "./matching-operators.ts";
import { grouped, localRef, type Operator, refOf } from "./member.ts";
import type { Presence } from "./presence-literals.ts";

/** The subject of a rule that was violated before. */
export type BrokenAbout =
  | { readonly kind: "demand"; readonly member: Installed; readonly requirement: Requirement }
  | { readonly kind: "alone"; readonly member: Installed }
  /** More than one of a package, or more than one provider of an API; `beside` are those with competitors elsewhere. */
  | {
      readonly kind: "one-bundle" | "one-provider";
      readonly of: string;
      readonly members: readonly Installed[];
      readonly beside: readonly Installed[];
    };

/** A rule that was violated before; the literal is true while it still is. */
export interface BrokenBefore {
  readonly literal: Literal;
  readonly rule: BrokenRule;
  readonly about: BrokenAbout;
  /** It held while the operators to be removed were installed. */
  readonly byRemoval: boolean;
  /** Is it violated among these members of the namespace? */
  readonly isViolated: (members: ReadonlySet<Operator>) => boolean;
}

/** One state of the cluster. */
export class InstalledState {
  /** Assumed while this state is in force. */
  readonly literal: Literal;
  readonly installed: readonly Installed[];
  /** Candidates of requests that are on no chain. */
  readonly extras: readonly Candidate[];
  /** Candidates of requests, while a catalog is unavailable: they are no new dependencies. */
  readonly wanted: ReadonlySet<Candidate>;
  readonly broken: BrokenBefore[] = [];
  readonly optional: readonly OptionalRequirement[];
  readonly #encoding: Encoding;
  #gates = 0;
  #presences = 0;

  constructor(
    encoding: Encoding,
    installed: readonly Installed[],
    extras: readonly Candidate[],
    wanted: ReadonlySet<Candidate>,
  ) {
    this.#encoding = encoding;
    this.literal = encoding.newLiteral();
    this.installed = installed;
    this.extras = extras;
    this.wanted = wanted;
    encoding.state = this;
    this.attach();
    this.#demands();
    this.#onePerGroup();
    if (encoding.defining.size > 0)
      for (const operator of installed)
        for (const kind of neededKinds(encoding.world, operator))
          for (const node of encoding.defining.get(kind) ?? []) encoding.excludeUnserved(operator, node);
    this.optional = installed.flatMap((operator) => encoding.optionalOf(operator, encoding.keptOf(operator)));
  }

  /** Is it the same state? */
  isFor(installed: readonly Installed[], extras: readonly Candidate[], wanted: ReadonlySet<Candidate>): boolean {
    return (
      sameItems(this.installed, installed) && sameItems(this.extras, extras) && sameItems([...this.wanted], [...wanted])
    );
  }

  /** Adds the clauses of this state for every gate and presence. */
  attach(): void {
    const { gates, presences } = this.#encoding;
    while (this.#gates < gates.length) this.#attachGate(gates[this.#gates++] as Gate);
    while (this.#presences < presences.all.length) this.#attachPresence(presences.all[this.#presences++] as Presence);
  }

  #attachGate({ predicate, without, others, doubtful }: Gate): void {
    const encoding = this.#encoding;
    const matching = [negate(this.literal), negate(others)];
    for (const operator of matchingOperators(encoding.world, predicate, this.installed))
      if (operator !== without) matching.push(encoding.keptOf(operator));
    for (const node of [...this.extras, ...doubtful.filter((one) => this.wanted.has(one))])
      if (node !== without && encoding.world.isMatch(predicate, node.bundle.properties))
        matching.push(encoding.literalOf(node));
    encoding.clause(matching);
  }

  #attachPresence({ literal, predicate, without }: Presence): void {
    const encoding = this.#encoding;
    for (const operator of matchingOperators(encoding.world, predicate, this.installed))
      if (operator !== without) encoding.clause([negate(this.literal), negate(encoding.keptOf(operator)), literal]);
  }

  /** The requirements of installed operators stay met if they were met before. */
  #demands(): void {
    const encoding = this.#encoding;
    const { elsewhere, options } = encoding.problem;
    for (const operator of this.installed) {
      const guards = [negate(this.literal), negate(encoding.keptOf(operator))];
      this.#demandsOf(operator, guards);
      if (options.compat) continue;
      for (const refusal of encoding.refusals.ofRunning(operator)) {
        const rule = { ...refusal, operator: localRef(operator) };
        const isViolated = (members: ReadonlySet<Operator>): boolean => members.has(operator);
        const about = { kind: "alone", member: operator } as const;
        const left = this.#violation({ rule, about, byRemoval: false, isViolated });
        refused(encoding, [negate(this.literal), ...left], operator);
      }
    }
    for (const operator of elsewhere) this.#demandsOf(operator, [negate(this.literal)]);
  }

  #demandsOf(operator: Installed, guards: readonly Literal[]): void {
    const encoding = this.#encoding;
    const { world, problem } = encoding;
    const around = [...problem.elsewhere, problem.node];
    for (const requirement of world.requirementsOf(operator.properties).requirements) {
      const { constraint, optional } = requirement;
      if (optional) continue;
      if (this.#heldBefore(constraint, operator)) {
        requires(encoding, guards, constraint, operator);
        continue;
      }
      const left = this.#violation({
        rule: {
          detail: requirementDetail(requirement),
          operator: problem.elsewhere.includes(operator) ? refOf(operator) : localRef(operator),
          ...at(operator.place),
        },
        about: { kind: "demand", member: operator, requirement },
        byRemoval:
          problem.gone.length > 0 &&
          holdsOver(world, constraint, [...this.installed, ...around, ...problem.gone], operator),
        isViolated: (members) =>
          (members.has(operator) || problem.elsewhere.includes(operator)) &&
          !holdsOver(world, constraint, [...members, ...around], operator, (member) =>
            encoding.mayServe(member, operator, this.wanted),
          ),
      });
      requires(encoding, [...guards, ...left], constraint, operator);
    }
  }

  /** Was a requirement of an operator met before any change? */
  #heldBefore(constraint: Constraint, operator: Installed): boolean {
    const { world, problem } = this.#encoding;
    if (!isPredicate(constraint))
      return holdsOver(world, constraint, [...this.installed, ...problem.elsewhere, problem.node], operator);
    const predicate = predicateOf(constraint);
    return (
      matchingOperators(world, predicate, this.installed).length > 0 || this.#encoding.isFixed(predicate, undefined)
    );
  }

  /** At most one of a group; those installed together already may stay. */
  #onePerGroup(): void {
    const encoding = this.#encoding;
    for (const rule of GROUP_RULES)
      for (const [of, operators] of sortedEntries(groupedByAll(this.installed, (one) => rule.groupsOf(grouped(one))))) {
        this.#occupy(rule, of, operators);
        const rivals = rule.spansNamespaces ? encoding.providersElsewhere(of) : [];
        const beside = operators.filter((one) => rivals.some((rival) => areRivals(one.package, rival.package)));
        if (operators.length < 2 && beside.length === 0) continue;
        const refs = [...operators.map(localRef), ...(beside.length > 0 ? rivals.map(refOf) : [])];
        const left = this.#violation({
          rule: { detail: rule.detail(of, refs, encoding.problem.scope) },
          about: { kind: rule.name, of, members: operators, beside },
          byRemoval: false,
          isViolated: (members) =>
            operators.filter((operator) => members.has(operator)).length > 1 ||
            beside.some((operator) => members.has(operator)),
        });
        for (const [index, one] of operators.entries())
          for (const other of operators.slice(index + 1)) apart(encoding, [negate(this.literal), ...left], one, other);
        for (const operator of beside) refused(encoding, [negate(this.literal), ...left], operator);
      }
  }

  /** The installed operators of a group take the place of its bundles. */
  #occupy({ name }: GroupRule, of: string, operators: readonly Installed[]): void {
    const encoding = this.#encoding;
    // If only bundles of its own package provide an API, the rule of one bundle per package implies this one.
    const only = name === "one-bundle" ? undefined : encoding.world.onlyPackageOf(of);
    const taking = operators.filter((one) => one.package === undefined || one.package !== only);
    if (taking.length === 0) return;
    const occupant = name === "one-bundle" ? encoding.packageOccupant(of) : encoding.apiOccupant(of);
    for (const operator of taking) encoding.clause([negate(this.literal), negate(encoding.keptOf(operator)), occupant]);
  }

  /**
   * Records a rule that was violated before and returns the literal that allows it to stay violated; OLM allows none.
   */
  #violation(rule: Omit<BrokenBefore, "literal">): readonly Literal[] {
    const { problem, truth } = this.#encoding;
    const { compat } = problem.options;
    const literal = compat ? truth : this.#encoding.newLiteral();
    this.broken.push({ ...rule, literal });
    return compat ? [] : [literal];
  }
}
