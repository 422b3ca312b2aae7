// Which operator meets which requirement in an answer? For each requirement the first provider in the requirer's
// order of preference that is in the answer.

import type { Predicate } from "../constraint/predicate-key.ts";
import type { Leaf } from "./catalog-world.ts";
import { type Operator, propertiesOf } from "./member.ts";
import { type Provider, providersFor } from "./provider-walk.ts";
import type { Question } from "./question.ts";
import type { Solution } from "./solution.ts";

/** One operator requires another. */
export interface Need {
  readonly requirer: Operator;
  readonly provider: Operator;
  readonly leaf: Leaf;
}

/** All requirements met within a namespace, optional ones included. */
export function needsIn(solution: Solution): readonly Need[] {
  return [...solution.members].flatMap((member) => needsOf(solution, member, false));
}

/** What operators of other namespaces require of this one, unless their own namespace or the cluster provides it. */
export function needsFromElsewhere(solution: Solution): readonly Need[] {
  return solution.problem.elsewhere.flatMap((operator) => needsOf(solution, operator, true));
}

function needsOf({ question, members }: Solution, requirer: Operator, isElsewhere: boolean): readonly Need[] {
  const needs: Need[] = [];
  for (const leaf of question.encoding.world.walkedLeavesOf(propertiesOf(requirer))) {
    const providers = providersFor(question, leaf, requirer);
    if (isElsewhere && providers.includes("fixed")) continue;
    const provider = providers.find((one) => one === "fixed" || members.has(one));
    if (provider === undefined || provider === "fixed" || provider === requirer) continue;
    needs.push({ requirer, provider, leaf });
  }
  return needs;
}

/** Requirements of operators of the namespace that a member meets, although each would use another provider first. */
export function sharedNeeds({ question, members }: Solution, provider: Operator): readonly Need[] {
  return [...members].flatMap((requirer) =>
    requirer === provider
      ? []
      : question.encoding.world.walkedLeavesOf(propertiesOf(requirer)).flatMap((leaf) => {
          const there = providersFor(question, leaf, requirer).filter((one) => one === "fixed" || members.has(one));
          return there.includes(provider) && there[0] !== provider && there[0] !== requirer
            ? [{ requirer, provider, leaf }]
            : [];
        }),
  );
}

/** Is there no other provider that can be chosen? */
export function isOnlyCandidate({ question }: Solution, { leaf, requirer }: Need): boolean {
  let count = 0;
  for (const one of providersFor(question, leaf, requirer)) {
    if (!canBePresent(question, one)) continue;
    count++;
    if (count > 1) return false;
  }
  return true;
}

/** Can the provider be in an answer, on its own? */
export function canBePresent({ encoding }: Question, provider: Provider): boolean {
  return provider === "fixed" || !("bundle" in provider) || encoding.refusals.of(provider) === undefined;
}

/** The requirements on an operator, short enough to follow "needed by X". */
export interface Demanded {
  /** The kinds of APIs. */
  readonly apis: Listed<string>;
  readonly others: Listed<ShortDemand>;
}

/** A requirement that is not for an API. */
export type ShortDemand =
  | { readonly kind: "package"; readonly range: string }
  | { readonly kind: "label"; readonly label: string }
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "cel" }
  | { readonly kind: "compound" };

/** The requirements of some needs, without duplicates. */
export function demandedBy(needs: readonly Need[]): Demanded {
  const kinds = new Set<string>();
  const others = new Map<string, ShortDemand>();
  for (const { leaf } of needs) {
    const { constraint } = leaf.predicate;
    if (constraint.kind === "gvk") kinds.add(constraint.gvk.kind);
    else {
      const demand = shortDemand(constraint);
      others.set(Object.values(demand).join(" "), demand);
    }
  }
  return { apis: listed([...kinds]), others: listed([...others.values()]) };
}

function shortDemand(constraint: Exclude<Predicate["constraint"], { readonly kind: "gvk" }>): ShortDemand {
  switch (constraint.kind) {
    case "package":
      return { kind: "package", range: constraint.range.text };
    case "label":
      return { kind: "label", label: constraint.label };
    case "propertyEquals":
      return { kind: "property", name: constraint.name };
    case "cel":
      return { kind: "cel" };
    default:
      return { kind: "compound" };
  }
}

/** The first few of a list, and how many more there are. */
export interface Listed<Item> {
  readonly first: readonly Item[];
  readonly more: number;
}

/** Number of items of a list that are named. */
const MAX_NAMED = 2;

/** The first few of a list. */
export function listed<Item>(items: readonly Item[]): Listed<Item> {
  return { first: items.slice(0, MAX_NAMED), more: Math.max(0, items.length - MAX_NAMED) };
}
