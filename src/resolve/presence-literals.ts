// Is a member present that a `none` excludes? Literals that are true as soon as any participant matches: by package
// and API as soon as a bundle has a variable, otherwise when it is loaded.

import type { Predicate } from "../constraint/predicate-key.ts";
import { gvkKey } from "../model/catalog.ts";
import { addTo } from "../model/grouped.ts";
import { type Literal, negate } from "../sat/literal.ts";
import type { Candidate } from "./catalog-index.ts";
import type { Encoding } from "./encoding.ts";
import type { Operator } from "./member.ts";

/** True if any participant matches a predicate: `¬bundle ∨ presence`. */
export interface Presence {
  readonly literal: Literal;
  readonly predicate: Predicate;
  readonly without: Operator | undefined;
}

/** All presences that have been needed. */
export class Presences {
  /** In order of creation. */
  readonly all: Presence[] = [];
  readonly #encoding: Encoding;
  readonly #known = new Map<string, Presence>();
  readonly #ofPackage = new Map<string, Presence[]>();
  readonly #ofApi = new Map<string, Presence[]>();
  readonly #ofType = new Map<string, Presence[]>();
  readonly #others: Presence[] = [];
  readonly #loaded: Candidate[] = [];

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
  }

  /** A literal that is true if any participant except `requirer` matches. */
  literalOf(predicate: Predicate, requirer: Operator): Literal {
    const encoding = this.#encoding;
    const without = encoding.matches(predicate, requirer) ? requirer : undefined;
    const key = `${without === undefined ? "" : encoding.numberOf(without)} ${predicate.key}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known.literal;
    const presence = { literal: encoding.newLiteral(), predicate, without };
    this.#known.set(key, presence);
    this.all.push(presence);
    if (encoding.isFixed(predicate, without)) encoding.clause([presence.literal]);
    this.#find(presence);
    encoding.state?.attach();
    return presence.literal;
  }

  /** Called when a bundle gets a variable. */
  onVariable(node: Candidate): void {
    if (this.#ofPackage.size > 0)
      for (const presence of this.#ofPackage.get(node.bundle.package) ?? []) this.#join(presence, node);
    if (this.#ofApi.size > 0)
      for (const api of node.provides) for (const presence of this.#ofApi.get(api) ?? []) this.#join(presence, node);
  }

  /** Called when a bundle is chosen for the first time. */
  onLoad(node: Candidate): void {
    this.#loaded.push(node);
    for (const presence of this.#others) this.#join(presence, node);
    if (this.#ofType.size === 0) return;
    for (const type of new Set(node.bundle.properties.map((property) => property.type)))
      for (const presence of this.#ofType.get(type) ?? []) this.#join(presence, node);
  }

  /** Adds the clauses of known matches, and registers the presence for later ones. */
  #find(presence: Presence): void {
    const encoding = this.#encoding;
    const need = encoding.world.needOf(presence.predicate);
    if (need?.kind === "packages")
      for (const name of need.packages) {
        for (const node of encoding.packageOf(encoding.world.packageNameOf(name)).nodes) this.#join(presence, node);
        addTo(this.#ofPackage, name, presence);
      }
    else if (need?.kind === "gvks")
      for (const api of need.gvks.map(gvkKey)) {
        for (const node of encoding.knownProviders(api)) this.#join(presence, node);
        addTo(this.#ofApi, api, presence);
      }
    else {
      for (const node of this.#loaded) this.#join(presence, node);
      if (need === undefined) this.#others.push(presence);
      else for (const type of need.types) addTo(this.#ofType, type, presence);
    }
  }

  #join({ literal, predicate, without }: Presence, node: Candidate): void {
    const encoding = this.#encoding;
    const { properties } = node.bundle;
    if (node !== without && encoding.world.isMatch(predicate, properties))
      encoding.clause([negate(encoding.literalOf(node)), literal]);
    if (predicate.isExpensive) encoding.cost += encoding.world.costOf(predicate, properties);
  }
}
