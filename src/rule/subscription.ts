// What satisfies a request, and what is excluded although it is requested? A request is satisfied by one of its
// candidates (OLM; seed 004): `¬satisfied ∨ candidate₁ ∨ candidate₂ ∨ …`, see shape/clauses.ts.

import { at } from "../model/place.ts";
import type { Request } from "../model/problem.ts";
import type { Refusal } from "./rules.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";

/** The package is to be removed; or its only requests are Manual, and not approved. */
export type SubscriptionDetail =
  | { readonly rule: "subscription"; readonly why: "removed"; readonly package: string }
  | { readonly rule: "subscription"; readonly why: "approval"; readonly request: string };

/** No bundle of a package to be removed is chosen (`--remove`): `¬bundle`. */
export const removedPackage: UnaryRule = {
  name: "subscription",
  bindsRunning: false,
  refusal: ({ package: owner }, { removed }) =>
    owner === undefined || !removed.has(owner)
      ? undefined
      : { detail: { rule: "subscription", why: "removed", package: owner } },
  lifts: ([first]) => {
    if (first?.detail.rule !== "subscription") return [];
    const { detail, owner } = first;
    return detail.why === "removed"
      ? [{ kind: "release", package: owner, flag: "remove" }]
      : [{ kind: "approve", package: owner }];
  },
};

/** A bundle of a package with only Manual requests is not chosen before one is approved: `¬bundle`. */
export function unapproved({ id, place }: Request): Refusal {
  const detail = { rule: "subscription", why: "approval", request: id } as const;
  return { detail, ...at(place) };
}
