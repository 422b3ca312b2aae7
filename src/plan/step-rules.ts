// Which rules connect changes? Each rule that changes could break, with the changes that affect it: while none of
// those is applied, the rule is not affected.

import { wrongDefinitions } from "../check/crd-change.ts";
import { States } from "../check/state.ts";
import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import type { Constraint, Requirement } from "../constraint/constraint.ts";
import { type Predicate, predicatesIn } from "../constraint/predicate-key.ts";
import { kindKey } from "../model/catalog.ts";
import { addTo, groupedByAll } from "../model/grouped.ts";
import type { OperatorRef } from "../model/operator-ref.ts";
import type { Installed, Problem } from "../model/problem.ts";
import type { Candidate } from "../resolve/catalog-index.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import { grouped, localRef, type Operator, type Participant, propertiesOf } from "../resolve/member.ts";
import { goneIn } from "../resolve/state-after.ts";
import { kindsIn, neededKinds } from "../rule/crd/api-needs.ts";
import { requirementDetail } from "../rule/requirement.ts";
import { GROUP_RULES } from "../rule/rules.ts";
import { isKept } from "../rule/shape/at-most-one.ts";
import { holdsOver } from "../rule/shape/holds.ts";
import { withMigrations } from "./migration.ts";
import type { Breach } from "./plan.ts";
import type { PlannedChange } from "./plan-draft.ts";

/** The index of a change in the list of considered ones. */
export type Move = number;

/** A rule that changes affect. */
export interface StepRule {
  /** What is wrong if it is broken; lazy, since few are. */
  readonly breach: () => Breach;
  /** The changes that could break or repair it. */
  readonly moves: readonly Move[];
  /** Does it hold after these changes? */
  readonly holds: (made: ReadonlySet<Move>) => boolean;
}

/** All rules about some changes of a namespace. */
export class StepRules {
  readonly problem: Problem;
  readonly changes: readonly PlannedChange[];
  readonly #world: CatalogWorld;
  /** The bundle of each change; undefined for a removal. */
  readonly #nodes: readonly (Candidate | undefined)[];
  readonly #gone: readonly (readonly Installed[])[];
  /** By operator, the changes that add or remove it. */
  readonly #moves: ReadonlyMap<Operator, readonly Move[]>;
  readonly #byMove: readonly (readonly StepRule[])[];
  /** Changes with kinds in common. */
  readonly #kindGroups: readonly (readonly Move[])[];

