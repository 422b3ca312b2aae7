// What would be wrong if this bundle were in the answer as well? The rules that it, or those around it, would violate.

import { holdRule } from "../constraint/held-operator-rule.ts";
import { oneBundleRule } from "../constraint/one-bundle-rule.ts";
import { oneProviderRule } from "../constraint/one-provider-rule.ts";
import { requirementRule } from "../constraint/requirement-rule.ts";
import type { Rule } from "../constraint/rule.ts";
import type { Installed } from "../model/problem.ts";
import { gvkOf, type Node, providedApis } from "./catalog-index.ts";
import { holdsOver } from "./holds.ts";
import { nameOf, packageOf, propertiesOf, type Self } from "./member.ts";
import type { Solution } from "./solution.ts";

/** The rules against a bundle, beside what the answer has; `instead` of an operator that it would replace. */
export function rulesAgainst(solution: Solution, node: Node, instead: Installed | undefined): readonly Rule[] {
  const { round, members } = solution;
  const refused = round.encoding.refusals.of(node);
  if (refused !== undefined) return [refused];
  const held = instead === undefined ? undefined : holdRule(instead);
  if (held !== undefined) return [held];
  const others = [...members].filter(
    (member) => member !== instead && (instead === undefined || packageOf(member) !== node.family.name),
  );
  return [...clashes(node, others), ...unmet(solution, node, others)];
}

function clashes(node: Node, others: readonly Self[]): readonly Rule[] {
  const { name } = node.bundle;
  const rivals = others.filter((member) => packageOf(member) === node.family.name);
  const rules = rivals.map((rival) => oneBundleRule(node.family.name, [name, nameOf(rival)]));
  for (const api of node.provides) {
    const provider = others.find((member) => providedApis(propertiesOf(member)).includes(api));
    if (provider !== undefined && !rivals.includes(provider))
      rules.push(oneProviderRule(gvkOf(api), [name, nameOf(provider)]));
  }
  return rules;
}

/** Requirements that fail with it: its own, and those of others that held before. */
function unmet(solution: Solution, node: Node, others: readonly Self[]): readonly Rule[] {
  const { problem, members, round } = solution;
  const { universe } = round.encoding;
  const around = [...problem.elsewhere.map(({ properties }) => properties), problem.node.properties];
  const now = [...[...members].map(propertiesOf), ...around];
  const then = [...others.map(propertiesOf), node.bundle.properties, ...around];
  const rules: Rule[] = [];
  for (const member of [node, ...others, ...problem.elsewhere]) {
    const properties = propertiesOf(member);
    for (const requirement of universe.requirementsOf(properties).requirements) {
      const { constraint, optional } = requirement;
      if (optional || holdsOver(universe, constraint, then, properties)) continue;
      if (member !== node && !holdsOver(universe, constraint, now, properties)) continue;
      rules.push(requirementRule(nameOf(member), requirement, "bundle" in member ? member.bundle.place : member.place));
    }
  }
  return rules;
}
