// What does a saved problem contain? Reads the document that src/resolve/prepare/save-problem.ts writes; a problem is
// returned only if it is complete and valid.

import type { Catalog, Property } from "../model/catalog.ts";
import type { CustomResource } from "../model/custom-resource.ts";
import { customResourceOf, definitionOf } from "../model/definition-of.ts";
import { type Code, type Finding, FindingList, finding, type Severity } from "../model/finding.ts";
import { compareText, given, type JsonObject, own, partOf } from "../model/json.ts";
import { inside, type Path, type Place } from "../model/place.ts";
import {
  type CatalogName,
  CLUSTER_SCOPE,
  type ClusterDefinition,
  compareNamespaced,
  DEFAULT_OPTIONS,
  type ExtensionTerms,
  type Hold,
  type Installed,
  type MalformedField,
  type Problem,
  type Request,
  type ResolveOptions,
} from "../model/problem.ts";
import type { RequirementFault } from "../model/selector.ts";
import type { Approval } from "../model/subscription.ts";
import { parseRange } from "../semver/blang-range.ts";
import { parseConstraint } from "../semver/masterminds-range.ts";
import { parseVersion } from "../semver/version.ts";
import { CatalogBuilder } from "./catalog/catalog-builder.ts";
import { type JsonFile, readJsonFile } from "./json-file.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import {
  givenPartOf,
  installModesOf,
  isTrue,
  numberOf,
  optionalTexts,
  partsOf,
  textFields,
  textOf,
  textsOf,
} from "./objects/fields.ts";
import { SAVED_PROBLEM } from "./saved-problem-shape.ts";

const PROBLEM_FILE: JsonFile = {
  name: "a saved problem",
  help: "give a file that --save-problem has written",
  // Documents of catalogs are some levels deep in the file.
  maxDepth: DEFAULT_LIMITS.maxDepth + 16,
  shape: SAVED_PROBLEM,
};

/** The problem, unless there are errors; and the errors. */
export interface ProblemRead {
  readonly problem?: Problem;
  readonly findings: readonly Finding[];
}

/** Reads a saved problem. `source` is the name of the file. */
export function readProblem(text: string, source: string): ProblemRead {
  const { kept, report } = new FindingList();
  const place: Place = { source, line: 1, column: 1 };
  const reportAt: ReportAt = (path, message) => report(finding("PL009", inside(place, ...path), { message }));
  const document = readJsonFile(text, place, PROBLEM_FILE, report);
  if (document === undefined) return { findings: kept };
  const problem = readWhole(document, reportAt);
  checkWhole(problem, reportAt);
  return kept.some(({ severity }) => severity === "error") ? { findings: kept } : { problem, findings: kept };
}

/** Reports an error at a path of the document. */
type ReportAt = (path: Path, message: string) => void;

function readWhole(document: JsonObject, reportAt: ReportAt): Problem {
  const runtime = partOf(document, "runtime");
  const targets = givenPartOf(document, "targets");
  const each = <Item>(key: string, read: (part: JsonObject, path: Path) => Item): Item[] =>
    partsOf(document, key).map((part, index) => read(part, [key, index]));
  const installed = (part: JsonObject, path: Path): Installed => readInstalled(part, path, reportAt);
  const requests = (key: string): readonly Request[] =>
    each(key, (part, path) => readRequest(part, path, reportAt)).sort(
      (a, b) => b.priority - a.priority || compareText(a.id, b.id),
    );
  return {
    namespace: textOf(document, "namespace") ?? "",
    ...(own(document, "scope") !== undefined && { scope: "cluster" as const }),
    catalogs: each("catalogs", (part, path) => readCatalog(part, path, reportAt)).sort(compareNamespaced),
    unavailable: each("unavailable", (part, path) => ({
      ...readCatalogName(part),
      priority: wholeNumber(part, "priority", path, reportAt) ?? 0,
      reason: textOf(part, "reason") ?? "",
    })).sort(compareNamespaced),
    notGiven: partsOf(document, "notGiven").map(readCatalogName).sort(compareNamespaced),
    ...(isTrue(document, "areCatalogsUnread") && { areCatalogsUnread: true as const }),
    requests: requests("requests"),
    ...(own(document, "unapproved") !== undefined && { unapproved: requests("unapproved") }),
    installed: each("installed", installed).sort(compareNamespaced),
    elsewhere: each("elsewhere", installed).sort(compareNamespaced),
    node: { properties: partsOf(partOf(document, "node"), "properties").map(readProperty) },
    runtime: {
      entries: partsOf(runtime, "entries").map((entry, index) => ({
        property: readProperty(partOf(entry, "property")),
        place: placeOf(entry),
        number: wholeNumber(entry, "number", ["runtime", "entries", index], reportAt),
      })),
      problems: partsOf(runtime, "problems").map(readFinding),
    },
    targets: targets && { all: isTrue(targets, "all"), names: textsOf(targets, "names") },
    removed: textsOf(document, "removed"),
    gone: each("gone", installed).sort(compareNamespaced),
    orphans: textsOf(document, "orphans"),
    definitions: partsOf(document, "definitions").map(readDefinition),
    inUse: partsOf(document, "inUse").map((part, index) => ({
      ...textFields(part, "group", "kind"),
      count: wholeNumber(part, "count", ["inUse", index], reportAt) ?? 0,
    })),
    installPlans: wholeNumber(document, "installPlans", [], reportAt),
    options: readOptions(partOf(document, "options"), reportAt),
  };
}

