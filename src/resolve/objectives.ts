// Which answer is the best? Lexicographic objectives: each is optimised as far as the budget allows, and then fixed
// before the next.

import { compareText } from "../model/json.ts";
import { type Literal, negate } from "../sat/literal.ts";
import type { Candidate } from "./catalog-index.ts";
import { Additional, type SoftLiterals, settleMost } from "./counting-objective.ts";
import type { OptionalRequirement } from "./encoding.ts";
import { frugalPreference, walkPreference } from "./preference.ts";
import { literalOf, walkAnswer } from "./provider-walk.ts";
import type { Question, Wanted } from "./question.ts";
import type { ObjectiveName } from "./resolution.ts";
import { Search, type SearchLimit } from "./search.ts";
import { type Position, settleSequence } from "./sequence-objective.ts";
import { settleSubscriptions } from "./subscription-objective.ts";

/** The result of the objectives. The model of the solver is the answer, if there is one. */
export interface Optimum {
  /** The satisfied requests, in order. */
  readonly satisfied: readonly Wanted[];
  /** The objectives whose optimum is not proven. */
  readonly unproven: ReadonlySet<ObjectiveName>;
  /** Requests that the budget left undecided. */
  readonly undecided: ReadonlySet<Wanted>;
  /** Not even the present state satisfies the rules (only with OLM's reading). */
  readonly isImpossible: boolean;
  /** The limit that ended the search, if one did. */
  readonly limit: SearchLimit;
  /** Undefined if there is no answer, or the budget ran out before one was found. */
  readonly search: Search | undefined;
}

/** Finds the best answer to a question. */
export function optimise(question: Question, stop: (() => boolean) | undefined): Optimum {
  const { options } = question.problem;
  const search = new Search(question, options.maxConflicts, stop);
  const unproven = new Set<ObjectiveName>();
  const note = (name: ObjectiveName, isProven: boolean): void => {
    if (!isProven) unproven.add(name);
  };

  const { satisfied, undecided, isProven, isPreferred, isImpossible } = settleSubscriptions(search);
  note("subscriptions", isProven);
  if (!search.hasModel) {
    for (const name of levelsOf(options)) note(name, isImpossible);
    return { satisfied: [], unproven, undecided, isImpossible, limit: search.limit, search: undefined };
  }
  const models = search.models;
  const level: Record<ObjectiveName, () => boolean> = {
    subscriptions: () => isProven,
    repaired: () => settleMost(search, { literals: question.state.broken.map(({ literal }) => negate(literal)) }),
    updates: () => settleMost(search, { literals: question.movable.map(negate) }),
    candidates: () => settleCandidates(search, satisfied, isPreferred && search.models === models),
    additional: () => settleAdditional(search, satisfied),
    optional: () => settleOptional(search),
    providers: () => settleProviders(search, satisfied, !unproven.has("candidates")),
    ids: () => settleIds(search, satisfied),
  };
  for (const name of levelsOf(options)) note(name, level[name]());
  return { satisfied, unproven, undecided, isImpossible, limit: search.limit, search };
}

/** The objectives after the first, in order of precedence. */
export function levelsOf(
  options: Pick<Question["problem"]["options"], "compat" | "installOptional">,
): readonly ObjectiveName[] {
  if (options.compat) return ["candidates", "providers", "additional", "ids"];
  const last = options.installOptional ? (["optional", "additional"] as const) : (["additional", "optional"] as const);
  return ["repaired", "updates", "candidates", ...last, "providers", "ids"];
}

function settleCandidates(search: Search, satisfied: readonly Wanted[], isBest: boolean): boolean {
  const position = (index: number): Position | undefined => {
    const literals = satisfied[index]?.literals;
    if (literals === undefined) return undefined;
    const rank = literals.findIndex((literal) => search.has(literal));
    return { better: literals.slice(0, rank), taken: literals[rank] };
  };
  if (!isBest) return settleSequence(search, position, frugalPreference(search.question, satisfied));
  for (const [index] of satisfied.entries()) search.fix([position(index)?.taken as Literal]);
  return true;
}

