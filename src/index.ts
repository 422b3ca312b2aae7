// The library: everything that needs no files, no network, no clock. It runs in a browser. `plimsoll/node` adds files.

export { BundleDirectories } from "./input/bundle-directory/bundle-directories.ts";
export { CatalogBuilder, type CatalogIdentity } from "./input/catalog/catalog-builder.ts";
export type { DocumentSink, Reading } from "./input/document.ts";
export { DEFAULT_LIMITS, type Limits } from "./input/limits.ts";
export { locate, type Spot } from "./input/locate.ts";
export { ObjectsReader } from "./input/objects/read-objects.ts";
export { Documents, readDocuments } from "./input/read-documents.ts";
export type {
  Bundle,
  Catalog,
  Channel,
  ChannelEntry,
  Deprecations,
  Dropped,
  Gvk,
  OpaqueDocument,
  Package,
  Property,
  RelatedImage,
} from "./model/catalog.ts";
export { countCatalog, gvkKey } from "./model/catalog.ts";
export type { ClusterObjects, KnownObjects, RejectedObject } from "./model/cluster-objects.ts";
export { type Code, type Finding, RULES, type Severity } from "./model/finding.ts";
export type { Json, JsonObject } from "./model/json.ts";
export { type Path, type Place, printPath, printPlace } from "./model/place.ts";
export { countText, findingText, type ShownFinding } from "./render/finding-text.ts";
export { type Comparator, inRange, parseRange, type Range } from "./semver/blang-range.ts";
export { parseConstraint, satisfies, type VersionConstraint } from "./semver/masterminds-range.ts";
export { parseClusterVersion, parseTolerant } from "./semver/tolerant.ts";
export { compareVersions, compareWithBuild, parseVersion, printVersion, type Version } from "./semver/version.ts";
