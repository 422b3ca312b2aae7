// What can be known about catalogs once and for all? The bundles that may be chosen, what each demands, who matches what,
// and in which order providers are tried: for one set of catalogs and one way to read constraints.

import type { Constraint, Requirement, Requirements } from "../constraint/constraint.ts";
import { MANIFEST } from "../constraint/manifests.ts";
import { type Need, neededBy } from "../constraint/needed-properties.ts";
import { isLimit, matches, type Verdict } from "../constraint/predicate.ts";
import { type Predicate, type Providable, predicateOf, providable } from "../constraint/predicate-key.ts";
import { ConstraintReader } from "../constraint/read-requirements.ts";
import { type Bundle, type Catalog, gvkOf, kindKey, type Property } from "../model/catalog.ts";
import { isObject } from "../model/json.ts";
import type { ResolveOptions } from "../model/problem.ts";
import { type Candidate, CatalogIndex, type PackageName } from "./catalog-index.ts";
import { compareCatalogs } from "./catalog-order.ts";
import { type Participant, propertiesOf } from "./member.ts";

/** A predicate that somebody has to provide for, and the demand it belongs to. */
export interface Leaf extends Providable {
  readonly requirement: Requirement;
}

/** A predicate may cost so many times as much, over all bundles, as one evaluation may. */
const LIMITS_A_PREDICATE = 50;

/** So many predicates may cost as much as one may. */
const MAX_PREDICATES = 6;

/** Everything that follows from catalogs alone. */
export class CatalogWorld {
  readonly catalogs: readonly Catalog[];
  /** Was anything ever too expensive to evaluate? If not, nobody need ask what. */
  hasLimits = false;
  /** What is found out now is no part of an answer. */
  isAside = false;
  /** What it may cost to find out who of a catalog matches a predicate; those who are left count as too expensive. */
  readonly mostCost: number;
  readonly reader: ConstraintReader;
  readonly #indexes: ReadonlyMap<Catalog, CatalogIndex>;
  readonly #families = new Map<string, PackageName>();
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
  #spent = 0;

  constructor(catalogs: readonly Catalog[], options: ResolveOptions) {
    this.catalogs = catalogs;
    this.mostCost = options.celCostLimit * LIMITS_A_PREDICATE;
    this.#indexes = new Map(catalogs.map((catalog) => [catalog, new CatalogIndex(catalog, this)]));
    this.reader = new ConstraintReader({
      compat: options.compat,
      compoundScope: options.compoundScope,
      maxBytes: options.maxConstraintBytes,
      maxDepth: options.maxConstraintDepth,
      celCostLimit: options.celCostLimit,
    });
  }

  /** What a catalog of this world holds. */
  indexOf(catalog: Catalog): CatalogIndex {
    return this.#indexes.get(catalog) as CatalogIndex;
  }

  /** The number for a new node. */
  nextNode(): number {
    return this.#nodes++;
  }

