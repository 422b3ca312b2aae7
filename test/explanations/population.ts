// Which participants could be in an answer, and what could each of them do? For judging explanations with another solver:
// written from docs/how-it-resolves.md. Bundles that a rule refuses are here, too, since a refusal is something to be
// explained.

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
import type { Resolution } from "../../src/resolve/resolution.ts";
import { chosenBundle } from "../../src/resolve/state-after.ts";
import { isPredicate, predicateKey } from "../oracles/census.ts";
import { needsApproval } from "../worlds/approvals.ts";
import { forbiddenChanges, missingApis } from "../worlds/crd-rules.ts";
import { readerFor } from "../worlds/table.ts";

/** An operator that could run. */
export interface Participant {
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

/** All participants of a problem. */
export class Population {
  readonly problem: Problem;
  readonly participants: readonly Participant[];
  readonly #known = new Map<string, Participant>();
  readonly #ladders: ReadonlyMap<string, readonly Participant[]>;
  readonly #asked: ReadonlySet<Participant>;
  readonly #matching = new Map<string, readonly Participant[]>();
  readonly #matcher = new Matcher();

  constructor(problem: Problem) {
    this.problem = problem;
    const candidates = problem.requests.map((request) => ({ id: request.id, ...candidatesOf(problem, request) }));
    const wanted = new Set(candidates.flatMap(({ bundles }) => bundles.map(({ bundle }) => bundle)));
    this.participants = allParticipants(problem, wanted);
    for (const participant of this.participants)
      this.#known.set(keyOf(problem, participant.chosen ?? participant.installed), participant);
    const participant = (one: Chosen | Installed): Participant => this.#known.get(keyOf(problem, one)) as Participant;
    this.#ladders = new Map(
      candidates.map(({ id, bundles, installed }) => [
        id,
        [...bundles.map(participant), ...(installed === undefined ? [] : [participant(installed)])],
      ]),
    );
    this.#asked = new Set([...this.#ladders.values()].flat().filter(({ role }) => role === "bundle"));
  }

