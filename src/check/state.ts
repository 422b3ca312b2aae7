// Who runs together? The members of a state of the cluster, and which of them to ask about an API, a package or a label.

import type { Bundle, Catalog, Property } from "../model/catalog.ts";
import type { Installed, Problem } from "../model/problem.ts";
import type { Answer } from "./answer.ts";
import { apiKeyOf, labelOf, packageOf } from "./match.ts";

/** One of those who run together. */
export interface Member {
  readonly role: "node" | "kept" | "elsewhere" | "chosen";
  /** What messages call it. */
  readonly name: string;
  /** The package it is of, where that is known. */
  readonly package: string | undefined;
  readonly properties: readonly Property[];
  /** The operator that runs already. */
  readonly installed: Installed | undefined;
  /** The bundle that is newly chosen. */
  readonly bundle: Bundle | undefined;
  /** The catalog of that bundle. */
  readonly catalog: Catalog | undefined;
}

/** Everybody who can be a member, once: the same operator is the same member in every state. */
export class States {
  readonly node: Member;
  readonly elsewhere: readonly Member[];
  readonly #kept = new Map<Installed, Member>();
  readonly #problem: Problem;

  constructor(problem: Problem) {
    this.#problem = problem;
    const nobody = { package: undefined, installed: undefined, bundle: undefined, catalog: undefined };
    this.node = { ...nobody, role: "node", name: "the cluster", properties: problem.node.properties };
    this.elsewhere = problem.elsewhere.map((one) => running("elsewhere", `${one.namespace}/${one.name}`, one));
    for (const one of problem.installed) this.#kept.set(one, running("kept", one.name, one));
  }

  /** The state that an answer leads to; operators of the answer that do not run are left out. */
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

  /** The state before anything is done. */
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

  /** Those in the namespace. */
  get local(): readonly Member[] {
    return this.members.filter(({ role }) => role === "kept" || role === "chosen");
  }

  /** Who provides which API, by its key. */
  get providers(): Index {
    this.#providers ??= indexBy(this.members, apiKeyOf);
    return this.#providers;
  }

  /** Who says to be of which package. */
  get packages(): Index {
    this.#packages ??= indexBy(this.members, packageOf);
    return this.#packages;
  }

  /** Who carries which label. */
  get labels(): Index {
    this.#labels ??= indexBy(this.members, labelOf);
    return this.#labels;
  }
}

function indexBy(members: readonly Member[], keyOf: (property: Property) => string | undefined): Index {
  const index = new Map<string, Member[]>();
  for (const member of members) {
    for (const property of member.properties) {
      const key = keyOf(property);
      if (key === undefined) continue;
      const list = index.get(key);
      if (list === undefined) index.set(key, [member]);
      else if (list.at(-1) !== member) list.push(member);
    }
  }
  return index;
}
