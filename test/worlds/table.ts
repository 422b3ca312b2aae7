// Which participants could run together in a small world, and what is true of each? Each participant has a bit, and a set
// of members is a number: a form that has nothing in common with the checker's or the solver's.

import type { Answer, Chosen } from "../../src/check/answer.ts";
import { type Candidates, candidatesOf, compareCatalogs } from "../../src/check/candidates.ts";
import type { Constraint, Requirements } from "../../src/constraint/constraint.ts";
import { matches } from "../../src/constraint/predicate.ts";
import { ConstraintReader } from "../../src/constraint/read-requirements.ts";
import type { Catalog, Channel, Property } from "../../src/model/catalog.ts";
import { compareText } from "../../src/model/json.ts";
import type { CatalogName, Installed, Problem, Request } from "../../src/model/problem.ts";

/** A possible member. */
export interface Participant {
  readonly bit: number;
  readonly role: "node" | "installed" | "elsewhere" | "bundle";
  readonly package: string | undefined;
  readonly properties: readonly Property[];
  readonly installed?: Installed;
  readonly chosen?: Chosen;
}

/** A set of participants, by their bits. */
export type Mask = number;

/** All possible members of a world. */
export class Table {
  readonly problem: Problem;
  readonly participants: readonly Participant[];
  readonly reader: ConstraintReader;
  /** The candidates of each request, as bits, best first; the operator that it has is the last, if it is enough that it stays. */
  readonly ladders: readonly (readonly Mask[])[];
  readonly node: Mask;
  readonly installed: Mask;
  readonly elsewhere: Mask;
  /** Candidates of some request. */
  readonly wanted: Mask;
  readonly #matching = new Map<Constraint, Mask>();
  /** For each request, its operator and where that may go. */
  readonly #moves: readonly { readonly from: Mask; readonly to: Mask }[];

  constructor(problem: Problem) {
    this.problem = problem;
    const candidates = problem.requests.map((request) => candidatesOf(problem, request));
    this.participants = allParticipants(problem, candidates);
    if (this.participants.length > 30) throw new Error("the world is too large for a number of bits");
    this.reader = readerFor(problem);
    const ofRole = (role: Participant["role"]): Mask => this.mask((participant) => participant.role === role);
    this.node = ofRole("node");
    this.installed = ofRole("installed");
    this.elsewhere = ofRole("elsewhere");
    this.ladders = candidates.map(({ bundles, installed, mayStay }) => [
      ...bundles.map((one) => this.bundles([one])),
      ...(installed === undefined || !mayStay ? [] : [this.operators([installed])]),
    ]);
    this.#moves = candidates.map(({ bundles, installed }) => ({
      from: installed === undefined ? 0 : this.operators([installed]),
      to: this.bundles(bundles),
    }));
    this.wanted = this.ladders.flat().reduce((mask, bit) => mask | bit, 0) & ~this.installed;
  }

  /** The participants for which something is true. */
  mask(isIn: (participant: Participant) => boolean): Mask {
    return this.participants.reduce((mask, participant) => (isIn(participant) ? mask | participant.bit : mask), 0);
  }

  /** The members of a set. */
  in(mask: Mask): readonly Participant[] {
    return this.participants.filter(({ bit }) => (mask & bit) !== 0);
  }

  /** The bits of bundles. */
  bundles(wanted: readonly Chosen[]): Mask {
    return this.mask(
      ({ chosen }) =>
        chosen !== undefined && wanted.some((one) => one.catalog === chosen.catalog && one.bundle === chosen.bundle),
    );
  }

  /** The bits of operators of the namespace. */
  operators(wanted: readonly Installed[]): Mask {
    return this.mask(({ role, installed }) => role === "installed" && wanted.includes(installed as Installed));
  }

  /** The demands of a member; the node has none. */
  demandsOf({ role, properties }: Participant): Requirements {
    return role === "node" ? { requirements: [], problems: [], hasCompounds: false } : this.reader.of(properties);
  }

  /** The participants that match a leaf, or a compound of scope `bundle`. */
  matching(constraint: Constraint): Mask {
    let mask = this.#matching.get(constraint);
    if (mask === undefined) {
      mask = this.mask(({ properties }) => matches(constraint, properties) === true);
      this.#matching.set(constraint, mask);
    }
    return mask;
  }

  /** Which requests have a candidate in a set of members, and at which rank; -1 where there is none. */
  ranks(members: Mask): readonly number[] {
    return this.ladders.map((ladder) => ladder.findIndex((bit) => (bit & members) !== 0));
  }

  /** Where an operator may go. */
  targetsOf(operator: Mask): Mask {
    return this.#moves.reduce((mask, { from, to }) => (from === operator ? mask | to : mask), 0);
  }

  /** A set of kept operators and chosen bundles as an answer that is correct about requests. */
  answer(members: Mask): Answer {
    const ranks = this.ranks(members);
    return {
      kept: this.in(members & this.installed).map(({ installed }) => installed as Installed),
      chosen: this.in(members).flatMap(({ chosen }) => chosen ?? []),
      satisfied: this.problem.requests
        .filter((request, position) => ranks[position] !== -1 && isOffered(this.problem, request))
        .map(({ id }) => id),
    };
  }

  /** Catalogs in the search order of an operator: its own, then by priority, those of this namespace, names. */
  catalogOrder(requirer: Participant): readonly Catalog[] {
    const isOwn = (catalog: Catalog): number => Number(catalog === requirer.chosen?.catalog);
    return this.problem.catalogs.toSorted(
      (a, b) => isOwn(b) - isOwn(a) || compareCatalogs(a, b, this.problem.namespace),
    );
  }
}

