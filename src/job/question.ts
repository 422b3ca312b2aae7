// What does a program ask about the operators of a cluster? Reads its catalogs and objects, and prepares a problem for each
// namespace.

import { CRD_RULES } from "../crd/finding-codes.ts";
import { readRuntimeList } from "../input/objects/runtime-constraints.ts";
import type { Catalog, Property } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { RUNTIME_CONFIG_MAP } from "../model/config-map.ts";
import { compareFindings, distinctFindings, type Finding } from "../model/finding.ts";
import type { Place } from "../model/place.ts";
import { DEFAULT_OPTIONS, type Problem, type ResolveOptions } from "../model/problem.ts";
import { emptyNamespaceText } from "../render/sentence/warning.ts";
import { chooseNamespaces, nothingAsked } from "../resolve/prepare/asked-namespaces.ts";
import { usableCatalogs } from "../resolve/prepare/catalogs-in-reach.ts";
import { parseNamedRequest } from "../resolve/prepare/named-request.ts";
import type { NamedRequest, PreparationWarning } from "../resolve/prepare/problem-inputs.ts";
import { SINGLE_FACTS } from "../resolve/prepare/runtime-constraints.ts";
import type { Change } from "../resolve/what-if.ts";
import { factFault, plainVersion, versionFault } from "./cluster-fact.ts";
import { type InputFinding, type KnownPlaces, locatedFindings, placesIn, withExactPlaces } from "./exact-places.ts";
import { preparedQuestion } from "./prepared.ts";
import { type CatalogInput, type ObjectsInput, readCatalog, readObjects, textsBehind } from "./text-input.ts";
import { TextSources } from "./text-sources.ts";
import { checkChoice, checkKeys, checkPositive, checkType, listOf, textOf, UsageError } from "./usage-error.ts";

/** Catalogs, objects, and what is asked about them: the flags of the command, as one object. */
export interface OperatorQuestion {
  /** File-based catalogs, as text or as read by `readCatalog` or `plimsoll/node`. */
  readonly catalogs: readonly CatalogInput[];
  /** Objects of the cluster: Subscriptions, ClusterServiceVersions, OperatorGroups, CRDs, … */
  readonly objects?: ObjectsInput | undefined;
  /** Packages to request: `[CATALOG/]PACKAGE[@RANGE][:CHANNEL]`. */
  readonly packages?: readonly string[] | undefined;
  /** The namespace to resolve; by default the only one with Subscriptions. */
  readonly namespace?: string | undefined;
  /** `cluster`: resolve the ClusterExtensions of OLM v1. */
  readonly scope?: "cluster" | undefined;
  /** Resolve every namespace that has Subscriptions, and the ClusterExtensions. */
  readonly allNamespaces?: boolean | undefined;
  /** What if: requests that are dropped. */
  readonly drop?: readonly string[] | undefined;
  /** What if: requests that take the place of those for the same package. */
  readonly instead?: readonly string[] | undefined;
  /** What if: packages that are removed. */
  readonly remove?: readonly string[] | undefined;
  /** What if: packages that stay at their version. */
  readonly hold?: readonly string[] | undefined;
  /** What if: packages whose Manual Subscriptions are approved. */
  readonly approve?: readonly string[] | undefined;
  /** What if: runtime constraints that are ignored, counted from 1. */
  readonly withoutConstraints?: readonly number[] | undefined;
  /** The Kubernetes version of the cluster. */
  readonly kubeVersion?: string | undefined;
  /** The OpenShift version of the cluster. */
  readonly openshiftVersion?: string | undefined;
  /** Other properties of the cluster. */
  readonly properties?: readonly Property[] | undefined;
  /** The administrator's runtime constraints as text, instead of those of the ConfigMap. */
  readonly runtimeConstraints?: string | undefined;
  /** The ConfigMap with the runtime constraints; `olm/olm-runtime-constraints` by default. */
  readonly runtimeConstraintsConfigMap?: { readonly namespace: string; readonly name: string } | undefined;
  /** How constraints are read, limits, and which rules apply. */
  readonly options?: Partial<ResolveOptions> | undefined;
  /** Called now and then; once it returns true, the best answer so far is taken. */
  readonly stop?: (() => boolean) | undefined;
}

/** The keys of a question about operators. */
export const QUESTION_KEYS: readonly (keyof OperatorQuestion)[] = [
  "catalogs",
  "objects",
  "packages",
  "namespace",
  "scope",
  "allNamespaces",
  "drop",
  "instead",
  "remove",
  "hold",
  "approve",
  "withoutConstraints",
  "kubeVersion",
  "openshiftVersion",
  "properties",
  "runtimeConstraints",
  "runtimeConstraintsConfigMap",
  "options",
  "stop",
];

