// What might a busy namespace look like? Random worlds that are too large to try everything: many packages with many
// versions that need each other within ranges, so that choices conflict. A seed always makes the same world.

import { bundleFacts } from "../../src/constraint/bundle-facts.ts";
import { CatalogBuilder } from "../../src/input/catalog/catalog-builder.ts";
import type { Bundle, Catalog, Property } from "../../src/model/catalog.ts";
import { compareText, type JsonObject } from "../../src/model/json.ts";
import {
  DEFAULT_OPTIONS,
  type Installed,
  type Problem,
  type Request,
  type ResolveOptions,
  type UnavailableCatalog,
} from "../../src/model/problem.ts";
import { parseRange, type Range } from "../../src/semver/blang-range.ts";
import { api, demand, runtimeDemand, type Vocabulary } from "../worlds/demands.ts";
import { Dice } from "../worlds/dice.ts";
import { bundleName, properties } from "../worlds/stock.ts";

/** How large a world may be. */
export interface Size {
  readonly packages: readonly [least: number, most: number];
  readonly versions: readonly [least: number, most: number];
}

const VERSIONS: readonly string[] = [
  "1.0.0",
  "1.1.0",
  "1.2.0",
  "2.0.0",
  "2.1.0",
  "2.2.0",
  "3.0.0",
  "3.1.0",
  "4.0.0",
  "5.0.0",
];
const NAMESPACE = "here";
/** So far away at most, in the list of packages, is what a package needs. */
const REACH = 9;

/** What all packages of a world have in common. */
interface Plan {
  readonly dice: Dice;
  readonly words: Vocabulary;
  readonly size: Size;
  readonly arrange: Arrange;
  /** How often a version needs what its package needs. */
  readonly demanding: number;
  /** The probability of a requirement of any kind. */
  readonly wild: number;
}

/** Puts the documents of a catalog into another order. */
export type Arrange = (documents: readonly JsonObject[]) => readonly JsonObject[];

/** The world of a seed. */
export function generateLargeWorld(seed: number, size: Size, arrange: Arrange = (documents) => documents): Problem {
  const dice = new Dice(seed);
  const names = Array.from(
    { length: dice.between(...size.packages) },
    (_, index) => `ship-${String(index).padStart(3, "0")}`,
  );
  const kinds = Array.from(
    { length: Math.ceil(names.length * dice.pick([0.4, 0.7, 1])) },
    (_, index) => `Kind${index}`,
  );
  const words: Vocabulary = { packages: names, kinds, style: dice.pick(["tame", "tame", "deep"]) };
  const plan: Plan = {
    dice,
    words,
    size,
    arrange,
    demanding: dice.pick([0.3, 0.5, 0.7, 0.9]),
    wild: dice.pick([0, 0.1, 0.3]),
  };
  const options = someOptions(dice);
  const catalogs = someCatalogs(plan);
  const offered = catalogs.flatMap(({ packages }) =>
    [...packages.values()].map(({ bundles }) => [...bundles.values()]),
  );
  const unavailable = dice.chance(0.1) ? [lost(dice)] : [];
  const removed = dice.chance(0.08) ? [dice.pick(names)] : [];
  const isStrict = options.compat && dice.chance(0.8);
  const running = operators(plan, dice.between(3, 8), NAMESPACE, offered, isStrict);
  const isGone = (one: Installed): boolean => one.package !== undefined && removed.includes(one.package);
  const installed = running.filter((one) => !isGone(one));
  return {
    namespace: NAMESPACE,
    catalogs,
    unavailable,
    requests: someRequests(plan, catalogs, installed).filter((request) => !removed.includes(request.package)),
    installed,
    elsewhere: dice.chance(0.5) ? operators(plan, dice.between(1, 4), "there", offered, isStrict) : [],
    node: { properties: nodeProperties(plan) },
    runtime: {
      entries: dice.chance(0.15) ? [{ property: runtimeDemand(dice, words), place: undefined }] : [],
      problems: [],
    },
    targets: dice.pick([undefined, undefined, { all: true, names: [] }, { all: false, names: [NAMESPACE] }]),
    removed,
    gone: running.filter(isGone),
    options,
  };
}

