// How are catalogs reported to programs? As the `CatalogReport` of docs/cli.md. The keys of property values are sorted, so
// that the order of keys in the input does not matter.

import { deprecationOf } from "../../catalog/deprecation.ts";
import type { Found, FoundBundle, FoundChannel, FoundPackage } from "../../catalog/find.ts";
import { channelsWith, neighboursOf } from "../../catalog/neighbours.ts";
import { catalogLabel, entriesInOrder, newestFirst, packagesInOrder } from "../../catalog/order.ts";
import { type StatedConstraint, type Statements, statementsOf } from "../../catalog/statements.ts";
import { type Bundle, type Catalog, type Channel, countCatalog, type Package } from "../../model/catalog.ts";
import { isList, isObject, type Json, type JsonObject } from "../../model/json.ts";
import { printPlace } from "../../model/place.ts";
import { printVersion } from "../../semver/version.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import type { ShownFinding } from "../finding/finding-text.ts";
import { REPORT_VERSION } from "../output-formats.ts";
import { deprecationMessage } from "./statement-text.ts";

/** The report about all catalogs, and about the package, channel or bundle that was found in them. */
export function catalogReport(found: Found, inputFindings: readonly ShownFinding[] = []): JsonObject {
  const { catalogs } = found;
  return {
    apiVersion: REPORT_VERSION,
    kind: "CatalogReport",
    catalogs: catalogs.map((catalog) => catalogCounts(catalog, catalogs)),
    packages: packagesInOrder(catalogs).map(({ catalog, package: one }) => ({
      catalog: catalogLabel(catalog, catalogs),
      name: one.name,
      defaultChannel: one.defaultChannel,
      channels: [...one.channels.values()].map((channel) => ({
        name: channel.name,
        head: channel.head.name,
        entries: channel.entries.size,
      })),
    })),
    ...(found.kind === "package" && { package: packageReport(found) }),
    ...(found.kind === "channel" && {
      package: packageReport(found),
      channel: channelReport(found.package, found.channel),
    }),
    ...(found.kind === "bundle" && { bundle: bundleReport(found) }),
    ...inputFindingsReport(inputFindings),
  };
}

function catalogCounts(catalog: Catalog, catalogs: readonly Catalog[]): JsonObject {
  const { dropped } = catalog;
  return {
    name: catalogLabel(catalog, catalogs),
    packages: catalog.packages.size,
    ...countCatalog(catalog),
    dropped: dropped.packages + dropped.channels + dropped.bundles,
  };
}

function packageReport({ catalogs, catalog, package: one, alsoIn }: FoundPackage | FoundChannel): JsonObject {
  const head = one.channels.get(one.defaultChannel)?.head;
  return {
    name: one.name,
    catalog: catalogLabel(catalog, catalogs),
    alsoIn: alsoIn.map((other) => catalogLabel(other, catalogs)),
    description: one.description,
    defaultChannel: one.defaultChannel,
    deprecation: one.deprecations.package ?? null,
    head: head?.name ?? null,
    ...statementsReport(head?.bundle),
    channels: [...one.channels.values()].map((channel) => channelReport(one, channel)),
    bundles: newestFirst(one.bundles.values()).map((bundle) => ({
      name: bundle.name,
      version: printVersion(bundle.version),
      image: bundle.image,
      channels: channelsWith(one, bundle).map(({ name }) => name),
    })),
    at: printPlace(one.place),
  };
}

function channelReport(owner: Package, channel: Channel): JsonObject {
  return {
    name: channel.name,
    head: channel.head.name,
    deprecation: owner.deprecations.channels.get(channel.name) ?? null,
    entries: entriesInOrder(channel).map(({ name, bundle, replaces, skips, skipRange }) => ({
      name,
      version: bundle === undefined ? null : printVersion(bundle.version),
      replaces: replaces ?? null,
      skips,
      skipRange: skipRange?.text ?? null,
      ...(bundle !== undefined && deprecationOf(owner, bundle) !== undefined && { deprecated: true }),
    })),
    at: printPlace(channel.place),
  };
}

function bundleReport({ catalogs, catalog, package: owner, bundle, alsoIn }: FoundBundle): JsonObject {
  return {
    name: bundle.name,
    package: owner.name,
    catalog: catalogLabel(catalog, catalogs),
    alsoIn: alsoIn.map((other) => catalogLabel(other, catalogs)),
    version: printVersion(bundle.version),
    release: bundle.release ?? null,
    image: bundle.image,
    relatedImages: bundle.relatedImages.map(({ name, image }) => ({ name, image })),
    deprecation: deprecationMessage(deprecationOf(owner, bundle)) ?? null,
    channels: channelsWith(owner, bundle).map((channel) => {
      const { entry, replacedBy, skippedBy, inSkipRangeOf } = neighboursOf(channel, bundle);
      return {
        name: channel.name,
        isHead: channel.head === entry,
        replaces: entry.replaces ?? null,
        skips: entry.skips,
        skipRange: entry.skipRange?.text ?? null,
        replacedBy: replacedBy.map(({ name }) => name),
        skippedBy: skippedBy.map(({ name }) => name),
        inSkipRangeOf: inSkipRangeOf.map(({ name }) => name),
      };
    }),
    ...statementsReport(bundle),
    properties: bundle.properties.map(({ type, value }) => ({ type, value: withSortedKeys(value) })),
    at: printPlace(bundle.place),
  };
}

const NOTHING: Statements = {
  provides: { apis: [], labels: [] },
  requires: { apis: [], packages: [], labels: [], constraints: [] },
  other: [],
};

function statementsReport(bundle: Bundle | undefined): JsonObject {
  const { provides, requires } = bundle === undefined ? NOTHING : statementsOf(bundle);
  return {
    provides: { apis: provides.apis.map((api) => ({ ...api })), labels: provides.labels },
    requires: {
      apis: requires.apis.map((api) => ({ ...api })),
      packages: requires.packages.map((one) => ({ ...one })),
      labels: requires.labels,
      constraints: requires.constraints.map(constraintReport),
    },
  };
}

function constraintReport(constraint: StatedConstraint): JsonObject {
  if (constraint.kind === "unreadable") {
    const { kind = "unknown", message = null, action, optional } = constraint.read;
    return { kind, message, action, optional, problem: constraint.reason };
  }
  const { outline, message, action, optional } = constraint;
  return { kind: outline.kind, message: message ?? null, action, optional };
}

function withSortedKeys(value: Json): Json {
  if (isList(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key] as Json)]));
}
