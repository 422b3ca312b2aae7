// Why may a bundle not be chosen, whatever else is? And which of these rules does an operator violate that already runs?

import { bundleFacts, installedFacts } from "../constraint/bundle-facts.ts";
import type { RuntimeConstraint } from "../constraint/constraint.ts";
import { readRuntimeConstraint } from "../constraint/read-runtime-constraint.ts";
import type { Property } from "../model/catalog.ts";
import type { Place } from "../model/place.ts";
import { type Installed, numbersOf, type Problem, type RuntimeConstraints } from "../model/problem.ts";
import { deprecationRule } from "../rule/deprecation.ts";
import { featureGateRule } from "../rule/feature-gate.ts";
import { installModeRule } from "../rule/install-mode.ts";
import { malformedConstraintRule } from "../rule/malformed-constraint.ts";
import { oneProviderRule } from "../rule/one-provider.ts";
import { kubernetesVersionRule, openShiftVersionRule } from "../rule/platform-version.ts";
import { type Rule, rule } from "../rule/rule.ts";
import { type Match, runtimeConstraintRule, unreadableRuntimeRule } from "../rule/runtime-constraint.ts";
import { gvkOf, type Node } from "./catalog-index.ts";
import type { CrdChanges } from "./crd-changes.ts";
import { predicateOf } from "./predicate-key.ts";
import type { Universe } from "./universe.ts";

/** Says why bundles may not be chosen on one cluster. */
export class Refusals {
  readonly #universe: Universe;
  readonly #problem: Problem;
  readonly #runtime: readonly ReadEntry[];
  /** Where a runtime constraint is that cannot be read; while there is one, nothing may be chosen. */
  readonly #unreadable: { readonly place: Place | undefined } | undefined;
  readonly #removed: ReadonlySet<string>;
  readonly #elsewhere: ReadonlyMap<string, readonly Installed[]>;
  readonly #known = new Map<Node, Rule | undefined>();
  readonly #numbers = new Map<Node, number>();
  readonly #match: Match;
  readonly #crdChanges: CrdChanges;

  constructor(
    universe: Universe,
    problem: Problem,
    elsewhere: ReadonlyMap<string, readonly Installed[]>,
    crdChanges: CrdChanges,
  ) {
    this.#universe = universe;
    this.#crdChanges = crdChanges;
    this.#problem = problem;
    this.#runtime = runtimeConstraintsOf(universe, problem.runtime);
    this.#unreadable =
      problem.runtime.problems[0] ?? problem.runtime.entries.find(({ property }) => !isReadable(universe, property));
    this.#removed = new Set(problem.removed);
    this.#elsewhere = elsewhere;
    this.#match = (constraint, properties) => universe.verdict(predicateOf(constraint), properties);
  }

  /** Can it be told at a glance that a bundle may not be chosen? */
  isHopeless({ bundle }: Node): boolean {
    return (
      this.#unreadable !== undefined || this.#removed.has(bundle.package) || bundleFacts(bundle.properties).deprecated
    );
  }

  /** The first rule that a bundle does not keep, or nothing. */
  of(node: Node): Rule | undefined {
    if (!this.#known.has(node)) this.#known.set(node, this.#find(node));
    return this.#known.get(node);
  }

  /** The number of the administrator's constraint that refuses a bundle; nothing if something else does. */
  constraintNumber(node: Node): number | undefined {
    return this.of(node)?.name === "runtime-constraint" ? this.#numbers.get(node) : undefined;
  }

  #find(node: Node): Rule | undefined {
    const { bundle } = node;
    const { name, properties, place } = bundle;
    const { node: cluster, options, targets, namespace } = this.#problem;
    if (this.#unreadable !== undefined) return unreadableRuntimeRule(name, this.#unreadable.place);
    if (this.#removed.has(bundle.package))
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
      this.#rivalRule(node) ??
      this.#crdChanges.refusalOf(node)
    );
  }

  #runtimeRule(node: Node): Rule | undefined {
    const { name, properties } = node.bundle;
    for (const { constraint, place, number } of this.#runtime) {
      const refused = runtimeConstraintRule(name, properties, constraint, place, this.#match);
      if (refused === undefined) continue;
      this.#numbers.set(node, number);
      return refused;
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

/** A demand of the administrator, and where it stands. */
interface ReadEntry {
  readonly constraint: RuntimeConstraint;
  readonly place: Place | undefined;
  /** As the file counts them, from 1. */
  readonly number: number;
}

function isReadable(universe: Universe, property: Property): boolean {
  return readRuntimeConstraint(property, universe.reader).constraint !== undefined;
}

/** The administrator's constraints in the form in which they are asked; those that can be read. */
export function runtimeConstraintsOf(universe: Universe, runtime: RuntimeConstraints): readonly ReadEntry[] {
  const numbers = numbersOf(runtime);
  return runtime.entries.flatMap(({ property, place }, index) => {
    const { constraint } = readRuntimeConstraint(property, universe.reader);
    return constraint === undefined ? [] : [{ constraint, place, number: numbers[index] as number }];
  });
}
