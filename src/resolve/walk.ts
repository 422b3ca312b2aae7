// In which order are providers preferred? Requirements are walked breadth-first from the requests; the walk over an answer
// gives the sequence by which answers are compared. (preference.ts walks while an answer is looked for.)

import type { Predicate, Providable } from "../constraint/predicate-key.ts";
import type { Literal } from "../sat/literal.ts";
import { matchingOperators } from "./matching-operators.ts";
import { propertiesOf, type Self } from "./member.ts";
import type { Round, Wanted } from "./round.ts";

/** Somebody who may meet a requirement: a member, or what is there in any case (the cluster, another namespace). */
export type Provider = Self | "fixed";

/** One step of a walk over a whole answer: a requirement, and who meets it. */
export interface Step {
  /** The place of the first provider that is in the answer; the number of providers if nobody is. */
  readonly rank: number;
  readonly providers: readonly Provider[];
}

/** The members met so far, in the order in which they were met. */
class Visit {
  readonly queue: Self[] = [];
  readonly met = new Set<Self>();

  add(provider: Provider | undefined): void {
    if (provider === undefined || provider === "fixed" || this.met.has(provider)) return;
    this.met.add(provider);
    this.queue.push(provider);
  }
}

/** The steps of the walk over a whole answer, and whom it met. */
export function walkAnswer(
  round: Round,
  satisfied: readonly Wanted[],
  isTrue: (literal: Literal) => boolean,
): { readonly steps: readonly Step[]; readonly met: ReadonlySet<Self> } {
  const visit = new Visit();
  for (const { literals, members } of satisfied) visit.add(members[literals.findIndex(isTrue)]);
  const steps: Step[] = [];
  for (const member of visit.queue)
    for (const leaf of round.encoding.universe.walkedLeavesOf(propertiesOf(member))) {
      const providers = providersFor(round, leaf, member);
      if (round.problem.options.compat && isMetAlready(round, providers, visit.met, isTrue)) continue;
      const first = providers.findIndex((provider) => {
        const literal = literalOf(round, provider);
        return literal !== undefined && isTrue(literal);
      });
      steps.push({ rank: first === -1 ? providers.length : first, providers });
      visit.add(providers[first]);
    }
  return { steps, met: visit.met };
}

/** Everybody who meets a requirement, in the order in which the requirer prefers them. */
export function providersFor(round: Round, leaf: Providable, requirer: Self): readonly Provider[] {
  const providers = matchingFor(round, leaf.predicate, requirer);
  return leaf.byOthers ? providers.filter((provider) => provider !== requirer) : providers;
}

function matchingFor(round: Round, predicate: Predicate, requirer: Self): readonly Provider[] {
  const { problem, encoding, context } = round;
  const { universe } = encoding;
  const own = "bundle" in requirer ? requirer.index.catalog : undefined;
  // With one catalog it makes no difference whose it is.
  const isAlone = universe.catalogs.length === 1;
  const key = isAlone ? predicate.key : `${own === undefined ? "" : universe.catalogs.indexOf(own)} ${predicate.key}`;
  let providers = round.providers.get(key);
  if (providers === undefined) {
    providers = [
      ...(universe.isMatch(predicate, problem.node.properties) ? (["fixed"] as const) : []),
      ...matchingOperators(universe, predicate, context.installed),
      ...matchingOperators(universe, predicate, problem.elsewhere).map(() => "fixed" as const),
      ...universe.providers(predicate, own, problem.namespace),
      ...context.extras.filter(({ bundle }) => universe.isMatch(predicate, bundle.properties)),
    ];
    round.providers.set(key, providers);
  }
  return providers;
}

/** The literal of a provider; nothing for a bundle that nobody may choose so far. */
export function literalOf(round: Round, provider: Provider): Literal | undefined {
  if (provider === "fixed") return round.encoding.truth;
  return "bundle" in provider ? round.encoding.knownLiteralOf(provider) : round.encoding.keptOf(provider);
}

/** Is one of them among those whom the walk has met, or there in any case? */
export function isMetAlready(
  round: Round,
  providers: readonly Provider[],
  met: ReadonlySet<Self>,
  isTrue: (literal: Literal) => boolean,
): boolean {
  return providers.some((provider) => {
    if (provider === "fixed" || met.has(provider)) return true;
    return !("bundle" in provider) && isTrue(round.encoding.keptOf(provider));
  });
}
