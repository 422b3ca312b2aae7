// Which causes are in force? Clauses of rule instances, each behind a switch literal: a cause is in force while its
// switch is assumed.

import type { Predicate } from "../../constraint/predicate-key.ts";
import { addTo, getOrAdd } from "../../model/grouped.ts";
import { type Clauses, oneOf, refused } from "../../rule/shape/clauses.ts";
import { requires } from "../../rule/shape/requires.ts";
import { stayOrMove } from "../../rule/shape/stay-or-move.ts";
import { type Literal, negate } from "../../sat/literal.ts";
import type { Candidate } from "../catalog-index.ts";
import { hidingCatalogs } from "../catalog-order.ts";
import type { Operator } from "../member.ts";
import type { Presence } from "../presence-literals.ts";
import { SolverClauses } from "../solver-clauses.ts";
import type { Matches } from "./cause.ts";
import { matchesIn } from "./matching.ts";
import { type RuleInstance, type RuleInstances, UNAVAILABLE } from "./rule-instances.ts";

/** A cause and its switch. */
export interface Entry {
  readonly key: string;
  /** All its parts are in force. */
  readonly literal: Literal;
  readonly parts: PartEntry[];
  /** The keys of its parts, so that none is added twice. */
  readonly shares: Set<unknown>;
}

/** A part with its own switch, or that of its cause. */
export interface PartEntry {
  readonly part: RuleInstance;
  readonly literal: Literal;
}

/** At most one of a group; all installed ones together take one place. */
interface Group {
  readonly number: number;
  readonly running: Literal;
}

/** Instances of rules, their switches and clauses. */
export class SwitchedClauses extends SolverClauses implements Clauses<Operator> {
  readonly entries: Map<string, Entry> = new Map();
  readonly #parts: RuleInstances;
  readonly #matches: Matches;
  /** Each part has its own switch, not only the cause. */
  readonly #hasParts: boolean;
  /** Called for every bundle when it is first mentioned. */
  readonly #onMention: (node: Candidate) => void;
  readonly #literals = new Map<Operator, Literal>();
  readonly mentioned: Candidate[] = [];
  readonly #gates = new Map<string, Literal>();
  readonly #presences = new Map<string, Presence>();
  /** Presences that only bundles of one package can match, by package, and the others. */
  readonly #presencesOf = new Map<string, Presence[]>();
  readonly #otherPresences: Presence[] = [];
  readonly #groups = new Map<string, Group>();
  /** By cause: true if one of its members requires the API. */
  readonly #uses = new Map<string, Literal>();
  #reported = 0;
  #isReporting = false;

  constructor(parts: RuleInstances, hasParts: boolean, onMention: (node: Candidate) => void) {
    super(parts.question.encoding.world);
    this.#parts = parts;
    this.#hasParts = hasParts;
    this.#matches = matchesIn(parts.question);
    this.#onMention = onMention;
  }

