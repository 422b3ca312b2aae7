// Which operators may provide an API?

import type { OperatorRef } from "../model/operator-ref.ts";
import type { GroupRule } from "./shape/at-most-one.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";

/** Several operators that provide one API. */
export interface OneProviderDetail {
  readonly rule: "one-provider";
  /** By `gvkKey`. */
  readonly api: string;
  /** The other providers, next to the subject; all of them if there is no subject. */
  readonly providers: readonly OperatorRef[];
}

/**
 * One provider per group, version and kind (OLM): `¬a ∨ ¬b` for each two providers within a namespace, and for each
 * two of different packages in different namespaces.
 */
export const oneProvider: GroupRule = {
  name: "one-provider",
  spansNamespaces: true,
  groupsOf: ({ provides }) => provides,
  detail: (api, providers) => ({ rule: "one-provider", api, providers }),
};

/** A bundle is not chosen while another package provides one of its APIs in another namespace: `¬bundle`. */
export const rivalElsewhere: UnaryRule = {
  name: "one-provider",
  bindsRunning: false,
  refusal: (alone, { elsewhere }) => {
    if (elsewhere.size === 0) return undefined;
    for (const api of alone.provides) {
      const rivals = (elsewhere.get(api) ?? []).filter((one) => areRivals(alone.package, one.package));
      if (rivals.length === 0) continue;
      const providers = rivals.map(({ name, namespace }) => ({ name, namespace }));
      return { detail: { rule: "one-provider", api, providers } };
    }
    return undefined;
  },
};

/** Two providers of an API in two namespaces compete unless they are of the same package. */
export function areRivals(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || a !== b;
}