/** Reports inconsistencies between the parts of a problem. */
function checkWhole({ namespace, scope, catalogs, requests, installed, elsewhere }: Problem, reportAt: ReportAt): void {
  once("requests", requests, ({ id }) => id, reportAt);
  once("installed", installed, ({ name }) => name, reportAt);
  once("catalogs", catalogs, (catalog) => `${catalog.namespace ?? ""}/${catalog.name}`, reportAt);
  const names = new Set(installed.map(({ name }) => name));
  const isOfCluster = scope === "cluster";
  if (isOfCluster !== (namespace === CLUSTER_SCOPE))
    reportAt(["namespace"], isOfCluster ? "the cluster scope has no namespace" : "the namespace has no name");
  for (const request of requests)
    if (isOfCluster !== (request.extension !== undefined))
      reportAt(["requests"], `${request.id} ${isOfCluster ? "has no" : "has the"} terms of a ClusterExtension`);
  for (const request of requests)
    if (request.installed !== undefined && !names.has(request.installed))
      reportAt(["requests"], `${request.id} has ${request.installed} installed, which is not among the installed`);
  for (const one of installed)
    if (one.namespace !== namespace) reportAt(["installed"], `${one.name} is not in namespace ${namespace}`);
  for (const one of elsewhere)
    if (one.namespace === namespace) reportAt(["elsewhere"], `${one.name} is in namespace ${namespace} itself`);
}

function once<Item>(list: string, items: readonly Item[], nameOf: (item: Item) => string, reportAt: ReportAt): void {
  const seen = new Set<string>();
  for (const item of items) {
    const name = nameOf(item);
    if (seen.has(name)) reportAt([list], `${list} has ${name} twice`);
    seen.add(name);
  }
}

function readRequest(part: JsonObject, path: Path, reportAt: ReportAt): Request {
  const catalog = givenPartOf(part, "catalog");
  const extension = givenPartOf(part, "extension");
  const written = textOf(part, "range");
  const range = written === undefined ? undefined : parseRange(written);
  if (typeof range === "string") reportAt([...path, "range"], `the range cannot be read: ${range}`);
  return {
    ...textFields(part, "id", "name", "package"),
    ...optionalTexts(part, "channel", "startingCSV", "installed"),
    priority: wholeNumber(part, "priority", path, reportAt) ?? 0,
    approval: textOf(part, "approval") as Approval,
    catalog: catalog && readCatalogName(catalog),
    range: typeof range === "string" ? undefined : range,
    isGenerated: isTrue(part, "isGenerated") || undefined,
    extension: extension && readTerms(extension, [...path, "extension"], reportAt),
    place: placeOf(part),
  };
}

function readTerms(part: JsonObject, path: Path, reportAt: ReportAt): ExtensionTerms {
  const written = textOf(part, "versions");
  const versions = written === undefined ? undefined : parseConstraint(written);
  if (typeof versions === "string") reportAt([...path, "versions"], `the versions cannot be read: ${versions}`);
  const malformed = givenPartOf(part, "malformed");
  return {
    channels: textsOf(part, "channels"),
    versions: typeof versions === "string" ? undefined : versions,
    catalogs: own(part, "catalogs") === undefined ? undefined : textsOf(part, "catalogs"),
    policy: textOf(part, "policy") as ExtensionTerms["policy"],
    crdUpgradeSafety: textOf(part, "crdUpgradeSafety") as ExtensionTerms["crdUpgradeSafety"],
    malformed: malformed && readMalformed(malformed),
  };
}

function readMalformed(part: JsonObject): MalformedField {
  const field = textOf(part, "field") as MalformedField["field"];
  switch (field) {
    case "version":
      return { field, ...textFields(part, "text", "reason") };
    case "upgradeConstraintPolicy":
      return { field, ...textFields(part, "text") };
    case "selector": {
      const fault = partOf(part, "fault");
      return {
        field,
        fault: { ...textFields(fault, "operator"), kind: textOf(fault, "kind") as RequirementFault["kind"] },
      };
    }
  }
}

function readInstalled(part: JsonObject, path: Path, reportAt: ReportAt): Installed {
  const hold = givenPartOf(part, "hold");
  const written = textOf(part, "version");
  const version = written === undefined ? undefined : parseVersion(written);
  if (typeof version === "string") reportAt([...path, "version"], `the version cannot be read: ${version}`);
  return {
    ...textFields(part, "namespace", "name"),
    ...optionalTexts(part, "package", "minKubeVersion"),
    version: typeof version === "string" ? undefined : version,
    properties: partsOf(part, "properties").map(readProperty),
    installModes: installModesOf(part),
    owned: own(part, "owned") === undefined ? undefined : textsOf(part, "owned"),
    hold: hold && {
      by: textOf(hold, "by") as Hold["by"],
      text: textOf(hold, "text") ?? "",
      ...(textOf(hold, "package") !== undefined && { package: textOf(hold, "package") }),
    },
    place: placeOf(part),
  };
}

