// What does a request ask for, and what must not come although it is asked for?

import type { UnaryRule } from "./unary-rule.ts";

/** The package is to be removed; or its only requests are Manual, and not approved. */
export type SubscriptionDetail =
  | { readonly rule: "subscription"; readonly why: "removed"; readonly package: string }
  | { readonly rule: "subscription"; readonly why: "approval"; readonly request: string };

/** No bundle of a package that is to be removed is chosen (`--remove`): `¬bundle`. */
export const removedPackage: UnaryRule = {
  name: "subscription",
  bindsRunning: false,
  refusal: ({ package: owner }, { removed }) =>
    owner === undefined || !removed.has(owner)
      ? undefined
      : { detail: { rule: "subscription", why: "removed", package: owner } },
};
