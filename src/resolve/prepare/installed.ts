// What is a running operator to resolution? Its properties, package and version: as its bundle recorded them, or derived
// from what else is known (reference cases H01–H13).

import { gvkKey, type Property } from "../../model/catalog.ts";
import { type ApiDescription, type InstalledOperator, PROPERTIES_ANNOTATION } from "../../model/installed-operator.ts";
import { canonicalText, compareText, isObject, own } from "../../model/json.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { Installed } from "../../model/problem.ts";
import type { Subscription } from "../../model/subscription.ts";
import { parseTolerant } from "../../semver/tolerant.ts";
import { printVersion, type Version } from "../../semver/version.ts";
import type { PreparationWarning } from "./given.ts";

/** Gives the package that a name of an operator belongs to, where that is known from elsewhere. */
export type PackageOfName = (name: string) => string | undefined;

/** The operator, as far as its own object and those Subscriptions of its namespace tell that claim it. */
export function describeInstalled(
  operator: InstalledOperator,
  claims: readonly Subscription[],
  packageOfName: PackageOfName,
): Installed {
  const { namespace, name, place, minKubeVersion, installModes } = operator;
  const owned = operator.customResourceDefinitions.owned.map(gvkKey);
  const written = operator.version === undefined ? undefined : tolerantVersion(operator.version);
  if (operator.properties !== undefined) {
    const stated = statedPackage(operator.properties);
    return {
      namespace,
      name,
      package: stated?.name ?? packageOfName(name),
      version: written ?? stated?.version,
      properties: operator.properties,
      minKubeVersion,
      installModes,
      owned,
      hold: undefined,
      place,
    };
  }
  const owner = onlyPackage(claims) ?? packageOfName(name);
  const properties = derivedProperties(operator);
  if (owner !== undefined) {
    const version = written === undefined ? "" : printVersion(written);
    properties.push({ type: "olm.package", value: { packageName: owner, version } });
  }
  return {
    namespace,
    name,
    package: owner,
    version: written,
    properties,
    minKubeVersion,
    installModes,
    owned,
    hold: undefined,
    place,
  };
}

/** A warning if the properties of an operator are there but cannot be read (case H10). */
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

/** What an `olm.package` property says. */
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

/** The APIs that an operator provides, then those that it requires, each by value. */
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
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, property]) => property);
}
