// Which properties, package and version does an installed operator have? Those its bundle recorded, or derived ones
// (reference cases H01–H13).

import { type Catalog, gvkKey, type Property } from "../../model/catalog.ts";
import { type ApiDescription, type InstalledOperator, PROPERTIES_ANNOTATION } from "../../model/installed-operator.ts";
import { canonicalText, isObject, own } from "../../model/json.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { Installed } from "../../model/problem.ts";
import { sortedEntries } from "../../model/sorted.ts";
import type { Subscription } from "../../model/subscription.ts";
import { parseTolerant } from "../../semver/tolerant.ts";
import { printVersion, type Version } from "../../semver/version.ts";
import type { PreparationWarning } from "./problem-inputs.ts";

/** Returns the package of an operator name, if known. */
export type PackageOfName = (name: string) => string | undefined;

/** The operator, from its own object and the Subscriptions of its namespace that claim it. */
export function describeInstalled(
  operator: InstalledOperator,
  claims: readonly Subscription[],
  packageOfName: PackageOfName,
): Installed {
  const { namespace, name, place, minKubeVersion, installModes } = operator;
  const owned = operator.customResourceDefinitions.owned.map(gvkKey);
  const base = { namespace, name, minKubeVersion, installModes, owned, hold: undefined, place };
  const written = operator.version === undefined ? undefined : tolerantVersion(operator.version);
  if (operator.properties !== undefined) {
    const stated = statedPackage(operator.properties);
    const owner = stated?.name ?? packageOfName(name);
    return { ...base, package: owner, version: written ?? stated?.version, properties: operator.properties };
  }
  const owner = onlyPackage(claims) ?? packageOfName(name);
  const properties = derivedProperties(operator);
  if (owner !== undefined) {
    const version = written === undefined ? "" : printVersion(written);
    properties.push({ type: "olm.package", value: { packageName: owner, version } });
  }
  return { ...base, package: owner, version: written, properties };
}

/** A warning if an operator has properties that cannot be read (case H10). */
export function unreadableProperties(operator: InstalledOperator): PreparationWarning | undefined {
  if (operator.properties !== undefined || operator.propertiesText === undefined) return undefined;
  return {
    code: "unreadable-properties",
    operator: operator.name,
    place: plainPlace(inside(operator.place, "metadata", "annotations", PROPERTIES_ANNOTATION)),
  };
}

function tolerantVersion(text: string): Version | undefined {
  const version = parseTolerant(text);
  return typeof version === "string" ? undefined : version;
}

/** The value of an `olm.package` property. */
function statedPackage(properties: readonly Property[]): { name: string; version: Version | undefined } | undefined {
  for (const { type, value } of properties) {
    if (type !== "olm.package" || !isObject(value)) continue;
    const name = own(value, "packageName");
    const version = own(value, "version");
    if (typeof name === "string" && name !== "")
      return { name, version: typeof version === "string" ? tolerantVersion(version) : undefined };
  }
  return undefined;
}

/** The package that all claims agree on. */
function onlyPackage(claims: readonly Subscription[]): string | undefined {
  const [first] = claims;
  return claims.every((claim) => claim.package === first?.package) ? first?.package : undefined;
}

/** The APIs that an operator provides, then those it requires, sorted. */
function derivedProperties({ customResourceDefinitions, apiServices }: InstalledOperator): Property[] {
  return [
    ...apiProperties("olm.gvk", [...customResourceDefinitions.owned, ...apiServices.owned]),
    ...apiProperties("olm.gvk.required", [...customResourceDefinitions.required, ...apiServices.required]),
  ];
}

function apiProperties(type: string, apis: readonly ApiDescription[]): Property[] {
  const byText = new Map<string, Property>();
  for (const { group, version, kind } of apis) {
    const value = { group, version, kind };
    byText.set(canonicalText(value), { type, value });
  }
  return sortedEntries(byText).map(([, property]) => property);
}

/** The only package with a channel entry of a name, in all catalogs; the index is built on first use. */
export function packageOfName(catalogs: readonly Catalog[]): PackageOfName {
  let owners: ReadonlyMap<string, string | undefined> | undefined;
  return (name) => {
    owners ??= ownersOfEntries(catalogs);
    return owners.get(name);
  };
}

/** The package of each entry name; undefined if there are several. */
function ownersOfEntries(catalogs: readonly Catalog[]): ReadonlyMap<string, string | undefined> {
  const owners = new Map<string, string | undefined>();
  for (const catalog of catalogs)
    for (const one of catalog.packages.values())
      for (const channel of one.channels.values())
        for (const name of channel.entries.keys())
          owners.set(name, !owners.has(name) || owners.get(name) === one.name ? one.name : undefined);
  return owners;
}
