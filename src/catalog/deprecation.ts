// Should a bundle no longer be used?

import { isDeprecated } from "../constraint/bundle-facts.ts";
import type { Bundle, Package } from "../model/catalog.ts";

/** Why a bundle should no longer be used: its author says so in a message, or marks it `olm.deprecated`. */
export type Deprecation = { readonly kind: "stated"; readonly message: string } | { readonly kind: "marked" };

/** Whether a bundle of a package is deprecated, and how; nothing if it is not. */
export function deprecationOf(owner: Package, bundle: Bundle): Deprecation | undefined {
  const message = owner.deprecations.bundles.get(bundle.name);
  if (message !== undefined) return { kind: "stated", message };
  return isDeprecated(bundle.properties) ? { kind: "marked" } : undefined;
}