/** The problems of a question, and what was noticed. */
export interface AskedProblems {
  readonly problems: readonly Problem[];
  readonly warnings: readonly PreparationWarning[];
  /** Everything that is wrong with the input, with exact places. */
  readonly findings: readonly InputFinding[];
  /** The packages whose requests were replaced. */
  readonly replaced: readonly string[];
  /** The same data with exact places. */
  readonly located: <Answer>(answer: Answer) => Answer;
}

/** What a question names besides its requests. */
interface Naming {
  /** It names its subject: nothing needs to be requested. */
  readonly isSubject?: boolean;
  /** A target that is requested if nothing else is. */
  readonly target?: NamedRequest | undefined;
}

/** Prepares the problems of a question. */
export function askedProblems(question: OperatorQuestion, { isSubject = false, target }: Naming = {}): AskedProblems {
  const {
    namespace,
    scope,
    allNamespaces = false,
    objects: givenObjects = [],
    runtimeConstraintsConfigMap: configMap,
  } = question;
  checkType("namespace", namespace, "string");
  checkType("allNamespaces", question.allNamespaces, "boolean");
  checkChoice("scope", scope, ["cluster"]);
  const fault = scopeFault(question);
  if (fault !== undefined) throw new UsageError(fault);
  checkType("stop", question.stop, "function");
  const catalogs = readCatalogs(question.catalogs);
  const read = readObjects(givenObjects, { namespace, names: [(configMap ?? RUNTIME_CONFIG_MAP).name] });
  const { objects } = read;
  const aboutInput = serious([...catalogs.flatMap((catalog) => catalog.findings), ...read.findings]);
  const choice = chooseNamespaces({ namespace, scope, isAll: allNamespaces }, objects);
  if (choice.kind === "several")
    throw new UsageError(
      choice.hasExtensions
        ? `there are Subscriptions in ${choice.namespaces.join(", ")}, and ClusterExtensions; choose with namespace or scope, or all with allNamespaces`
        : `Subscriptions are in several namespaces: ${choice.namespaces.join(", ")}; choose one with namespace, or all with allNamespaces`,
      aboutInput,
    );
  if (choice.kind === "no-subscriptions")
    throw new UsageError("allNamespaces needs Subscriptions or ClusterExtensions, and none are in objects", aboutInput);
  const constraints = question.runtimeConstraints;
  const sources = new TextSources().addAll([...catalogs, read].map(textsBehind));
  const list =
    constraints === undefined
      ? undefined
      : sources.add("runtimeConstraints", textOf("runtimeConstraints", constraints));
  const instead = namedRequests("instead", question.instead);
  const named = namedRequests("packages", question.packages);
  const given = {
    ...usableCatalogs(catalogs, catalogs),
    objects,
    namespaces: choice.namespaces,
    named: target !== undefined && named.length + runningOrAsked(objects) === 0 ? [target] : named,
    removed: names("remove", question.remove),
    held: names("hold", question.hold),
    nodeProperties: clusterProperties(question),
    configMap,
    readList: readRuntimeList,
    options: { ...DEFAULT_OPTIONS, ...definedOptions(question.options) },
    ...(list && { runtimeConstraints: { text: list.text, place: { source: list.source, line: 1, column: 1 } } }),
  };
  const prepared = preparedQuestion(given, changesOf(question, instead), catalogs[0]?.name);
  const nothing = nothingAsked(prepared.unchanged, namespace, objects);
  if (nothing !== undefined && !isSubject)
    throw new UsageError(
      nothing.code === "empty-namespace"
        ? emptyNamespaceText(nothing)
        : "nothing is requested; name packages, or give objects with Subscriptions",
      aboutInput,
    );
  const found = distinctFindings([
    ...catalogs.flatMap((catalog) => catalog.findings),
    ...read.findings,
    ...prepared.findings,
  ]);
  const { findings, located } = locating(sources, found);
  // The name of an empty namespace may be misspelt.
  const empty = nothing?.code === "empty-namespace" ? [nothing] : [];
  const warnings = [...prepared.warnings, ...empty];
  return { ...prepared, warnings, findings, replaced: instead.map((request) => request.package), located };
}

/** What is wrong with the combination of options about the scope. */
function scopeFault({
  namespace,
  scope,
  allNamespaces,
}: Pick<OperatorQuestion, "namespace" | "scope" | "allNamespaces">): string | undefined {
  if (namespace === "") return "namespace is empty; scope asks for the ClusterExtensions";
  if (scope === undefined) return undefined;
  if (namespace !== undefined) return "scope and namespace cannot be combined";
  return allNamespaces ? "scope and allNamespaces cannot be combined" : undefined;
}