  /** True if the member is chosen; operators of other namespaces always are. */
  there(member: Operator): Literal {
    const known = this.#literals.get(member);
    if (known !== undefined) return known;
    const literal = this.#parts.isElsewhere(member) ? this.truth : this.newLiteral();
    this.#literals.set(member, literal);
    if (!("bundle" in member)) return literal;
    for (const presence of this.#presencesOf.get(member.bundle.package) ?? []) this.#join(presence, member, literal);
    for (const presence of this.#otherPresences) this.#join(presence, member, literal);
    this.mentioned.push(member);
    return literal;
  }

  /** Mentioned bundles that are chosen in the last model. */
  inModel(): readonly Candidate[] {
    return this.mentioned.filter((node) => this.solver.inModel(this.#literals.get(node) as Literal));
  }

  /** Adds instances and those of the bundles that they mention: iterative, since chains can be long. */
  add(parts: readonly RuleInstance[]): void {
    for (const part of parts) this.#add(part);
    if (this.#isReporting) return;
    this.#isReporting = true;
    while (this.#reported < this.mentioned.length) this.#onMention(this.mentioned[this.#reported++] as Candidate);
    this.#isReporting = false;
  }

  /** The switch of the cause with this key. */
  entryOf(key: string): Entry {
    return getOrAdd(this.entries, key, () => ({ key, literal: this.newLiteral(), parts: [], shares: new Set() }));
  }

  /** A literal that can be true only if a participant matches. */
  gate(predicate: Predicate, requirer: Operator, withoutSelf: boolean): Literal {
    const { problem, encoding } = this.#parts.question;
    const without = withoutSelf && this.matches(predicate, requirer) ? requirer : undefined;
    const own = "bundle" in requirer ? requirer.index.catalog : undefined;
    const isHidden = !withoutSelf && hidingCatalogs(problem).length > 0;
    const view = isHidden ? (own === undefined ? "-" : this.world.catalogs.indexOf(own)) : "";
    // Most gates are the same for every requirer; building a key for each of thousands is slow.
    const isCommon = without === undefined && view === "";
    const key = isCommon
      ? predicate.key
      : `${without === undefined ? "" : encoding.numberOf(without)} ${view} ${predicate.key}`;
    const known = this.#gates.get(key);
    if (known !== undefined) return known;
    if (encoding.isFixed(predicate, without)) {
      this.#gates.set(key, this.truth);
      return this.truth;
    }
    const literal = this.newLiteral();
    this.#gates.set(key, literal);
    const found = this.#matches(predicate, requirer);
    const sure = [negate(literal)];
    this.#pushThere(sure, found.members, without);
    const doubtful: Literal[] = isHidden ? [] : sure;
    this.#pushThere(doubtful, found.doubtful, without);
    if (isHidden && doubtful.length > 0) sure.push(this.#doubt(doubtful));
    this.clause(sure);
    return literal;
  }

  #pushThere(to: Literal[], members: readonly Operator[], without: Operator | undefined): void {
    for (const member of members) if (member !== without) to.push(this.there(member));
  }

  /** One of the members that cannot be used while a catalog is unavailable. */
  #doubt(doubtful: readonly Literal[]): Literal {
    const doubt = this.newLiteral();
    this.clause([negate(doubt), ...doubtful]);
    this.clause([negate(this.entryOf(UNAVAILABLE).literal), negate(doubt)]);
    return doubt;
  }

  /** A literal that is true if any member except the requirer matches. */
  presence(predicate: Predicate, requirer: Operator): Literal {
    const { problem, encoding } = this.#parts.question;
    const without = this.matches(predicate, requirer) ? requirer : undefined;
    const key = `${without === undefined ? "" : encoding.numberOf(without)} ${predicate.key}`;
    const known = this.#presences.get(key);
    if (known !== undefined) return known.literal;
    const presence = { literal: this.newLiteral(), predicate, without };
    this.#presences.set(key, presence);
    const { constraint } = predicate;
    if (constraint.kind === "package") addTo(this.#presencesOf, constraint.name, presence);
    else this.#otherPresences.push(presence);
    if (encoding.isFixed(predicate, without)) this.clause([presence.literal]);
    for (const operator of problem.installed) this.#join(presence, operator, this.there(operator));
    for (const node of this.mentioned) this.#join(presence, node, this.#literals.get(node) as Literal);
    return presence.literal;
  }

  #join({ literal, predicate, without }: Presence, member: Operator, there: Literal): void {
    if (member !== without && this.matches(predicate, member)) this.clause([negate(there), literal]);
  }

  #add(part: RuleInstance): void {
    const entry = this.entryOf(part.key);
    const share = shareOf(part);
    if (entry.shares.has(share)) return;
    entry.shares.add(share);
    const literal = this.#hasParts ? this.newLiteral() : entry.literal;
    if (this.#hasParts) this.clause([negate(entry.literal), literal]);
    entry.parts.push({ part, literal });
    this.#clauses(part, negate(literal));
  }

  #clauses(part: RuleInstance, off: Literal): void {
    switch (part.kind) {
      case "demand": {
        const { member, requirement } = part.demand;
        requires(this, [off, negate(this.there(member))], requirement.constraint, member);
        return;
      }
      case "refusal":
        refused(this, [off], part.member);
        return;
      case "one-per":
        this.#occupy(part, off);
        return;
      case "unserved": {
        const use = getOrAdd(this.#uses, part.key, () => this.newLiteral());
        this.clause([off, negate(this.there(part.member)), part.role === "user" ? use : negate(use)]);
        return;
      }
      case "whole": {
        const { cause } = part;
        if (cause.kind === "wanted") oneOf(this, [off], cause.members);
        else stayOrMove(this, [off], { ...cause, stays: cause.kind === "stays" });
      }
    }
  }

  /** `¬there ∨ place`, and at most one place of the group is taken. */
  #occupy({ key, member, isRepair }: Extract<RuleInstance, { kind: "one-per" }>, off: Literal): void {
    const group = getOrAdd(this.#groups, key, () => {
      const added = { number: this.solver.newGroup(), running: this.newLiteral() };
      this.solver.addToGroup(added.number, added.running);
      return added;
    });
    const isRelaxed = !isRepair && !("bundle" in member) && !this.#parts.question.problem.options.compat;
    const place = isRelaxed ? group.running : this.newLiteral();
    if (!isRelaxed) this.solver.addToGroup(group.number, place);
    this.clause([off, negate(this.there(member)), place]);
  }
}

/** The key of a part within its cause; two versions may share one list of properties. */
function shareOf(part: RuleInstance): unknown {
  if (part.kind === "whole") return part.key;
  return part.kind === "demand" ? part.demand : part.member;
}
