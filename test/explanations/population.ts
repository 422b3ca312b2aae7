// Who could be in an answer, and who of them could do what? For those who judge explanations with another solver: written
// from docs/how-it-resolves.md. Bundles that a rule refuses are here, too, since a refusal is something to be explained.

import type { Chosen } from "../../src/check/answer.ts";
import { candidatesOf, compareCatalogs } from "../../src/check/candidates.ts";
import { Matcher } from "../../src/check/match.ts";
import { unchoosable, unfit } from "../../src/check/single-operator.ts";
import type { Member } from "../../src/check/state.ts";
import type { Constraint, Requirement } from "../../src/constraint/constraint.ts";
import { readRuntimeConstraint } from "../../src/constraint/read-runtime-constraint.ts";
import { type Bundle, gvkKey, type Property } from "../../src/model/catalog.ts";
import { isObject } from "../../src/model/json.ts";
import type { Installed, Problem, Request } from "../../src/model/problem.ts";
import { arrivedIn } from "../../src/resolve/apply-changes.ts";
import type { Resolution } from "../../src/resolve/resolution.ts";
import { isPredicate, predicateKey } from "../oracles/census.ts";
import { needsApproval } from "../worlds/approvals.ts";
import { forbiddenChanges, missingApis } from "../worlds/crd-rules.ts";
import { readerFor } from "../worlds/table.ts";

/** An operator that could run. */
export interface Being {
  readonly role: "node" | "installed" | "elsewhere" | "bundle";
  readonly name: string;
  readonly package: string | undefined;
  readonly properties: readonly Property[];
  /** By `gvkKey`. */
  readonly apis: readonly string[];
  readonly installed?: Installed;
  readonly chosen?: Chosen;
}

/** A bundle or an operator, as causes name it. */
export type Named = Installed | { readonly index: { readonly catalog: Chosen["catalog"] }; readonly bundle: Bundle };

/** Everybody of a problem. */
export class Population {
  readonly problem: Problem;
  readonly beings: readonly Being[];
  readonly #known = new Map<string, Being>();
  readonly #ladders: ReadonlyMap<string, readonly Being[]>;
  readonly #asked: ReadonlySet<Being>;
  readonly #matching = new Map<string, readonly Being[]>();
  readonly #matcher = new Matcher();