  /** The operator that is meant, if there is one. */
  of(named: Named): Participant | undefined {
    return this.#known.get(
      keyOf(this.problem, "bundle" in named ? { catalog: named.index.catalog, bundle: named.bundle } : named),
    );
  }

  /** The candidates of a request, best first, the operator that it has last. */
  ladder(request: Pick<Request, "id">): readonly Participant[] {
    return this.#ladders.get(request.id) ?? [];
  }

  /** Where an operator may go. */
  targets(operator: Participant): ReadonlySet<Participant> {
    const claims = [...this.#ladders.values()].filter((ladder) => ladder.at(-1) === operator);
    return new Set(claims.flatMap((ladder) => ladder.slice(0, -1)));
  }

  /** The participants that match a leaf, or a compound of scope `bundle`. */
  matching(constraint: Constraint): readonly Participant[] {
    const key = predicateKey(constraint);
    let found = this.#matching.get(key);
    if (found === undefined) {
      found = this.participants.filter(({ properties }) => this.#matcher.match(constraint, properties) === true);
      this.#matching.set(key, found);
    }
    return found;
  }

  /** May a participant not meet a requirement of another, because a catalog that comes first is unavailable? */
  isDoubtful(provider: Participant, requirer: Participant): boolean {
    const { unavailable, options, namespace } = this.problem;
    const catalog = provider.chosen?.catalog;
    if (catalog === undefined || options.ignoreUnavailable || this.#asked.has(provider)) return false;
    if (catalog === requirer.chosen?.catalog) return false;
    return unavailable.some((missing) => compareCatalogs(missing, catalog, namespace) < 0);
  }

  /** Does a constraint of an operator hold among these? */
  holdsAmong(
    constraint: Constraint,
    members: ReadonlySet<Participant>,
    self: Participant,
    beneathNone = false,
  ): boolean {
    if (isPredicate(constraint))
      return this.matching(constraint).some(
        (one) => members.has(one) && (beneathNone ? one !== self : !this.isDoubtful(one, self)),
      );
    const { kind, constraints } = constraint as Extract<Constraint, { scope: unknown }>;
    const held = (child: Constraint): boolean => this.holdsAmong(child, members, self, beneathNone || kind === "none");
    if (kind === "none") return !constraints.some(held);
    return kind === "all" ? constraints.every(held) : constraints.some(held);
  }

  /** All participants before any change. */
  before(): ReadonlySet<Participant> {
    return new Set(this.participants.filter(({ role }) => role !== "bundle"));
  }

  /** All participants of an answer. */
  after({ operators }: Resolution): ReadonlySet<Participant> {
    const local = operators.map((operator) =>
      this.#known.get(
        keyOf(
          this.problem,
          chosenBundle(this.problem, operator) ?? this.problem.installed.find(({ name }) => name === operator.name),
        ),
      ),
    );
    return new Set([
      ...this.participants.filter(({ role }) => role === "node" || role === "elsewhere"),
      ...local.filter((one) => one !== undefined),
    ]);
  }

  /** The demands of an operator that are not optional. */
  demandsOf({ role, properties }: Participant): readonly Requirement[] {
    if (role === "node") return [];
    return readerFor(this.problem)
      .of(properties)
      .requirements.filter(({ optional }) => !optional);
  }

  /** The names of the rules that an operator breaks alone, as src/check calls them. */
  faultsOf(participant: Participant): readonly string[] {
    const reader = readerFor(this.problem);
    const runtime = this.problem.runtime.entries.map(
      ({ property }) => readRuntimeConstraint(property, reader).constraint,
    );
    const member = memberOf(participant);
    const faults = [...unfit(this.problem, member, reader.of(participant.properties))];
    if (participant.role === "bundle") faults.push(...unchoosable(this.problem, member, true, runtime, this.#matcher));
    const names = faults.map(({ rule }) => rule);
    if (participant.chosen !== undefined && needsApproval(this.problem, participant.chosen)) names.push("subscription");
    const isForbidden =
      participant.chosen !== undefined && forbiddenChanges(this.problem, participant.chosen.bundle).length > 0;
    return isForbidden ? [...names, "crd-upgrade"] : names;
  }

  /** Does a bundle bring the kind of an API without serving it, although an operator requires it? */
  isEnded(api: string, user: Participant, { chosen }: Participant): boolean {
    if (chosen === undefined || !isLocal(user) || user.chosen === chosen) return false;
    const { properties, installed: running } = user;
    return missingApis(this.problem, { properties, running }, chosen.bundle).includes(api);
  }

  /** Does a bundle break the administrator's constraint of this number? */
  breaksConstraint({ properties }: Participant, number: number): boolean {
    const { entries } = this.problem.runtime;
    const written = entries.find((entry, index) => (entry.number ?? index + 1) === number);
    if (written === undefined) return false;
    const { constraint } = readRuntimeConstraint(written.property, readerFor(this.problem));
    if (constraint === undefined) return true;
    return this.#matcher.match(constraint.constraint, properties) !== (constraint.action === "require");
  }
}

/** Is an operator in the namespace that is resolved? */
export function isLocal({ role }: Participant): boolean {
  return role === "installed" || role === "bundle";
}

/** May two that provide the same API not be there together? */
export function areRivals(a: Participant, b: Participant): boolean {
  if (isLocal(a) && isLocal(b)) return true;
  const isAcross = (isLocal(a) && b.role === "elsewhere") || (isLocal(b) && a.role === "elsewhere");
  return isAcross && (a.package === undefined || a.package !== b.package);
}

function keyOf({ catalogs }: Problem, one: Chosen | Installed | undefined): string {
  if (one === undefined) return "node";
  if ("bundle" in one) return JSON.stringify([catalogs.indexOf(one.catalog), one.bundle.package, one.bundle.name]);
  return JSON.stringify([one.namespace, one.name]);
}

function allParticipants(problem: Problem, wanted: ReadonlySet<Bundle>): readonly Participant[] {
  const participant = (
    role: Participant["role"],
    name: string,
    properties: readonly Property[],
  ): Omit<Participant, "package"> => ({
    role,
    name,
    properties,
    apis: apisOf(properties),
  });
  const running = (role: "installed" | "elsewhere", installed: Installed): Participant => ({
    ...participant(role, installed.name, installed.properties),
    package: installed.package,
    installed,
  });
  const bundles = problem.catalogs.flatMap((catalog) =>
    [...catalog.packages.values()].flatMap((owner) => {
      const inChain = new Set([...owner.channels.values()].flatMap(({ chain }) => chain.map((entry) => entry.bundle)));
      return [...owner.bundles.values()]
        .filter((bundle) => inChain.has(bundle) || wanted.has(bundle))
        .map((bundle): Participant => {
          const chosen = { catalog, bundle };
          return { ...participant("bundle", bundle.name, bundle.properties), package: bundle.package, chosen };
        });
    }),
  );
  return [
    { ...participant("node", "the cluster", problem.node.properties), package: undefined },
    ...problem.installed.map((one) => running("installed", one)),
    ...problem.elsewhere.map((one) => running("elsewhere", one)),
    ...bundles,
  ];
}

function memberOf({ role, name, package: owner, properties, installed, chosen }: Participant): Member {
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
