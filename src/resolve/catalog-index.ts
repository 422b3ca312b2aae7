// Which bundles of a catalog can be chosen, and which of them match a predicate? Everything is computed on first use
// and cached: a catalog never changes.

import { isDeprecated } from "../constraint/bundle-facts.ts";
import type { Need } from "../constraint/needed-properties.ts";
import { isLimit } from "../constraint/predicate.ts";
import type { Predicate } from "../constraint/predicate-key.ts";
import { providedApis } from "../constraint/provided-apis.ts";
import { type Bundle, type Catalog, type Channel, gvkKey, type Package } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import { compareText } from "../model/json.ts";
import { inRange } from "../semver/blang-range.ts";
import type { Found } from "./answer-budget.ts";
import type { CatalogWorld } from "./catalog-world.ts";

/** The first position of a bundle in the order of its catalog. */
interface ChannelPosition {
  readonly inDefault: boolean;
  readonly channel: string;
  readonly position: number;
}

/** All bundles of one package name in any catalog: only one of them can run in a namespace. */
export interface PackageName {
  readonly name: string;
  readonly number: number;
}

/** A bundle of a catalog that can be chosen. */
export interface Candidate {
  /** `catalog/bundle`, with the namespace of the catalog before it where two catalogs share a name. */
  readonly id: string;
  /** A serial number within its world. */
  readonly number: number;
  readonly index: CatalogIndex;
  readonly bundle: Bundle;
  readonly packageName: PackageName;
  /** The APIs that it provides, without duplicates. */
  readonly provides: readonly string[];
  /** Undefined for a bundle that is on no chain. */
  readonly channelPosition: ChannelPosition | undefined;
  /** It has constraints of the generic type (olm.constraint); only these can be optional. */
  readonly hasOptional: boolean;
  /** It must not be newly chosen (olm.deprecated). */
  readonly isDeprecated: boolean;
}

/** The bundles of one catalog. */
export class CatalogIndex {
  readonly catalog: Catalog;
  /** Its position among the catalogs of its world: two catalogs may have the same name. */
  readonly number: number;
  readonly #world: CatalogWorld;
  readonly #nodes = new Map<Bundle, Candidate>();
  readonly #chains = new Map<string, readonly Candidate[]>();
  readonly #matching = new Map<string, Found>();
  readonly #prefix: string;
  #all: readonly Candidate[] | undefined;

  constructor(catalog: Catalog, world: CatalogWorld) {
    this.catalog = catalog;
    this.number = world.catalogs.indexOf(catalog);
    this.#world = world;
    const isAlone = world.catalogs.every((other) => other === catalog || other.name !== catalog.name);
    this.#prefix = isAlone ? catalog.name : `${catalog.namespace ?? ""}/${catalog.name}`;
  }

  /** The candidate of a bundle of this catalog. */
  nodeOf(bundle: Bundle): Candidate {
    const known = this.#nodes.get(bundle);
    if (known !== undefined) return known;
    this.chainOf(bundle.package);
    return this.#nodes.get(bundle) ?? this.#make(bundle, undefined);
  }

