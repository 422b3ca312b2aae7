// Who may provide an API?

import type { Gvk } from "../model/catalog.ts";
import { apiName } from "../render/sentence/constraint.ts";
import { type Rule, rule } from "./rule.ts";

/**
 * One provider per group, version and kind (OLM): `¬a ∨ ¬b` for each two providers within a namespace, and for each two
 * of different packages in different namespaces.
 */
export function oneProviderRule(gvk: Gvk, providers: readonly string[]): Rule {
  const api = apiName(gvk);
  return rule("one-provider", api, `${providers.join(" and ")} provide ${api}, and only one operator may`);
}