  /** All bundles of a package name. */
  familyOf(name: string): PackageName {
    let family = this.#families.get(name);
    if (family === undefined) {
      family = { name, number: this.#families.size };
      this.#families.set(name, family);
    }
    return family;
  }

  /** What properties demand. */
  requirementsOf(properties: readonly Property[]): Requirements {
    return this.reader.of(properties);
  }

  /** What somebody has to provide for, in order; wishes are not among it. */
  leavesOf(properties: readonly Property[]): readonly Leaf[] {
    const requirements = this.reader.of(properties);
    let leaves = this.#leaves.get(requirements);
    if (leaves === undefined) {
      leaves = requirements.requirements
        .filter((requirement) => !requirement.optional)
        .flatMap((requirement) => leavesIn(requirement));
      this.#leaves.set(requirements, leaves);
    }
    return leaves;
  }

  /** What the walk over providers looks at: what is required, then what is wished (OLM knows no wishes). */
  walkedLeavesOf(properties: readonly Property[]): readonly Leaf[] {
    const requirements = this.reader.of(properties);
    let leaves = this.#walked.get(requirements);
    if (leaves === undefined) {
      const wished = this.reader.options.compat
        ? []
        : requirements.requirements.filter(({ optional }) => optional).flatMap((requirement) => leavesIn(requirement));
      leaves = [...this.leavesOf(properties), ...wished];
      this.#walked.set(requirements, leaves);
    }
    return leaves;
  }

  /** Is a predicate true of these properties? Each is asked once. */
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
      if (predicate.isExpensive) this.#keepCost(predicate, properties);
      if (isLimit(verdict)) this.hasLimits = true;
    }
    return verdict;
  }

  /** Notes what it cost to find out who matches a predicate. */
  spend(cost: number): void {
    this.#spent += cost;
  }

  /**
   * Does something that is no part of an answer, such as looking for a reason: what rules cost meanwhile is not counted
   * against later answers.
   */
  aside<Result>(run: () => Result): Result {
    const [spent, wasAside] = [this.#spent, this.isAside];
    this.isAside = true;
    try {
      return run();
    } finally {
      this.#spent = spent;
      this.isAside = wasAside;
    }
  }

  /** Have the rules of these catalogs cost all that they may? Then no further ones are evaluated for all bundles. */
  get isSpent(): boolean {
    return this.#spent > this.mostCost * MAX_PREDICATES;
  }

  /** A bundle of which it could not be told whether it matches, and why. */
  failureOf(predicate: Predicate): { readonly name: string; readonly message: string } | undefined {
    for (const catalog of this.catalogs) {
      const failure = this.indexOf(catalog).failureOf(predicate);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /** What it cost to ask a predicate of these properties, now or earlier. */
  costOf(predicate: Predicate, properties: readonly Property[]): number {
    return this.#costs.get(predicate.key)?.get(properties) ?? 0;
  }

  #keepCost({ key, constraint }: Predicate, properties: readonly Property[]): void {
    const known = this.#costs.get(key) ?? new WeakMap<readonly Property[], number>();
    this.#costs.set(key, known);
    known.set(properties, lastCost(constraint));
  }

  /** Was a predicate too expensive to evaluate on some bundle, or on one of these members? */
  isLimited(predicate: Predicate, members: readonly Participant[]): boolean {
    return (
      this.catalogs.some((catalog) => this.indexOf(catalog).isLimited(predicate)) ||
      members.some((member) => isLimit(this.verdict(predicate, propertiesOf(member))))
    );
  }

  /** Does a predicate match? An error is no match. */
  isMatch(predicate: Predicate, properties: readonly Property[]): boolean {
    return this.verdict(predicate, properties) === true;
  }

  /** Does a predicate match a member? */
  matches(predicate: Predicate, member: Participant): boolean {
    return this.isMatch(predicate, propertiesOf(member));
  }

  /** What a bundle needs to have to match, as far as that can be told. */
  needOf(predicate: Predicate): Need | undefined {
    if (!this.#needs.has(predicate.key)) this.#needs.set(predicate.key, neededBy(predicate.constraint));
    return this.#needs.get(predicate.key);
  }

  /** All matching bundles in the order in which a member from `own` prefers them in a namespace. */
  providers(predicate: Predicate, own: Catalog | undefined, namespace: string): readonly Candidate[] {
    if (this.catalogs.length === 1) return this.indexOf(this.catalogs[0] as Catalog).matching(predicate);
    const key = `${own === undefined ? -1 : this.catalogs.indexOf(own)} ${namespace} ${predicate.key}`;
    let nodes = this.#orders.get(key);
    if (nodes === undefined) {
      nodes = [...this.catalogs]
        .sort((a, b) => Number(b === own) - Number(a === own) || compareCatalogs(a, b, namespace))
        .flatMap((catalog) => this.indexOf(catalog).matching(predicate));
      this.#orders.set(key, nodes);
    }
    return nodes;
  }

  /** The APIs of a node that bundles of other packages provide as well. */
  sharedApisOf(node: Candidate): readonly string[] {
    let shared = this.#sharedOf[node.number];
    if (shared === undefined) {
      shared = node.provides.filter((api) => this.onlyPackageOf(api) === undefined);
      this.#sharedOf[node.number] = shared;
    }
    return shared;
  }

  /** All bundles of a package that are on chains, of all catalogs. */
  chainsOf(family: PackageName): readonly Candidate[] {
    let nodes = this.#chains[family.number];
    if (nodes === undefined) {
      nodes = this.catalogs.flatMap((catalog) => this.indexOf(catalog).chainOf(family.name));
      this.#chains[family.number] = nodes;
    }
    return nodes;
  }

  /** What every bundle of a package on a chain demands of others: APIs and packages, of which it is quickly said. */
  demandsOfAll(family: PackageName): readonly Predicate[] {
    let demands = this.#demandsOfAll[family.number];
    if (demands === undefined) {
      const [first, ...others] = this.chainsOf(family);
      const isShared = ({ key }: Predicate): boolean =>
        others.every((node) => this.#plainDemandsOf(node).some((other) => other.key === key));
      demands = first === undefined ? [] : this.#plainDemandsOf(first).filter(isShared);
      this.#demandsOfAll[family.number] = demands;
    }
    return demands;
  }

  /** The demands of a bundle for an API or a package that others have to meet. */
  #plainDemandsOf({ bundle: { properties } }: Candidate): readonly Predicate[] {
    return this.requirementsOf(properties)
      .requirements.filter(({ constraint: { kind }, optional }) => !optional && (kind === "gvk" || kind === "package"))
      .map(({ constraint }) => predicateOf(constraint))
      .filter((predicate) => !this.isMatch(predicate, properties));
  }

  /** The versions of a package that are on offer. */
  versionsOf(owner: string): readonly Bundle[] {
    return this.chainsOf(this.familyOf(owner)).map(({ bundle }) => bundle);
  }

  /** Does every bundle of the package that is on a chain provide the API? */
  isProvidedThroughout(api: string, family: PackageName): boolean {
    const key = `${family.number} ${api}`;
    let throughout = this.#throughout.get(key);
    if (throughout === undefined) {
      throughout = this.chainsOf(family).every((node) => node.provides.includes(api));
      this.#throughout.set(key, throughout);
    }
    return throughout;
  }

  /** Does any bundle carry manifests? Without them nobody knows what a bundle does to custom kinds. */
  get hasManifests(): boolean {
    return this.catalogs.some(({ byPropertyType }) => (byPropertyType.get(MANIFEST)?.length ?? 0) > 0);
  }

  /** All bundles on chains that provide an API of a kind (`kindKey`), in whatever version. */
  bundlesOfKind(kind: string): readonly Candidate[] {
    if (this.#byKind === undefined) {
      const byKind = new Map<string, Set<Candidate>>();
      for (const catalog of this.catalogs)
        for (const [api, bundles] of catalog.providers) {
          const key = kindKey(gvkOf(api));
          const nodes = byKind.get(key) ?? new Set();
          byKind.set(key, nodes);
          for (const bundle of bundles) nodes.add(this.indexOf(catalog).nodeOf(bundle));
        }
      this.#byKind = byKind;
    }
    return [...(this.#byKind.get(kind) ?? [])];
  }

  /** The only package that provides an API; nothing if several do, or none. */
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

/** The packages that properties name; of most demands for a package that is enough to know that they do not match. */
export function packagesOf(properties: readonly Property[]): readonly unknown[] {
  let names = packages.get(properties);
  if (names === undefined) {
    names = properties.flatMap(({ type, value }) =>
      type === "olm.package" && isObject(value) ? [value.packageName] : [],
    );
    packages.set(properties, names);
  }
  return names;
}

/** What the last evaluation of its rules cost. */
function lastCost(constraint: Constraint): number {
  if (constraint.kind === "cel") return constraint.program.cost;
  return "constraints" in constraint ? constraint.constraints.reduce((sum, child) => sum + lastCost(child), 0) : 0;
}

function leavesIn(requirement: Requirement): readonly Leaf[] {
  return providable(requirement.constraint).map((one) => ({ ...one, requirement }));
}

/** So many sets of catalogs with the same first one are remembered. */
const MAX_WORLDS = 4;

const worlds = new WeakMap<Catalog, Map<string, CatalogWorld[]>>();

/** The world of these catalogs; the same one for the same catalogs and options. */
export function catalogWorld(catalogs: readonly Catalog[], options: ResolveOptions): CatalogWorld {
  const [first] = catalogs;
  if (first === undefined) return new CatalogWorld(catalogs, options);
  const { compat, compoundScope, maxConstraintBytes, maxConstraintDepth, celCostLimit } = options;
  const key = [compat, compoundScope, maxConstraintBytes, maxConstraintDepth, celCostLimit].join();
  const byOptions = worlds.get(first) ?? new Map<string, CatalogWorld[]>();
  worlds.set(first, byOptions);
  const known = byOptions.get(key) ?? [];
  const same = known.find(
    (world) =>
      world.catalogs.length === catalogs.length && world.catalogs.every((one, index) => one === catalogs[index]),
  );
  if (same !== undefined) return same;
  const made = new CatalogWorld(catalogs, options);
  byOptions.set(key, [made, ...known].slice(0, MAX_WORLDS));
  return made;
}