  constructor(problem: Problem, changes: readonly PlannedChange[]) {
    this.problem = problem;
    this.changes = changes;
    this.#world = catalogWorld(problem);
    this.#nodes = changes.map(({ to }) => to && this.#world.indexOf(to.catalog).nodeOf(to.bundle));
    this.#gone = changes.map(goneIn);
    this.#moves = groupedByAll(changes.keys(), (move) => this.#movedBy(move));
    this.#kindGroups = problem.options.compat || !this.#world.hasManifests ? [] : [...this.#movesByKind()];
    const all = [...this.#demands(), ...this.#groups(), ...this.#definitions()];
    const byMove: StepRule[][] = changes.map(() => []);
    for (const rule of all) for (const move of rule.moves) byMove[move]?.push(rule);
    this.#byMove = byMove;
  }

  /** Is the change independent of all others? */
  isFree(move: Move): boolean {
    return this.rulesOf(move).every(({ moves }) => moves.length === 1);
  }

  /** The rules that a change affects. */
  rulesOf(move: Move): readonly StepRule[] {
    return this.#byMove[move] ?? [];
  }

  /** The changes that share kinds with some, directly or not. */
  withKindsOf(moves: readonly Move[]): ReadonlySet<Move> {
    return new Set([
      ...moves,
      ...this.#kindGroups.filter((group) => moves.some((move) => group.includes(move))).flat(),
    ]);
  }

  /** The operators of the namespace after changes. */
  membersAfter(made: ReadonlySet<Move>): readonly Operator[] {
    const gone = new Set([...made].flatMap((move) => this.#gone[move] ?? []));
    const come = [...made].flatMap((move) => this.#nodes[move] ?? []);
    return [...this.problem.installed.filter((one) => !gone.has(one)), ...come];
  }

  /** The requirements of all present and possible operators; those not met before need not be met. */
  *#demands(): Iterable<StepRule> {
    const { installed, elsewhere, node } = this.problem;
    const before = [...installed, ...elsewhere, node];
    for (const member of [...installed, ...elsewhere, ...this.#nodes.filter((one) => one !== undefined)]) {
      const own = this.#moves.get(member) ?? [];
      for (const requirement of this.#world.requirementsOf(propertiesOf(member)).requirements) {
        if (requirement.optional) continue;
        const moves = this.#affecting(requirement.constraint, own);
        if (moves.length === 0) continue;
        if (!("bundle" in member) && !holdsOver(this.#world, requirement.constraint, before, member)) continue;
        yield this.#demand(member, requirement, moves);
      }
    }
  }

  #demand(member: Operator, requirement: Requirement, moves: readonly Move[]): StepRule {
    const around = [...this.problem.elsewhere, this.problem.node];
    const isElsewhere = !("bundle" in member) && member.namespace !== this.problem.namespace;
    return {
      breach: () => ({ kind: "rule", rule: { detail: requirementDetail(requirement), operator: localRef(member) } }),
      moves,
      holds: (made) => {
        const here = this.membersAfter(made);
        if (!isElsewhere && !here.includes(member)) return true;
        const members: readonly Participant[] = [...here, ...around];
        return holdsOver(this.#world, requirement.constraint, members, member);
      },
    };
  }

  /** The changes that could make a requirement met or unmet. */
  #affecting(constraint: Constraint, own: readonly Move[]): readonly Move[] {
    const predicates = predicatesIn(constraint);
    const moves = new Set(own);
    for (const [move, node] of this.#nodes.entries())
      if (predicates.some((predicate) => this.#isChanged(predicate, this.#gone[move] ?? [], node))) moves.add(move);
    return [...moves].sort((a, b) => a - b);
  }

  #isChanged(predicate: Predicate, gone: readonly Installed[], node: Candidate | undefined): boolean {
    const before = gone.some(({ properties }) => this.#world.isMatch(predicate, properties));
    return before !== (node !== undefined && this.#world.isMatch(predicate, node.bundle.properties));
  }

  /** At most one of each group with a new member; new operators must not provide what other namespaces provide. */
  *#groups(): Iterable<StepRule> {
    for (const rule of GROUP_RULES) {
      const groupsOf = (member: Operator): readonly string[] => rule.groupsOf(grouped(member));
      const coming = groupedByAll(this.#nodes.keys(), (move) => this.#comingIn(move).flatMap(groupsOf));
      const running = new Map<string, Installed[]>();
      for (const operator of this.problem.installed)
        for (const group of groupsOf(operator)) if (coming.has(group)) addTo(running, group, operator);
      for (const [group, moves] of coming) {
        const there = running.get(group) ?? [];
        if (moves.length + there.length < 2) continue;
        const members = new Set<Operator>([...there, ...moves.map((move) => this.#nodes[move] as Candidate)]);
        yield {
          breach: () => ({
            kind: "rule",
            rule: { detail: rule.detail(group, this.#refsOf(there, moves), this.problem.scope) },
          }),
          moves: this.#movesOf(there, moves),
          holds: (made) =>
            isKept(
              this.membersAfter(made)
                .filter((one) => members.has(one))
                .map((one) => ({ runs: !("bundle" in one) })),
            ),
        };
      }
    }
  }

  /** The rules about CRDs, for each group of changes with a kind in common; OLM does not check them. */
  *#definitions(): Iterable<StepRule> {
    for (const moves of this.#kindGroups) {
      const group = new Set(moves);
      yield {
        breach: () => ({ kind: "custom-kinds" }),
        moves,
        holds: (made) => {
          const members = this.membersAfter(new Set([...made].filter((move) => group.has(move))));
          return keepsDefinitions(this.problem, members);
        },
      };
    }
  }

  /** The changes that involve kinds that one of them defines, grouped by kinds in common. */
  #movesByKind(): Iterable<readonly Move[]> {
    const brought = this.#nodes.flatMap((node) =>
      node === undefined ? [] : bundleDefinitions(node.bundle.properties).definitions.map(kindKey),
    );
    const kinds = new Set(brought);
    const groupOf = new Map<string, Set<Move>>();
    for (const move of this.#nodes.keys()) {
      const own = this.#movedBy(move)
        .flatMap((member) => [...kindsIn(propertiesOf(member)), ...neededKinds(this.#world, member)])
        .filter((kind) => kinds.has(kind));
      const joined = new Set<Move>([move, ...own.flatMap((kind) => [...(groupOf.get(kind) ?? [])])]);
      const all = new Set([
        ...own,
        ...[...groupOf].flatMap(([kind, group]) => ([...group].some((one) => joined.has(one)) ? [kind] : [])),
      ]);
      for (const kind of all) groupOf.set(kind, joined);
    }
    return [...new Set(groupOf.values())].map((group) => [...group].sort((a, b) => a - b));
  }

  /** The operators that a change removes and adds. */
  #movedBy(move: Move): readonly Operator[] {
    return [...(this.#gone[move] ?? []), ...this.#comingIn(move)];
  }

  #comingIn(move: Move): readonly Candidate[] {
    const node = this.#nodes[move];
    return node === undefined ? [] : [node];
  }

  /** The changes that add some operators, and those that remove others. */
  #movesOf(there: readonly Installed[], coming: readonly Move[]): readonly Move[] {
    const leaving = there.flatMap((operator) => this.#moves.get(operator) ?? []);
    return [...new Set([...coming, ...leaving])].sort((a, b) => a - b);
  }

  #refsOf(there: readonly Installed[], coming: readonly Move[]): readonly OperatorRef[] {
    const refs = [...there, ...coming.map((move) => this.#nodes[move] as Candidate)].map(localRef);
    return [...new Map(refs.map((ref) => [ref.name, ref])).values()];
  }
}

/**
 * Are these operators allowed in the namespace, considering CRDs? The checker looks at the definitions of the cluster
 * and at all operators that need them; migrations are part of a plan.
 */
export function keepsDefinitions(problem: Problem, members: readonly Operator[]): boolean {
  const migrated = withMigrations(problem);
  const kept = members.flatMap((one) => ("bundle" in one ? [] : [one]));
  const chosen = members.flatMap((one) =>
    "bundle" in one ? [{ catalog: one.index.catalog, bundle: one.bundle }] : [],
  );
  const after = new States(migrated).after({ kept, chosen, satisfied: [] });
  const { reader } = catalogWorld(problem);
  return wrongDefinitions(migrated, after, reader).length === 0;
}
