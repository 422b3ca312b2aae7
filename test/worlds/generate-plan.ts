// What might be ahead of a namespace? Random worlds in which everything runs at an old version and much of it can move:
// packages that move in step with each other, pins, APIs that are dropped or pass to another package, dependencies that come
// and go, custom kinds whose versions come and go.

import { CatalogBuilder } from "../../src/input/catalog/catalog-builder.ts";
import type { Bundle, Catalog, Property } from "../../src/model/catalog.ts";
import { compareText, type JsonObject } from "../../src/model/json.ts";
import {
  type ClusterDefinition,
  DEFAULT_OPTIONS,
  type Installed,
  type Problem,
  type Request,
} from "../../src/model/problem.ts";
import { csvManifest, type KindDraft, manifestOf, manifestProperty, onCluster } from "./definitions.ts";
import { Dice } from "./dice.ts";
import { type KindStory, kindStory } from "./kind-story.ts";

const PACKAGES = ["anchor", "buoy", "cable", "davit"];
const KINDS = ["Lamp", "Rope", "Sail", "Tide"];

/** How a world is made. */
interface Script {
  readonly dice: Dice;
  readonly packages: readonly string[];
  /** The number of versions of each package. */
  readonly levels: number;
  /** The kind of each package, at each level. */
  readonly stories: readonly KindStory[];
  /** The owner of the kind of a package, at each level. */
  readonly owners: readonly (readonly number[])[];
  /** The kinds that each package brings as well, and how many levels ahead of itself. */
  readonly guests: readonly (readonly { readonly kind: number; readonly ahead: number }[])[];
  /** What each package demands, at each level. */
  readonly demands: readonly (readonly (readonly Demand[])[])[];
  readonly hasManifests: boolean;
}

interface Demand {
  readonly property: Property;
  /** The package that meets it. */
  readonly of: number;
}

/** The namespaces of a seed, one or two. */
export function generatePlanWorld(seed: number): readonly Problem[] {
  const dice = new Dice(seed);
  const script = write(dice);
  const catalog = catalogOf(script);
  const start = dice.chance(0.85) ? 0 : 1;
  const wanted = script.packages.map((_, owner) => owner).filter((owner) => owner === 0 || dice.chance(0.5));
  const here = needed(script, wanted, start);
  const isSplit = dice.chance(0.2) && here.length > 1;
  const namespaceOf = (owner: number): string => (isSplit && owner === here.at(-1) ? "there" : "here");
  const installed = here.map((owner) => running(script, catalog, owner, start, namespaceOf(owner)));
  const requests = here.flatMap((owner) => subscription(script, owner, start, !wanted.includes(owner), namespaceOf));
  const fresh = script.packages.flatMap((_, owner) =>
    !here.includes(owner) && dice.chance(0.25) ? subscription(script, owner, undefined, false, namespaceOf) : [],
  );
  const definitions = script.hasManifests ? clusterDefinitions(script, here, start) : undefined;
  const options = { ...DEFAULT_OPTIONS, installOptional: dice.chance(0.1) };
  return (isSplit ? ["here", "there"] : ["here"]).map((namespace) => ({
    namespace,
    catalogs: [catalog],
    unavailable: [],
    requests: [...requests, ...fresh]
      .filter(({ id }) => id.startsWith(`${namespace}/`))
      .sort((a, b) => b.priority - a.priority || compareText(a.id, b.id)),
    installed: installed.filter((one) => one.namespace === namespace).sort(byName),
    elsewhere: installed.filter((one) => one.namespace !== namespace).sort(byName),
    node: { properties: [] },
    runtime: { entries: [], problems: [] },
    targets: undefined,
    removed: [],
    gone: [],
    ...(definitions !== undefined && { definitions }),
    options,
  }));
}

