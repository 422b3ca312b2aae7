// What follows from the catalogs alone? The candidates, their requirements, which candidates match a predicate, and
// the order of providers: for one set of catalogs and one way to read constraints.

import type { Constraint, Requirement, Requirements } from "../constraint/constraint.ts";
import { MANIFEST } from "../constraint/manifests.ts";
import { type Need, neededBy } from "../constraint/needed-properties.ts";
import { isLimit, matches, type Verdict } from "../constraint/predicate.ts";
import { type Predicate, type Providable, predicateOf, predicatesIn, providable } from "../constraint/predicate-key.ts";
import { ConstraintReader, constraintOptions } from "../constraint/read-requirements.ts";
import { type Bundle, type Catalog, gvkOf, kindKey, type Property } from "../model/catalog.ts";
import { getOrAdd, sameItems } from "../model/grouped.ts";
import { isObject } from "../model/json.ts";
import type { Problem, ResolveOptions } from "../model/problem.ts";
import { AnswerBudget } from "./answer-budget.ts";
import { type Candidate, CatalogIndex, isNamed, type PackageName } from "./catalog-index.ts";
import { compareCatalogs } from "./catalog-order.ts";
import { type Participant, propertiesOf } from "./member.ts";

/** A predicate that must be provided for, and the requirement it belongs to. */
export interface Leaf extends Providable {
  readonly requirement: Requirement;
}

/** CEL budget of one predicate over all bundles, in multiples of the limit of one evaluation. */
const LIMITS_PER_PREDICATE = 50;

/** Budget for all predicates, in multiples of one. */
const MAX_PREDICATES = 6;

/** A world that knows more is large: characters of CEL rules, and predicates. */
const MAX_RULE_TEXT = 4_000_000;
const MAX_KNOWN_PREDICATES = 200_000;

/** Everything that follows from catalogs alone. */
export class CatalogWorld {
  readonly catalogs: readonly Catalog[];
  /** True once any evaluation exceeded its limit. If false, callers need not check which one. */
  hasLimits = false;
  /** CEL budget for finding the matching bundles of a catalog; bundles beyond it count as too expensive. */
  readonly mostCost: number;
  readonly reader: ConstraintReader;
  readonly #indexes: ReadonlyMap<Catalog, CatalogIndex>;
  readonly #packageNames = new Map<string, PackageName>();
  readonly #leaves = new WeakMap<Requirements, readonly Leaf[]>();
  readonly #walked = new WeakMap<Requirements, readonly Leaf[]>();
  readonly #verdicts = new Map<string, WeakMap<readonly Property[], Verdict>>();
  readonly #costs = new Map<string, WeakMap<readonly Property[], number>>();
  readonly #needs = new Map<string, Need | undefined>();
  readonly #orders = new Map<string, readonly Candidate[]>();
  readonly #packageOf = new Map<string, string | undefined>();
  readonly #chains: (readonly Candidate[] | undefined)[] = [];
  readonly #demandsOfAll: (readonly Predicate[] | undefined)[] = [];
  readonly #throughout = new Map<string, boolean>();
  readonly #sharedOf: (readonly string[] | undefined)[] = [];
  #byKind: ReadonlyMap<string, ReadonlySet<Candidate>> | undefined;
  #nodes = 0;
  #budget: AnswerBudget;

  constructor(catalogs: readonly Catalog[], options: ResolveOptions) {
    this.catalogs = catalogs;
    this.mostCost = options.celCostLimit * LIMITS_PER_PREDICATE;
    this.#budget = new AnswerBudget(this.mostCost * MAX_PREDICATES);
    this.#indexes = new Map(catalogs.map((catalog) => [catalog, new CatalogIndex(catalog, this)]));
    this.reader = new ConstraintReader(constraintOptions(options));
  }

  /** The index of a catalog of this world. */
  indexOf(catalog: Catalog): CatalogIndex {
    return this.#indexes.get(catalog) as CatalogIndex;
  }

  /** The number of the next candidate. */
  nextNode(): number {
    return this.#nodes++;
  }

  /** All bundles of a package name. */
  packageNameOf(name: string): PackageName {
    return getOrAdd(this.#packageNames, name, () => ({ name, number: this.#packageNames.size }));
  }

  /** The requirements among properties. */
  requirementsOf(properties: readonly Property[]): Requirements {
    return this.reader.of(properties);
  }

  /** All predicates in the requirements of properties. */
  predicatesOf(properties: readonly Property[]): readonly Predicate[] {
    return this.reader.of(properties).requirements.flatMap(({ constraint }) => predicatesIn(constraint));
  }

  /** The predicates that must be provided for, in order, without optional requirements. */
  leavesOf(properties: readonly Property[]): readonly Leaf[] {
    const requirements = this.reader.of(properties);
    return getOrAdd(this.#leaves, requirements, () =>
      requirements.requirements
        .filter((requirement) => !requirement.optional)
        .flatMap((requirement) => leavesIn(requirement)),
    );
  }

  /** The leaves that the provider walk visits: requirements, then optional requirements (OLM has none of these). */
  walkedLeavesOf(properties: readonly Property[]): readonly Leaf[] {
    const requirements = this.reader.of(properties);
    return getOrAdd(this.#walked, requirements, () => {
      const optional = this.reader.options.compat
        ? []
        : requirements.requirements.filter(({ optional }) => optional).flatMap((requirement) => leavesIn(requirement));
      return [...this.leavesOf(properties), ...optional];
    });
  }

