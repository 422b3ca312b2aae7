// How many operators of a package may run in a namespace?

import { type Rule, rule } from "./rule.ts";

/** One bundle per package in a namespace (OLM): `¬a ∨ ¬b` for each two bundles or operators of the package. */
export function oneBundleRule(packageName: string, members: readonly string[]): Rule {
  const text = `${members.join(" and ")} are of package ${packageName}, and only one of them may run in a namespace`;
  return rule("one-bundle", packageName, text);
}