function write(dice: Dice): Script {
  const packages = PACKAGES.slice(0, dice.between(2, 4));
  const levels = dice.between(2, packages.length === 4 ? 3 : 4);
  const hasManifests = dice.chance(0.5);
  const stories = packages.map((_, owner) => kindStory(dice, KINDS[owner] as string, levels, hasManifests));
  const owners = packages.map((_, owner) => ownersOf(dice, owner, packages.length, levels));
  const guests = packages.map((_, owner) =>
    hasManifests && dice.chance(0.25)
      ? [{ kind: (owner + dice.between(1, packages.length - 1)) % packages.length, ahead: dice.pick([-1, 0, 0, 1, 1]) }]
      : [],
  );
  const demands = packages.map(() => [] as (readonly Demand[])[]);
  const script: Script = { dice, packages, levels, stories, owners, guests, demands, hasManifests };
  for (const [owner, list] of demands.entries())
    for (let level = 0; level < levels; level++) {
      const earlier = list[level - 1] ?? [];
      const isAsBefore = level > 0 && dice.chance(0.3);
      list.push(isAsBefore ? earlier : dice.times(0, 2, () => someDemand(script, owner, level)).flat());
    }
  return script;
}

/** Mostly its own package; sometimes the kind passes to another one. */
function ownersOf(dice: Dice, owner: number, packages: number, levels: number): readonly number[] {
  const from = dice.chance(0.2) ? dice.between(1, levels - 1) : levels;
  const heir = (owner + dice.between(1, packages - 1)) % packages;
  return Array.from({ length: levels }, (_, level) => (level < from ? owner : heir));
}

/** A demand that is met by another package at about the same level. */
function someDemand({ dice, packages, stories, owners, levels }: Script, owner: number, level: number): Demand[] {
  const other = (owner + dice.between(1, packages.length - 1)) % packages.length;
  const about = Math.min(levels - 1, Math.max(0, level + dice.pick([0, 0, 0, 0, -1, 1])));
  const packageName = packages[other];
  const required = (versionRange: string): Demand[] => [
    {
      property: { type: "olm.package.required", value: { packageName: packageName as string, versionRange } },
      of: other,
    },
  ];
  switch (dice.between(0, 9)) {
    case 0:
    case 1:
      return required(versionOf(about));
    case 2:
      return required(`>=${versionOf(about)}`);
    case 3:
      return required(`<=${versionOf(about)}`);
    case 4: {
      const conflict = { package: { packageName: packageName as string, versionRange: `>${versionOf(about)}` } };
      const value = { none: { constraints: [conflict] } };
      return [{ property: { type: "olm.constraint", value }, of: owner }];
    }
    case 5: {
      const [api] = stories[other]?.apis(about) ?? [];
      if (api === undefined) return [];
      const value = { gvk: api, action: { id: "require", optional: true } };
      return [{ property: { type: "olm.constraint", value }, of: owner }];
    }
    default: {
      const apis = stories[other]?.apis(about) ?? [];
      const provider = owners[other]?.[about] as number;
      if (apis.length === 0 || provider === owner) return [];
      return [{ property: { type: "olm.gvk.required", value: dice.pick(apis) }, of: provider }];
    }
  }
}

function versionOf(level: number): string {
  return `1.${level}.0`;
}

function nameOf({ packages }: Script, owner: number, level: number): string {
  return `${packages[owner]}.v${versionOf(level)}`;
}

function catalogOf(script: Script): Catalog {
  const builder = new CatalogBuilder({ name: "main", namespace: "olm", priority: 0 });
  const documents = script.packages.flatMap((_, owner) => packageDocuments(script, owner));
  for (const [index, document] of documents.entries())
    builder.add(document, { source: "main.yaml", line: index + 1, column: 1 });
  return builder.finish();
}

function packageDocuments(script: Script, owner: number): readonly JsonObject[] {
  const { dice, packages, levels } = script;
  const all = Array.from({ length: levels }, (_, level) => level);
  const entries = all.map((level) => ({
    name: nameOf(script, owner, level),
    ...(level > 0 && { replaces: nameOf(script, owner, level - 1) }),
    ...(level > 1 && dice.chance(0.2) && { skipRange: `>=1.0.0 <${versionOf(level)}` }),
  }));
  const name = packages[owner] as string;
  return [
    { schema: "olm.package", name, defaultChannel: "stable" },
    { schema: "olm.channel", package: name, name: "stable", entries },
    ...all.map((level) => ({
      schema: "olm.bundle",
      package: name,
      name: nameOf(script, owner, level),
      image: `example.com/${name}:${versionOf(level)}`,
      properties: propertiesOf(script, owner, level).map(({ type, value }) => ({ type, value })),
    })),
  ];
}

