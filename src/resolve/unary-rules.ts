// Why can a bundle never be chosen on this cluster? And which of these rules does an installed operator violate?

import { type BundleFacts, bundleFacts, installedFacts } from "../constraint/bundle-facts.ts";
import type { RuntimeConstraint } from "../constraint/constraint.ts";
import { predicateOf } from "../constraint/predicate-key.ts";
import { providedApis } from "../constraint/provided-apis.ts";
import { readRuntimeConstraint } from "../constraint/read-runtime-constraint.ts";
import type { Bundle, Property } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import { type Installed, numbersOf, type Problem, type RuntimeConstraints } from "../model/problem.ts";
import type { CrdChanges } from "../rule/crd/crd-changes.ts";
import { type Refusal, UNARY_RULES } from "../rule/rules.ts";
import type { NumberedConstraint } from "../rule/runtime-constraint.ts";
import type { Alone, Surroundings } from "../rule/shape/unary-rule.ts";
import type { Candidate } from "./catalog-index.ts";
import type { CatalogWorld } from "./catalog-world.ts";

/** Finds why bundles cannot be chosen on one cluster. */
export class Refusals {
  readonly #world: CatalogWorld;
  readonly #around: Surroundings;
  readonly #crdChanges: CrdChanges;
  readonly #known = new Map<Candidate, Refusal | undefined>();
  readonly #knownOfRunning = new WeakMap<Installed, readonly Refusal[]>();

  constructor(
    world: CatalogWorld,
    problem: Problem,
    elsewhere: ReadonlyMap<string, readonly Installed[]>,
    crdChanges: CrdChanges,
  ) {
    this.#world = world;
    this.#crdChanges = crdChanges;
    this.#around = surroundings(problem, world, elsewhere);
  }

  /** Is there a cheap check that a bundle cannot be chosen? */
  isKnownRefused({ bundle, isDeprecated }: Candidate): boolean {
    const { unreadable, removed } = this.#around;
    return isDeprecated || unreadable !== undefined || (removed.size > 0 && removed.has(bundle.package));
  }

  /** The first rule that a bundle violates, if any. */
  of(node: Candidate): Refusal | undefined {
    if (!this.#known.has(node)) this.#known.set(node, this.#find(node));
    return this.#known.get(node);
  }

  /** The runtime constraint that a refusal is about. */
  demandedBy({ detail }: Refusal): RuntimeConstraint | undefined {
    if (detail.rule !== "runtime-constraint" || detail.why !== "refused") return undefined;
    return this.#around.runtime.find(({ number }) => number === detail.number);
  }

  /** The rules that an installed operator violates. */
  ofRunning(installed: Installed): readonly Refusal[] {
    return getOrAdd(this.#knownOfRunning, installed, () => {
      const alone = this.#alone(installed, installedFacts(installed), () => undefined);
      const binding = UNARY_RULES.filter(({ bindsRunning }) => bindsRunning);
      return binding.flatMap(({ refusal }) => refusal(alone, this.#around) ?? []);
    });
  }

  #find(node: Candidate): Refusal | undefined {
    const { bundle } = node;
    const alone = this.#alone(bundle, bundleFacts(bundle.properties), () => this.#crdChanges.refusalOf(node));
    for (const { refusal } of UNARY_RULES) {
      const refused = refusal(alone, this.#around);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  #alone(self: Bundle | Installed, facts: BundleFacts, crdUpgrade: Alone["crdUpgrade"]): Alone {
    const { package: owner, properties, place } = self;
    const requirements = this.#world.requirementsOf(properties);
    return { package: owner, properties, place, facts, requirements, provides: providedApis(properties), crdUpgrade };
  }
}

/** What rules read about a cluster. */
function surroundings(problem: Problem, world: CatalogWorld, elsewhere: Surroundings["elsewhere"]): Surroundings {
  const { runtime, namespace, node, targets, options } = problem;
  return {
    namespace,
    node,
    targets,
    compoundConstraints: options.compoundConstraints,
    removed: new Set(problem.removed),
    unreadable: unreadableIn(world, runtime),
    runtime: runtimeConstraintsOf(world, runtime),
    matches: (constraint, properties) => world.verdict(predicateOf(constraint), properties),
    elsewhere,
  };
}

/** What makes runtime constraints unusable as a whole; undefined if all of them can be read. */
export function unreadableIn(
  world: CatalogWorld,
  { problems, entries }: RuntimeConstraints,
): Surroundings["unreadable"] {
  return problems[0] ?? entries.find(({ property }) => !isReadable(world, property));
}

function isReadable(world: CatalogWorld, property: Property): boolean {
  return readRuntimeConstraint(property, world.reader).constraint !== undefined;
}

/** The runtime constraints that can be read, ready for evaluation. */
export function runtimeConstraintsOf(world: CatalogWorld, runtime: RuntimeConstraints): readonly NumberedConstraint[] {
  const numbers = numbersOf(runtime);
  return runtime.entries.flatMap(({ property, place }, index) => {
    const { constraint } = readRuntimeConstraint(property, world.reader);
    return constraint === undefined ? [] : [{ ...constraint, place, number: numbers[index] as number }];
  });
}
