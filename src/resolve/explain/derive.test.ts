// Does each step follow? Every step of every explanation of small worlds is checked by trying all sets of members.

import { describe, expect, test } from "vitest";
import { explanationText } from "../../../test/explanations/explanation-text.ts";
import { type Conclusion, type Derivation, meaningOf } from "../../../test/explanations/meaning.ts";
import { generateWorld } from "../../../test/worlds/generate.ts";
import type { Constraint } from "../../constraint/constraint.ts";
import { isPredicate, predicateOf } from "../../constraint/predicate-key.ts";
import type { Problem } from "../../model/problem.ts";
import { rankOf } from "../candidates.ts";
import { Encoding } from "../encoding.ts";
import type { Operator } from "../member.ts";
import type { Explanation } from "../resolution.ts";
import { type Solution, solve } from "../solution.ts";
import type { Cause, Matches } from "./cause.ts";
import { matchesIn } from "./matching.ts";
import { explainHeldBack, explainUnsatisfied } from "./why.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 4_000 : 400;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000;
/** More members than this are too many to try all sets of. */
const MAX_MEMBERS = 12;

function explanationsOf(problem: Problem): { readonly solution: Solution; readonly all: readonly Explanation[] } {
  const solution = solve(new Encoding(problem), problem);
  if (solution.impossible || solution.nothingFor.length > 0) return { solution, all: [] };
  const without = solution.unsatisfied.filter(({ none }) => none === undefined);
  const all = without.map((candidates) => explainUnsatisfied(solution, candidates));
  for (const candidates of solution.satisfied) {
    const rank = rankOf(candidates, solution.members);
    if (rank > 0 && candidates.nodes.length > 0) all.push(explainHeldBack(solution, candidates, rank));
  }
  return { solution, all };
}

/** What is true of a set of members. */
class Judge {
  readonly members: readonly Operator[];
  readonly #matches: Matches;
  readonly #always: ReadonlySet<Operator>;

  constructor(causes: readonly Cause[], matches: Matches, { problem }: Solution) {
    this.#matches = matches;
    this.#always = new Set(problem.elsewhere);
    const members = new Set<Operator>();
    for (const cause of causes)
      for (const member of this.#of(cause)) if (!this.#always.has(member)) members.add(member);
    this.members = [...members];
  }

  /** All sets of members. */
  *sets(): Generator<ReadonlySet<Operator>> {
    for (let mask = 0; mask < 1 << this.members.length; mask++)
      yield new Set(this.members.filter((_, index) => (mask & (1 << index)) !== 0));
  }

  #of(cause: Cause): readonly Operator[] {
    switch (cause.kind) {
      case "wanted":
      case "one-bundle":
      case "one-provider":
        return cause.members;
      case "unserved":
        return [...cause.users, ...cause.definers];
      case "stays":
      case "stay-or-move":
        return [cause.installed, ...cause.targets];
      case "refusal":
        return cause.refused.map(({ member }) => member);
      case "demand":
        return cause.demands.flatMap(({ member, requirement }) => [
          member,
          ...this.#mentioned(requirement.constraint, member),
        ]);
      case "unavailable":
        return [];
    }
  }

  #mentioned(constraint: Constraint, self: Operator): readonly Operator[] {
    if (!isPredicate(constraint))
      return "constraints" in constraint ? constraint.constraints.flatMap((one) => this.#mentioned(one, self)) : [];
    const { members, doubtful } = this.#matches(predicateOf(constraint), self);
    return [...members, ...doubtful];
  }

  isTrue(cause: Cause, there: ReadonlySet<Operator>, hides: boolean): boolean {
    const has = (member: Operator): boolean => there.has(member) || this.#always.has(member);
    switch (cause.kind) {
      case "wanted":
        return cause.members.some(has);
      case "stays":
        return has(cause.installed) && !cause.targets.some(has);
      case "stay-or-move":
        return has(cause.installed) !== cause.targets.some(has);
      case "refusal":
        return !cause.refused.some(({ member }) => has(member));
      case "unserved":
        return !(cause.users.some(has) && cause.definers.some(has));
      case "one-bundle":
      case "one-provider": {
        const present = cause.members.filter(has);
        const isAllowed = !cause.isRepair && present.every((one) => !("bundle" in one));
        return present.length < 2 || isAllowed;
      }
      case "demand":
        return cause.demands.every(
          ({ member, requirement }) => !has(member) || this.#holds(requirement.constraint, has, member, member, hides),
        );
      case "unavailable":
        return true;
    }
  }

