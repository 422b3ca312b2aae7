// What would the `olm.bundle` document of a bundle directory be? OLM derives the same properties when it adds a
// bundle to a catalog.

import type { Property } from "../../model/catalog.ts";
import { type Finding, finding, type Report } from "../../model/finding.ts";
import { compareHeld } from "../../model/held-manifest.ts";
import { canonicalText, compareText, type Json, type JsonObject, own } from "../../model/json.ts";
import { elementKey, inside, type Place } from "../../model/place.ts";
import { parseVersion, readVersion, type Version } from "../../semver/version.ts";
import { quoted } from "../../text/words.ts";
import type { EntryDraft } from "../catalog/read-package.ts";
import type { PlacedDocument } from "../document.ts";
import { MAX_FINDINGS } from "../limits.ts";
import { type BundleAnnotations, readAnnotations } from "./annotations.ts";
import { type CsvStatement, csvEntry, csvName, isCsv, readCsv } from "./cluster-service-version.ts";
import { type DeclaredProperties, readDependencies, readProperties } from "./declared-properties.ts";
import { checkSize, type GivenDirectory } from "./given-document.ts";
import { MANIFEST, manifestProperty } from "./manifest-property.ts";
import { providedApis } from "./provided-apis.ts";

/** A bundle as seen by its package and channels. */
export interface DerivedBundle {
  readonly name: string;
  readonly package: string;
  /** Undefined if it cannot be read. */
  readonly version: Version | undefined;
  readonly displayName: string;
  readonly annotations: BundleAnnotations;
  readonly entry: EntryDraft;
  /** The ClusterServiceVersion. */
  readonly place: Place;
}

/** The content of a directory, as far as it can be read. */
export interface Derivation {
  /** The bundles that the directory names: one, unless something is wrong. */
  readonly announced: readonly { readonly name: string; readonly package: string }[];
  readonly bundle: DerivedBundle | undefined;
  /** Undefined, with findings, if the bundle cannot be used. */
  readonly document: PlacedDocument | undefined;
}

/** Derives the bundle of a directory; every reported error drops the bundle. */
export function deriveBundle(directory: GivenDirectory, toReport: Report): Derivation {
  const { manifests, metadata } = directory;
  const bundleReport = new BundleReport(directory.name, !directory.hasUnreadable, toReport);
  const { report } = bundleReport;
  const csvs = manifests.filter(isCsv);
  const names = csvs.map(csvName).filter((name) => name !== undefined);
  const name = csvs.length === 1 ? names[0] : undefined;
  const early: Finding[] = [];
  const annotations = readAnnotations(directory, (item) => early.push(item));
  const owner = annotations?.package;
  bundleReport.about = { ...(owner !== undefined && { package: owner }), ...(name !== undefined && { bundle: name }) };
  for (const item of early) report(item);
  const announced = owner === undefined ? [] : names.map((bundle) => ({ name: bundle, package: owner }));

  checkSize(directory, report);
  const csv = onlyCsv(directory, csvs, report);
  const statement = csv && readCsv(csv, report);
  const declared = readProperties(metadata, report);
  const required = readDependencies(metadata, report);
  const provided = providedApis(manifests, report);
  if (csv === undefined || annotations === undefined || owner === undefined || name === undefined)
    return { announced, bundle: undefined, document: undefined };

  const identity =
    [...declared.keys()].find(({ type }) => type === "olm.package") ??
    (statement && packageOf(owner, statement, csv, report));
  const bundle: DerivedBundle = {
    name,
    package: owner,
    version: identity && versionOf(identity),
    displayName: statement?.displayName ?? "",
    annotations,
    entry: csvEntry(name, csv),
    place: csv.place,
  };
  if (!bundleReport.isSound || statement === undefined || identity === undefined)
    return { announced, bundle, document: undefined };
  const stated = [identity, ...declared.keys(), ...required.keys(), ...provided, ...statement.properties];
  const properties = allSorted(stated, sortedManifests(manifests));
  const place = withPlaces(csv.place, properties, new Map([...declared, ...required]));
  // It has no image: the manifests are included.
  const identified = { schema: "olm.bundle", name, package: owner, image: "" };
  const list = properties as unknown as readonly Json[];
  const value = { ...identified, relatedImages: statement.relatedImages, properties: list };
  return { announced, bundle, document: { value, place } };
}

/** All properties in their order; manifests are one run of it, unless some are declared as well. */
function allSorted(stated: readonly Property[], manifests: readonly Property[]): readonly Property[] {
  if (stated.some(({ type }) => type === MANIFEST)) return sortedProperties([...stated, ...manifests]);
  const others = sortedProperties(stated);
  const after = others.findIndex(({ type }) => compareText(type, MANIFEST) > 0);
  return after < 0 ? [...others, ...manifests] : [...others.slice(0, after), ...manifests, ...others.slice(after)];
}

