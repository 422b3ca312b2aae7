// What would be wrong if this bundle were in the answer as well? The rules that it, or those around it, would violate.

import type { Constraint } from "../constraint/constraint.ts";
import { holdRule } from "../constraint/held-operator-rule.ts";
import { oneBundleRule } from "../constraint/one-bundle-rule.ts";
import { oneProviderRule } from "../constraint/one-provider-rule.ts";
import { requirementRule } from "../constraint/requirement-rule.ts";
import type { Rule } from "../constraint/rule.ts";
import { type Gvk, gvkKey } from "../model/catalog.ts";
import type { Installed } from "../model/problem.ts";
import { gvkOf, type Node, providedApis } from "./catalog-index.ts";
import { holdsOver } from "./holds.ts";
import { nameOf, packageOf, placeOf, propertiesOf, type Self } from "./member.ts";
import { isPredicate, predicateOf } from "./predicate-key.ts";
import type { Solution } from "./solution.ts";
import { providersFor } from "./walk.ts";

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
  const hopeless = hopelessDemands(solution, node);
  return hopeless.length > 0 ? hopeless : [...clashes(node, others), ...unmet(solution, node, others)];
}

/** Demands of a bundle that nobody can meet, whatever else is chosen. */
function hopelessDemands(solution: Solution, node: Node): readonly Rule[] {
  const { requirements } = solution.round.encoding.universe.requirementsOf(node.bundle.properties);
  return requirements.flatMap((requirement) => {
    if (requirement.optional) return [];
    const why = whyHopeless(solution, node, requirement.constraint);
    if (why === undefined) return [];
    const rule = requirementRule(node.bundle.name, requirement, node.bundle.place);
    return [{ ...rule, text: `${rule.text}; ${why}` }];
  });
}

/** Is it about an API that is defined on the cluster, and that nobody runs? */
function isOrphan({ problem }: Solution, constraint: Constraint): boolean {
  return constraint.kind === "gvk" && problem.orphans?.includes(gvkKey(constraint.gvk)) === true;
}

/** The APIs that a bundle lacks although they are defined on the cluster. */
export function orphansLackedBy(solution: Solution, node: Node): readonly Gvk[] {
  return solution.round.encoding.universe.leavesOf(node.bundle.properties).flatMap(({ predicate: { constraint } }) => {
    if (constraint.kind !== "gvk" || !isOrphan(solution, constraint)) return [];
    return whyHopeless(solution, node, constraint) === undefined ? [] : [constraint.gvk];
  });
}

/** Why a constraint cannot be met by anybody; nothing if somebody may meet it, or if it is about who must not be there. */
function whyHopeless(solution: Solution, node: Node, constraint: Constraint): string | undefined {
  if (isPredicate(constraint)) {
    const leaf = { predicate: predicateOf(constraint), byOthers: false };
    const providers = providersFor(solution.round, leaf, node);
    const refused = providers.map((one) =>
      one === "fixed" || !("bundle" in one) ? undefined : solution.round.encoding.refusals.of(one),
    );
    if (refused.includes(undefined)) return undefined;
    if (isOrphan(solution, constraint)) return "its CustomResourceDefinition is there, but no operator runs it";
    const failure = solution.round.encoding.universe.failureOf(leaf.predicate);
    if (failure !== undefined) return `there is none, but of ${failure.name} it cannot be told: ${failure.message}`;
    return refused[0] === undefined ? "there is none" : `those that there are cannot be chosen: ${refused[0].text}`;
  }
  if (!("constraints" in constraint) || constraint.kind === "none") return undefined;
  const reasons = constraint.constraints.map((child) => whyHopeless(solution, node, child));
  const isHopeless =
    constraint.kind === "all" ? reasons.some((one) => one !== undefined) : !reasons.includes(undefined);
  return isHopeless ? (reasons.find((one) => one !== undefined) ?? "it allows nothing") : undefined;
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
  const around = [...problem.elsewhere, problem.node];
  const now = [...members, ...around];
  const then = [...others, node, ...around];
  const rules: Rule[] = [];
  for (const member of [node, ...others, ...problem.elsewhere]) {
    const properties = propertiesOf(member);
    for (const requirement of universe.requirementsOf(properties).requirements) {
      const { constraint, optional } = requirement;
      if (optional || holdsOver(universe, constraint, then, member)) continue;
      if (member !== node && !holdsOver(universe, constraint, now, member)) continue;
      const rule = requirementRule(nameOf(member), requirement, placeOf(member));
      const instead =
        constraint.kind === "package" ? others.find((one) => packageOf(one) === constraint.name) : undefined;
      rules.push(instead === undefined ? rule : { ...rule, text: `${rule.text}, and ${nameOf(instead)} is there` });
    }
  }
  return rules;
}
