// Why is an operator in the answer? It is requested; or a requested operator requires it, directly or not; or it is
// installed and stays.

import { type Outline, outlineOf } from "../../constraint/outline.ts";
import { compareText } from "../../model/json.ts";
import type { OperatorRef, RequestRef } from "../../model/operator-ref.ts";
import { membersOf, requestOf, stayOrMoveOf } from "../candidates.ts";
import { nameOf, type Operator, packageOf, refOf, requestRef } from "../member.ts";
import { canBePresent, isOnlyCandidate, type Need, needsIn } from "../needs.ts";
import { providersFor } from "../provider-walk.ts";
import type { Reason } from "../reason.ts";
import type { Explanation, Resolution } from "../resolution.ts";
import type { Solution } from "../solution.ts";
import type { Cause } from "./cause.ts";
import { FactFinder, Mentions } from "./facts.ts";
import type { Found } from "./found-answer.ts";

/** A requested or installed operator, with the request and the installed operator. */
export interface ChosenRoot {
  readonly operator: OperatorRef;
  readonly reason?: Reason | undefined;
  readonly request?: RequestRef | undefined;
  /** The installed operator that the request claims: the same, or the one it updates. */
  readonly installed?: OperatorRef | undefined;
}

/** A requirement of an operator, and why this provider: the only one, an installed one, or one of several. */
export interface ChosenNeed {
  readonly requirer: OperatorRef;
  readonly demanded: Outline;
  readonly isOptional: boolean;
  readonly provider: OperatorRef;
  readonly why: { readonly kind: "only" | "runs" } | { readonly kind: "first" | "best"; readonly of: number };
}

/** Why a member of an answer is in it. */
export function whyChosen(
  { automatic: solution, resolution }: Found,
  self: Operator,
): { readonly explanation: Explanation } {
  const chain = chainTo(solution, self);
  const root = rootPart(solution, resolution, chain[0]?.requirer ?? self);
  const needs = chain.map((need) => needPart(solution, need));
  const mentions = new Mentions();
  const finder = new FactFinder(mentions, solution.question);
  const facts = [root, ...needs].flatMap((part) => part.rules).map((cause) => finder.factOf(cause));
  const body = { kind: "chosen", root: root.value, needs: needs.map(({ value }) => value) } as const;
  return { explanation: { ...mentions.list(), facts, body, notes: [], isMinimal: false, fixes: [] } };
}

/** A part of the reason, and the rules it uses. */
interface Part<Value> {
  readonly value: Value;
  readonly rules: readonly Cause[];
}

/** The shortest path to an operator without a request, from one that is requested or installed. */
function chainTo(solution: Solution, self: Operator): readonly Need[] {
  if (isRoot(solution, self)) return [];
  const needs = [...needsIn(solution)].sort(
    (a, b) =>
      Number(a.leaf.requirement.optional) - Number(b.leaf.requirement.optional) ||
      compareText(nameOf(a.requirer), nameOf(b.requirer)),
  );
  const through = new Map<Operator, Need>();
  const queue: Operator[] = [self];
  for (const provider of queue)
    for (const need of needs) {
      if (need.provider !== provider || need.requirer === self || through.has(need.requirer)) continue;
      through.set(need.requirer, need);
      if (!isRoot(solution, need.requirer)) queue.push(need.requirer);
      else return pathDown(through, need.requirer, self);
    }
  return [];
}

function pathDown(through: ReadonlyMap<Operator, Need>, root: Operator, self: Operator): readonly Need[] {
  const path: Need[] = [];
  for (let at = root; at !== self; ) {
    const need = through.get(at) as Need;
    path.push(need);
    at = need.provider;
  }
  return path;
}

/** Is it requested or installed, so that no other reason is needed? */
function isRoot(solution: Solution, self: Operator): boolean {
  return !("bundle" in self) || requestOf(solution.question.candidates, self) !== undefined;
}

function needPart(solution: Solution, need: Need): Part<ChosenNeed> {
  const { requirer, provider, leaf } = need;
  const demands = [{ member: requirer, requirement: leaf.requirement }];
  return {
    value: {
      requirer: refOf(requirer),
      demanded: outlineOf(leaf.predicate.constraint),
      isOptional: leaf.requirement.optional,
      provider: refOf(provider),
      why: whyThisOne(solution, need),
    },
    rules: [{ kind: "demand", owner: packageOf(requirer) ?? nameOf(requirer), demands, isRepair: false }],
  };
}

/** Why a requirement is met by this provider. */
function whyThisOne(solution: Solution, need: Need): ChosenNeed["why"] {
  const { requirer, provider, leaf } = need;
  if (isOnlyCandidate(solution, need)) return { kind: "only" };
  if (!("bundle" in provider)) return { kind: "runs" };
  const { question } = solution;
  const possible = providersFor(question, leaf, requirer).filter(
    (one) => one !== "fixed" && canBePresent(question, one),
  );
  return { kind: possible.indexOf(provider) === 0 ? "first" : "best", of: possible.length };
}

function rootPart(solution: Solution, { operators }: Resolution, self: Operator): Part<ChosenRoot> {
  const candidates = requestOf(solution.question.candidates, self);
  const reason = operators.find(({ name }) => name === nameOf(self))?.reason;
  const root = { operator: refOf(self), ...(reason !== undefined && { reason }) };
  if (candidates === undefined) return { value: root, rules: [] };
  const { request, installed } = candidates;
  const wanted: Cause = { kind: "wanted", why: "request", request, members: membersOf(candidates) };
  const value = { ...root, request: requestRef(request) };
  if (installed === undefined) return { value, rules: [wanted] };
  const stayOrMove = stayOrMoveOf(installed, solution.question.claims.get(installed) ?? []);
  return { value: { ...value, installed: refOf(installed) }, rules: [wanted, stayOrMove] };
}