  /** The bundles of a package that are on a chain, best first: the default channel, then the others by name. */
  chainOf(name: string): readonly Candidate[] {
    const known = this.#chains.get(name);
    if (known !== undefined) return known;
    const nodes: Candidate[] = [];
    this.#chains.set(name, nodes);
    const owner = this.catalog.packages.get(name);
    for (const channel of owner === undefined ? [] : channelsInOrder(owner)) {
      const inDefault = channel.name === owner?.defaultChannel;
      for (const [position, { bundle }] of channel.chain.entries()) {
        if (bundle === undefined || this.#nodes.has(bundle)) continue;
        nodes.push(this.#make(bundle, { inDefault, channel: channel.name, position }));
      }
    }
    return nodes;
  }

  /** The bundles of a package that are on a chain, in this catalog and in the others of its world. */
  offered(name: string): readonly Candidate[] {
    return this.#world.chainsOf(this.#world.packageNameOf(name));
  }

  /** The bundles on chains that match, in the order of this catalog. */
  matching(predicate: Predicate): readonly Candidate[] {
    return this.#found(predicate).nodes;
  }

  /** Was the predicate too expensive to evaluate on some bundle? */
  isLimited(predicate: Predicate): boolean {
    return this.#found(predicate).isLimited;
  }

  /** The CEL cost of finding the matching bundles. */
  costOf(predicate: Predicate): number {
    return this.#found(predicate).cost;
  }

  #found(predicate: Predicate): Found {
    const { budget } = this.#world;
    if (isNamed(predicate)) return getOrAdd(this.#matching, predicate.key, () => this.#provided(predicate));
    return budget.found(`${this.number} ${predicate.key}`, () =>
      budget.isSpent
        ? this.#unknown(predicate)
        : getOrAdd(this.#matching, predicate.key, () => this.#evaluated(predicate)),
    );
  }

  #make(bundle: Bundle, channelPosition: ChannelPosition | undefined): Candidate {
    const node = {
      id: `${this.#prefix}/${bundle.name}`,
      number: this.#world.nextNode(),
      index: this,
      bundle,
      packageName: this.#world.packageNameOf(bundle.package),
      provides: providedApis(bundle.properties),
      channelPosition,
      isDeprecated: isDeprecated(bundle.properties),
      hasOptional: bundle.properties.some(({ type }) => type === "olm.constraint" || type === "olm.constraint.cel"),
    };
    this.#nodes.set(bundle, node);
    return node;
  }

  /** The bundles of a package, or with an API. */
  #provided(predicate: Predicate): Found {
    const { constraint } = predicate;
    // The catalog reader has checked that a bundle's version is that of its one olm.package property.
    const nodes =
      constraint.kind === "package"
        ? this.chainOf(constraint.name).filter((node) => inRange(constraint.range, node.bundle.version))
        : this.#possible(predicate).sort(byChannelPosition);
    return { nodes, isLimited: false, cost: 0 };
  }

  #evaluated(predicate: Predicate): Found {
    const nodes: Candidate[] = [];
    let isLimited = false;
    let cost = 0;
    for (const node of this.#possible(predicate)) {
      if (cost > this.#world.mostCost) {
        isLimited = true;
        this.#world.hasLimits = true;
        break;
      }
      const { properties } = node.bundle;
      const verdict = this.#world.verdict(predicate, properties);
      if (predicate.isExpensive) cost += this.#world.costOf(predicate, properties);
      if (verdict === true) nodes.push(node);
      isLimited ||= isLimit(verdict);
    }
    return { nodes: nodes.sort(byChannelPosition), isLimited, cost };
  }

  /** No bundle is evaluated, because the answer has no budget left. */
  #unknown(predicate: Predicate): Found {
    const isLimited = this.#possible(predicate).length > 0;
    if (isLimited) this.#world.hasLimits = true;
    return { nodes: [], isLimited, cost: 0 };
  }

  /** A superset of the bundles on chains that match. */
  #possible(predicate: Predicate): Candidate[] {
    const need = this.#world.needOf(predicate);
    if (need === undefined) return [...this.#everything()];
    return [...new Set(this.having(need))].filter((node) => node.channelPosition !== undefined);
  }

  /** The bundles that have what a match needs: for packages those on chains, otherwise all. */
  having(need: Need): readonly Candidate[] {
    if (need.kind === "packages") return need.packages.flatMap((name) => this.chainOf(name));
    const { providers, byPropertyType } = this.catalog;
    const bundles =
      need.kind === "gvks"
        ? need.gvks.flatMap((gvk) => providers.get(gvkKey(gvk)) ?? [])
        : need.types.flatMap((type) => byPropertyType.get(type) ?? []);
    return bundles.map((bundle) => this.nodeOf(bundle));
  }

  #everything(): readonly Candidate[] {
    this.#all ??= [...this.catalog.packages.keys()].flatMap((name) => this.chainOf(name));
    return this.#all;
  }
}

/** Is it about a package or an API alone? These are found by their names. */
export function isNamed({ constraint }: Predicate): boolean {
  return constraint.kind === "package" || constraint.kind === "gvk";
}

/** The default channel first, then the others by name. */
export function channelsInOrder(owner: Package): readonly Channel[] {
  const preferred = owner.channels.get(owner.defaultChannel);
  const others = [...owner.channels.values()].filter((channel) => channel !== preferred);
  return preferred === undefined ? others : [preferred, ...others];
}

/** The order of providers within a catalog. */
function byChannelPosition(a: Candidate, b: Candidate): number {
  const x = a.channelPosition as ChannelPosition;
  const y = b.channelPosition as ChannelPosition;
  if (x.inDefault !== y.inDefault) return x.inDefault ? -1 : 1;
  return (
    compareText(a.bundle.package, b.bundle.package) || compareText(x.channel, y.channel) || x.position - y.position
  );
}
