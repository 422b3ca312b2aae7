// What if the cluster has custom kinds? A small random world with CustomResourceDefinitions and objects of one to three of
// its kinds, and with bundles that bring these definitions changed. The world itself stays as it is.

import { readProblem } from "../../src/input/read-problem.ts";
import { gvkKey, type Property } from "../../src/model/catalog.ts";
import { customResourceOf, definitionOf } from "../../src/model/definition-of.ts";
import { compareText, type Json, type JsonObject } from "../../src/model/json.ts";
import { wholeSource } from "../../src/model/place.ts";
import type { ClusterDefinition, Installed, Problem, ResolveOptions } from "../../src/model/problem.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import { Dice } from "./dice.ts";
import { generateWorld } from "./generate.ts";

const GROUP = "example.com";
const PLACE = wholeSource("cluster.yaml");
const VERSIONS = ["v1", "v1beta1", "v1alpha1"];
const COLOURS = ["red", "blue", "green"];
/** The codes whose severity can be configured here; what each means is in docs/crd.md. */
const CODES = ["CRD101", "CRD102", "CRD103", "CRD104", "CRD106", "CRD108", "CRD109", "CRD202", "CRD203", "CRD301"];

/** One version of a kind. */
export interface VersionDraft {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

/** A kind, with one schema for all of its versions: an object has one of these colours, or perhaps none. */
export interface KindDraft {
  readonly kind: string;
  readonly plural: string;
  readonly scope: string;
  readonly versions: readonly VersionDraft[];
  readonly colours: readonly string[];
  readonly needsColour: boolean;
}

/** The world of a seed, with custom kinds. */
export function generateCrdWorld(seed: number): Problem {
  return withDefinitions(generateWorld(seed), 2 * seed + 1);
}

/** A world with custom kinds. */
export function withDefinitions(world: Problem, seed: number): Problem {
  const dice = new Dice(seed);
  const kinds = kindsOf(world);
  const chosen = kinds.length === 0 ? [] : dice.some(kinds, 0.7).slice(0, 3);
  const drafts = (chosen.length > 0 ? chosen : kinds.slice(0, 1)).map((kind) => kindDraft(dice, kind));
  const { catalogs } = read(withManifests(JSON.parse(saveProblem(world)) as JsonObject, drafts, dice));
  const others = drafts.flatMap((draft) => operatorsElsewhere(dice, draft, world));
  return {
    ...world,
    catalogs,
    installed: world.installed.map((one) => (dice.chance(0.5) ? requiring(dice, one, drafts) : one)),
    elsewhere: [
      ...world.elsewhere.map((one) => (dice.chance(0.3) ? requiring(dice, one, drafts) : one)),
      ...others,
    ].sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name)),
    definitions: drafts
      .map((draft) => clusterDefinition(dice, draft))
      .sort((a, b) => compareText(a.definition.name, b.definition.name)),
    options: { ...world.options, compat: world.options.compat && dice.chance(0.3), ...severities(dice) },
  };
}

/** The manifest of a definition. */
export function manifestOf({ kind, plural, scope, versions, colours, needsColour }: KindDraft): JsonObject {
  const spec = {
    type: "object",
    properties: { colour: { type: "string", enum: colours } },
    ...(needsColour && { required: ["colour"] }),
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { kind, plural },
      scope,
      versions: versions.map(({ name, served, storage }) => ({
        name,
        served,
        storage,
        schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
      })),
    },
  };
}

/** A manifest inside of a bundle. */
export function manifestProperty(manifest: JsonObject): { readonly type: string; readonly value: Json } {
  return { type: "olm.bundle.object", value: { data: Buffer.from(JSON.stringify(manifest)).toString("base64") } };
}

/** A ClusterServiceVersion that owns versions of kinds. */
export function csvManifest(name: string, owned: readonly (readonly [KindDraft, string])[]): JsonObject {
  const versions = owned.map(([{ kind, plural }, version]) => ({ name: `${plural}.${GROUP}`, version, kind }));
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name },
    spec: { customresourcedefinitions: { owned: versions } },
  };
}