function someOptions(dice: Dice): ResolveOptions {
  return {
    ...DEFAULT_OPTIONS,
    compat: dice.chance(0.1),
    ...(dice.chance(0.1) && { compoundScope: dice.pick(["solution", "bundle"] as const) }),
    compoundConstraints: !dice.chance(0.05),
    installOptional: dice.chance(0.25),
    ignoreUnavailable: dice.chance(0.3),
  };
}

function someCatalogs(plan: Plan): readonly Catalog[] {
  const { dice, words } = plan;
  const main = someCatalog(plan, "main", dice.pick([0, 0, 1]), words.packages);
  if (dice.chance(0.6)) return [main];
  return [main, someCatalog(plan, "other", dice.pick([0, 0, 1]), dice.some(words.packages, 0.3))];
}

function someCatalog(plan: Plan, name: string, priority: number, owners: readonly string[]): Catalog {
  const builder = new CatalogBuilder({ name, priority });
  const documents = plan.arrange(owners.flatMap((owner) => packageDocuments(plan, owner)));
  for (const [index, document] of documents.entries())
    builder.add(document, { source: `${name}.yaml`, line: index + 1, column: 1 });
  return builder.finish();
}

function packageDocuments(plan: Plan, owner: string): readonly JsonObject[] {
  const { dice, words, size } = plan;
  const count = dice.between(...size.versions);
  const first = dice.between(0, VERSIONS.length - count);
  const versions = VERSIONS.slice(first, first + count);
  const position = words.packages.indexOf(owner);
  const kind = words.kinds[position % words.kinds.length];
  const neighbour = (): number => (position + dice.between(1, REACH)) % words.packages.length;
  const partners = dice.times(0, 3, () => ({ isApi: dice.chance(0.5), index: neighbour() }));
  const isFast = dice.chance(0.3);
  const channels = [channel(dice, owner, "stable", versions)];
  if (isFast) channels.push(channel(dice, owner, "fast", versions.slice(dice.between(0, versions.length - 1))));
  return [
    { schema: "olm.package", name: owner, defaultChannel: isFast && dice.chance(0.4) ? "fast" : "stable" },
    ...channels,
    ...versions.map((version) => {
      const needed = dice.some(partners, plan.demanding).map(({ isApi, index }) => need(plan, isApi, index));
      const more = dice.chance(plan.wild) ? [demand(dice, words)] : [];
      const own = properties(dice, owner, version, kind, words).filter(
        ({ type }) => dice.chance(plan.wild + 0.1) || !DEMANDS.test(type),
      );
      return {
        schema: "olm.bundle",
        package: owner,
        name: bundleName(owner, version),
        image: `example.com/${owner}:${version}`,
        properties: [...own, ...needed, ...more].map(({ type, value }) => ({ type, value })),
      };
    }),
  ];
}

const DEMANDS = /^olm\.(?:constraint|.*\.required)/;

/** Requires a neighbour: its API, or its package at some of its versions. */
function need({ dice, words }: Plan, isApi: boolean, index: number): Property {
  const kind = api(words.kinds[index % words.kinds.length] as string);
  const packageName = words.packages[index] as string;
  const oldest = dice.between(0, 6);
  const newest = dice.between(oldest, VERSIONS.length - 1);
  const versionRange = dice.chance(0.3) ? ">=0.0.0" : `>=${VERSIONS[oldest]} <=${VERSIONS[newest]}`;
  const owner = { packageName, versionRange };
  switch (dice.between(0, 9)) {
    case 0:
      return { type: "olm.constraint", value: { any: { constraints: [{ gvk: kind }, { package: owner }] } } };
    case 1:
      return { type: "olm.constraint", value: { package: owner, action: { id: "conflict" } } };
    case 2:
      return { type: "olm.constraint", value: { gvk: kind, action: { id: "require", optional: true } } };
    default:
      return isApi ? { type: "olm.gvk.required", value: kind } : { type: "olm.package.required", value: owner };
  }
}

function channel(dice: Dice, owner: string, name: string, versions: readonly string[]): JsonObject {
  const newestFirst = versions.toReversed();
  const skipped = newestFirst.filter((_, position) => position > 0 && dice.chance(0.1));
  const chain = newestFirst.filter((version) => !skipped.includes(version));
  const entries = chain.map((version, position): JsonObject => {
    const older = chain[position + 1];
    return {
      name: bundleName(owner, version),
      ...(older !== undefined && { replaces: bundleName(owner, older) }),
      ...(position === 0 && skipped.length > 0 && { skips: skipped.map((one) => bundleName(owner, one)) }),
      ...(dice.chance(0.6) && { skipRange: dice.pick([`<${version}`, `>=1.0.0 <${version}`, ">=2.0.0 <3.0.0"]) }),
    };
  });
  const leftOut = skipped.map((version) => ({ name: bundleName(owner, version) }));
  return { schema: "olm.channel", package: owner, name, entries: [...entries, ...leftOut] };
}

