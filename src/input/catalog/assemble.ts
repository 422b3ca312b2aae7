// Do the documents of a catalog fit together? What does not is left out with a finding, as the smallest possible
// unit: a bundle, a channel, a package. The order of documents does not matter.

import type { Bundle, Catalog, Package, Property } from "../../model/catalog.ts";
import { type Code, compareFindings, type FindingList, finding, type Report } from "../../model/finding.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import { comparePlaces } from "../../model/place.ts";
import type { CatalogIdentity, Drafts } from "./catalog-builder.ts";
import { assemblePackage, type Parts } from "./package.ts";
import { providersOf } from "./providers.ts";

/**
 * Assembles a catalog. `findings` are those of reading; more may be added. `hasUnread`: some document could not be
 * read, which may be what is missing.
 */
export function assemble(
  identity: CatalogIdentity,
  drafts: Drafts,
  findings: FindingList,
  hasUnread: boolean,
): Catalog {
  const report: Report = (item) => {
    const help =
      hasUnread && MISSING.has(item.code) ? `${item.help}; it may be in a document that could not be read` : item.help;
    findings.report({ ...item, ...(help !== undefined && { help }), catalog: identity.name });
  };
  const dropped = { ...drafts.nameless };
  const packages = new Map<string, Package>();
  for (const [name, parts] of [...partsByPackage(drafts)].sort(([a], [b]) => compareText(a, b))) {
    const whole = assemblePackage(name, parts, report);
    if (whole === undefined) dropped.packages++;
    else packages.set(name, whole);
    dropped.channels += distinctNames(parts.channels) - (whole?.channels.size ?? 0);
    dropped.bundles += distinctNames(parts.bundles, parts.brokenBundles) - (whole?.bundles.size ?? 0);
  }
  const { providers, byPropertyType } = indexBundles(packages);
  bundlesWithoutImage(packages, new Set(byPropertyType.get("olm.bundle.object")), report);
  return {
    ...identity,
    packages,
    providers,
    byPropertyType,
    others: [...drafts.others].sort((a, b) => comparePlaces(a.place, b.place)),
    findings: findings.kept.toSorted(compareFindings),
    dropped,
  };
}

/** The number of distinct names. */
function distinctNames(items: readonly { readonly name: string }[], more: ReadonlySet<string> = new Set()): number {
  const names = new Set(more);
  for (const { name } of items) names.add(name);
  return names.size;
}

/** The codes that report something missing. */
const MISSING: ReadonlySet<Code> = new Set(["PL025", "PL034"]);

function partsByPackage(drafts: Drafts): Map<string, Parts> {
  const parts = new Map<string, Parts>();
  const of = (name: string): Parts => getOrAdd(parts, name, noParts);
  for (const draft of drafts.packages) of(draft.name).packages.push(draft);
  for (const draft of drafts.channels) of(draft.package).channels.push(draft);
  for (const bundle of drafts.bundles) of(bundle.package).bundles.push(bundle);
  for (const { name, package: owner } of drafts.brokenBundles) of(owner).brokenBundles.add(name);
  for (const { name, package: owner } of drafts.brokenChannels) of(owner).brokenChannels.add(name);
  for (const draft of drafts.deprecations) of(draft.package).deprecations.push(draft);
  for (const name of drafts.brokenPackages) of(name).isBroken = true;
  return parts;
}

function noParts(): Parts {
  const lists = { packages: [], channels: [], bundles: [], deprecations: [] };
  return { ...lists, brokenBundles: new Set(), brokenChannels: new Set(), isBroken: false };
}

/** Indexes bundles by API and by property type. */
export function indexBundles(packages: ReadonlyMap<string, Package>): Pick<Catalog, "providers" | "byPropertyType"> {
  const byPropertyType = new Map<string, Bundle[]>();
  const byApi = new Map<Property, Bundle[]>();
  for (const one of packages.values()) {
    for (const bundle of one.bundles.values()) {
      let previous = "";
      for (const property of bundle.properties) {
        if (property.type === "olm.gvk") addOnce(byApi, property, bundle);
        if (property.type !== previous) addOnce(byPropertyType, property.type, bundle);
        previous = property.type;
      }
    }
  }
  return { providers: providersOf(byApi), byPropertyType };
}

/** Bundles are added one after another, so that a duplicate can only be the last one. */
function addOnce<Key>(index: Map<Key, Bundle[]>, key: Key, bundle: Bundle): void {
  const bundles = index.get(key);
  if (bundles === undefined) index.set(key, [bundle]);
  else if (bundles[bundles.length - 1] !== bundle) bundles.push(bundle);
}

/** A bundle without an image and manifests can be resolved but not installed: one finding for all of them. */
function bundlesWithoutImage(
  packages: ReadonlyMap<string, Package>,
  withManifests: ReadonlySet<Bundle>,
  report: Report,
): void {
  let first: Bundle | undefined;
  let bare = 0;
  for (const one of packages.values())
    for (const bundle of one.bundles.values()) {
      if (bundle.image !== "" || withManifests.has(bundle)) continue;
      first ??= bundle;
      bare++;
    }
  if (first === undefined) return;
  report(
    finding("PL061", first.place, {
      message:
        bare === 1
          ? `${first.name} has neither an image nor manifests`
          : `${first.name} and ${bare - 1} more bundle${bare === 2 ? "" : "s"} have neither an image nor manifests`,
      help: "they can be resolved but not installed",
      package: first.package,
      bundle: first.name,
    }),
  );
}