/** A kind of the cluster; objects are named by their colours, each in a version. */
export function onCluster(
  draft: KindDraft,
  stored: readonly string[],
  objects: readonly { readonly version: string; readonly colour: string | undefined }[] | undefined,
): ClusterDefinition {
  const { kind } = draft;
  const definition = definitionOf({ ...manifestOf(draft), status: { storedVersions: stored } }, "v1", PLACE);
  return {
    definition,
    objects: objects?.map(({ version, colour }, index) => {
      const apiVersion = `${GROUP}/${version}`;
      const metadata = { name: `object-${index}`, namespace: "here" };
      const object = { apiVersion, kind, metadata, spec: colour === undefined ? {} : { colour } };
      return customResourceOf(object, apiVersion, kind, wholeSource(`object-${index}.yaml`));
    }),
  };
}

/** A version of a kind as a value of `olm.gvk` and `olm.gvk.required`. */
export function apiOf({ kind }: KindDraft, version: string): JsonObject {
  return { group: GROUP, version, kind };
}

/** The kinds that bundles provide. */
function kindsOf({ catalogs }: Problem): readonly string[] {
  const apis = catalogs.flatMap(({ providers }) => [...providers.keys()]);
  return [...new Set(apis.map((api) => api.split("/")[2] as string))].sort(compareText);
}

function kindDraft(dice: Dice, kind: string): KindDraft {
  const names = ["v1", ...dice.some(VERSIONS.slice(1), 0.6)];
  const storage = dice.pick(names);
  const versions = names.map((name) => ({ name, served: dice.chance(0.85), storage: name === storage }));
  const colours = dice.chance(0.5) ? COLOURS : COLOURS.slice(0, 2);
  return { kind, plural: `${kind.toLowerCase()}s`, scope: "Namespaced", versions, colours, needsColour: false };
}

function clusterDefinition(dice: Dice, draft: KindDraft): ClusterDefinition {
  const names = draft.versions.map(({ name }) => name);
  const storage = draft.versions.find((one) => one.storage)?.name as string;
  const stored = dice.chance(0.15) ? [] : [...new Set([storage, ...dice.some([...names, "v0"], 0.15)])];
  const served = draft.versions.filter((one) => one.served).map(({ name }) => name);
  const objects = dice.times(0, 2, () => ({
    version: dice.pick(served.length > 0 ? served : names),
    colour: dice.pick(["red", "red", "blue", "green", undefined, "mauve"]),
  }));
  return onCluster(draft, stored, dice.chance(0.5) ? objects : undefined);
}

/** What a bundle might make of a kind. */
function changed(dice: Dice, draft: KindDraft): KindDraft {
  const { versions } = draft;
  const one = dice.pick(versions).name;
  const left = versions.filter(({ name }) => name !== one);
  switch (dice.between(0, 12)) {
    case 0:
    case 1:
      return left.length === 0 ? draft : { ...draft, versions: stored(left, dice.pick(left).name) };
    case 2:
    case 3:
      return { ...draft, versions: stored(versions, one) };
    case 4:
      return { ...draft, versions: [...versions, { name: "v2", served: true, storage: false }] };
    case 5:
    case 6:
      return { ...draft, colours: draft.colours.slice(0, Math.max(1, draft.colours.length - 1)) };
    case 7:
      return { ...draft, needsColour: true };
    case 8:
      return dice.chance(0.5) ? { ...draft, scope: "Cluster" } : { ...draft, plural: `${draft.plural}es` };
    case 9:
      return dice.chance(0.3) ? { ...draft, versions: versions.map((v) => ({ ...v, storage: false })) } : draft;
    default:
      return { ...draft, versions: versions.map((v) => (v.name === one ? { ...v, served: false } : v)) };
  }
}

/** The same versions with storage in one of them. */
function stored(versions: readonly VersionDraft[], wanted: string): readonly VersionDraft[] {
  return versions.map((one) => ({ ...one, storage: one.name === wanted }));
}

/** A saved world with manifests in the bundles that provide a kind. */
function withManifests(saved: JsonObject, drafts: readonly KindDraft[], dice: Dice): JsonObject {
  const catalogs = (saved.catalogs as readonly JsonObject[]).map((catalog) => ({
    ...catalog,
    documents: (catalog.documents as readonly JsonObject[]).map(({ place, document }) => ({
      place,
      document: withManifest(document as JsonObject, drafts, dice),
    })),
  }));
  return { ...saved, catalogs } as JsonObject;
}

