// Which bundles would other runtime constraints hide from installation and updates, and which would they reveal? Every
// bundle of the catalogs in reach is evaluated by itself, as the rule does it for a bundle that may be chosen.

import type { RuntimeConstraint } from "../../constraint/constraint.ts";
import { type Outline, outlineOf } from "../../constraint/outline.ts";
import { matches, type Verdict } from "../../constraint/predicate.ts";
import { predicateOf } from "../../constraint/predicate-key.ts";
import type { Bundle, Catalog, Property } from "../../model/catalog.ts";
import { countsOf, getOrAdd } from "../../model/grouped.ts";
import { compareText, given } from "../../model/json.ts";
import { type Place, plainPlace } from "../../model/place.ts";
import type { Problem, RuntimeConstraints } from "../../model/problem.ts";
import { isMet, type NumberedConstraint, type RuntimeMatch } from "../../rule/runtime-constraint.ts";
import { compareWithBuild, printVersion } from "../../semver/version.ts";
import type { CatalogWorld } from "../catalog-world.ts";
import { runtimeConstraintsOf, unreadableIn } from "../unary-rules.ts";

/** Some bundles of one package. */
export interface PackageShare {
  readonly package: string;
  /** How many of its bundles. */
  readonly bundles: number;
  /** How many it has. */
  readonly ofBundles: number;
  /** Their versions, the newest first, if they are few. */
  readonly versions?: readonly string[] | undefined;
}

/** Some bundles, and the packages that have most of them. */
export interface BundleGroup {
  readonly bundles: number;
  readonly inPackages: number;
  /** The packages with most of them, the largest share first; not all if there are many. */
  readonly packages: readonly PackageShare[];
}

/** What one of the proposed constraints does to the bundles. */
export interface ConstraintEffect {
  /** Its number in the file, from 1. */
  readonly number: number;
  readonly action: RuntimeConstraint["action"];
  readonly constraint: Outline;
  readonly place?: Place | undefined;
  /** The bundles that it refuses, with those that the present constraints refuse as well. */
  readonly refuses: number;
  /** Those of them for which it cannot be evaluated, and the first reason. */
  readonly failures: number;
  readonly failure?: string | undefined;
  /** The bundles that it refuses and the present constraints do not. */
  readonly hides: BundleGroup;
}

/** The bundles that are refused with the proposed constraints and not with the present ones. */
export interface HiddenBundles {
  readonly bundles: number;
  /** All bundles of the catalogs in reach. */
  readonly ofBundles: number;
  /** The packages with hidden bundles of which none is left. */
  readonly packages: number;
  /** Every bundle was evaluated; otherwise all counts are at least as high as they say. */
  readonly isComplete: boolean;
  /** By number; none if the proposed constraints cannot be read. */
  readonly perConstraint: readonly ConstraintEffect[];
}

/** The effect on all bundles. */
export interface BundleEffects {
  readonly hidden: HiddenBundles;
  /** The bundles that the present constraints refuse and the proposed ones do not. */
  readonly revealed: BundleGroup;
  /** The names of all hidden bundles. */
  readonly hiddenNames: ReadonlySet<string>;
}

/** Runtime constraints as they are evaluated; while they cannot be read, they refuse everything. */
export interface ReadConstraints {
  readonly isReadable: boolean;
  readonly constraints: readonly NumberedConstraint[];
}

/** Runtime constraints, ready for evaluation. */
export function readConstraints(world: CatalogWorld, runtime: RuntimeConstraints): ReadConstraints {
  const isReadable = unreadableIn(world, runtime) === undefined;
  return { isReadable, constraints: isReadable ? runtimeConstraintsOf(world, runtime) : [] };
}

/** Do they refuse a bundle? */
function refuses({ isReadable, constraints }: ReadConstraints, { properties }: Bundle, match: RuntimeMatch): boolean {
  return !isReadable || constraints.some((one) => !isMet(match(one.constraint, properties), one));
}