function readDefinition(part: JsonObject): ClusterDefinition {
  const place = readPlace(partOf(part, "place"));
  const definition = definitionOf(partOf(part, "definition"), textOf(part, "version") ?? "", place);
  const objects = own(part, "objects") === undefined ? undefined : partsOf(part, "objects").map(readObject);
  return {
    definition: { ...definition, storedVersions: textsOf(part, "storedVersions") },
    objects,
    isPartial: isTrue(part, "isPartial") || undefined,
    assumedFrom: textOf(part, "assumedFrom"),
  };
}

function readObject(part: JsonObject): CustomResource {
  const [apiVersion, kind] = [textOf(part, "apiVersion") ?? "", textOf(part, "kind") ?? ""];
  return customResourceOf(partOf(part, "object"), apiVersion, kind, readPlace(partOf(part, "place")));
}

function readCatalogName(part: JsonObject): CatalogName {
  return given({ name: textOf(part, "name") ?? "", namespace: textOf(part, "namespace") });
}

/** Assembles a catalog again; its original findings are restored. */
function readCatalog(part: JsonObject, path: Path, reportAt: ReportAt): Catalog {
  const namespace = textOf(part, "namespace");
  const dropped = partOf(part, "dropped");
  const builder = new CatalogBuilder({
    name: textOf(part, "name") ?? "",
    ...(namespace !== undefined && { namespace }),
    priority: wholeNumber(part, "priority", path, reportAt) ?? 0,
  });
  for (const document of partsOf(part, "documents"))
    builder.add(partOf(document, "document"), readPlace(partOf(document, "place")));
  const catalog = builder.finish();
  const missing = catalog.findings.filter((one) => one.dropped !== undefined);
  if (missing[0] !== undefined)
    reportAt([...path, "documents"], `the catalog ${catalog.name} is not as it was saved: ${missing[0].message}`);
  return {
    ...catalog,
    findings: partsOf(part, "findings").map(readFinding),
    dropped: {
      packages: numberOf(dropped, "packages") ?? 0,
      channels: numberOf(dropped, "channels") ?? 0,
      bundles: numberOf(dropped, "bundles") ?? 0,
    },
  };
}

function readOptions(part: JsonObject, reportAt: ReportAt): ResolveOptions {
  const compoundScope = textOf(part, "compoundScope") as ResolveOptions["compoundScope"];
  const switchesAndLimits = Object.entries(DEFAULT_OPTIONS).map(([key, standard]) => {
    if (typeof standard !== "number") return [key, own(part, key) ?? standard];
    const limit = wholeNumber(part, key, ["options"], reportAt) ?? standard;
    if (limit < 0) reportAt(["options", key], `${key} must not be negative`);
    return [key, limit];
  });
  return {
    ...(Object.fromEntries(switchesAndLimits) as ResolveOptions),
    ...(compoundScope !== undefined && { compoundScope }),
    crdSeverities: givenPartOf(part, "crdSeverities") as ResolveOptions["crdSeverities"],
  };
}

function wholeNumber(part: JsonObject, key: string, path: Path, reportAt: ReportAt): number | undefined {
  const value = numberOf(part, key);
  if (value === undefined || Number.isSafeInteger(value)) return value;
  reportAt([...path, key], `${key} is too large a number`);
  return 0;
}

function readProperty(part: JsonObject): Property {
  return { type: textOf(part, "type") ?? "", value: own(part, "value") ?? null };
}

function readFinding(part: JsonObject): Finding {
  return {
    code: textOf(part, "code") as Code,
    severity: textOf(part, "severity") as Severity,
    message: textOf(part, "message") ?? "",
    place: readPlace(partOf(part, "place")),
    ...(given(optionalTexts(part, "help", "catalog", "package", "channel", "bundle", "dropped")) as Partial<Finding>),
  };
}

function placeOf(part: JsonObject): Place | undefined {
  const place = givenPartOf(part, "place");
  return place && readPlace(place);
}

function readPlace(part: JsonObject): Place {
  const path = own(part, "path") as Path | undefined;
  const elsewhere = givenPartOf(part, "elsewhere");
  return given({
    source: textOf(part, "source") ?? "",
    line: numberOf(part, "line") ?? 0,
    column: numberOf(part, "column") ?? 0,
    path: Array.isArray(path) ? path : undefined,
    offset: numberOf(part, "offset"),
    ofKey: isTrue(part, "ofKey") || undefined,
    exact: isTrue(part, "exact") || undefined,
    elsewhere:
      elsewhere && new Map(Object.entries(elsewhere).map(([key, place]) => [key, readPlace(place as JsonObject)])),
  });
}
