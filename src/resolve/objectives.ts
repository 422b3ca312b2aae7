// What is the best answer? One objective after the other: each is brought to its optimum, or as near as the budget allows,
// and then settled before the next is looked at.

import { compareText } from "../model/json.ts";
import { type Literal, negate } from "../sat/literal.ts";
import { Additional } from "./additional.ts";
import type { Candidate } from "./catalog-index.ts";
import { settleMost, type Wishes } from "./counting-objective.ts";
import type { OptionalRequirement } from "./encoding.ts";
import { frugalPreference, walkPreference } from "./preference.ts";
import type { Question, Wanted } from "./question.ts";
import type { ObjectiveName } from "./resolution.ts";
import { Search, type SearchLimit } from "./search.ts";
import { type Position, settleSequence } from "./sequence-objective.ts";
import { settleSubscriptions } from "./subscription-objective.ts";
import { literalOf, walkAnswer } from "./walk.ts";

/** What the levels found out. The model of the solver is the answer, unless there is none. */
export interface Optimum {
  /** The requests that have an operator, in their order. */
  readonly satisfied: readonly Wanted[];
  /** The levels whose optimum is not proven. */
  readonly unproven: ReadonlySet<ObjectiveName>;
  /** Requests about which the budget did not allow a verdict. */
  readonly undecided: ReadonlySet<Wanted>;
  /** Not even the present state keeps the rules (OLM's way to read them). */
  readonly isImpossible: boolean;
  /** What the search ran out of, if it did. */
  readonly limit: SearchLimit;
  /** Nothing: there is no answer, or the budget gave out before one was found. */
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
    updates: () => settleMost(search, { literals: question.movable.map(({ kept }) => negate(kept)) }),
    candidates: () => settleCandidates(search, satisfied, isPreferred && search.models === models),
    additional: () => settleAdditional(search, satisfied),
    optional: () => settleOptional(search),
    providers: () => settleProviders(search, satisfied, !unproven.has("candidates")),
    ids: () => settleIds(search, satisfied),
  };
  for (const name of levelsOf(options)) note(name, level[name]());
  return { satisfied, unproven, undecided, isImpossible, limit: search.limit, search };
}

/** The levels after the first, in the order in which they count. */
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
  const wishes: Wishes & { readonly literals: Literal[] } = {
    literals: [...state.wishes, ...encoding.wishes]
      .filter((wish) => countsWish(search.question, wish))
      .map(({ literal }) => literal),
  };
  encoding.onWish = (wish) => {
    if (!countsWish(search.question, wish)) return;
    wishes.literals.push(wish.literal);
    wishes.onMore?.(wish.literal);
  };
  const isProven = settleMost(search, wishes);
  encoding.onWish = () => {};
  return isProven;
}

/** Where operators may be installed to fulfil wishes, only the wishes of those count who are there anyway. */
export function countsWish({ problem, asked }: Question, { self }: OptionalRequirement): boolean {
  return !problem.options.installOptional || !("bundle" in self) || asked.has(self);
}

/** `areSettled`: every answer that is left has the same candidates, so that all walks begin alike. */
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
  // Where nothing could be better at any step, no other walk can: a step is taken from what the steps before it have met.
  // OLM's way to compare leaves steps out, and then fewer steps might be better.
  const positions = compat || !areSettled ? undefined : steps.map((_, index) => position(index) as Position);
  if (positions?.every(({ better }) => better.length === 0)) {
    search.fix(positions.flatMap(({ taken }) => taken ?? []));
    return true;
  }
  return settleSequence(search, position, walkPreference(question, satisfied, compat));
}

/** Only operators that the walk does not meet can still be others. */
function settleIds(search: Search, satisfied: readonly Wanted[]): boolean {
  const { question } = search;
  const { encoding } = question;
  const { met } = walkAnswer(question, satisfied, (literal) => search.has(literal));
  if (chosenNodes(search).every((node) => met.has(node) || question.asked.has(node))) return true;
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
