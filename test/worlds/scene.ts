// How is a small world written by hand? Everything that is not given is absent.

import type { Answer, Chosen } from "../../src/check/answer.ts";
import { CatalogBuilder, type CatalogIdentity } from "../../src/input/catalog/catalog-builder.ts";
import type { Catalog, Property } from "../../src/model/catalog.ts";
import type { JsonObject } from "../../src/model/json.ts";
import {
  DEFAULT_OPTIONS,
  type Installed,
  type Problem,
  type Request,
  type ResolveOptions,
} from "../../src/model/problem.ts";
import { readVersion } from "../../src/semver/version.ts";
import { bundle } from "../catalog/lantern-catalog.ts";
import { api } from "./demands.ts";

/** A problem with these parts. */
export function scene(parts: Partial<Problem>, options: Partial<ResolveOptions> = {}): Problem {
  return {
    namespace: "here",
    catalogs: [],
    unavailable: [],
    requests: [],
    installed: [],
    elsewhere: [],
    node: { properties: [] },
    runtime: { entries: [], problems: [] },
    targets: undefined,
    removed: [],
    gone: [],
    ...parts,
    options: { ...DEFAULT_OPTIONS, ...options },
  };
}

/** The bundles of a package by version, the newest last, each with what it has beside its identity. */
export type Versions = Readonly<Record<string, readonly Property[]>>;

/** A catalog of packages with one channel `stable`, in which each version replaces the one before. */
export function stocked(
  packages: Readonly<Record<string, Versions>>,
  identity: Partial<CatalogIdentity> = {},
  more: readonly JsonObject[] = [],
): Catalog {
  const builder = new CatalogBuilder({ name: "main", priority: 0, ...identity });
  const documents = Object.entries(packages).flatMap(([owner, versions]) => packageDocuments(owner, versions));
  for (const [index, document] of [...documents, ...more].entries())
    builder.add(document, { source: "main.yaml", line: index + 1, column: 1 });
  return builder.finish();
}

function packageDocuments(owner: string, versions: Versions): readonly JsonObject[] {
  const names = Object.keys(versions).map((version) => `${owner}.v${version}`);
  const entries = names.map((name, position) => {
    const replaces = names[position - 1];
    return replaces === undefined ? { name } : { name, replaces };
  });
  return [
    { schema: "olm.package", name: owner, defaultChannel: "stable" },
    { schema: "olm.channel", package: owner, name: "stable", entries },
    ...Object.entries(versions).map(([version, properties]) =>
      bundle(
        owner,
        version,
        properties.map(({ type, value }) => ({ type, value })),
      ),
    ),
  ];
}

/** An operator that runs, `package.vVERSION`, of that package. */
export function running(name: string, properties: readonly Property[] = [], more: Partial<Installed> = {}): Installed {
  const [owner = "", version = ""] = name.split(".v");
  return {
    namespace: "here",
    name,
    package: owner,
    version: readVersion(version),
    properties: [{ type: "olm.package", value: { packageName: owner, version } }, ...properties],
    minKubeVersion: undefined,
    installModes: [],
    hold: undefined,
    place: undefined,
    ...more,
  };
}

/** A request for a package; its id is `here/PACKAGE`. */
export function request(owner: string, more: Partial<Request> = {}): Request {
  return { id: `here/${owner}`, name: owner, priority: 0, package: owner, approval: "Automatic", ...more };
}

/** An answer by names: of operators, of bundles (`CATALOG/BUNDLE`), of packages whose requests are claimed to be satisfied. */
export function answer(
  { installed, catalogs }: Problem,
  kept: readonly string[],
  chosen: readonly string[],
  satisfied: readonly string[] = [],
): Answer {
  return {
    kept: kept.map((wanted) => installed.find(({ name }) => name === wanted) as Installed),
    chosen: chosen.map((id) => chosenBundle(catalogs, id)),
    satisfied: satisfied.map((owner) => `here/${owner}`),
  };
}

/** The bundle of an id, `CATALOG/BUNDLE`. */
export function chosenBundle(catalogs: readonly Catalog[], id: string): Chosen {
  const [name, wanted = ""] = id.split("/");
  for (const catalog of catalogs.filter((one) => one.name === name))
    for (const { bundles } of catalog.packages.values()) {
      const bundle = bundles.get(wanted);
      if (bundle !== undefined) return { catalog, bundle };
    }
  throw new Error(`the scene has no ${id}`);
}

/** Provides an API of this kind. */
export function provides(kind: string): Property {
  return { type: "olm.gvk", value: api(kind) };
}

/** Requires a provider of an API of this kind. */
export function needs(kind: string): Property {
  return { type: "olm.gvk.required", value: api(kind) };
}

/** Requires a package, by default at any version. */
export function needsPackage(packageName: string, versionRange = ">=0.0.0"): Property {
  return { type: "olm.package.required", value: { packageName, versionRange } };
}

/** Demands something in the form of `olm.constraint`. */
export function constraint(value: JsonObject): Property {
  return { type: "olm.constraint", value };
}

/** A leaf about an API of this kind. */
export function gvk(kind: string): JsonObject {
  return { gvk: api(kind) };
}
