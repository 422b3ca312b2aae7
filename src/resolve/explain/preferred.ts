// Why is it not chosen, if no rule excludes it? Because another answer is better: the best answer with it is computed
// and compared with the best of all, objective by objective.

import { type Outline, outlineOf } from "../../constraint/outline.ts";
import { compareText } from "../../model/json.ts";
import type { OperatorRef, RequestRef } from "../../model/operator-ref.ts";
import { type BrokenRule, brokenKey } from "../../rule/rules.ts";
import { negate } from "../../sat/literal.ts";
import { type Candidates, rankOf } from "../candidates.ts";
import type { Candidate } from "../catalog-index.ts";
import { Encoding } from "../encoding.ts";
import { type Operator, refOf, requestRef } from "../member.ts";
import { needsIn } from "../needs.ts";
import { chosenNodes, optimise } from "../objectives.ts";
import { newQuestion, type Wanted } from "../question.ts";
import type { Objective, ObjectiveName } from "../resolution.ts";
import { objectiveValues, type Solution } from "../solution.ts";

/** The first objective at which an answer with it would be worse, and the evidence. */
export type Preferred =
  /** Requests that would not be satisfied. */
  | { readonly objective: "subscriptions"; readonly requests: readonly RequestRef[] }
  /** Rules that are broken now and would stay broken. */
  | { readonly objective: "repaired"; readonly rules: readonly BrokenRule[] }
  /** Operators that would not be updated, or would be installed without a request. */
  | { readonly objective: "updates" | "additional"; readonly operators: readonly OperatorRef[] }
  /** A request that would get a worse candidate; undefined if it is unknown which. */
  | { readonly objective: "candidates"; readonly worse?: WorseCandidate | undefined }
  /** A requirement for which another operator comes first; undefined if it is unknown which. */
  | { readonly objective: "providers"; readonly need?: MetNeed | undefined }
  | { readonly objective: "optional" | "ids" }
  /** A limit was reached first. */
  | { readonly objective?: undefined };

/** The candidate of a request, and the one it would have instead; undefined for none. */
export interface WorseCandidate {
  readonly request: RequestRef;
  readonly before?: OperatorRef | undefined;
  readonly after?: OperatorRef | undefined;
}

/** A requirement of an operator, and the operator that meets it. */
export interface MetNeed {
  readonly requirer: OperatorRef;
  readonly demanded: Outline;
  readonly provider: OperatorRef;
}

/** The best answer that includes one of some bundles. */
interface Other extends Pick<Solution, "question" | "chosen" | "members" | "satisfied"> {
  readonly walked: readonly Wanted[];
}

/** Why the answer includes none of these bundles, although it could. */
export function whyPreferred(solution: Solution, nodes: readonly Candidate[], stop?: () => boolean): Preferred {
  const other = bestWith(solution, nodes, stop);
  if (other === undefined) return {};
  const values = objectiveValues(other, other.walked);
  for (const { name, value } of solution.objectives)
    if (compareValues(values[name](), value) !== 0) return worseAt(name, solution, other);
  return {};
}

function bestWith(
  solution: Solution,
  nodes: readonly Candidate[],
  stop: (() => boolean) | undefined,
): Other | undefined {
  const { problem } = solution;
  const encoding = new Encoding(problem, solution.question.encoding.world);
  const free = newQuestion(encoding, problem);
  const wanted = encoding.newLiteral();
  encoding.solver.addClause([negate(wanted), ...nodes.map((node) => encoding.literalOf(node))]);
  const question = { ...free, base: [...free.base, wanted] };
  const { search, satisfied: walked } = optimise(question, stop);
  if (search === undefined) return undefined;
  const chosen = chosenNodes(search);
  const kept = problem.installed.filter((operator) => search.has(encoding.keptOf(operator)));
  const satisfied = walked.map(({ candidates }) => candidates);
  return { question, chosen, members: new Set<Operator>([...kept, ...chosen]), satisfied, walked };
}

function compareValues(a: Objective["value"], b: Objective["value"]): number {
  if (typeof a === "number" || typeof b === "number") return Number(a) - Number(b);
  for (const [index, one] of a.entries()) {
    const two = b[index];
    if (two === undefined) return 1;
    const order = typeof one === "number" ? one - Number(two) : compareText(one, String(two));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** What would be worse, per objective (docs/how-it-resolves.md). */
function worseAt(objective: ObjectiveName, solution: Solution, other: Other): Preferred {
  const { question, satisfied, chosen, members } = other;
  switch (objective) {
    case "subscriptions": {
      const left = new Set(satisfied.map(({ request }) => request.id));
      const lost = solution.satisfied.filter(({ request }) => !left.has(request.id));
      return { objective, requests: lost.map(({ request }) => requestRef(request)) };
    }
    case "repaired": {
      const now = new Set(solution.stillBroken.map(({ rule }) => brokenKey(rule)));
      const left = question.state.broken.filter(({ isViolated }) => isViolated(members)).map(({ rule }) => rule);
      return { objective, rules: left.filter((rule) => !now.has(brokenKey(rule))) };
    }
    case "updates": {
      const stay = [...members].filter((one) => !("bundle" in one) && !solution.kept.includes(one));
      return { objective, operators: stay.map(refOf) };
    }
    case "candidates": {
      const worse = solution.satisfied.find((one) => rankOf(one, members) > rankOf(one, solution.members));
      if (worse === undefined) return { objective };
      const [before, after] = [gotBy(worse, solution.members), gotBy(worse, members)];
      const request = requestRef(worse.request);
      return {
        objective,
        worse: { request, ...(before && { before: refOf(before) }), ...(after && { after: refOf(after) }) },
      };
    }
    case "additional": {
      const more = chosen.filter((node) => !question.requested.has(node) && !solution.members.has(node));
      return { objective, operators: more.map(refOf) };
    }
    case "providers": {
      const need = needsIn(solution).find(({ provider }) => !members.has(provider));
      if (need === undefined) return { objective };
      const demanded = outlineOf(need.leaf.predicate.constraint);
      return { objective, need: { requirer: refOf(need.requirer), demanded, provider: refOf(need.provider) } };
    }
    case "optional":
    case "ids":
      return { objective };
  }
}

function gotBy({ nodes, installed }: Candidates, members: ReadonlySet<Operator>): Operator | undefined {
  return nodes.find((node) => members.has(node)) ?? installed;
}