  constructor(problem: Problem) {
    this.problem = problem;
    const candidates = problem.requests.map((request) => ({ id: request.id, ...candidatesOf(problem, request) }));
    const wanted = new Set(candidates.flatMap(({ bundles }) => bundles.map(({ bundle }) => bundle)));
    this.beings = everybody(problem, wanted);
    for (const being of this.beings) this.#known.set(keyOf(problem, being.chosen ?? being.installed), being);
    const being = (one: Chosen | Installed): Being => this.#known.get(keyOf(problem, one)) as Being;
    this.#ladders = new Map(
      candidates.map(({ id, bundles, installed }) => [
        id,
        [...bundles.map(being), ...(installed === undefined ? [] : [being(installed)])],
      ]),
    );
    this.#asked = new Set([...this.#ladders.values()].flat().filter(({ role }) => role === "bundle"));
  }

  /** The operator that is meant, if there is one. */
  of(named: Named): Being | undefined {
    return this.#known.get(
      keyOf(this.problem, "bundle" in named ? { catalog: named.index.catalog, bundle: named.bundle } : named),
    );
  }

  /** The candidates of a request, best first, the operator that it has last. */
  ladder(request: Pick<Request, "id">): readonly Being[] {
    return this.#ladders.get(request.id) ?? [];
  }

  /** Where an operator may go. */
  targets(operator: Being): ReadonlySet<Being> {
    const claims = [...this.#ladders.values()].filter((ladder) => ladder.at(-1) === operator);
    return new Set(claims.flatMap((ladder) => ladder.slice(0, -1)));
  }

  /** Who matches a leaf, or a compound of scope `bundle`. */
  matching(constraint: Constraint): readonly Being[] {
    const key = predicateKey(constraint);
    let found = this.#matching.get(key);
    if (found === undefined) {
      found = this.beings.filter(({ properties }) => this.#matcher.match(constraint, properties) === true);
      this.#matching.set(key, found);
    }
    return found;
  }

  /** May somebody not serve a demand of another, because a catalog that comes first is not available? */
  isDoubtful(provider: Being, requirer: Being): boolean {
    const { unavailable, options, namespace } = this.problem;
    const catalog = provider.chosen?.catalog;
    if (catalog === undefined || options.ignoreUnavailable || this.#asked.has(provider)) return false;
    if (catalog === requirer.chosen?.catalog) return false;
    return unavailable.some((missing) => compareCatalogs(missing, catalog, namespace) < 0);
  }

  /** Does a constraint of an operator hold among these? */
  holdsAmong(constraint: Constraint, members: ReadonlySet<Being>, self: Being, beneathNone = false): boolean {
    if (isPredicate(constraint))
      return this.matching(constraint).some(
        (one) => members.has(one) && (beneathNone ? one !== self : !this.isDoubtful(one, self)),
      );
    const { kind, constraints } = constraint as Extract<Constraint, { scope: unknown }>;
    const held = (child: Constraint): boolean => this.holdsAmong(child, members, self, beneathNone || kind === "none");
    if (kind === "none") return !constraints.some(held);
    return kind === "all" ? constraints.every(held) : constraints.some(held);
  }

  /** Everybody before anything is done. */
  before(): ReadonlySet<Being> {
    return new Set(this.beings.filter(({ role }) => role !== "bundle"));
  }

  /** Everybody in an answer. */
  after({ operators }: Resolution): ReadonlySet<Being> {
    const local = operators.map((operator) =>
      this.#known.get(
        keyOf(
          this.problem,
          arrivedIn(this.problem, operator) ?? this.problem.installed.find(({ name }) => name === operator.name),
        ),
      ),
    );
    return new Set([
      ...this.beings.filter(({ role }) => role === "node" || role === "elsewhere"),
      ...local.filter((one) => one !== undefined),
    ]);
  }

  /** The demands of an operator that are not optional. */
  demandsOf({ role, properties }: Being): readonly Requirement[] {
    if (role === "node") return [];
    return readerFor(this.problem)
      .of(properties)
      .requirements.filter(({ optional }) => !optional);
  }

  /** The names of the rules that an operator breaks alone, as src/check calls them. */
  faultsOf(being: Being): readonly string[] {
    const reader = readerFor(this.problem);
    const runtime = this.problem.runtime.entries.map(
      ({ property }) => readRuntimeConstraint(property, reader).constraint,
    );
    const member = memberOf(being);
    const faults = [...unfit(this.problem, member, reader.of(being.properties))];
    if (being.role === "bundle") faults.push(...unchoosable(this.problem, member, true, runtime, this.#matcher));
    const names = faults.map(({ rule }) => rule);
    if (being.chosen !== undefined && needsApproval(this.problem, being.chosen)) names.push("subscription");
    const isForbidden = being.chosen !== undefined && forbiddenChanges(this.problem, being.chosen.bundle).length > 0;
    return isForbidden ? [...names, "crd-upgrade"] : names;
  }

  /** Does a bundle bring the kind of an API without serving it, although an operator requires it? */
  isEnded(api: string, user: Being, { chosen }: Being): boolean {
    if (chosen === undefined || !isLocal(user) || user.chosen === chosen) return false;
    const { properties, installed: running } = user;
    return missingApis(this.problem, { properties, running }, chosen.bundle).includes(api);
  }

  /** Does a bundle break the administrator's constraint of this number? */
  breaksConstraint({ properties }: Being, number: number): boolean {
    const { entries } = this.problem.runtime;
    const written = entries.find((entry, index) => (entry.number ?? index + 1) === number);
    if (written === undefined) return false;
    const { constraint } = readRuntimeConstraint(written.property, readerFor(this.problem));
    if (constraint === undefined) return true;
    return this.#matcher.match(constraint.constraint, properties) !== (constraint.action === "require");
  }
}

/** Is an operator in the namespace that is resolved? */
export function isLocal({ role }: Being): boolean {
  return role === "installed" || role === "bundle";
}

/** May two who provide the same API not be there together? */
export function areRivals(a: Being, b: Being): boolean {
  if (isLocal(a) && isLocal(b)) return true;
  const isAcross = (isLocal(a) && b.role === "elsewhere") || (isLocal(b) && a.role === "elsewhere");
  return isAcross && (a.package === undefined || a.package !== b.package);
}

function keyOf({ catalogs }: Problem, one: Chosen | Installed | undefined): string {
  if (one === undefined) return "node";
  if ("bundle" in one) return JSON.stringify([catalogs.indexOf(one.catalog), one.bundle.package, one.bundle.name]);
  return JSON.stringify([one.namespace, one.name]);
}

function everybody(problem: Problem, wanted: ReadonlySet<Bundle>): readonly Being[] {
  const being = (role: Being["role"], name: string, properties: readonly Property[]): Omit<Being, "package"> => ({
    role,
    name,
    properties,
    apis: apisOf(properties),
  });
  const running = (role: "installed" | "elsewhere", installed: Installed): Being => ({
    ...being(role, installed.name, installed.properties),
    package: installed.package,
    installed,
  });
  const bundles = problem.catalogs.flatMap((catalog) =>
    [...catalog.packages.values()].flatMap((owner) => {
      const inChain = new Set([...owner.channels.values()].flatMap(({ chain }) => chain.map((entry) => entry.bundle)));
      return [...owner.bundles.values()]
        .filter((bundle) => inChain.has(bundle) || wanted.has(bundle))
        .map((bundle): Being => {
          const chosen = { catalog, bundle };
          return { ...being("bundle", bundle.name, bundle.properties), package: bundle.package, chosen };
        });
    }),
  );
  return [
    { ...being("node", "the cluster", problem.node.properties), package: undefined },
    ...problem.installed.map((one) => running("installed", one)),
    ...problem.elsewhere.map((one) => running("elsewhere", one)),
    ...bundles,
  ];
}

function memberOf({ role, name, package: owner, properties, installed, chosen }: Being): Member {
  return {
    role: role === "bundle" ? "chosen" : role === "installed" ? "kept" : role,
    name,
    package: owner,
    properties,
    installed,
    bundle: chosen?.bundle,
    catalog: chosen?.catalog,
  };
}

function apisOf(properties: readonly Property[]): readonly string[] {
  const keys = properties.flatMap(({ type, value }) => {
    if (type !== "olm.gvk" || !isObject(value)) return [];
    const { group, version, kind } = value;
    const isRead = typeof group === "string" && typeof version === "string" && typeof kind === "string";
    return isRead ? [gvkKey({ group, version, kind })] : [];
  });
  return [...new Set(keys)];
}
