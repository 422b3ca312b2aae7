// What can be in an answer? Bundles that are chosen, and operators that stay.

import { providedApis } from "../constraint/provided-apis.ts";
import type { Property } from "../model/catalog.ts";
import { compareText, given } from "../model/json.ts";
import type { ExtensionRef, OperatorRef, RequestRef } from "../model/operator-ref.ts";
import { type Place, plainPlace } from "../model/place.ts";
import type { CatalogName, ClusterNode, ExtensionTerms, Installed, Request } from "../model/problem.ts";
import type { Grouped } from "../rule/shape/at-most-one.ts";
import { rangeOutline } from "../semver/blang-range.ts";
import { compareVersions, printVersion, type Version } from "../semver/version.ts";
import type { Candidate } from "./catalog-index.ts";

/** A bundle of a catalog, or an installed operator. */
export type Operator = Candidate | Installed;

/** A bundle, an operator, or the cluster itself, which is always present. */
export type Participant = Operator | ClusterNode;

/** The properties of a member. */
export function propertiesOf(self: Participant): readonly Property[] {
  return "bundle" in self ? self.bundle.properties : self.properties;
}

/** The name of its ClusterServiceVersion. */
export function nameOf(self: Operator): string {
  return "bundle" in self ? self.bundle.name : self.name;
}

/** Where it is declared. */
export function placeOf(self: Operator): Place | undefined {
  return "bundle" in self ? self.bundle.place : self.place;
}

/** Its package, if known. */
export function packageOf(self: Operator): string | undefined {
  return "bundle" in self ? self.bundle.package : self.package;
}

/** Its version, if known. */
export function versionOf(self: Operator): Version | undefined {
  return "bundle" in self ? self.bundle.version : self.version;
}

/** Newest first; equal versions by name. */
export function newestFirst<One extends Operator>(members: readonly One[]): readonly One[] {
  return [...members].sort(compareNewest);
}

/** The newer one first; those without a version last. */
export function compareNewest(a: Operator, b: Operator): number {
  const [x, y] = [versionOf(a), versionOf(b)];
  if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
  return compareVersions(y, x) || compareText(nameOf(a), nameOf(b));
}

/** The reference to a catalog in an answer. */
export function catalogRef({ name, namespace }: CatalogName): CatalogName {
  return namespace === undefined ? { name } : { name, namespace };
}

/** What rules about groups read from a member. */
export function grouped(self: Operator): Grouped {
  return "bundle" in self
    ? { package: self.bundle.package, provides: self.provides }
    : { package: self.package, provides: providedApis(self.properties) };
}

/** The reference to a member in an answer. */
export function refOf(self: Operator): OperatorRef {
  const ref = shortRef(self);
  return "bundle" in self ? { ...ref, catalog: catalogRef(self.index.catalog) } : { ...ref, namespace: self.namespace };
}

/** The reference to an operator of the answer's own namespace, where those of other namespaces are prefixed. */
export function localRef(self: Operator): OperatorRef {
  return "bundle" in self ? refOf(self) : shortRef(self);
}

/** A member by package and version only: equal for a bundle and the operator installed from it. */
export function shortRef(self: Operator): OperatorRef {
  const { name, package: owner, version } = "bundle" in self ? self.bundle : self;
  return given({ name, package: owner, version: version && printVersion(version) });
}

/** The reference to a request in an answer. */
export function requestRef(request: Request): RequestRef {
  const {
    id,
    name,
    package: owner,
    catalog,
    channel,
    range,
    startingCSV,
    installed,
    isApproved,
    isGenerated,
    extension,
  } = request;
  const asked = { catalog: catalog && catalogRef(catalog), channel, range: range && rangeOutline(range), startingCSV };
  const isManual = request.approval === "Manual" || undefined;
  const place = request.place && plainPlace(request.place);
  const terms = extension && extensionRef(extension);
  return given({
    id,
    name,
    package: owner,
    ...asked,
    extension: terms,
    installed,
    isManual,
    isApproved,
    isGenerated,
    place,
  });
}

function extensionRef({ channels, versions, catalogs, policy }: ExtensionTerms): ExtensionRef {
  return given({ channels, versions: versions?.text, catalogs, policy });
}
