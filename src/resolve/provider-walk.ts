// In which order are providers preferred? Requirements are walked breadth-first from the requests; the walk over an
// answer gives the sequence by which answers are compared. (preference.ts walks during the search.)

import type { Predicate, Providable } from "../constraint/predicate-key.ts";
import { getOrAdd } from "../model/grouped.ts";
import type { Literal } from "../sat/literal.ts";
import { matchingOperators } from "./matching-operators.ts";
import { type Operator, propertiesOf } from "./member.ts";
import type { Question, Wanted } from "./question.ts";

/** A possible provider: a member, or something that is present in any case (the cluster, another namespace). */
export type Provider = Operator | "fixed";

/** One step of a walk over a whole answer: a requirement and its provider. */
export interface Step {
  /** The index of the first provider that is in the answer; the number of providers if there is none. */
  readonly rank: number;
  readonly providers: readonly Provider[];
}

/** The steps of the walk over a whole answer, and the members it met. */
export function walkAnswer(
  question: Question,
  satisfied: readonly Wanted[],
  isTrue: (literal: Literal) => boolean,
): { readonly steps: readonly Step[]; readonly met: ReadonlySet<Operator> } {
  const met = new Set<Operator>();
  const meet = (provider: Provider | undefined): void => {
    if (provider !== undefined && provider !== "fixed") met.add(provider);
  };
  for (const { literals, members } of satisfied) meet(members[literals.findIndex(isTrue)]);
  const steps: Step[] = [];
  // Members that are met on the way are walked, too.
  for (const member of met)
    for (const leaf of question.encoding.world.walkedLeavesOf(propertiesOf(member))) {
      const providers = providersFor(question, leaf, member);
      if (question.problem.options.compat && isMetAlready(question, providers, met, isTrue)) continue;
      const first = providers.findIndex((provider) => {
        const literal = literalOf(question, provider);
        return literal !== undefined && isTrue(literal);
      });
      steps.push({ rank: first === -1 ? providers.length : first, providers });
      meet(providers[first]);
    }
  return { steps, met };
}

/** All providers of a requirement, in the requirer's order of preference. */
export function providersFor(question: Question, leaf: Providable, requirer: Operator): readonly Provider[] {
  const providers = matchingFor(question, leaf.predicate, requirer);
  return leaf.byOthers ? providers.filter((provider) => provider !== requirer) : providers;
}

function matchingFor(question: Question, predicate: Predicate, requirer: Operator): readonly Provider[] {
  const { problem, encoding, state } = question;
  const { world } = encoding;
  const own = "bundle" in requirer ? requirer.index.catalog : undefined;
  // With one catalog the order is the same for every requirer.
  const isAlone = world.catalogs.length === 1;
  const key = isAlone ? predicate.key : `${own === undefined ? "" : world.catalogs.indexOf(own)} ${predicate.key}`;
  return getOrAdd(question.providers, key, () => [
    ...(world.isMatch(predicate, problem.node.properties) ? (["fixed"] as const) : []),
    ...matchingOperators(world, predicate, state.installed),
    ...matchingOperators(world, predicate, problem.elsewhere).map(() => "fixed" as const),
    ...world.providers(predicate, own, problem.namespace),
    ...state.extras.filter(({ bundle }) => world.isMatch(predicate, bundle.properties)),
  ]);
}

/** The literal of a provider; undefined for a bundle without a variable. */
export function literalOf(question: Question, provider: Provider): Literal | undefined {
  if (provider === "fixed") return question.encoding.truth;
  return "bundle" in provider ? question.encoding.knownLiteralOf(provider) : question.encoding.keptOf(provider);
}

/** Is one of them met by the walk already, or present in any case? */
export function isMetAlready(
  question: Question,
  providers: readonly Provider[],
  met: ReadonlySet<Operator>,
  isTrue: (literal: Literal) => boolean,
): boolean {
  return providers.some((provider) => {
    if (provider === "fixed" || met.has(provider)) return true;
    return !("bundle" in provider) && isTrue(question.encoding.keptOf(provider));
  });
}
