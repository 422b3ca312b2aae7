// How do clauses state that some bundle of a package, or one in a version range, is chosen? Once per package, so that
// hundreds of requirements share their clauses and what the solver learns from them.

import { getOrAdd } from "../model/grouped.ts";
import { compareText } from "../model/json.ts";
import { type Literal, negate } from "../sat/literal.ts";
import { compareVersions } from "../semver/version.ts";
import type { Candidate, PackageName } from "./catalog-index.ts";
import type { Encoding } from "./encoding.ts";

/** Number of different version ranges required of a package from which it gets a ladder. */
const LADDER_FROM = 6;

/** One package name: at most one of its bundles or installed operators. */
export class PackageClauses {
  readonly packageName: PackageName;
  /** True if one of its bundles is chosen. */
  readonly present: Literal;
  /** At most one of its bundles. */
  readonly group: number;
  /** Its bundles that have variables. */
  readonly nodes: Candidate[] = [];
  readonly #encoding: Encoding;
  /** True if one of its bundles on chains is chosen; for use as a negative literal only. */
  readonly onChain: Literal;
  #isOpen = false;
  #ladder: Ladder | undefined;
  #partial = 0;

  constructor(encoding: Encoding, packageName: PackageName) {
    this.#encoding = encoding;
    this.packageName = packageName;
    this.present = encoding.newLiteral();
    this.onChain = encoding.newLiteral();
    this.group = encoding.solver.newGroup();
    encoding.clause([negate(this.onChain), this.present]);
  }

  /** Called when one of its bundles gets a variable. */
  add(node: Candidate, literal: Literal): void {
    this.nodes.push(node);
    this.#encoding.solver.addToGroup(this.group, literal);
    this.#encoding.clause([negate(literal), node.channelPosition === undefined ? this.present : this.onChain]);
  }

  /** Can be true only if one of these bundles on chains is chosen; undefined if a clause over the bundles is better. */
  someOf(nodes: readonly Candidate[]): Literal | undefined {
    const all = this.#encoding.world.chainsOf(this.packageName);
    if (nodes.length === all.length) return this.#anyOnChain();
    if (this.#ladder === undefined && ++this.#partial >= LADDER_FROM)
      this.#ladder = new Ladder(this.#encoding, this.#anyOnChain(), all);
    return this.#ladder?.between(nodes);
  }

  /** `¬onChain ∨ bundle₁ ∨ bundle₂ …`, added on first use. */
  #anyOnChain(): Literal {
    if (!this.#isOpen) {
      this.#isOpen = true;
      const literals = [negate(this.onChain)];
      for (const node of this.#encoding.world.chainsOf(this.packageName)) literals.push(this.#encoding.literalOf(node));
      this.#encoding.clause(literals);
    }
    return this.onChain;
  }
}

/**
 * The versions of a package in their order, newest first, with a literal for "this one or a newer one" at every step:
 * `¬stepᵢ ∨ stepᵢ₊₁`, `¬bundleᵢ ∨ stepᵢ`, `¬bundleᵢ ∨ ¬stepᵢ₋₁`, and `¬stepᵢ ∨ stepᵢ₋₁ ∨ bundleᵢ` where there is one.
 * Two requirements that have no version in common then contradict each other at once.
 */
class Ladder {
  readonly #encoding: Encoding;
  readonly #present: Literal;
  readonly #positions: ReadonlyMap<Candidate, number>;
  readonly #steps: readonly Literal[];
  readonly #spans = new Map<number, Literal>();

  constructor(encoding: Encoding, present: Literal, all: readonly Candidate[]) {
    this.#encoding = encoding;
    this.#present = present;
    const ordered = [...all].sort(
      (a, b) => compareVersions(b.bundle.version, a.bundle.version) || compareText(a.id, b.id),
    );
    this.#positions = new Map(ordered.map((node, position) => [node, position]));
    // The widest first: deciding it false decides all.
    const steps = ordered.map(() => encoding.newLiteral()).reverse();
    this.#steps = steps;
    for (const [position, node] of ordered.entries()) {
      const bundle = encoding.literalOf(node);
      const step = steps[position] as Literal;
      const newer = steps[position - 1];
      encoding.clause([negate(bundle), step]);
      if (newer === undefined) encoding.clause([negate(step), bundle, negate(present)]);
      else {
        encoding.clause([negate(newer), step]);
        encoding.clause([negate(bundle), negate(newer)]);
        encoding.clause([negate(step), newer, bundle, negate(present)]);
      }
    }
    encoding.clause([negate(present), steps.at(-1) as Literal]);
  }

  /** A literal that can be true only if one of these is chosen; undefined if they are not consecutive versions. */
  between(nodes: readonly Candidate[]): Literal | undefined {
    let first = this.#steps.length;
    let last = -1;
    for (const node of nodes) {
      const position = this.#positions.get(node) as number;
      first = Math.min(first, position);
      last = Math.max(last, position);
    }
    if (last - first + 1 !== nodes.length) return undefined;
    const key = first * this.#steps.length + last;
    return getOrAdd(this.#spans, key, () => {
      const span = this.#encoding.newLiteral();
      this.#encoding.clause([negate(span), this.#present]);
      this.#encoding.clause([negate(span), this.#steps[last] as Literal]);
      const newer = this.#steps[first - 1];
      if (newer !== undefined) this.#encoding.clause([negate(span), negate(newer)]);
      return span;
    });
  }
}
