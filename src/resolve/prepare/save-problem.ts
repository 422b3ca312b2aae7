// How is a problem saved, so that it can be solved again elsewhere? As one JSON document with everything: catalogs as
// documents of a file-based catalog, the rest as plain data. src/input/read-problem.ts reads it.

import type { Bundle, Catalog, Channel, Package, Property } from "../../model/catalog.ts";
import type { Finding } from "../../model/finding.ts";
import { given, type JsonObject, printJson } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import {
  CLUSTER_SCOPE,
  type ClusterDefinition,
  type ExtensionTerms,
  type Installed,
  type Problem,
  type Request,
  type ResolveOptions,
} from "../../model/problem.ts";
import { sortedEntries } from "../../model/sorted.ts";
import { printVersion } from "../../semver/version.ts";

/** The JSON text of a problem, with a fixed order of keys. */
export function saveProblem(problem: Problem): string {
  const { runtime, targets } = problem;
  return `${printJson({
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "Problem",
    ...(problem.scope === undefined ? { namespace: problem.namespace } : { scope: problem.scope }),
    options: saveOptions(problem.options),
    requests: problem.requests.map(saveRequest),
    ...(problem.unapproved !== undefined && { unapproved: problem.unapproved.map(saveRequest) }),
    installed: problem.installed.map(saveInstalled),
    elsewhere: problem.elsewhere.map(saveInstalled),
    node: { properties: problem.node.properties.map(saveProperty) },
    runtime: {
      entries: runtime.entries.map(({ property, place, number }) =>
        given({ property: saveProperty(property), place: place && savePlace(place), number }),
      ),
      problems: runtime.problems.map(saveFinding),
    },
    ...(targets !== undefined && { targets: { all: targets.all, names: targets.names } }),
    removed: problem.removed,
    gone: problem.gone.map(saveInstalled),
    ...(problem.installPlans !== undefined && { installPlans: problem.installPlans }),
    ...((problem.orphans?.length ?? 0) > 0 && { orphans: problem.orphans ?? [] }),
    ...((problem.definitions?.length ?? 0) > 0 && { definitions: (problem.definitions ?? []).map(saveDefinition) }),
    ...((problem.inUse?.length ?? 0) > 0 && {
      inUse: (problem.inUse ?? []).map(({ group, kind, count }) => ({ group, kind, count })),
    }),
    unavailable: problem.unavailable.map(({ name, namespace, priority, reason }) =>
      given({ name, namespace, priority, reason }),
    ),
    ...(problem.areCatalogsUnread && { areCatalogsUnread: true }),
    ...((problem.notGiven?.length ?? 0) > 0 && {
      notGiven: (problem.notGiven ?? []).map(({ name, namespace }) => given({ name, namespace })),
    }),
    catalogs: problem.catalogs.map(saveCatalog),
  })}\n`;
}

function saveOptions(options: ResolveOptions): JsonObject {
  return given({
    compat: options.compat,
    ...(options.olmv1 && { olmv1: true }),
    compoundScope: options.compoundScope,
    compoundConstraints: options.compoundConstraints,
    allOrNothing: options.allOrNothing,
    installOptional: options.installOptional,
    ignoreUnavailable: options.ignoreUnavailable,
    maxConflicts: options.maxConflicts,
    celCostLimit: options.celCostLimit,
    maxConstraintBytes: options.maxConstraintBytes,
    maxConstraintDepth: options.maxConstraintDepth,
    crdSeverities: options.crdSeverities,
  });
}

function saveRequest(request: Request): JsonObject {
  const { catalog, range, place } = request;
  return given({
    id: request.id,
    name: request.name,
    priority: request.priority,
    package: request.package,
    catalog: catalog && given({ name: catalog.name, namespace: catalog.namespace }),
    channel: request.channel,
    range: range?.text,
    startingCSV: request.startingCSV,
    installed: request.installed,
    approval: request.approval,
    isGenerated: request.isGenerated,
    extension: request.extension && saveTerms(request.extension),
    place: place && savePlace(place),
  });
}

function saveTerms({ channels, versions, catalogs, policy, crdUpgradeSafety, malformed }: ExtensionTerms): JsonObject {
  return given({
    channels,
    versions: versions?.text,
    catalogs,
    policy,
    crdUpgradeSafety,
    malformed: malformed && { ...malformed },
  });
}

