// How do bundles and their requirements become clauses? A bundle gets a variable when it can be chosen, and its own
// clauses only when it is first chosen: most of a catalog never takes part.

import type { Requirement } from "../constraint/constraint.ts";
import type { Predicate } from "../constraint/predicate-key.ts";
import { providedApis } from "../constraint/provided-apis.ts";
import type { Catalog } from "../model/catalog.ts";
import { addTo, getOrAdd, groupedByAll } from "../model/grouped.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { neededKinds } from "../rule/crd/api-needs.ts";
import { CrdChanges } from "../rule/crd/crd-changes.ts";
import { apart, type Clauses, refused } from "../rule/shape/clauses.ts";
import { requires } from "../rule/shape/requires.ts";
import { type Literal, negate, positive, variableOf } from "../sat/literal.ts";
import type { Candidate, PackageName } from "./catalog-index.ts";
import { compareCatalogs, hidingCatalogs } from "./catalog-order.ts";
import { type CatalogWorld, catalogWorld } from "./catalog-world.ts";
import type { InstalledState } from "./installed-state.ts";
import { matchingOperators } from "./matching-operators.ts";
import { type Operator, type Participant, packageOf, propertiesOf } from "./member.ts";
import { PackageClauses } from "./package-clauses.ts";
import { Presences } from "./presence-literals.ts";
import { SolverClauses } from "./solver-clauses.ts";
import { Refusals } from "./unary-rules.ts";

/** The providers of an API: at most one of the group. */
interface ApiState {
  readonly group: number;
  /** True if an installed operator provides it. */
  occupant: Literal | undefined;
  /** Packages that are in the group as a whole. */
  readonly packageNames: Set<PackageName>;
}

/** Some participant matches a predicate: `¬gate ∨ bundle₁ ∨ … ∨ others`. */
export interface Gate {
  readonly literal: Literal;
  readonly predicate: Predicate;
  /** The participant excluded from the match (the requirer itself). */
  readonly without: Operator | undefined;
  /** Matches among installed operators: `¬others ∨ kept₁ ∨ …`, one clause per installed state. */
  readonly others: Literal;
  /** Bundles that count only if requested, because an unavailable catalog might have better ones. */
  readonly doubtful: readonly Candidate[];
}

/** An optional requirement of a bundle; the literal is true only if the bundle is chosen and the requirement met. */
export interface OptionalRequirement {
  readonly literal: Literal;
  readonly self: Operator;
  readonly requirement: Requirement;
}

/** The clauses of one set of catalogs on one cluster. */
export class Encoding extends SolverClauses implements Clauses<Operator> {
  readonly problem: Problem;
  readonly gates: Gate[] = [];
  /** Literals for members excluded by a `none`. */
  readonly presences: Presences = new Presences(this);
  readonly optional: OptionalRequirement[] = [];
  /** The bundles whose clauses have been added: those that were ever tried. */
  readonly loaded: Candidate[] = [];
  /** CEL cost of the predicates evaluated so far. */
  cost = 0;
  /** The current installed state. */
  state: InstalledState | undefined;
  /** The bundles that have a variable. */
  readonly created: Candidate[] = [];
  /** Called for every bundle that gets a variable. */
  onNode: (node: Candidate) => void = () => {};
  /** Called for every optional requirement of a bundle. */
  onOptional: (one: OptionalRequirement) => void = () => {};
  /** How bundles change the CRDs of the cluster. */
  readonly crdChanges: CrdChanges;
  /** Why bundles cannot be chosen. */
  readonly refusals: Refusals;
  /** The loaded bundles that may define a kind, by kind. */
  readonly defining: Map<string, Candidate[]> = new Map();
  readonly #elsewhere: ReadonlyMap<string, readonly Installed[]>;
  /** True if changes of CRDs have to be checked. OLM does not check them. */
  readonly #hasDefinitions: boolean;
  readonly #literals: (Literal | undefined)[] = [];
  /** By variable: the candidate or package whose clauses are added when it is first true. */
  readonly #loads: (Candidate | PackageName | undefined)[] = [];
  readonly #packages: (PackageClauses | undefined)[] = [];
  readonly #apis = new Map<string, ApiState>();
  readonly #occupants = new Map<string, Literal>();
  readonly #kept = new Map<Installed, Literal>();
  readonly #gates = new Map<string, Gate>();
  readonly #apisOfRunning = new Set<string>();
  readonly #withOptional: Candidate[] = [];
  /** The loaded bundles that may require an API of a kind, by kind. */
  readonly #needing = new Map<string, Candidate[]>();
  readonly #numbers = new Map<Operator, number>();