function withManifest(document: JsonObject, drafts: readonly KindDraft[], dice: Dice): JsonObject {
  if (document.schema !== "olm.bundle") return document;
  const properties = document.properties as readonly { readonly type: string; readonly value: JsonObject }[];
  const provided = new Set(properties.flatMap(({ type, value }) => (type === "olm.gvk" ? [value.kind] : [])));
  const owned: (readonly [KindDraft, string])[] = [];
  const more = drafts.flatMap((before) => {
    // Another package may provide another version of a kind.
    const isSecond = !provided.has(before.kind) && dice.chance(0.12);
    if (!provided.has(before.kind) && !isSecond) return [];
    if (dice.chance(0.1)) return [];
    let draft = before;
    for (const _ of dice.times(0, 2, () => undefined)) draft = changed(dice, draft);
    const served = draft.versions.filter((one) => one.served).map(({ name }) => name);
    const others = isSecond
      ? ["v1beta1"]
      : dice.some(
          served.filter((name) => name !== "v1"),
          0.5,
        );
    owned.push(...(dice.chance(0.85) ? served : dice.some(VERSIONS, 0.5)).map((version) => [draft, version] as const));
    return [
      ...others.map((version) => ({ type: "olm.gvk", value: apiOf(draft, version) })),
      manifestProperty(manifestOf(draft)),
    ];
  });
  const needed = drafts.length > 0 && dice.chance(0.15) ? [requirement(dice, drafts)] : [];
  const csv = dice.chance(0.3) ? [manifestProperty(csvManifest(document.name as string, owned))] : [];
  return {
    ...document,
    properties: [...properties, ...more, ...needed, ...csv].map(({ type, value }) => ({ type, value })),
  };
}

function read(saved: JsonObject): Problem {
  const { problem, findings } = readProblem(JSON.stringify(saved), "world.json");
  if (problem === undefined) throw new Error(findings[0]?.message);
  return problem;
}

/** The same operator, which requires something more. */
function requiring(dice: Dice, installed: Installed, drafts: readonly KindDraft[]): Installed {
  if (drafts.length === 0) return installed;
  return { ...installed, properties: [...installed.properties, requirement(dice, drafts)] };
}

/** A requirement of versions of kinds: one, more, or only optionally. */
function requirement(dice: Dice, drafts: readonly KindDraft[]): Property {
  const needed = (): JsonObject => apiOf(dice.pick(drafts), dice.pick(["v1", ...VERSIONS]));
  switch (dice.between(0, 8)) {
    case 0:
      return { type: "olm.constraint", value: { gvk: needed() } };
    case 1:
      return { type: "olm.constraint", value: { all: { constraints: [{ gvk: needed() }, { gvk: needed() }] } } };
    case 2:
      return { type: "olm.constraint", value: { any: { constraints: [{ gvk: needed() }, { gvk: needed() }] } } };
    case 3:
      return { type: "olm.constraint", value: { gvk: needed(), action: { id: "require", optional: true } } };
    case 4:
      return { type: "olm.constraint", value: { none: { constraints: [{ gvk: needed() }] } } };
    default:
      return { type: "olm.gvk.required", value: needed() };
  }
}

/** Operators of other namespaces that own a kind, most often of a package that has it here, or require it. */
function operatorsElsewhere(dice: Dice, draft: KindDraft, { catalogs }: Problem): readonly Installed[] {
  if (!dice.chance(0.5)) return [];
  const owners = catalogs.flatMap(({ providers }) =>
    (providers.get(gvkKey({ group: GROUP, version: "v1", kind: draft.kind })) ?? []).map((bundle) => bundle.package),
  );
  const version = dice.pick(VERSIONS);
  const api = apiOf(draft, version);
  const isOwner = dice.chance(0.7);
  const isDeclared = dice.chance(0.6);
  const owner = owners.length > 0 && dice.chance(0.8) ? dice.pick(owners) : undefined;
  const owned = [gvkKey({ group: GROUP, version, kind: draft.kind })];
  return [
    {
      namespace: dice.pick(["far", "there"]),
      name: `${owner ?? "stranger"}-${draft.kind.toLowerCase()}.v0.9.0`,
      package: owner,
      version: undefined,
      properties: isOwner
        ? isDeclared
          ? []
          : [{ type: "olm.gvk", value: api }]
        : [{ type: "olm.gvk.required", value: api }],
      minKubeVersion: undefined,
      installModes: [],
      ...(isDeclared && { owned: isOwner ? owned : [] }),
      hold: undefined,
      place: undefined,
    },
  ];
}

function severities(dice: Dice): Pick<ResolveOptions, "crdSeverities"> {
  if (dice.chance(0.75)) return {};
  const chosen = dice.times(1, 2, () => [dice.pick(CODES), dice.pick(["error", "warning", "info", "off"] as const)]);
  return { crdSeverities: Object.fromEntries(chosen) };
}