/** How many Subscriptions, ClusterExtensions and operators there are. */
function runningOrAsked({ subscriptions, clusterExtensions, installedOperators }: ClusterObjects): number {
  return subscriptions.length + clusterExtensions.length + installedOperators.length;
}

/** Reads the catalogs that were not read before. */
export function readCatalogs(given: readonly CatalogInput[]): readonly Catalog[] {
  const catalogs = listOf("catalogs", given).map((one) =>
    typeof one === "object" && one !== null && "packages" in one ? one : readCatalog(one),
  );
  const identity = ({ name, namespace = "" }: Catalog): string => JSON.stringify([namespace, name]);
  const twice = catalogs.find((one, index) => catalogs.findIndex((other) => identity(other) === identity(one)) < index);
  if (twice !== undefined)
    throw new UsageError(`two catalogs are called ${JSON.stringify(twice.name)}; name them differently`);
  return catalogs;
}

/** The findings in the order of places, and how an answer gets exact places. */
export function locating(sources: TextSources, found: readonly Finding[]): Pick<AskedProblems, "findings" | "located"> {
  const known = (places: readonly Place[]): KnownPlaces => ({
    positions: sources.locate(places),
    placeOfValue: (place) => sources.placeOfValue(place),
  });
  const sorted = found.toSorted(compareFindings);
  return {
    findings: locatedFindings(sorted, known(sorted.map(({ place }) => place))),
    located: (answer) => withExactPlaces(answer, known(placesIn(answer))),
  };
}

/** The errors and warnings among findings. */
export function serious<Found extends Finding>(findings: readonly Found[]): readonly Found[] {
  return findings.filter(({ severity }) => severity !== "info");
}

function changesOf(question: OperatorQuestion, instead: readonly NamedRequest[]): readonly Change[] {
  return [
    ...instead.map((request): Change => ({ kind: "instead", request })),
    ...names("drop", question.drop).map((owner): Change => ({ kind: "drop", package: owner })),
    ...names("approve", question.approve).map((owner): Change => ({ kind: "approve", package: owner })),
    ...(question.withoutConstraints ?? []).map((number): Change => ({ kind: "without-constraint", number })),
  ];
}

/** A package, with a catalog, a range and a channel if it says so. */
export function namedRequest(text: string): NamedRequest {
  const request = parseNamedRequest(textOf("a request", text));
  if (typeof request === "string") throw new UsageError(request);
  return request;
}

function namedRequests(option: string, texts: readonly string[] | undefined): readonly NamedRequest[] {
  return listOf(option, texts).map(namedRequest);
}

function names(option: string, given: readonly string[] | undefined): readonly string[] {
  return listOf(option, given).map((name) => textOf(option, name));
}

function clusterProperties({ kubeVersion, openshiftVersion, properties = [] }: OperatorQuestion): readonly Property[] {
  const versions = [
    ["kubeVersion", "kubernetes.version", kubeVersion],
    ["openshiftVersion", "openshift.version", openshiftVersion],
  ] as const;
  const given: Property[] = [];
  for (const [option, type, value] of versions) {
    if (value === undefined) continue;
    const fault = versionFault(value);
    if (fault !== undefined) throw new UsageError(`${option}: ${fault}`);
    given.push({ type, value: plainVersion(value) });
  }
  for (const { type, value } of listOf("properties", properties)) {
    const isTwice = SINGLE_FACTS.has(type) && given.some((one) => one.type === type);
    const fault = isTwice ? "it is given twice" : factFault(type, value);
    if (fault !== undefined) throw new UsageError(`property ${type}: ${fault}`);
    given.push({ type, value });
  }
  return given;
}

/** Throws if a severity is none: a misspelt one would hide a finding. */
export function checkSeverities(option: string, severities: Readonly<Record<string, unknown>> | undefined): void {
  if (severities === undefined) return;
  checkKeys(option, severities, Object.keys(CRD_RULES));
  for (const [code, severity] of Object.entries(severities))
    checkChoice(`${option}.${code}`, severity, ["error", "warning", "info", "off"]);
}

function definedOptions(options: Partial<ResolveOptions> = {}): Partial<ResolveOptions> {
  checkKeys("options", options, [...Object.keys(DEFAULT_OPTIONS), "compoundScope", "crdSeverities"]);
  checkChoice("options.compoundScope", options.compoundScope, ["solution", "bundle"]);
  for (const [option, usual] of Object.entries(DEFAULT_OPTIONS)) {
    const value = options[option as keyof ResolveOptions];
    if (typeof usual === "number") checkPositive(`options.${option}`, value);
    else checkType(`options.${option}`, value, "boolean");
  }
  checkSeverities("options.crdSeverities", options.crdSeverities);
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
