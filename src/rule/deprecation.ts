// May a bundle be newly chosen that its author has retired?

import type { BundleFacts } from "../constraint/bundle-facts.ts";
import { type Rule, rule } from "./rule.ts";

/** A bundle that is `olm.deprecated` is not newly chosen; one that runs may stay (OLM): `¬bundle`. */
export function deprecationRule(subject: string, { deprecated }: Pick<BundleFacts, "deprecated">): Rule | undefined {
  if (!deprecated) return undefined;
  return rule("deprecation", subject, `${subject} is marked olm.deprecated, only to hold the upgrade graph together`);
}