  /** Does a predicate hold for these properties? Evaluated once, then cached. */
  verdict(predicate: Predicate, properties: readonly Property[]): Verdict {
    const { constraint } = predicate;
    if (constraint.kind === "package" && !packagesOf(properties).includes(constraint.name)) return false;
    let known = this.#verdicts.get(predicate.key);
    if (known === undefined) {
      known = new WeakMap();
      this.#verdicts.set(predicate.key, known);
    }
    let verdict = known.get(properties);
    if (verdict === undefined) {
      verdict = matches(predicate.constraint, properties);
      known.set(properties, verdict);
      if (predicate.isExpensive)
        getOrAdd(this.#costs, predicate.key, () => new WeakMap()).set(properties, lastCost(constraint));
      if (isLimit(verdict)) this.hasLimits = true;
    }
    return verdict;
  }

  /** A new answer begins, with a CEL budget of its own. */
  startAnswer(): void {
    this.#budget = new AnswerBudget(this.mostCost * MAX_PREDICATES);
  }

  /** The CEL budget of the answer that was begun last. */
  get budget(): AnswerBudget {
    return this.#budget;
  }

  /**
   * Runs something that is not part of an answer, such as the search for a reason: its CEL cost is not charged to the
   * answer.
   */
  aside<Result>(run: () => Result): Result {
    const before = this.#budget;
    this.#budget = before.copy();
    try {
      return run();
    } finally {
      this.#budget = before;
    }
  }

  /** Does it know more than its catalogs can have? Texts of operators and of proposed constraints stay in it. */
  get isLarge(): boolean {
    return this.reader.programs.size > MAX_RULE_TEXT || this.#verdicts.size > MAX_KNOWN_PREDICATES;
  }

  /** The CEL cost of a predicate for these properties. */
  costOf(predicate: Predicate, properties: readonly Property[]): number {
    return this.#costs.get(predicate.key)?.get(properties) ?? 0;
  }

  /** Was a predicate too expensive to evaluate on some bundle, or on one of these members? */
  isLimited(predicate: Predicate, members: readonly Participant[]): boolean {
    return (
      this.catalogs.some((catalog) => this.indexOf(catalog).isLimited(predicate)) ||
      members.some((member) => isLimit(this.verdict(predicate, propertiesOf(member))))
    );
  }

  /** Does a predicate match? An error counts as no match. */
  isMatch(predicate: Predicate, properties: readonly Property[]): boolean {
    return this.verdict(predicate, properties) === true;
  }

  /** Does a predicate match a member? */
  matches(predicate: Predicate, member: Participant): boolean {
    return this.isMatch(predicate, propertiesOf(member));
  }

  /** What a bundle must have to match, where that can be derived from the predicate. */
  needOf(predicate: Predicate): Need | undefined {
    if (!this.#needs.has(predicate.key)) this.#needs.set(predicate.key, neededBy(predicate.constraint));
    return this.#needs.get(predicate.key);
  }

  /** All matching bundles in the order of preference for a participant of catalog `own` in a namespace. */
  providers(predicate: Predicate, own: Catalog | undefined, namespace: string): readonly Candidate[] {
    if (this.catalogs.length === 1) return this.indexOf(this.catalogs[0] as Catalog).matching(predicate);
    const key = `${own === undefined ? -1 : this.catalogs.indexOf(own)} ${namespace} ${predicate.key}`;
    return getOrAdd(isNamed(predicate) ? this.#orders : this.#budget.orders, key, () =>
      [...this.catalogs]
        .sort((a, b) => Number(b === own) - Number(a === own) || compareCatalogs(a, b, namespace))
        .flatMap((catalog) => this.indexOf(catalog).matching(predicate)),
    );
  }

  /** The APIs of a candidate that bundles of other packages provide as well. */
  sharedApisOf(node: Candidate): readonly string[] {
    this.#sharedOf[node.number] ??= node.provides.filter((api) => this.onlyPackageOf(api) === undefined);
    return this.#sharedOf[node.number] as readonly string[];
  }

  /** All bundles of a package that are on chains, of all catalogs. */
  chainsOf(packageName: PackageName): readonly Candidate[] {
    const { name, number } = packageName;
    this.#chains[number] ??= this.catalogs.flatMap((catalog) => this.indexOf(catalog).chainOf(name));
    return this.#chains[number] as readonly Candidate[];
  }

  /** The requirements on APIs and packages that every bundle of a package on a chain has; these are cheap to find. */
  demandsOfAll(packageName: PackageName): readonly Predicate[] {
    let demands = this.#demandsOfAll[packageName.number];
    if (demands === undefined) {
      const [first, ...others] = this.chainsOf(packageName);
      const isShared = ({ key }: Predicate): boolean =>
        others.every((node) => this.#plainDemandsOf(node).some((other) => other.key === key));
      demands = first === undefined ? [] : this.#plainDemandsOf(first).filter(isShared);
      this.#demandsOfAll[packageName.number] = demands;
    }
    return demands;
  }

  /** The requirements of a bundle on an API or a package that other bundles must meet. */
  #plainDemandsOf({ bundle: { properties } }: Candidate): readonly Predicate[] {
    return this.requirementsOf(properties)
      .requirements.filter(({ constraint: { kind }, optional }) => !optional && (kind === "gvk" || kind === "package"))
      .map(({ constraint }) => predicateOf(constraint))
      .filter((predicate) => !this.isMatch(predicate, properties));
  }

  /** The versions of a package on chains. */
  versionsOf(owner: string): readonly Bundle[] {
    return this.chainsOf(this.packageNameOf(owner)).map(({ bundle }) => bundle);
  }

  /** Does every bundle of the package that is on a chain provide the API? */
  isProvidedThroughout(api: string, packageName: PackageName): boolean {
    const key = `${packageName.number} ${api}`;
    return getOrAdd(this.#throughout, key, () =>
      this.chainsOf(packageName).every((node) => node.provides.includes(api)),
    );
  }

  /** Do any bundles carry manifests? Without them it is unknown how a bundle changes CRDs. */
  get hasManifests(): boolean {
    return this.catalogs.some(({ byPropertyType }) => (byPropertyType.get(MANIFEST)?.length ?? 0) > 0);
  }

  /** All bundles on chains that provide an API of a kind (`kindKey`), in any version. */
  bundlesOfKind(kind: string): readonly Candidate[] {
    if (this.#byKind === undefined) {
      const byKind = new Map<string, Set<Candidate>>();
      for (const catalog of this.catalogs)
        for (const [api, bundles] of catalog.providers) {
          const key = kindKey(gvkOf(api));
          const nodes = getOrAdd(byKind, key, () => new Set());
          for (const bundle of bundles) nodes.add(this.indexOf(catalog).nodeOf(bundle));
        }
      this.#byKind = byKind;
    }
    return [...(this.#byKind.get(kind) ?? [])];
  }

  /** The only package that provides an API; undefined if there are several, or none. */
  onlyPackageOf(api: string): string | undefined {
    if (!this.#packageOf.has(api)) {
      const packages = new Set<string>();
      for (const catalog of this.catalogs)
        for (const bundle of catalog.providers.get(api) ?? []) packages.add(bundle.package);
      this.#packageOf.set(api, packages.size === 1 ? [...packages][0] : undefined);
    }
    return this.#packageOf.get(api);
  }
}

const packages = new WeakMap<readonly Property[], readonly unknown[]>();

/** The packages that properties name; for most package requirements this is enough to rule out a match. */
export function packagesOf(properties: readonly Property[]): readonly unknown[] {
  return getOrAdd(packages, properties, () =>
    properties.flatMap(({ type, value }) => (type === "olm.package" && isObject(value) ? [value.packageName] : [])),
  );
}

/** The CEL cost of the last evaluation. */
function lastCost(constraint: Constraint): number {
  if (constraint.kind === "cel") return constraint.program.cost;
  return "constraints" in constraint ? constraint.constraints.reduce((sum, child) => sum + lastCost(child), 0) : 0;
}

function leavesIn(requirement: Requirement): readonly Leaf[] {
  return providable(requirement.constraint).map((one) => ({ ...one, requirement }));
}

/** Number of sets of catalogs with the same first one that are cached. */
const MAX_WORLDS = 4;

const worlds = new WeakMap<Catalog, Map<string, CatalogWorld[]>>();

/** The world of these catalogs; cached for the same catalogs and options. */
export function catalogWorld({ catalogs, options }: Pick<Problem, "catalogs" | "options">): CatalogWorld {
  const [first] = catalogs;
  if (first === undefined) return new CatalogWorld(catalogs, options);
  const key = Object.values(constraintOptions(options)).join();
  const byOptions = getOrAdd(worlds, first, () => new Map<string, CatalogWorld[]>());
  const known = byOptions.get(key) ?? [];
  const same = known.find((world) => sameItems(world.catalogs, catalogs));
  if (same !== undefined) return same;
  const made = new CatalogWorld(catalogs, options);
  byOptions.set(key, [made, ...known].slice(0, MAX_WORLDS));
  return made;
}

/** Gives up what is known of these catalogs if it is much; in a program that answers for long, between two answers. */
export function forgetLargeWorlds({ catalogs: [first] }: Pick<Problem, "catalogs">): void {
  const byOptions = first && worlds.get(first);
  for (const [key, known] of byOptions ?? [])
    byOptions?.set(
      key,
      known.filter((world) => !world.isLarge),
    );
}
