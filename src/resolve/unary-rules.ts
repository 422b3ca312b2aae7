// Why may a bundle not be chosen, whatever else is? And which of these rules does an operator violate that already runs?

import { bundleFacts, installedFacts } from "../constraint/bundle-facts.ts";
import type { RuntimeConstraint } from "../constraint/constraint.ts";
import { deprecationRule } from "../constraint/deprecation-rule.ts";
import { featureGateRule } from "../constraint/feature-gate-rule.ts";
import { installModeRule } from "../constraint/install-mode-rule.ts";
import { malformedConstraintRule } from "../constraint/malformed-constraint-rule.ts";
import { oneProviderRule } from "../constraint/one-provider-rule.ts";
import { kubernetesVersionRule, openShiftVersionRule } from "../constraint/platform-version-rule.ts";
import { readRuntimeConstraint } from "../constraint/read-runtime-constraint.ts";
import { type Rule, rule } from "../constraint/rule.ts";
import { type Match, runtimeConstraintRule, unreadableRuntimeRule } from "../constraint/runtime-constraint-rule.ts";
import type { Place } from "../model/place.ts";
import type { Installed, Problem, RuntimeConstraints } from "../model/problem.ts";
import { gvkOf, type Node } from "./catalog-index.ts";
import { predicateOf } from "./predicate-key.ts";
import type { Universe } from "./universe.ts";

/** Says why bundles may not be chosen on one cluster. */
export class Refusals {
  readonly #universe: Universe;
  readonly #problem: Problem;
  readonly #runtime: readonly { readonly constraint: RuntimeConstraint; readonly place: Place | undefined }[];
  readonly #elsewhere: ReadonlyMap<string, readonly Installed[]>;
  readonly #known = new Map<Node, Rule | undefined>();
  readonly #match: Match;

  constructor(universe: Universe, problem: Problem, elsewhere: ReadonlyMap<string, readonly Installed[]>) {
    this.#universe = universe;
    this.#problem = problem;
    this.#runtime = runtimeConstraintsOf(universe, problem.runtime);
    this.#elsewhere = elsewhere;
    this.#match = (constraint, properties) => universe.verdict(predicateOf(constraint), properties);
  }

  /** The first rule that a bundle does not keep, or nothing. */
  of(node: Node): Rule | undefined {
    if (!this.#known.has(node)) this.#known.set(node, this.#find(node));
    return this.#known.get(node);
  }

  #find(node: Node): Rule | undefined {
    const { bundle } = node;
    const { name, properties, place } = bundle;
    const { node: cluster, options, targets, namespace, removed } = this.#problem;
    const [unreadable] = this.#problem.runtime.problems;
    if (unreadable !== undefined) return unreadableRuntimeRule(name, unreadable.place);
    if (removed.includes(bundle.package))
      return rule("subscription", name, `${name} is of package ${bundle.package}, which is to be removed`);
    const facts = bundleFacts(properties);
    const requirements = this.#universe.requirementsOf(properties);
    return (
      deprecationRule(name, facts) ??
      malformedConstraintRule(name, requirements, place) ??
      featureGateRule(name, requirements, options.compoundConstraints) ??
      kubernetesVersionRule(name, facts, cluster) ??
      openShiftVersionRule(name, facts, cluster) ??
      installModeRule(name, facts.installModes, targets, namespace) ??
      this.#runtimeRule(node) ??
      this.#rivalRule(node)
    );
  }

  #runtimeRule({ bundle: { name, properties } }: Node): Rule | undefined {
    for (const { constraint, place } of this.#runtime) {
      const refused = runtimeConstraintRule(name, properties, constraint, place, this.#match);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  /** Another package provides one of its APIs in another namespace. */
  #rivalRule({ bundle, provides }: Node): Rule | undefined {
    if (this.#elsewhere.size === 0) return undefined;
    for (const api of provides) {
      const rivals = (this.#elsewhere.get(api) ?? []).filter((one) => areRivals(bundle.package, one.package));
      if (rivals.length > 0)
        return oneProviderRule(gvkOf(api), [bundle.name, ...rivals.map((one) => `${one.namespace}/${one.name}`)]);
    }
    return undefined;
  }
}

/** The rules about an operator alone that one violates which already runs. */
export function brokenUnaryRules(installed: Installed, problem: Problem, universe: Universe): readonly Rule[] {
  const { name, properties, place } = installed;
  const facts = installedFacts(installed);
  const requirements = universe.requirementsOf(properties);
  return [
    malformedConstraintRule(name, requirements, place),
    featureGateRule(name, requirements, problem.options.compoundConstraints),
    kubernetesVersionRule(name, facts, problem.node),
    openShiftVersionRule(name, facts, problem.node),
    installModeRule(name, facts.installModes, problem.targets, problem.namespace),
  ].filter((broken) => broken !== undefined);
}

/** Two providers of an API in two namespaces are rivals unless they are of the same package. */
export function areRivals(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || a !== b;
}

/** The administrator's constraints in the form in which they are asked; what cannot be read has been told before. */
export function runtimeConstraintsOf(
  universe: Universe,
  runtime: RuntimeConstraints,
): readonly { readonly constraint: RuntimeConstraint; readonly place: Place | undefined }[] {
  return runtime.entries.flatMap(({ property, place }) => {
    const { constraint } = readRuntimeConstraint(property, universe.reader);
    return constraint === undefined ? [] : [{ constraint, place }];
  });
}