/** Operators that run in a namespace, by name; those of a strict world are few and need nothing, or it would be stuck. */
function operators(
  { dice, words, wild }: Plan,
  count: number,
  namespace: string,
  offered: readonly (readonly Bundle[])[],
  isStrict: boolean,
): readonly Installed[] {
  const byName = new Map<string, Installed>();
  const owners = new Set<string>();
  for (let left = count; left > 0; left--) {
    const versions = dice.pick(offered);
    const bundle = dice.chance(0.5) ? (versions[0] as Bundle) : dice.pick(versions);
    if (owners.has(bundle.package) && (isStrict || dice.chance(0.9))) continue;
    owners.add(bundle.package);
    const more = dice.chance(wild / 3) ? [demand(dice, words)] : [];
    const all = [...bundle.properties, ...more];
    const kept = isStrict ? all.filter(({ type }) => type === "olm.package") : all;
    const { minKubeVersion, installModes } = bundleFacts(kept);
    byName.set(bundle.name, {
      namespace,
      name: bundle.name,
      package: dice.chance(0.96) ? bundle.package : undefined,
      version: bundle.version,
      properties: kept,
      minKubeVersion,
      installModes: installModes ?? [],
      hold: dice.chance(0.08) ? { by: "flag", text: "not now" } : undefined,
      place: undefined,
    });
  }
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name));
}

function someRequests(
  { dice, words }: Plan,
  catalogs: readonly Catalog[],
  installed: readonly Installed[],
): readonly Request[] {
  const newRequest = (owner: string): Omit<Request, "id" | "name"> => {
    const having = dice.chance(0.95) ? catalogs.filter(({ packages }) => packages.has(owner)) : catalogs;
    const catalog = dice.chance(0.4) ? dice.pick(having) : undefined;
    const channels = having.flatMap(({ packages }) => [...(packages.get(owner)?.channels.keys() ?? [])]);
    return {
      package: owner,
      priority: dice.pick([0, 0, 1, -1]),
      catalog: catalog && { name: catalog.name, namespace: catalog.namespace },
      channel: dice.pick([undefined, undefined, ...channels]),
      approval: "Automatic",
    };
  };
  const claiming = installed
    .filter(() => dice.chance(0.85))
    .map((one) => ({ ...newRequest(one.package ?? dice.pick(words.packages)), installed: one.name }));
  const start = dice.between(0, words.packages.length - 1);
  const fresh = dice.times(2, 7, () => {
    const near = words.packages[(start + dice.between(0, 2 * REACH)) % words.packages.length] as string;
    const bundles = catalogs.flatMap(({ packages }) => [...(packages.get(near)?.bundles.keys() ?? [])]);
    if (dice.chance(0.1)) return { ...newRequest(near), startingCSV: dice.pick(bundles) };
    const range = dice.chance(0.2) ? (parseRange(dice.pick(["<3.0.0", ">=1.2.0", "2.0.0"])) as Range) : undefined;
    return { ...newRequest(near), range };
  });
  return [...claiming, ...fresh]
    .map((one, position): Request => ({ ...one, name: `wish-${position}`, id: `${NAMESPACE}/wish-${position}` }))
    .sort((a, b) => b.priority - a.priority || compareText(a.id, b.id));
}

function nodeProperties({ dice, words }: Plan): readonly Property[] {
  return [
    ...(dice.chance(0.6) ? [{ type: "kubernetes.version", value: "1.29.3" }] : []),
    ...(dice.chance(0.3) ? [{ type: "openshift.version", value: "4.14.2" }] : []),
    ...(dice.chance(0.3) ? [{ type: "olm.gvk", value: api(dice.pick(words.kinds)) }] : []),
  ];
}

function lost(dice: Dice): UnavailableCatalog {
  return { name: dice.pick(["lost", "nowhere"]), priority: dice.pick([0, 0, 1, -1]), reason: "it does not answer" };
}