  constructor(problem: Problem, world: CatalogWorld = catalogWorld(problem)) {
    super(world);
    this.problem = problem;
    this.#hasDefinitions = world.hasManifests && !problem.options.compat;
    this.#elsewhere = groupedByAll(problem.elsewhere, ({ properties }) => providedApis(properties));
    this.crdChanges = new CrdChanges(world, problem);
    this.refusals = new Refusals(world, problem, this.#elsewhere, this.crdChanges);
    this.solver.onTrue = (variable) => {
      const loaded = this.#loads[variable] as Candidate | PackageName;
      if ("bundle" in loaded) this.#load(loaded);
      else this.#loadPackage(variable, loaded);
    };
  }

  /** True if the bundle is chosen. */
  literalOf(node: Candidate): Literal {
    const known = this.#literals[node.number];
    if (known !== undefined) return known;
    if (this.refusals.isKnownRefused(node)) {
      this.#literals[node.number] = negate(this.truth);
      return negate(this.truth);
    }
    const variable = this.solver.newVariable();
    const literal = positive(variable);
    this.#literals[node.number] = literal;
    this.#loads[variable] = node;
    this.solver.watchTrue(variable);
    const clauses = this.packageOf(node.packageName);
    clauses.add(node, literal);
    for (const api of this.world.sharedApisOf(node)) this.#joinApi(api, node, clauses);
    if (this.#apisOfRunning.size > 0) this.#besideRunning(node, clauses);
    this.presences.onVariable(node);
    this.created.push(node);
    this.onNode(node);
    if (node.hasOptional) this.#readOptional(node);
    return literal;
  }

  /** True if a bundle is chosen, or an operator stays. */
  there(self: Operator): Literal {
    return "bundle" in self ? this.literalOf(self) : this.keptOf(self);
  }

  /** A literal that is true if any participant except the requirer matches. */
  presence(predicate: Predicate, requirer: Operator): Literal {
    return this.presences.literalOf(predicate, requirer);
  }

  /** True if the bundle is chosen; undefined if it has no variable yet. */
  knownLiteralOf(node: Candidate): Literal | undefined {
    return this.#literals[node.number];
  }

  /** The clauses about a package as a whole. */
  packageOf(packageName: PackageName): PackageClauses {
    let clauses = this.#packages[packageName.number];
    if (clauses === undefined) {
      clauses = new PackageClauses(this, packageName);
      this.#packages[packageName.number] = clauses;
      const variable = variableOf(clauses.onChain);
      this.#loads[variable] = packageName;
      this.solver.watchTrue(variable);
    }
    return clauses;
  }

  /** True if the operator stays. */
  keptOf(installed: Installed): Literal {
    return getOrAdd(this.#kept, installed, () => this.newLiteral());
  }

  /** True if an installed operator takes the place of the package's bundles. */
  packageOccupant(name: string): Literal {
    return getOrAdd(this.#occupants, name, () => {
      const literal = this.newLiteral();
      this.solver.addToGroup(this.packageOf(this.world.packageNameOf(name)).group, literal);
      return literal;
    });
  }

  /** True if an installed operator takes the place of other providers of an API. */
  apiOccupant(api: string): Literal {
    const isNew = !this.#apisOfRunning.has(api);
    this.#apisOfRunning.add(api);
    const hadGroup = this.#apis.has(api);
    const state = this.#apiState(api);
    if (isNew && !hadGroup)
      for (const node of this.knownProviders(api)) this.#joinApi(api, node, this.packageOf(node.packageName));
    if (state.occupant === undefined) {
      state.occupant = this.newLiteral();
      this.solver.addToGroup(state.group, state.occupant);
    }
    return state.occupant;
  }

  /** The operators of other namespaces that provide an API. */
  providersElsewhere(api: string): readonly Installed[] {
    return this.#elsewhere.get(api) ?? [];
  }

  /**
   * A literal that can be true only if a participant matches; always true if the cluster or another namespace
   * matches.
   */
  gate(predicate: Predicate, requirer: Operator, withoutSelf: boolean): Literal {
    const without = withoutSelf && this.matches(predicate, requirer) ? requirer : undefined;
    const catalog = "bundle" in requirer ? requirer.index.catalog : undefined;
    const hidden = !withoutSelf && this.#isHidden;
    const key = `${without === undefined ? "" : this.numberOf(without)} ${hidden ? this.world.catalogs.indexOf(catalog as Catalog) : ""} ${predicate.key}`;
    const make = (): Gate => this.#newGate(predicate, without, hidden ? catalog : undefined, hidden);
    return getOrAdd(this.#gates, key, make).literal;
  }

  /** True if a catalog is unavailable and what it might offer prevents other bundles from being chosen. */
  get #isHidden(): boolean {
    return hidingCatalogs(this.problem).length > 0;
  }

  /** Participants are identified by object, not by name. */
  numberOf(self: Operator): number {
    return getOrAdd(this.#numbers, self, () => this.#numbers.size);
  }

  /** Makes the literals of a participant's optional requirements. */
  optionalOf(self: Operator, chosen: Literal): readonly OptionalRequirement[] {
    const optional: OptionalRequirement[] = [];
    for (const requirement of this.world.requirementsOf(propertiesOf(self)).requirements) {
      if (!requirement.optional) continue;
      const literal = this.newLiteral();
      this.clause([negate(literal), chosen]);
      requires(this, [negate(literal)], requirement.constraint, self);
      optional.push({ literal, self, requirement });
    }
    if ("bundle" in self)
      for (const one of optional) {
        this.optional.push(one);
        this.onOptional(one);
      }
    return optional;
  }

  /** Optional requirements may lead to bundles with further ones: iterative, since chains can be long. */
  #readOptional(node: Candidate): void {
    this.#withOptional.push(node);
    if (this.#withOptional.length > 1) return;
    for (const one of this.#withOptional) this.optionalOf(one, this.literalOf(one));
    this.#withOptional.length = 0;
  }

  #load(node: Candidate): void {
    this.loaded.push(node);
    const chosen = this.literalOf(node);
    if (this.refusals.of(node) !== undefined) {
      refused(this, [], node);
      return;
    }
    this.presences.onLoad(node);
    this.#addDefinitions(node);
    for (const { constraint, optional } of this.world.requirementsOf(node.bundle.properties).requirements)
      if (!optional) requires(this, [negate(chosen)], constraint, node);
  }

  /**
   * What all bundles of a package require, the package requires: `¬onChain ∨ gate`. It follows from their own
   * clauses, and lets the solver count whole chains of packages without trying their versions.
   */
  #loadPackage(variable: number, packageName: PackageName): void {
    // While a catalog is unavailable, the possible providers depend on the requirer.
    if (this.#isHidden) return;
    const [requirer] = this.world.chainsOf(packageName);
    if (requirer === undefined) return;
    for (const predicate of this.world.demandsOfAll(packageName))
      this.clause([negate(positive(variable)), this.gate(predicate, requirer, false)]);
  }

  /**
   * A participant that requires an API excludes a bundle that defines its kind without serving it: `¬user ∨ ¬bundle`.
   */
  #addDefinitions(node: Candidate): void {
    if (!this.#hasDefinitions) return;
    for (const kind of neededKinds(this.world, node)) {
      addTo(this.#needing, kind, node);
      for (const other of this.defining.get(kind) ?? []) this.excludeUnserved(node, other);
    }
    for (const kind of this.crdChanges.broughtKinds(node)) {
      addTo(this.defining, kind, node);
      for (const user of this.#needing.get(kind) ?? []) this.excludeUnserved(user, node);
      for (const operator of this.state?.installed ?? []) this.excludeUnserved(operator, node);
    }
  }

  /** Adds the clause for a participant and a bundle of another package that may not serve what it requires. */
  excludeUnserved(user: Operator, node: Candidate): void {
    if (packageOf(user) === node.bundle.package || this.crdChanges.missing(user, node).length === 0) return;
    apart(this, [], user, node);
  }

  #apiState(api: string): ApiState {
    return getOrAdd(this.#apis, api, () => ({
      group: this.solver.newGroup(),
      occupant: undefined,
      packageNames: new Set(),
    }));
  }

  /** A package of which every bundle provides the API joins the group as a whole. */
  #joinApi(api: string, node: Candidate, clauses: PackageClauses): void {
    const { group, packageNames } = this.#apiState(api);
    if (node.channelPosition === undefined || !this.world.isProvidedThroughout(api, node.packageName))
      this.solver.addToGroup(group, this.literalOf(node));
    else if (!packageNames.has(node.packageName)) {
      packageNames.add(node.packageName);
      this.solver.addToGroup(group, clauses.onChain);
    }
  }

  /** An API that only this package provides still needs a group if an installed operator provides it. */
  #besideRunning(node: Candidate, clauses: PackageClauses): void {
    const shared = this.world.sharedApisOf(node);
    for (const api of node.provides)
      if (this.#apisOfRunning.has(api) && !shared.includes(api)) this.#joinApi(api, node, clauses);
  }

  #newGate(predicate: Predicate, without: Operator | undefined, own: Catalog | undefined, hidden: boolean): Gate {
    if (this.isFixed(predicate, without))
      return { literal: this.truth, predicate, without, others: this.truth, doubtful: [] };
    const doubtful: Candidate[] = [];
    const gate = { literal: this.newLiteral(), predicate, without, others: this.newLiteral(), doubtful };
    const packageNames = new Map<PackageName, Candidate[]>();
    for (const catalog of this.world.catalogs) {
      const index = this.world.indexOf(catalog);
      this.cost += index.costOf(predicate);
      for (const node of index.matching(predicate)) {
        if (node === without) continue;
        if (hidden && this.#isBehindUnavailable(node, own)) doubtful.push(node);
        else addTo(packageNames, node.packageName, node);
      }
    }
    const matching = [negate(gate.literal), gate.others];
    const packages = [negate(gate.literal), gate.others];
    for (const [packageName, nodes] of packageNames) {
      const clauses = this.packageOf(packageName);
      const some = clauses.someOf(nodes);
      packages.push(some ?? clauses.present);
      if (some !== undefined) matching.push(some);
      else for (const node of nodes) matching.push(this.literalOf(node));
    }
    this.clause(matching);
    // Implied by the clause above; lets the solver count whole packages without trying their versions.
    if (packages.length < matching.length) this.clause(packages);
    this.gates.push(gate);
    this.state?.attach();
    return gate;
  }

  /** Can a participant meet a requirement of another? Not if an unavailable catalog might have a better one. */
  mayServe(member: Participant, requirer: Operator, requested: ReadonlySet<Candidate>): boolean {
    if (!("bundle" in member) || requested.has(member) || this.problem.options.ignoreUnavailable) return true;
    return !this.#isBehindUnavailable(member, "bundle" in requirer ? requirer.index.catalog : undefined);
  }

  /** Does an unavailable catalog come before the candidate's, for a participant of catalog `own`? */
  #isBehindUnavailable(node: Candidate, own: Catalog | undefined): boolean {
    const { catalog } = node.index;
    if (catalog === own) return false;
    return this.problem.unavailable.some((away) => compareCatalogs(away, catalog, this.problem.namespace) < 0);
  }

  /** Does a participant match that is always present? */
  isFixed(predicate: Predicate, without: Operator | undefined): boolean {
    const { node, elsewhere } = this.problem;
    return (
      this.world.isMatch(predicate, node.properties) ||
      matchingOperators(this.world, predicate, elsewhere).some((operator) => operator !== without)
    );
  }

  /** The providers of an API that have variables, on chains or not. */
  knownProviders(api: string): readonly Candidate[] {
    return this.world.catalogs.flatMap((catalog) =>
      (catalog.providers.get(api) ?? [])
        .map((bundle) => this.world.indexOf(catalog).nodeOf(bundle))
        .filter((node) => this.knownLiteralOf(node) !== undefined),
    );
  }
}