/** The place of the document, with the places of properties from other files. */
function withPlaces(place: Place, properties: readonly Property[], declared: DeclaredProperties): Place {
  const elsewhere = new Map<string, Place>();
  for (const [index, property] of properties.entries()) {
    const declaration = declared.get(property);
    if (declaration !== undefined) elsewhere.set(elementKey("properties", index), declaration);
  }
  return elsewhere.size === 0 ? place : { ...place, elsewhere };
}

/** The one ClusterServiceVersion of a directory. */
function onlyCsv(
  { name, manifests, metadata, hasUnreadable }: GivenDirectory,
  csvs: readonly PlacedDocument[],
  report: Report,
): PlacedDocument | undefined {
  if (csvs.length === 1) return csvs[0];
  const where = csvs[1] ?? manifests[0] ?? metadata[0];
  if (where === undefined || (csvs.length === 0 && hasUnreadable)) return undefined;
  if (manifests.length === 0)
    report(
      finding("PL080", where.place, {
        message: `the bundle directory ${name} has no manifests`,
        help: "add its ClusterServiceVersion and the other objects under manifests/",
      }),
    );
  else
    report(
      finding("PL081", where.place, {
        message: `the bundle directory ${name} has ${csvs.length === 0 ? "no ClusterServiceVersion" : `${csvs.length} ClusterServiceVersions`}; it must have one`,
        help: csvs.length === 0 ? "add it under manifests/" : "put each of them into its own directory",
      }),
    );
  return undefined;
}

/** The `olm.package` property, if properties.yaml does not have it. */
function packageOf(
  packageName: string,
  { version, release }: CsvStatement,
  { place }: PlacedDocument,
  report: Report,
): Property | undefined {
  const fault = version === undefined ? undefined : parseVersion(version);
  if (version === undefined)
    report(finding("PL056", inside(place, "spec"), { message: "spec.version is missing", help: "write it there" }));
  else if (typeof fault === "string")
    report(
      finding("PL056", inside(place, "spec", "version"), {
        message: `the version ${quoted(version)} is malformed: ${fault}`,
      }),
    );
  else return { type: "olm.package", value: { packageName, version, ...(release !== undefined && { release }) } };
  return undefined;
}

function versionOf(identity: Property): Version | undefined {
  const version = own(identity.value as JsonObject, "version");
  return typeof version === "string" ? readVersion(version) : undefined;
}

/** Forwards the findings about one bundle, and records whether one of them is an error. */
class BundleReport {
  readonly #report: Report;
  readonly #directory: string;
  #count = 0;
  #isSound: boolean;
  /** The bundle, as far as it is known. */
  about: Pick<Finding, "package" | "bundle"> = {};

  constructor(directory: string, isSound: boolean, report: Report) {
    this.#directory = directory;
    this.#isSound = isSound;
    this.#report = report;
  }

  /** Whether the bundle can be used. */
  get isSound(): boolean {
    return this.#isSound;
  }

  readonly report: Report = (item) => {
    const isError = item.severity === "error";
    if (isError) this.#isSound = false;
    this.#count++;
    if (this.#count > MAX_FINDINGS) return;
    const dropped = isError ? ({ dropped: "bundle" } as const) : {};
    const message = `much more is wrong with the bundle directory ${this.#directory}`;
    const shown = this.#count < MAX_FINDINGS ? item : finding(item.code, item.place, { message });
    this.#report({ ...this.about, ...shown, ...dropped });
  };
}

/** The properties by type and value, without duplicates. */
function sortedProperties(properties: readonly Property[]): readonly Property[] {
  const byText = new Map<string, Property>();
  for (const property of properties)
    byText.set(JSON.stringify(property.type) + canonicalText(property.value), property);
  return [...byText]
    .sort(([textA, a], [textB, b]) => compareText(a.type, b.type) || compareText(textA, textB))
    .map(([, property]) => property);
}

/** The same for manifests, whose values are long: they are compared as far as necessary. */
function sortedManifests(manifests: readonly PlacedDocument[]): readonly Property[] {
  const properties = manifests.map(({ value, file }) => manifestProperty(value, file));
  const compare = (a: Property, b: Property) => compareHeld(a.value as JsonObject, b.value as JsonObject);
  const sorted = properties.sort(compare);
  return sorted.filter((property, index) => index === 0 || compare(sorted[index - 1] as Property, property) !== 0);
}
