// What would OLM v1 choose for a ClusterExtension? Its resolver as a pure function: each ClusterExtension alone, the
// highest version that passes its filters, and an error where it gives up (reference cases O01–O21).

import type { Bundle, Catalog, ChannelEntry, Package } from "../../model/catalog.ts";
import { compareText } from "../../model/json.ts";
import type { ExtensionTerms, Installed, MalformedField, Request } from "../../model/problem.ts";
import { type EdgeKind, edgeFrom } from "../../rule/upgrade-edge.ts";
import { compareVersions, compareWithBuild, printVersion, type Version } from "../../semver/version.ts";
import { isAllowed, rangeTextOf } from "../extension-candidates.ts";

/** Why OLM v1 does not resolve a ClusterExtension. */
export type OlmV1Refusal =
  /** The range, the selector or the policy cannot be read. */
  | ({ readonly kind: "malformed" } & MalformedField)
  /** Nothing passes the filters. */
  | ({ readonly kind: "no-bundles" } & OlmV1Filters)
  /** The best bundles of several catalogs with the highest priority; sorted names. */
  | ({ readonly kind: "several-catalogs"; readonly catalogs: readonly string[] } & OlmV1Filters)
  /** The chosen bundle has dependencies; no other one is tried. */
  | { readonly kind: "dependency"; readonly bundle: string; readonly properties: readonly string[] };

/** The filters of a ClusterExtension, as an error repeats them. */
export interface OlmV1Filters {
  readonly package: string;
  readonly version?: string | undefined;
  readonly channels: readonly string[];
  /** The version that it would update. */
  readonly installed?: string | undefined;
}

/** A bundle that OLM v1 chooses. */
export interface OlmV1Choice {
  readonly kind: "chosen";
  readonly catalog: Catalog;
  readonly bundle: Bundle;
  /** The first channel, by name, that has it and passes the filters; empty if it is in none. */
  readonly channel: string;
  readonly edge?: EdgeKind | undefined;
  /** A higher version passes the filters, but is deprecated or in a catalog of lower priority. */
  readonly isNotNewest?: true | undefined;
}

/** What OLM v1 does about a ClusterExtension. `catalogs` are those that its selector matches. */
export function chooseAsOlmV1(
  request: Request,
  installed: Installed | undefined,
  catalogs: readonly Catalog[],
): OlmV1Choice | OlmV1Refusal {
  const terms = request.extension as ExtensionTerms;
  if (terms.malformed !== undefined) return { kind: "malformed", ...terms.malformed };
  const filters: OlmV1Filters = {
    package: request.package,
    ...versionOf(request),
    channels: terms.channels,
    ...(installed?.version !== undefined && { installed: printVersion(installed.version) }),
  };
  const suitable = catalogs.map((catalog) => suitableIn(catalog, request, terms, installed));
  const found = suitable.flatMap(([best]) => best ?? []);
  // A bundle that is not deprecated wins over those of all catalogs that are; then priority decides.
  const fresh = found.filter(({ isDeprecated }) => !isDeprecated);
  const equal = fresh.length > 0 ? fresh : found;
  const priority = Math.max(...equal.map(({ catalog }) => catalog.priority));
  const [first, ...others] = equal.filter(({ catalog }) => catalog.priority === priority);
  if (first === undefined) return { kind: "no-bundles", ...filters };
  if (others.length > 0) {
    const names = [first, ...others].map(({ catalog }) => catalog.name).sort(compareText);
    return { kind: "several-catalogs", ...filters, catalogs: names };
  }
  const properties = dependenciesOf(first.bundle);
  if (properties.length > 0) return { kind: "dependency", bundle: first.bundle.name, properties };
  const { catalog, bundle, entry } = first;
  const edge = entry && installed && edgeFrom(installed, entry.entry);
  const isNotNewest = suitable.flat().some((one) => compareWithBuild(one.bundle.version, bundle.version) > 0);
  return {
    kind: "chosen",
    catalog,
    bundle,
    channel: entry?.channel ?? "",
    ...(edge && { edge }),
    ...(isNotNewest && { isNotNewest }),
  };
}

function versionOf(request: Request): Pick<OlmV1Filters, "version"> {
  const version = rangeTextOf(request);
  return version === undefined ? {} : { version };
}

const REFUSED_PROPERTIES: readonly string[] = ["olm.gvk.required", "olm.package.required", "olm.constraint"];

/** The types of the properties for which OLM v1 does not install a bundle, each once (case O20). */
export function dependenciesOf({ properties }: Pick<Bundle, "properties">): readonly string[] {
  return REFUSED_PROPERTIES.filter((type) => properties.some((property) => property.type === type));
}

/** An entry of a channel. */
interface Entry {
  readonly channel: string;
  readonly entry: ChannelEntry;
}

/** A bundle that passes the filters. */
interface Suitable {
  readonly catalog: Catalog;
  readonly bundle: Bundle;
  readonly entry: Entry | undefined;
  readonly isDeprecated: boolean;
}

/** The bundles of a catalog that pass the filters, the best first: those that are not deprecated, then the highest version. */
function suitableIn(
  catalog: Catalog,
  request: Request,
  terms: ExtensionTerms,
  installed: Installed | undefined,
): readonly Suitable[] {
  const owner = catalog.packages.get(request.package);
  if (owner === undefined) return [];
  const entries = entriesOf(owner, terms);
  const isDeprecated = ({ name }: Bundle): boolean => owner.deprecations.bundles.has(name);
  const suitable = [...owner.bundles.values()].flatMap((bundle) => {
    if (!isAllowed(request, bundle.version)) return [];
    const own = entries.filter(({ entry }) => entry.name === bundle.name);
    if (terms.channels.length > 0 && own.length === 0) return [];
    const followed = own.find(({ entry }) => installed !== undefined && edgeFrom(installed, entry) !== undefined);
    const mayFollow = terms.policy === "SelfCertified" || installed === undefined || followed !== undefined;
    if (!mayFollow && !isInstalledVersion(bundle.version, installed)) return [];
    return [{ catalog, bundle, entry: followed ?? own[0], isDeprecated: isDeprecated(bundle) }];
  });
  return suitable.sort(
    (a, b) =>
      Number(a.isDeprecated) - Number(b.isDeprecated) ||
      compareVersions(b.bundle.version, a.bundle.version) ||
      compareWithBuild(b.bundle.version, a.bundle.version) ||
      compareText(a.bundle.name, b.bundle.name),
  );
}

/** The entries of the channels of a ClusterExtension, by the names of the channels. */
function entriesOf({ channels }: Package, terms: ExtensionTerms): readonly Entry[] {
  return [...channels.values()]
    .filter(({ name }) => terms.channels.length === 0 || terms.channels.includes(name))
    .sort((a, b) => compareText(a.name, b.name))
    .flatMap(({ name, entries }) => [...entries.values()].map((entry) => ({ channel: name, entry })));
}

/** The installed version itself is always a successor; build metadata counts (case O16). */
function isInstalledVersion(version: Version, installed: Installed): boolean {
  return installed.version !== undefined && compareWithBuild(version, installed.version) === 0;
}
