// Which bundles satisfy a ClusterExtension, most preferred first? Written from docs/how-it-resolves.md,
// "ClusterExtensions".

import type { Bundle, Catalog, ChannelEntry } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import type { ExtensionTerms, Installed, Problem, Request } from "../model/problem.ts";
import { inRange } from "../semver/blang-range.ts";
import { satisfies } from "../semver/masterminds-range.ts";
import { compareWithBuild, type Version } from "../semver/version.ts";
import type { Chosen } from "./answer.ts";
import type { Candidates } from "./candidates.ts";

/** A bundle that a channel of its catalog has. */
interface Offered extends Chosen {
  readonly isDeprecated: boolean;
}

/** The candidates of a ClusterExtension. */
export function extensionCandidates(
  { catalogs, unavailable, notGiven = [] }: Problem,
  request: Request,
  installed: Installed | undefined,
): Candidates {
  const terms = request.extension as ExtensionTerms;
  const mayStay = installed === undefined || installed.version === undefined || isWithin(request, installed.version);
  if (terms.malformed !== undefined) return { bundles: [], installed, mayStay, hasSource: false };
  const isMeant = ({ name }: { readonly name: string }): boolean => terms.catalogs?.includes(name) !== false;
  const own = catalogs.filter(isMeant).sort((a, b) => b.priority - a.priority || compareText(a.name, b.name));
  const found = own.flatMap((catalog) => offeredBy(catalog, request, terms, installed));
  const inOrder = [...found.filter((one) => !one.isDeprecated), ...found.filter((one) => one.isDeprecated)];
  const bundles = installed === undefined ? inOrder : insteadOf(installed, inOrder, own, request);
  const hasPackage = own.some(({ packages }) => packages.has(request.package));
  const hasChannel = own.some((catalog) => entriesIn(catalog, request.package, terms).length > 0);
  const isWhole = own.every((catalog) => !isIncomplete(catalog, request, terms, installed));
  const isRead = hasPackage || ![...unavailable, ...notGiven].some(isMeant);
  return {
    bundles: bundles.map(({ catalog, bundle }) => ({ catalog, bundle })),
    installed,
    mayStay,
    hasSource: bundles.length > 0 || (isRead && hasChannel && isWhole),
  };
}

function isWithin({ range, extension }: Request, version: Version): boolean {
  return (
    (range === undefined || inRange(range, version)) &&
    (extension?.versions === undefined || satisfies(extension.versions, version))
  );
}

/** The entries of all channels from which the ClusterExtension chooses. */
function entriesIn({ packages }: Catalog, owner: string, { channels }: ExtensionTerms): readonly ChannelEntry[] {
  const found = packages.get(owner)?.channels ?? new Map();
  return [...found.values()]
    .filter(({ name }) => channels.length === 0 || channels.includes(name))
    .flatMap(({ entries }) => [...entries.values()]);
}

/** The suitable bundles of a catalog, each once, the highest version first. */
function offeredBy(
  catalog: Catalog,
  request: Request,
  terms: ExtensionTerms,
  installed: Installed | undefined,
): readonly Offered[] {
  const marked = catalog.packages.get(request.package)?.deprecations.bundles;
  const bundles = new Set<Bundle>();
  for (const entry of entriesIn(catalog, request.package, terms))
    if (entry.bundle !== undefined && isWithin(request, entry.bundle.version) && mayFollow(entry, installed, terms))
      bundles.add(entry.bundle);
  return [...bundles]
    .sort((a, b) => compareWithBuild(b.version, a.version) || compareText(a.name, b.name))
    .map((bundle) => ({ catalog, bundle, isDeprecated: marked?.has(bundle.name) === true }));
}

/** SelfCertified allows every version; otherwise the entry must name what is installed, or have it in its skipRange. */
function mayFollow(
  { name, replaces, skips, skipRange }: ChannelEntry,
  installed: Installed | undefined,
  { policy }: ExtensionTerms,
): boolean {
  if (installed === undefined) return true;
  if (name === installed.name) return false;
  if (policy === "SelfCertified" || replaces === installed.name || skips.includes(installed.name)) return true;
  return skipRange !== undefined && installed.version !== undefined && inRange(skipRange, installed.version);
}

/** What is better than staying; if the terms exclude what is installed, anything newer, or else anything. */
function insteadOf(
  installed: Installed,
  offered: readonly Offered[],
  catalogs: readonly Catalog[],
  request: Request,
): readonly Offered[] {
  const { name, version } = installed;
  if (version === undefined) return offered;
  const terms = request.extension as ExtensionTerms;
  const having = catalogs.filter((one) => entriesIn(one, request.package, terms).some((entry) => entry.name === name));
  const newer = offered.filter(({ bundle }) => compareWithBuild(bundle.version, version) > 0);
  if (isWithin(request, version) && (having.length > 0 || terms.channels.length === 0)) {
    const isMarked = catalogs.some(({ packages }) => packages.get(request.package)?.deprecations.bundles.has(name));
    // A catalog of lower priority offers nothing better; but what is not deprecated is better than what is.
    const isNotBehind = ({ catalog }: Chosen): boolean => having.every(({ priority }) => catalog.priority >= priority);
    return newer.filter((one) => (one.isDeprecated ? isMarked && isNotBehind(one) : isMarked || isNotBehind(one)));
  }
  return newer.length > 0 ? newer : offered;
}

/** Was the package, or a suitable channel or bundle of it, left out of a catalog because of an error? */
function isIncomplete(
  catalog: Catalog,
  { package: owner }: Request,
  terms: ExtensionTerms,
  installed: Installed | undefined,
): boolean {
  const found = catalog.packages.get(owner);
  const isLost = catalog.findings.some((one) => {
    if (found === undefined) return one.dropped === "package" && one.package === owner;
    if (one.dropped !== "channel" || (one.package ?? owner) !== owner) return false;
    if (terms.channels.length === 0) return true;
    return terms.channels.some((name) => !found.channels.has(name) && (one.channel ?? name) === name);
  });
  if (isLost) return true;
  return entriesIn(catalog, owner, terms).some(
    (entry) => entry.bundle === undefined && mayFollow(entry, installed, terms),
  );
}