function saveInstalled(installed: Installed): JsonObject {
  const { version, place, hold } = installed;
  return given({
    // What a ClusterExtension has installed is in no namespace.
    namespace: installed.namespace === CLUSTER_SCOPE ? undefined : installed.namespace,
    name: installed.name,
    package: installed.package,
    version: version && printVersion(version),
    properties: installed.properties.map(saveProperty),
    minKubeVersion: installed.minKubeVersion,
    installModes: installed.installModes.map(({ type, supported }) => ({ type, supported })),
    owned: installed.owned,
    hold: hold && given({ by: hold.by, text: hold.text, package: hold.package }),
    place: place && savePlace(place),
  });
}

/** A CRD and its objects; the stored versions may differ from the definition's own status. */
function saveDefinition({ definition, objects, isPartial, assumedFrom }: ClusterDefinition): JsonObject {
  return given({
    definition: definition.object,
    version: definition.apiVersion,
    storedVersions: definition.storedVersions,
    place: savePlace(definition.place),
    objects: objects?.map(({ object, apiVersion, kind, place }) => ({
      object,
      apiVersion,
      kind,
      place: savePlace(place),
    })),
    isPartial,
    assumedFrom,
  });
}

function saveProperty({ type, value }: Property): JsonObject {
  return { type, value };
}

function saveFinding(finding: Finding): JsonObject {
  const { code, severity, message, help, place, catalog, package: owner, channel, bundle, dropped } = finding;
  const about = { catalog, package: owner, channel, bundle, dropped };
  return given({ code, severity, message, help, place: savePlace(place), ...about });
}

function savePlace({ source, line, column, path, offset, ofKey, exact, elsewhere }: Place): JsonObject {
  const others = elsewhere && sortedEntries(elsewhere).map(([key, place]) => [key, savePlace(place)] as const);
  const places = others && Object.fromEntries(others);
  return given({ source, line, column, path, offset, ofKey, exact, elsewhere: places });
}

/** A catalog, with the place of each document. */
function saveCatalog(catalog: Catalog): JsonObject {
  const { name, namespace, priority, findings, dropped } = catalog;
  const documents: { readonly document: JsonObject; readonly place: Place }[] = [];
  for (const one of catalog.packages.values()) {
    documents.push({ document: packageDocument(one), place: one.place });
    for (const channel of one.channels.values())
      documents.push({ document: channelDocument(channel), place: channel.place });
    for (const bundle of one.bundles.values())
      documents.push({ document: bundleDocument(bundle), place: bundle.place });
    const deprecations = deprecationsDocument(one);
    if (deprecations !== undefined) documents.push({ document: deprecations, place: one.place });
  }
  for (const { object, place } of catalog.others) documents.push({ document: object, place });
  return given({
    name,
    namespace,
    priority,
    findings: findings.map(saveFinding),
    dropped: { packages: dropped.packages, channels: dropped.channels, bundles: dropped.bundles },
    documents: documents.map(({ document, place }) => ({ place: savePlace(place), document })),
  });
}

function packageDocument({ name, defaultChannel, description, properties }: Package): JsonObject {
  return { schema: "olm.package", name, defaultChannel, description, properties: properties.map(saveProperty) };
}

function channelDocument({ name, package: owner, entries, properties }: Channel): JsonObject {
  return {
    schema: "olm.channel",
    name,
    package: owner,
    entries: [...entries.values()].map((entry) => ({
      name: entry.name,
      ...(entry.replaces !== undefined && { replaces: entry.replaces }),
      ...(entry.skips.length > 0 && { skips: entry.skips }),
      ...(entry.skipRange !== undefined && { skipRange: entry.skipRange.text }),
    })),
    properties: properties.map(saveProperty),
  };
}

function bundleDocument({ name, package: owner, image, properties, relatedImages }: Bundle): JsonObject {
  return {
    schema: "olm.bundle",
    name,
    package: owner,
    image,
    properties: properties.map(saveProperty),
    relatedImages: relatedImages.map((related) => ({ name: related.name, image: related.image })),
  };
}

/** The deprecations of what is still there; those of bundles that were left out are omitted. */
function deprecationsDocument({ name, channels, bundles, deprecations }: Package): JsonObject | undefined {
  const entries: JsonObject[] = [];
  if (deprecations.package !== undefined)
    entries.push({ reference: { schema: "olm.package" }, message: deprecations.package });
  for (const [channel, message] of sortedEntries(deprecations.channels))
    if (channels.has(channel)) entries.push({ reference: { schema: "olm.channel", name: channel }, message });
  for (const [bundle, message] of sortedEntries(deprecations.bundles))
    if (bundles.has(bundle)) entries.push({ reference: { schema: "olm.bundle", name: bundle }, message });
  return entries.length === 0 ? undefined : { schema: "olm.deprecations", package: name, entries };
}
