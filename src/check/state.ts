// Which members run together? The members of a state of the cluster, with indexes by API, package and label.

import type { Bundle, Catalog, Property } from "../model/catalog.ts";
import { groupedByAll } from "../model/grouped.ts";
import type { Installed, Problem } from "../model/problem.ts";
import type { Answer } from "./answer.ts";
import { apiKeyOf, labelOf, packageOf } from "./match.ts";

/** A member of a state. */
export interface Member {
  readonly role: "node" | "kept" | "elsewhere" | "chosen";
  /** The name for messages. */
  readonly name: string;
  /** Its package, if known. */
  readonly package: string | undefined;
  readonly properties: readonly Property[];
  /** The installed operator. */
  readonly installed: Installed | undefined;
  /** The bundle that is newly chosen. */
  readonly bundle: Bundle | undefined;
  /** The catalog of that bundle. */
  readonly catalog: Catalog | undefined;
}

/** All possible members: an operator is the same member in every state. */
export class States {
  readonly node: Member;
  readonly elsewhere: readonly Member[];
  readonly #kept = new Map<Installed, Member>();
  readonly #problem: Problem;

  constructor(problem: Problem) {
    this.#problem = problem;
    const empty = { package: undefined, installed: undefined, bundle: undefined, catalog: undefined };
    this.node = { ...empty, role: "node", name: "the cluster", properties: problem.node.properties };
    this.elsewhere = problem.elsewhere.map((one) => running("elsewhere", `${one.namespace}/${one.name}`, one));
    for (const one of problem.installed) this.#kept.set(one, running("kept", one.name, one));
  }

  /** The state after an answer; kept operators that are not installed are left out. */
  after(answer: Answer): State {
    const kept = answer.kept.flatMap((one) => this.#kept.get(one) ?? []);
    const chosen = answer.chosen.map(
      ({ catalog, bundle }): Member => ({
        role: "chosen",
        name: `${catalog.name}/${bundle.name}`,
        package: bundle.package,
        properties: bundle.properties,
        installed: undefined,
        bundle,
        catalog,
      }),
    );
    return new State([this.node, ...kept, ...this.elsewhere, ...chosen]);
  }

  /** The state before any change. */
  before(): State {
    return this.after({ kept: this.#problem.installed, chosen: [], satisfied: [] });
  }
}

function running(role: "kept" | "elsewhere", name: string, installed: Installed): Member {
  const { package: owner, properties } = installed;
  return { role, name, package: owner, properties, installed, bundle: undefined, catalog: undefined };
}

type Index = ReadonlyMap<string, readonly Member[]>;

/** Members that run together. */
export class State {
  readonly members: readonly Member[];
  #providers: Index | undefined;
  #packages: Index | undefined;
  #labels: Index | undefined;

  constructor(members: readonly Member[]) {
    this.members = members;
  }

  /** The members in the namespace. */
  get local(): readonly Member[] {
    return this.members.filter(({ role }) => role === "kept" || role === "chosen");
  }

  /** Providers by API key. */
  get providers(): Index {
    this.#providers ??= indexBy(this.members, apiKeyOf);
    return this.#providers;
  }

  /** Members by stated package. */
  get packages(): Index {
    this.#packages ??= indexBy(this.members, packageOf);
    return this.#packages;
  }

  /** Members by label. */
  get labels(): Index {
    this.#labels ??= indexBy(this.members, labelOf);
    return this.#labels;
  }
}

function indexBy(members: readonly Member[], keyOf: (property: Property) => string | undefined): Index {
  return groupedByAll(members, ({ properties }) => properties.flatMap((property) => keyOf(property) ?? []));
}
