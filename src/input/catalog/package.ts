// Is a package valid? Valid bundles and channels are kept; without a valid default channel the package is rejected,
// because what a new user gets would be a guess.

import type { Bundle, Channel, Package } from "../../model/catalog.ts";
import { type Code, finding, type Report } from "../../model/finding.ts";
import { canonicalText, compareText, type JsonObject } from "../../model/json.ts";
import { comparePlaces, inside, type Place, printPlace } from "../../model/place.ts";
import { printVersion } from "../../semver/version.ts";
import { counted, listed } from "../../text/words.ts";
import { assembleChannel } from "./channel.ts";
import { assembleDeprecations } from "./deprecations.ts";
import type { ChannelDraft, DeprecationsDraft, PackageDraft } from "./read-package.ts";

/** The content of all documents of one package. */
export interface Parts {
  readonly packages: PackageDraft[];
  readonly channels: ChannelDraft[];
  readonly bundles: Bundle[];
  /** Bundles that were named but could not be read. */
  readonly brokenBundles: Set<string>;
  /** Channels that were named but could not be read. */
  readonly brokenChannels: Set<string>;
  readonly deprecations: DeprecationsDraft[];
  /** The package has a document that could not be read. */
  isBroken: boolean;
}

/** Assembles a package; undefined, with findings, if it must be rejected. */
export function assemblePackage(name: string, parts: Parts, report: Report): Package | undefined {
  const draft = onlyPackage(name, parts, report);
  if (draft === undefined || !hasGoodName(draft, report)) return undefined;
  const bundles = onlyOnes(parts.bundles, bundleContent, { what: "bundle", code: "PL051", package: name, report });
  const drafts = { what: "channel", code: "PL031", package: name, report } as const;
  const channelDrafts = onlyOnes(parts.channels, (channel) => channel.object, drafts);
  const broken = new Set(parts.brokenBundles);
  for (const bundle of parts.bundles) if (!bundles.has(bundle.name)) broken.add(bundle.name);
  const channels = new Map<string, Channel>();
  for (const channelDraft of channelDrafts.values()) {
    const channel = assembleChannel(channelDraft, bundles, broken, report);
    if (channel !== undefined) channels.set(channel.name, channel);
  }
  if (!hasDefaultChannel(draft, parts, channels, report)) return undefined;
  const listed = listedBundles(name, parts, bundles, channels, report);
  sameVersions(name, listed, report);
  return {
    name,
    defaultChannel: draft.defaultChannel,
    description: draft.description,
    channels,
    bundles: listed,
    deprecations: assembleDeprecations(name, parts, report),
    properties: draft.properties,
    place: draft.place,
  };
}

/** The content of a bundle, for comparison with another of the same name. */
function bundleContent({ image, relatedImages, properties }: Bundle): JsonObject {
  return { image, relatedImages, properties } as unknown as JsonObject;
}

function onlyPackage(name: string, parts: Parts, report: Report): PackageDraft | undefined {
  if (parts.packages.length === 0) {
    if (!parts.isBroken) unknownPackage(name, parts, report);
    return undefined;
  }
  const packages = { what: "package", code: "PL021", package: name, report } as const;
  return onlyOnes(parts.packages, (draft) => draft.object, packages).get(name);
}

function unknownPackage(name: string, parts: Parts, report: Report): void {
  const members = [...parts.channels, ...parts.bundles, ...parts.deprecations];
  const first = members.map((member) => member.place).sort(comparePlaces)[0];
  if (first === undefined) return; // only broken bundles, which have their own findings
  const counts = [
    [parts.channels.length, "channel"] as const,
    [parts.bundles.length, "bundle"] as const,
    [parts.deprecations.length, "deprecation document"] as const,
  ]
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun));
  report(
    finding("PL025", inside(first, "package"), {
      message: `there is no package ${JSON.stringify(name)}, but ${counts.join(" and ")} belong${members.length === 1 ? "s" : ""} to it`,
      help: `add a document with \`schema: olm.package\` and \`name: ${name}\``,
      package: name,
      dropped: "package",
    }),
  );
}

/** A package name is a DNS-1123 label. */
function hasGoodName(draft: PackageDraft, report: Report): boolean {
  const { name, place } = draft;
  const fault =
    name.length > 63
      ? "the package name is longer than 63 characters"
      : /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)
        ? undefined
        : `the package name ${JSON.stringify(name)} may only have lower-case letters, digits and inner hyphens`;
  if (fault === undefined) return true;
  report(finding("PL020", inside(place, "name"), { message: fault, package: name, dropped: "package" }));
  return false;
}