function propertiesOf(script: Script, owner: number, level: number): readonly Property[] {
  const { packages, levels, stories, owners, guests, demands, hasManifests } = script;
  const own = stories.filter((_, kind) => owners[kind]?.[level] === owner);
  const drafts = own.map((story) => story.draft(level));
  const others = (guests[owner] ?? [])
    .filter(({ kind }) => owners[kind]?.[level] !== owner)
    .flatMap(({ kind, ahead }) => stories[kind]?.draft(Math.min(levels - 1, Math.max(0, level + ahead))) ?? []);
  const owned = drafts.flatMap((draft) =>
    draft.versions.filter(({ served }) => served).map(({ name }): readonly [KindDraft, string] => [draft, name]),
  );
  const manifests = [...[...drafts, ...others].map(manifestOf), csvManifest(nameOf(script, owner, level), owned)];
  return [
    { type: "olm.package", value: { packageName: packages[owner] as string, version: versionOf(level) } },
    ...own.flatMap((story) => story.apis(level).map((value) => ({ type: "olm.gvk", value }))),
    ...(demands[owner]?.[level] ?? []).map(({ property }) => property),
    ...(hasManifests ? manifests.map(manifestProperty) : []),
  ];
}

/** Packages, and all participants that meet a requirement of theirs. */
function needed({ demands }: Script, wanted: readonly number[], level: number): readonly number[] {
  const all = [...wanted];
  for (const owner of all) for (const { of } of demands[owner]?.[level] ?? []) if (!all.includes(of)) all.push(of);
  return all;
}

function running(script: Script, catalog: Catalog, owner: number, level: number, namespace: string): Installed {
  const { dice } = script;
  const name = nameOf(script, owner, level);
  const bundle = catalog.packages.get(script.packages[owner] as string)?.bundles.get(name) as Bundle;
  const own = script.stories.filter((_, kind) => script.owners[kind]?.[level] === owner);
  const owned = own.flatMap((story) => story.apis(level)).map((api) => `${api.group}/${api.version}/${api.kind}`);
  return {
    namespace,
    name,
    package: bundle.package,
    version: bundle.version,
    properties: bundle.properties,
    minKubeVersion: undefined,
    installModes: [],
    ...(script.hasManifests && { owned }),
    hold: dice.chance(0.05) ? { by: "condition", text: "not now" } : undefined,
    place: undefined,
  };
}

function subscription(
  script: Script,
  owner: number,
  level: number | undefined,
  isGenerated: boolean,
  namespaceOf: (owner: number) => string,
): readonly Request[] {
  const { dice, packages } = script;
  if (level !== undefined && !isGenerated && dice.chance(0.05)) return [];
  const name = isGenerated ? `${packages[owner]}-stable-main-olm` : `wish-${packages[owner]}`;
  const request: Request = {
    id: `${namespaceOf(owner)}/${name}`,
    name,
    priority: dice.pick([0, 0, 0, 1]),
    package: packages[owner] as string,
    catalog: { name: "main", namespace: "olm" },
    channel: "stable",
    approval: !isGenerated && dice.chance(0.08) ? "Manual" : "Automatic",
    ...(level !== undefined && { installed: nameOf(script, owner, level) }),
    ...(isGenerated && { isGenerated: true as const }),
  };
  return [request];
}

/** The kinds that the installed operators have brought, and sometimes one that was left behind. */
function clusterDefinitions(script: Script, here: readonly number[], level: number): readonly ClusterDefinition[] {
  const { dice, stories, owners, guests } = script;
  const isBrought = (kind: number): boolean =>
    here.includes(owners[kind]?.[level] as number) ||
    here.some((owner) => guests[owner]?.some((guest) => guest.kind === kind) === true);
  return stories
    .filter((_, kind) => isBrought(kind) || dice.chance(0.1))
    .map((story) => {
      const draft = story.draft(level);
      const storage = draft.versions.find((one) => one.storage)?.name as string;
      const names = draft.versions.map(({ name }) => name);
      const stored = [...new Set([...dice.some(names, 0.3), storage])];
      const served = draft.versions.filter((one) => one.served).map(({ name }) => name);
      const objects = dice.times(0, 2, () => ({ version: dice.pick(served), colour: dice.pick(["red", "blue"]) }));
      return onCluster(draft, stored, dice.chance(0.5) ? objects : undefined);
    })
    .sort((a, b) => compareText(a.definition.name, b.definition.name));
}

function byName(a: Installed, b: Installed): number {
  return compareText(a.name, b.name);
}