/** The effect of proposed constraints on the bundles in reach, as far as `isOver` allows. */
export function bundleEffects(
  bundles: readonly Bundle[],
  present: ReadConstraints,
  proposed: ReadConstraints,
  isOver: () => boolean,
): BundleEffects {
  const sizes = countsOf(bundles.map((bundle) => bundle.package));
  const tallies = proposed.constraints.map((one) => new Tally(one));
  const [refused, hidden, revealed] = [new Group(), new Group(), new Group()];
  const hiddenNames = new Set<string>();
  let isComplete = true;
  for (const bundle of bundles) {
    const match = evaluatedOnce();
    const wasRefused = refuses(present, bundle, match);
    const refusing = tallies.filter((tally) => !isOver() && tally.refuses(bundle, match, wasRefused));
    if (isOver()) {
      isComplete = false;
      break;
    }
    const isRefused = refusing.length > 0 || !proposed.isReadable;
    if (isRefused) refused.add(bundle);
    if (isRefused && !wasRefused) {
      hidden.add(bundle);
      hiddenNames.add(bundle.name);
    }
    if (wasRefused && !isRefused) revealed.add(bundle);
  }
  const isGone = (owner: string): boolean => refused.countOf(owner) === sizes.get(owner);
  return {
    hidden: {
      bundles: hidden.count,
      ofBundles: bundles.length,
      packages: hidden.packages.filter(isGone).length,
      isComplete,
      perConstraint: tallies.map((tally) => tally.effect(sizes)),
    },
    revealed: revealed.summary(sizes),
    hiddenNames,
  };
}

/** The bundles of all catalogs of the problems; catalogs with the same content count once. */
export function bundlesInReach(
  problems: readonly Problem[],
  // A catalog may have another priority in the cluster scope; its packages are the same.
  contentOf: (catalog: Catalog) => unknown = ({ packages }) => packages,
): readonly Bundle[] {
  const contents = new Map(problems.flatMap(({ catalogs }) => catalogs.map((one) => [contentOf(one), one] as const)));
  return [...contents.values()].flatMap(({ packages }) =>
    [...packages.values()].flatMap(({ bundles }) => [...bundles.values()]),
  );
}

/** Evaluates predicates of one bundle, equal ones once. */
function evaluatedOnce(): (constraint: RuntimeConstraint["constraint"], properties: readonly Property[]) => Verdict {
  const known = new Map<string, Verdict>();
  return (constraint, properties) => {
    const { key } = predicateOf(constraint);
    const before = known.get(key);
    if (before !== undefined) return before;
    const verdict = matches(constraint, properties);
    known.set(key, verdict);
    return verdict;
  };
}

/** Number of versions of a package that are listed, and of packages. */
const MAX_VERSIONS = 3;
const MAX_PACKAGES = 10;

/** Counts bundles by package. */
class Group {
  readonly #byPackage = new Map<string, { count: number; first: Bundle[] }>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get packages(): readonly string[] {
    return [...this.#byPackage.keys()];
  }

  countOf(owner: string): number {
    return this.#byPackage.get(owner)?.count ?? 0;
  }

  add(bundle: Bundle): void {
    const share = getOrAdd(this.#byPackage, bundle.package, () => ({ count: 0, first: [] }));
    this.#count++;
    if (share.count++ < MAX_VERSIONS) share.first.push(bundle);
  }

  /** The counts; `sizes` are those of all packages. */
  summary(sizes: ReadonlyMap<string, number>): BundleGroup {
    const largest = [...this.#byPackage].sort(([a, x], [b, y]) => y.count - x.count || compareText(a, b));
    const packages = largest.slice(0, MAX_PACKAGES).map(([name, { count, first }]): PackageShare => {
      const newestFirst = first.toSorted((a, b) => compareWithBuild(b.version, a.version));
      const versions = [...new Set(newestFirst.map(({ version }) => printVersion(version)))];
      const share = { package: name, bundles: count, ofBundles: sizes.get(name) ?? count };
      return count <= MAX_VERSIONS ? { ...share, versions } : share;
    });
    return { bundles: this.#count, inPackages: this.#byPackage.size, packages };
  }
}

/** Counts the bundles that one constraint refuses. */
class Tally {
  readonly #constraint: NumberedConstraint;
  readonly #hides = new Group();
  #refuses = 0;
  #failures = 0;
  #failure: string | undefined;

  constructor(constraint: NumberedConstraint) {
    this.#constraint = constraint;
  }

  /** Does it refuse the bundle? Then it counts. */
  refuses(bundle: Bundle, match: RuntimeMatch, wasRefused: boolean): boolean {
    const verdict = match(this.#constraint.constraint, bundle.properties);
    if (isMet(verdict, this.#constraint)) return false;
    this.#refuses++;
    if (typeof verdict !== "boolean" && this.#failures++ === 0) this.#failure = verdict.message;
    if (!wasRefused) this.#hides.add(bundle);
    return true;
  }

  effect(sizes: ReadonlyMap<string, number>): ConstraintEffect {
    const { number, action, constraint, place } = this.#constraint;
    return given({
      number,
      action,
      constraint: outlineOf(constraint),
      place: place && plainPlace(place),
      refuses: this.#refuses,
      failures: this.#failures,
      failure: this.#failure,
      hides: this.#hides.summary(sizes),
    });
  }
}