/** Does any catalog that the request may mean have the channel that it names? Here nothing is lost in reading. */
function isOffered({ catalogs, unavailable }: Problem, request: Request): boolean {
  const { catalog, package: owner, channel, extension } = request;
  if (extension !== undefined) {
    const own = catalogs.filter(({ name }) => extension.catalogs?.includes(name) ?? true);
    const names = own.flatMap(({ packages }) => [...(packages.get(owner)?.channels.keys() ?? [])]);
    return names.some((name) => extension.channels.length === 0 || extension.channels.includes(name));
  }
  const isNamed = (one: CatalogName): boolean => catalog === undefined || one.name === catalog.name;
  const isUnique = catalog?.namespace === undefined || [...catalogs, ...unavailable].filter(isNamed).length === 1;
  return catalogs.some((one) => {
    if (!isNamed(one) || (!isUnique && one.namespace !== catalog?.namespace)) return false;
    const channels = one.packages.get(owner)?.channels;
    return channels !== undefined && (channel === undefined ? channels.size > 0 : channels.has(channel));
  });
}

/** The name of a bundle among all catalogs. */
export function idOf({ catalog, bundle }: Chosen): string {
  return `${catalog.name}/${bundle.name}`;
}

/** The channels of a catalog in the order in which providers are looked for. */
export function channelOrder(catalog: Catalog): readonly Channel[] {
  const isDefault = ({ package: owner, name }: Channel): number =>
    Number(catalog.packages.get(owner)?.defaultChannel === name);
  return [...catalog.packages.values()]
    .flatMap(({ channels }) => [...channels.values()])
    .sort((a, b) => isDefault(b) - isDefault(a) || compareText(a.package, b.package) || compareText(a.name, b.name));
}

function allParticipants(problem: Problem, candidates: readonly Candidates[]): readonly Participant[] {
  const offered = problem.catalogs.flatMap((catalog) =>
    [...catalog.packages.values()].flatMap(({ bundles }) =>
      [...bundles.values()].map((bundle): Chosen => ({ catalog, bundle })),
    ),
  );
  const isInChain = ({ catalog, bundle }: Chosen): boolean =>
    channelOrder(catalog).some(({ chain }) => chain.some((entry) => entry.bundle === bundle));
  const isWanted = ({ catalog, bundle }: Chosen): boolean =>
    candidates.some(({ bundles }) => bundles.some((one) => one.catalog === catalog && one.bundle === bundle));
  const participants: Omit<Participant, "bit">[] = [
    { role: "node", package: undefined, properties: problem.node.properties },
    ...problem.installed.map((one) => running("installed", one)),
    ...problem.elsewhere.map((one) => running("elsewhere", one)),
    ...offered
      .filter((one) => isInChain(one) || isWanted(one))
      .map((chosen) => {
        const { package: owner, properties } = chosen.bundle;
        return { role: "bundle" as const, package: owner, properties, chosen };
      }),
  ];
  return participants.map((participant, position) => ({ ...participant, bit: 1 << position }));
}

function running(role: "installed" | "elsewhere", installed: Installed): Omit<Participant, "bit"> {
  return { role, package: installed.package, properties: installed.properties, installed };
}

const readers = new Map<string, ConstraintReader>();

/** A reader for a problem; problems with the same options share one, and with it the compiled rules. */
export function readerFor({ options }: Problem): ConstraintReader {
  const wanted = {
    compat: options.compat,
    compoundScope: options.compoundScope,
    maxBytes: options.maxConstraintBytes,
    maxDepth: options.maxConstraintDepth,
    celCostLimit: options.celCostLimit,
  };
  const key = JSON.stringify(wanted);
  let reader = readers.get(key);
  if (reader === undefined) {
    reader = new ConstraintReader(wanted);
    readers.set(key, reader);
  }
  return reader;
}