  #holds(
    constraint: Constraint,
    has: (member: Operator) => boolean,
    self: Operator,
    asWell: Operator | undefined,
    hides: boolean,
  ): boolean {
    if (isPredicate(constraint)) {
      const { members, doubtful, fixed } = this.#matches(predicateOf(constraint), self);
      const others = (one: unknown): boolean => one !== self || asWell === self;
      return (
        fixed.some(others) ||
        members.some((one) => has(one) && others(one)) ||
        doubtful.some((one) => has(one) && others(one) && (!hides || asWell === undefined))
      );
    }
    if (!("constraints" in constraint)) return false;
    const parts = constraint.constraints;
    if (constraint.kind === "all") return parts.every((one) => this.#holds(one, has, self, asWell, hides));
    if (constraint.kind === "any") return parts.some((one) => this.#holds(one, has, self, asWell, hides));
    return !parts.some((one) => this.#holds(one, has, self, undefined, hides));
  }

  isSo(conclusion: Conclusion, there: ReadonlySet<Operator>): boolean {
    if (conclusion.kind === "impossible") return false;
    const isThere = conclusion.members.some((member) => there.has(member) || this.#always.has(member));
    return isThere === (conclusion.kind === "one-of");
  }
}

/** What is wrong with a derivation. */
function mistakes(
  judge: Judge,
  { steps, cases }: Derivation,
  before: readonly Conclusion[],
  path: string,
): readonly string[] {
  const wrong: string[] = [];
  const known = [...before];
  for (const [index, { causes, after, conclusion }] of steps.entries()) {
    const name = `${path}${before.length + index}`;
    if (after.some((place) => place >= known.length)) wrong.push(`${name} rests on what comes later`);
    const hides = causes.some(({ kind }) => kind === "unavailable");
    for (const there of judge.sets()) {
      if (!after.every((place) => judge.isSo(known[place] as Conclusion, there))) continue;
      if (!causes.every((cause) => judge.isTrue(cause, there, hides)) || judge.isSo(conclusion, there)) continue;
      wrong.push(`${name} does not follow`);
      break;
    }
    known.push(conclusion);
  }
  const last = steps.at(-1)?.conclusion;
  if (cases.length === 0 && last?.kind !== "impossible") wrong.push(`${path} does not end`);
  if (cases.length > 0) {
    const all = cases.flatMap(({ members }) => members);
    if (last?.kind !== "one-of" || last.members.some((one) => !all.includes(one)))
      wrong.push(`${path} leaves out a case`);
  }
  for (const [index, { members, derivation }] of cases.entries()) {
    // Within a case, the last step concludes this case.
    const within = [...known.slice(0, -1), { kind: "one-of" as const, members }];
    wrong.push(...mistakes(judge, derivation, within, `${path}${index}/`));
  }
  return wrong;
}

function citedIn({ steps, cases }: Derivation): readonly Cause[] {
  return [...steps.flatMap(({ causes }) => causes), ...cases.flatMap(({ derivation }) => citedIn(derivation))];
}

/** Is there a step that only concludes that all causes together are impossible, although there are several? */
function isLastResort({ steps, cases }: Derivation): boolean {
  return cases.length === 0 && steps.length === 1 && (steps[0]?.causes.length ?? 0) > 3;
}

describe("derivations of small worlds", () => {
  test("each step follows from what it cites, and every cause is cited", () => {
    let checked = 0;
    let resorts = 0;
    for (let number = 0; number < WORLDS; number++) {
      const { solution, all } = explanationsOf(generateWorld(FIRST + number));
      const matches = matchesIn(solution.question);
      for (const explanation of all) {
        const { causes, derivation } = meaningOf(explanation, solution.problem);
        if (derivation === undefined) continue;
        const judge = new Judge(causes, matches, solution);
        const cited = new Set(citedIn(derivation));
        expect({ number, uncited: causes.filter((cause) => !cited.has(cause)) }).toEqual({ number, uncited: [] });
        expect(explanationText(explanation).split("\n").length).toBeLessThanOrEqual(40);
        if (isLastResort(derivation)) resorts++;
        if (judge.members.length > MAX_MEMBERS) continue;
        checked++;
        expect({ number, mistakes: mistakes(judge, derivation, [], "") }).toEqual({ number, mistakes: [] });
      }
    }
    expect(checked).toBeGreaterThan(WORLDS / 4);
    expect(resorts).toBeLessThan(checked / 20);
  });
});
