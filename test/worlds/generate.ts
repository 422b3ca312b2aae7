// What might a namespace look like? Small random worlds with everything that resolution supports, small enough that every
// possible answer can be tried (brute-force.ts). A seed always makes the same world.

import { bundleFacts } from "../../src/constraint/bundle-facts.ts";
import type { Bundle, Catalog, Property } from "../../src/model/catalog.ts";
import { finding } from "../../src/model/finding.ts";
import { compareText } from "../../src/model/json.ts";
import { wholeSource } from "../../src/model/place.ts";
import {
  type CatalogName,
  DEFAULT_OPTIONS,
  type Installed,
  type Problem,
  type Request,
  type ResolveOptions,
  type RuntimeConstraints,
  type TargetNamespaces,
  type UnavailableCatalog,
} from "../../src/model/problem.ts";
import { parseRange, type Range } from "../../src/semver/blang-range.ts";
import { api, demand, runtimeDemand, tier, type Vocabulary } from "./demands.ts";
import { Dice } from "./dice.ts";
import { catalog, offer } from "./stock.ts";

const PACKAGES = ["anchor", "buoy", "cable", "davit", "ensign"];
const KINDS = ["Lamp", "Rope", "Sail", "Tide", "Wake", "Yard"];
const NAMESPACE = "here";
const MAX_BUNDLES = 10;

/** The world of a seed. */
export function generateWorld(seed: number): Problem {
  const dice = new Dice(seed);
  const options = someOptions(dice);
  const words = vocabulary(dice, options);
  const catalogs = generateCatalogs(dice, words);
  const offered = catalogs.flatMap(bundlesOf);
  const unavailable = dice.chance(0.12) ? [unavailableCatalog(dice)] : [];
  const removed = dice.chance(0.08) ? [dice.pick(words.packages)] : [];
  const running = operators(dice, 0, words.style === "deep" ? 2 : 4, NAMESPACE, offered, words);
  const isGone = (one: Installed): boolean => one.package !== undefined && removed.includes(one.package);
  const installed = running.filter((one) => !isGone(one));
  const requests = generateRequests(dice, words, catalogs, unavailable, installed);
  return {
    namespace: NAMESPACE,
    catalogs,
    unavailable,
    requests: requests.filter((request) => !removed.includes(request.package)),
    installed,
    elsewhere: dice.chance(0.4) ? operators(dice, 1, 2, "there", offered, words) : [],
    node: { properties: nodeProperties(dice, words) },
    runtime: runtimeConstraints(dice, words),
    targets: targets(dice),
    removed,
    gone: running.filter(isGone),
    options,
  };
}

function vocabulary(dice: Dice, { compat }: ResolveOptions): Vocabulary {
  const style = dice.chance(0.35) ? "deep" : dice.chance(compat ? 0.1 : 0.5) ? "rough" : "tame";
  const packages = PACKAGES.slice(0, dice.between(style === "deep" ? 3 : 2, 5));
  const kinds = { tame: packages.length, rough: dice.between(2, 6), deep: packages.length - 1 }[style];
  return { packages, kinds: KINDS.slice(0, kinds), style };
}

function bundlesOf({ packages }: Catalog): readonly Bundle[] {
  return [...packages.values()].flatMap(({ bundles }) => [...bundles.values()]);
}

function generateCatalogs(dice: Dice, words: Vocabulary): readonly Catalog[] {
  if (dice.chance(0.6)) return [catalog(dice, rank(dice, "main"), offer(dice, words.packages, MAX_BUNDLES), words)];
  const first = dice.some(words.packages, 0.8);
  const second = dice.some(words.packages, 0.5);
  return [
    catalog(dice, rank(dice, "main"), offer(dice, first, MAX_BUNDLES - 4), words),
    catalog(dice, rank(dice, "other"), offer(dice, second, 4), words),
  ].sort((a, b) => compareText(a.namespace ?? "", b.namespace ?? "") || compareText(a.name, b.name));
}

function rank(dice: Dice, name: string): { name: string; namespace?: string; priority: number } {
  const namespace = dice.pick([undefined, NAMESPACE, "olm"]);
  return { name, priority: dice.pick([0, 0, 0, 1, -1]), ...(namespace !== undefined && { namespace }) };
}

function unavailableCatalog(dice: Dice): UnavailableCatalog {
  const name = dice.pick(["lost", "next", "zone"]);
  return { ...rank(dice, name), reason: "it does not answer" };
}

/** Operators that run in a namespace, by name; except in a rough world one of each package, mostly the oldest. */
function operators(
  dice: Dice,
  least: number,
  most: number,
  namespace: string,
  offered: readonly Bundle[],
  words: Vocabulary,
): readonly Installed[] {
  const byName = new Map<string, Installed>();
  const packages = new Set<string>();
  for (const _ of dice.times(least, most, () => undefined)) {
    let bundle = offered.length > 0 && dice.chance(0.92) ? dice.pick(offered) : undefined;
    if (bundle !== undefined && words.style !== "rough") {
      const owner = bundle.package;
      if (packages.has(owner)) continue;
      if (dice.chance(0.7)) bundle = offered.find((one) => one.package === owner);
    }
    const one = operator(dice, namespace, bundle, words);
    byName.set(one.name, one);
    packages.add(bundle?.package ?? "");
  }
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name));
}