function settleAdditional(search: Search, satisfied: readonly Wanted[]): boolean {
  const { encoding } = search.question;
  const additional = new Additional(search.question);
  encoding.onNode = (node) => additional.see(node);
  const isProven = settleMost(search, additional, frugalPreference(search.question, satisfied));
  search.fix([additional.settle()]);
  return isProven;
}

function settleOptional(search: Search): boolean {
  const { encoding, state } = search.question;
  const optional: SoftLiterals & { readonly literals: Literal[] } = {
    literals: [...state.optional, ...encoding.optional]
      .filter((one) => countsOptional(search.question, one))
      .map(({ literal }) => literal),
  };
  encoding.onOptional = (one) => {
    if (!countsOptional(search.question, one)) return;
    optional.literals.push(one.literal);
    optional.onMore?.(one.literal);
  };
  const isProven = settleMost(search, optional);
  encoding.onOptional = () => {};
  return isProven;
}

/**
 * Where operators may be installed for optional requirements, only those of operators that are present anyway count.
 */
export function countsOptional({ problem, requested }: Question, { self }: OptionalRequirement): boolean {
  return !problem.options.installOptional || !("bundle" in self) || requested.has(self);
}

/** `areSettled`: every remaining answer has the same candidates, so that all walks begin alike. */
function settleProviders(search: Search, satisfied: readonly Wanted[], areSettled: boolean): boolean {
  const { question } = search;
  const never = negate(question.encoding.truth);
  const has = (literal: Literal): boolean => search.has(literal);
  let { steps } = walkAnswer(question, satisfied, has);
  let walked = search.models;
  const position = (index: number): Position | undefined => {
    if (walked !== search.models) ({ steps } = walkAnswer(question, satisfied, has));
    walked = search.models;
    const step = steps[index];
    if (step === undefined) return undefined;
    const { providers, rank } = step;
    const literals = providers.slice(0, rank + 1).map((provider) => literalOf(question, provider));
    const better = literals
      .slice(0, rank)
      .filter((literal) => literal !== undefined)
      .filter((literal) => literal !== never);
    return { better, taken: literals[rank] };
  };
  const { compat } = question.problem.options;
  // If no step can be improved, no other walk is better: each step depends only on the members met before. OLM's
  // comparison leaves steps out, and then fewer steps might be better.
  const positions = compat || !areSettled ? undefined : steps.map((_, index) => position(index) as Position);
  if (positions?.every(({ better }) => better.length === 0)) {
    search.fix(positions.flatMap(({ taken }) => taken ?? []));
    return true;
  }
  return settleSequence(search, position, walkPreference(question, satisfied, compat));
}

/** Only operators that the walk does not reach can still differ. */
function settleIds(search: Search, satisfied: readonly Wanted[]): boolean {
  const { question } = search;
  const { encoding } = question;
  const { met } = walkAnswer(question, satisfied, (literal) => search.has(literal));
  if (chosenNodes(search).every((node) => met.has(node) || question.requested.has(node))) return true;
  let sorted: readonly Candidate[] = [];
  const inOrder = (): readonly Candidate[] => {
    if (sorted.length !== encoding.created.length)
      sorted = [...encoding.created].sort((a, b) => compareText(a.id, b.id));
    return sorted;
  };
  const position = (index: number): Position | undefined => {
    const chosen = chosenNodes(search);
    const taken = chosen[index];
    if (taken === undefined) return undefined;
    const before = chosen[index - 1];
    const better = inOrder()
      .filter(({ id }) => compareText(id, taken.id) < 0 && (before === undefined || compareText(id, before.id) > 0))
      .map((node) => encoding.literalOf(node));
    return { better, taken: encoding.literalOf(taken) };
  };
  const preference = (): Literal => firstOpen(search, inOrder()) ?? -1;
  return settleSequence(search, position, preference);
}

function firstOpen({ question: { encoding }, solver }: Search, nodes: readonly Candidate[]): Literal | undefined {
  const node = nodes.find((one) => solver.value(encoding.literalOf(one)) === 0);
  return node && encoding.literalOf(node);
}

/** The bundles of the best answer so far, by id. */
export function chosenNodes(search: Search): readonly Candidate[] {
  const { encoding } = search.question;
  return encoding.created
    .filter((node) => search.has(encoding.literalOf(node)))
    .sort((a, b) => compareText(a.id, b.id));
}