function hasDefaultChannel(
  draft: PackageDraft,
  parts: Parts,
  channels: ReadonlyMap<string, Channel>,
  report: Report,
): boolean {
  const { name, defaultChannel, place, defaultChannelKey: key = "defaultChannel" } = draft;
  if (channels.has(defaultChannel)) return true;
  const about = { package: name, dropped: "package" } as const;
  if (defaultChannel === "") {
    const message = `package ${name} has no default channel`;
    const help =
      channels.size === 0 ? `add \`${key}:\`` : `add \`${key}:\` with one of: ${listed([...channels.keys()])}`;
    report(finding("PL022", place, { message, help, ...about }));
    return false;
  }
  const isThere =
    parts.brokenChannels.has(defaultChannel) || parts.channels.some((channel) => channel.name === defaultChannel);
  report(
    finding("PL023", inside(place, key), {
      message: isThere
        ? `package ${name} is refused, because its default channel ${defaultChannel} is broken`
        : `package ${name} is refused, because its default channel ${defaultChannel} does not exist`,
      help: isThere
        ? "repair the channel; what a new user gets would be a guess without it"
        : channels.size === 0
          ? "add the channel"
          : `name one of: ${listed([...channels.keys()])}`,
      ...about,
    }),
  );
  return false;
}

/** The bundles that a valid channel lists; those that no channel lists are reported. */
function listedBundles(
  name: string,
  parts: Parts,
  bundles: ReadonlyMap<string, Bundle>,
  channels: ReadonlyMap<string, Channel>,
  report: Report,
): ReadonlyMap<string, Bundle> {
  const sound = new Set<Bundle>();
  for (const channel of channels.values())
    for (const { bundle } of channel.entries.values()) if (bundle !== undefined) sound.add(bundle);
  if (sound.size === bundles.size) return bundles;
  const announced = new Set<string>();
  for (const channel of parts.channels) for (const entry of channel.entries) announced.add(entry.name);
  const listed = new Map<string, Bundle>();
  for (const [bundleName, bundle] of bundles) {
    if (sound.has(bundle)) listed.set(bundleName, bundle);
    else if (!announced.has(bundleName) && parts.brokenChannels.size === 0)
      report(
        finding("PL058", inside(bundle.place, "name"), {
          message: `no channel of package ${name} lists the bundle ${bundleName}`,
          help: "add it to the entries of a channel",
          package: name,
          bundle: bundleName,
          dropped: "bundle",
        }),
      );
  }
  return listed;
}

function sameVersions(name: string, bundles: ReadonlyMap<string, Bundle>, report: Report): void {
  const byVersion = new Map<string | number, Bundle>();
  for (const bundle of bundles.values()) {
    const key = versionKey(bundle);
    const other = byVersion.get(key);
    if (other === undefined) byVersion.set(key, bundle);
    else
      report(
        finding("PL059", versionPlace(bundle), {
          message: `the bundles ${other.name} and ${bundle.name} both have version ${versionText(bundle)}`,
          package: name,
          bundle: bundle.name,
        }),
      );
  }
}

function versionPlace({ place, properties }: Bundle): Place {
  const position = properties.findIndex((property) => property.type === "olm.package");
  return inside(place, "properties", position, "value", "version");
}

/** Equal for equal versions and releases; a number for the plain versions of nearly all bundles. */
function versionKey(bundle: Bundle): string | number {
  const { major, minor, patch, pre, build } = bundle.version;
  const isPlain = pre.length === 0 && build.length === 0 && bundle.release === undefined;
  if (isPlain && major < 65_536 && minor < 65_536 && patch < 65_536)
    return (Number(major) * 65_536 + Number(minor)) * 65_536 + Number(patch);
  return versionText(bundle);
}

function versionText({ version, release }: Bundle): string {
  // A release counts as a pre-release, as in `opm`.
  return release === undefined ? printVersion(version) : `${printVersion(version)}-${release}`;
}

/** What several items of one name are, and how they are reported. */
interface Items {
  readonly what: "package" | "channel" | "bundle";
  readonly code: Code;
  readonly package: string;
  readonly report: Report;
}

/**
 * Items by name, sorted. Equal duplicates are merged; if they differ, all are left out, since the order of documents
 * must not decide.
 */
function onlyOnes<T extends { readonly name: string; readonly place: Place }>(
  items: readonly T[],
  content: (item: T) => JsonObject,
  kind: Items,
): Map<string, T> {
  const sorted = [...items].sort((a, b) => compareText(a.name, b.name));
  const kept = new Map<string, T>();
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const first = sorted[start] as T;
    for (end = start + 1; sorted[end]?.name === first.name; ) end++;
    const only = end === start + 1 ? first : oneOfSeveral(sorted.slice(start, end), content, kind);
    if (only !== undefined) kept.set(first.name, only);
  }
  return kept;
}

/** The first of several items with one name, if all are equal; every other one is reported. */
function oneOfSeveral<T extends { readonly name: string; readonly place: Place }>(
  items: readonly T[],
  content: (item: T) => JsonObject,
  { what, code, package: owner, report }: Items,
): T | undefined {
  const [first, ...others] = [...items].sort((a, b) => comparePlaces(a.place, b.place)) as [T, ...T[]];
  const expected = canonicalText(content(first));
  const same = others.every((other) => canonicalText(content(other)) === expected);
  const message = `two ${what}s${what === "package" ? "" : ` of package ${owner}`} are called ${first.name}`;
  const result = same ? "they are equal, so one is used" : "they differ, so neither is used";
  const help = `${result}; the other is at ${printPlace(first.place)}`;
  const about = { package: owner, [what]: first.name, ...(!same && { dropped: what }) };
  for (const other of others) report(finding(code, inside(other.place, "name"), { message, help, ...about }));
  return same ? first : undefined;
}