/** An operator that runs: from a catalog, or changed since, or from nowhere. */
function operator(dice: Dice, namespace: string, bundle: Bundle | undefined, words: Vocabulary): Installed {
  const changed = words.style === "rough" ? 0.15 : 0.04;
  const more = [
    ...(dice.chance(changed) ? [demand(dice, words)] : []),
    ...(dice.chance(changed) ? [{ type: "olm.gvk", value: api(dice.pick(words.kinds)) }] : []),
  ];
  const properties = [...(bundle?.properties ?? [{ type: "tier", value: tier(dice) }]), ...more];
  const { minKubeVersion, installModes } = bundleFacts(properties);
  const isHeld = dice.chance(0.08);
  return {
    namespace,
    name: bundle?.name ?? dice.pick(["driftwood.v1.0.0", "flotsam.v1.0.0"]),
    package: bundle !== undefined && dice.chance(0.94) ? bundle.package : undefined,
    version: bundle?.version,
    properties,
    minKubeVersion,
    installModes: installModes ?? [],
    hold: isHeld ? { by: dice.pick(["condition", "flag"]), text: "not now" } : undefined,
    place: undefined,
  };
}

type NewRequest = Omit<Request, "id" | "name">;

function generateRequests(
  dice: Dice,
  words: Vocabulary,
  catalogs: readonly Catalog[],
  unavailable: readonly UnavailableCatalog[],
  installed: readonly Installed[],
): readonly Request[] {
  const newRequest = (owner: string): NewRequest => randomRequest(dice, owner, catalogs, unavailable);
  const wanted: NewRequest[] = [];
  for (const one of installed) {
    const owner = one.package !== undefined && dice.chance(0.95) ? one.package : dice.pick(words.packages);
    if (dice.chance(0.8)) wanted.push({ ...newRequest(owner), installed: one.name });
    if (dice.chance(0.04)) wanted.push({ ...newRequest(owner), installed: one.name });
  }
  const fresh = words.packages.filter((name) => !installed.some((one) => one.package === name));
  for (const owner of dice.times(words.style === "deep" ? 1 : 0, words.style === "deep" ? 2 : 3, () =>
    dice.pick(fresh.length > 0 && dice.chance(0.8) ? fresh : words.packages),
  )) {
    const bundles = catalogs.flatMap(({ packages }) => [...(packages.get(owner)?.bundles.keys() ?? [])]);
    const startingCSV = bundles.length > 0 && dice.chance(0.12) ? dice.pick(bundles) : undefined;
    const range = startingCSV === undefined && dice.chance(0.15) ? someRange(dice) : undefined;
    wanted.push({ ...newRequest(owner), startingCSV, range });
  }
  return wanted
    .map((one, position): Request => ({ ...one, name: `wish-${position}`, id: `${NAMESPACE}/wish-${position}` }))
    .sort((a, b) => b.priority - a.priority || compareText(a.id, b.id));
}

function randomRequest(
  dice: Dice,
  owner: string,
  catalogs: readonly Catalog[],
  unavailable: readonly UnavailableCatalog[],
): NewRequest {
  const withIt = catalogs.filter(({ packages }) => packages.has(owner));
  const sources: readonly CatalogName[] = dice.chance(0.8) ? withIt : [...catalogs, ...unavailable];
  const catalog = sources.length > 0 && dice.chance(0.6) ? dice.pick(sources) : undefined;
  return {
    package: owner,
    priority: dice.pick([0, 0, 0, 1, -1]),
    catalog: catalog && { name: catalog.name, namespace: catalog.namespace },
    channel: dice.pick([undefined, undefined, undefined, undefined, "stable", "stable", "stable", "fast"]),
    approval: dice.chance(0.15) ? "Manual" : "Automatic",
  };
}

function someRange(dice: Dice): Range {
  return parseRange(dice.pick(["1.1.0", ">=1.1.0", "<2.0.0", "1.0.0 || 2.0.0"])) as Range;
}

function nodeProperties(dice: Dice, { kinds }: Vocabulary): readonly Property[] {
  return [
    ...(dice.chance(0.6) ? [{ type: "kubernetes.version", value: dice.pick(["1.28.3", "v1.31.0-gke.100"]) }] : []),
    ...(dice.chance(0.3) ? [{ type: "openshift.version", value: "4.14.2" }] : []),
    ...(dice.chance(0.2) ? [{ type: "olm.gvk", value: api(dice.pick(kinds)) }] : []),
    ...(dice.chance(0.2) ? [{ type: "tier", value: tier(dice) }] : []),
  ];
}

function runtimeConstraints(dice: Dice, words: Vocabulary): RuntimeConstraints {
  const entries = dice.chance(0.15)
    ? dice.times(1, 2, () => ({ property: runtimeDemand(dice, words), place: undefined }))
    : [];
  const unreadable = finding("PL009", wholeSource("runtime.yaml"), { message: "the list is not a list" });
  return { entries, problems: dice.chance(0.02) ? [unreadable] : [] };
}

function targets(dice: Dice): TargetNamespaces | undefined {
  if (dice.chance(0.5)) return undefined;
  const names = dice.pick([[], [NAMESPACE], ["there"], [NAMESPACE, "there"]]);
  return { all: names.length === 0, names };
}

function someOptions(dice: Dice): ResolveOptions {
  return {
    ...DEFAULT_OPTIONS,
    compat: dice.chance(0.15),
    ...(dice.chance(0.1) && { compoundScope: dice.pick(["solution", "bundle"] as const) }),
    compoundConstraints: !dice.chance(0.07),
    installOptional: dice.chance(0.2),
    allOrNothing: dice.chance(0.04),
    ignoreUnavailable: dice.chance(0.3),
  };
}
