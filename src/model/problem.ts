// What must be resolved? One namespace of a cluster, or its ClusterExtensions, with all inputs of the answer: requests,
// installed operators, catalogs, the cluster and its runtime constraints. Plain, self-contained data.

import type { Range } from "../semver/blang-range.ts";
import type { VersionConstraint } from "../semver/masterminds-range.ts";
import type { Version } from "../semver/version.ts";
import type { Catalog, Property } from "./catalog.ts";
import type { CustomResource, CustomResourceDefinition } from "./custom-resource.ts";
import type { Finding, Severity } from "./finding.ts";
import type { InstallMode } from "./installed-operator.ts";
import { compareText } from "./json.ts";
import type { Place } from "./place.ts";
import type { RequirementFault } from "./selector.ts";
import type { Approval } from "./subscription.ts";

/** The name of the cluster scope where others have that of a namespace: Kubernetes writes it for objects without one. */
export const CLUSTER_SCOPE = "";

/** A request for an operator of a package: a Subscription, a ClusterExtension, or a package named on the command line. */
export interface Request {
  /** `namespace/name`, or the name of a ClusterExtension; unique. */
  readonly id: string;
  readonly name: string;
  /** Higher comes first; then the id, bytewise. */
  readonly priority: number;
  readonly package: string;
  /** The catalog to use; without one every catalog is searched, in order. */
  readonly catalog?: CatalogName | undefined;
  /** Without one, every channel is allowed, the default channel first. */
  readonly channel?: string | undefined;
  /** Only versions inside (packages named on the command line). */
  readonly range?: Range | undefined;
  /** The only candidate of a first installation. */
  readonly startingCSV?: string | undefined;
  /** The name of the installed operator of this namespace that it claims. */
  readonly installed?: string | undefined;
  readonly approval: Approval;
  /** The names of bundles that it has had in a plan, and to which it does not return. */
  readonly left?: readonly string[] | undefined;
  /** It is Manual, and approved. */
  readonly isApproved?: true | undefined;
  /** It was generated for a dependency: the package itself is not requested. */
  readonly isGenerated?: true | undefined;
  /** It has no Subscription or ClusterExtension yet, but a plan creates one. */
  readonly isPlanned?: true | undefined;
  /** What OLM v1 reads in a ClusterExtension; every request of the cluster scope has it, and no other. */
  readonly extension?: ExtensionTerms | undefined;
  /** Where it is declared; undefined for the command line. */
  readonly place?: Place | undefined;
}

/** The terms of a ClusterExtension. */
export interface ExtensionTerms {
  /** The channels to choose from; empty: all. */
  readonly channels: readonly string[];
  /** Only versions inside. */
  readonly versions?: VersionConstraint | undefined;
  /** The names of the catalogs that its selector matches, sorted; undefined: all. */
  readonly catalogs?: readonly string[] | undefined;
  /** Updates follow upgrade edges (CatalogProvided), or any newer version is allowed (SelfCertified). */
  readonly policy: "CatalogProvided" | "SelfCertified";
  /** Whether a breaking change of a CRD stops an update. */
  readonly crdUpgradeSafety: "Strict" | "None";
  /** A field that cannot be read: nothing is chosen for it. */
  readonly malformed?: MalformedField | undefined;
}

/** A field of a ClusterExtension that cannot be read; `text` is as written, `reason` that of the reader of ranges. */
export type MalformedField =
  | { readonly field: "version"; readonly text: string; readonly reason: string }
  | { readonly field: "selector"; readonly fault: RequirementFault }
  | { readonly field: "upgradeConstraintPolicy"; readonly text: string };

/** A reference to a catalog; without a namespace, by its name in any. */
export interface CatalogName {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** A catalog whose content is unknown. */
export interface UnavailableCatalog extends CatalogName, Pick<Catalog, "onlyFor"> {
  readonly priority: number;
  readonly reason: string;
}

/** An installed operator, as resolution input. Copied ClusterServiceVersions of other namespaces are left out. */
export interface Installed {
  readonly namespace: string;
  /** The name of its ClusterServiceVersion. */
  readonly name: string;
  /** Its package, if known. */
  readonly package: string | undefined;
  readonly version: Version | undefined;
  /** As recorded, or derived from the APIs it owns and requires. */
  readonly properties: readonly Property[];
  readonly minKubeVersion: string | undefined;
  readonly installModes: readonly InstallMode[];
  /** The versions of kinds that its ClusterServiceVersion owns, by `gvkKey`: it works with objects of these. */
  readonly owned?: readonly string[] | undefined;
  /** Why it must not be updated. */
  readonly hold: Hold | undefined;
  readonly place: Place | undefined;
}

/** Why an operator is not updated. */
export interface Hold {
  readonly by: "condition" | "flag" | "approval";
  readonly text: string;
  /** The package named by a flag. */
  readonly package?: string | undefined;
}

/** The cluster itself: a participant of every answer that is always present. */
export interface ClusterNode {
  /** `kubernetes.version`, `cluster.label`, `olm.gvk` of the server… and what the administrator declares. */
  readonly properties: readonly Property[];
}

/** One runtime constraint, as written. */
export interface RuntimeEntry {
  readonly property: Property;
  readonly place: Place | undefined;
  /** Its number in the file, from 1, if others were removed; otherwise its index in the list. */
  readonly number?: number | undefined;
}

/** The number of each runtime constraint in the file. */
export function numbersOf({ entries }: Pick<RuntimeConstraints, "entries">): readonly number[] {
  return entries.map(({ number }, index) => number ?? index + 1);
}

/** What the administrator requires of everything that is newly installed or updated to. */
export interface RuntimeConstraints {
  readonly entries: readonly RuntimeEntry[];
  /** What makes them unusable as a whole. Until it is fixed, nothing is installed or updated. */
  readonly problems: readonly Finding[];
}

/** The target namespaces of operators here; undefined if unknown. */
export interface TargetNamespaces {
  readonly all: boolean;
  readonly names: readonly string[];
}

/** How ambiguous questions are read, and the limits. */
export interface ResolveOptions {
  /** As in OLM. */
  readonly compat: boolean;
  /** ClusterExtensions as in OLM v1: each alone. */
  readonly olmv1: boolean;
  /** Replaces the default scope of compounds that state none. */
  readonly compoundScope?: "solution" | "bundle" | undefined;
  /** The feature gate CompoundConstraintsV1Alpha1. */
  readonly compoundConstraints: boolean;
  readonly allOrNothing: boolean;
  readonly installOptional: boolean;
  readonly ignoreUnavailable: boolean;
  readonly maxConflicts: number;
  readonly celCostLimit: number;
  readonly maxConstraintBytes: number;
  readonly maxConstraintDepth: number;
  /** The configured severities of findings about CustomResourceDefinitions, by code. */
  readonly crdSeverities?: { readonly [code: string]: Severity | "off" } | undefined;
}

export const DEFAULT_OPTIONS: ResolveOptions = {
  compat: false,
  olmv1: false,
  compoundConstraints: true,
  allOrNothing: false,
  installOptional: false,
  ignoreUnavailable: false,
  maxConflicts: 100_000,
  celCostLimit: 1_000_000,
  maxConstraintBytes: 65_536,
  maxConstraintDepth: 10,
};

/** A CRD of the cluster, and its objects. */
export interface ClusterDefinition {
  readonly definition: CustomResourceDefinition;
  /** All of them; undefined if none was given, since then they are unknown. */
  readonly objects: readonly CustomResource[] | undefined;
  /** There are more, which could not be read. */
  readonly isPartial?: true | undefined;
  /** The definition was not given: it is assumed to be that of the installed bundle of this name. */
  readonly assumedFrom?: string | undefined;
}

/** Another namespace with an OperatorGroup, in which a request could be made instead. */
export interface Neighbour extends Pick<Problem, "namespace" | "catalogs" | "unavailable" | "requests" | "installed"> {
  readonly targets: TargetNamespaces;
}

/** A kind with objects in the input. */
export interface KindInUse {
  readonly group: string;
  readonly kind: string;
  /** Their number, including unreadable ones. */
  readonly count: number;
}

/** All inputs of the answer for a namespace, or for the ClusterExtensions. */
export interface Problem {
  /** `CLUSTER_SCOPE` for the ClusterExtensions. */
  readonly namespace: string;
  /** The requests are ClusterExtensions, and what they install belongs to no namespace. */
  readonly scope?: "cluster" | undefined;
  /** Sorted by namespace and name. */
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  /** CatalogSources of the cluster whose content was not given, by namespace and name. */
  readonly notGiven?: readonly CatalogName[] | undefined;
  /** The CatalogSources, or ClusterCatalogs, of the cluster could not be read: there may be any. */
  readonly areCatalogsUnread?: true | undefined;
  /** By priority. */
  readonly requests: readonly Request[];
  /**
   * Nothing that needs approval may change: all Manual requests; those without an operator are no longer in
   * `requests`. Operators that only these claim are held. Only candidates of other requests are chosen from their
   * packages.
   */
  readonly unapproved?: readonly Request[] | undefined;
  /** Of this namespace, by name. */
  readonly installed: readonly Installed[];
  /** Of other namespaces, by namespace and name: they do not change. */
  readonly elsewhere: readonly Installed[];
  readonly node: ClusterNode;
  readonly runtime: RuntimeConstraints;
  readonly targets: TargetNamespaces | undefined;
  /** Packages to remove: their operators are no longer in `installed`, and they are not chosen again. */
  readonly removed: readonly string[];
  /** The operators removed with them; what held with them and fails without them is broken by the removal. */
  readonly gone: readonly Installed[];
  /** APIs of CustomResourceDefinitions that no operator owns, by `gvkKey`: they exist, but nothing reconciles them. */
  readonly orphans?: readonly string[] | undefined;
  /** The CRDs of the cluster, by name: changes by a bundle must not lose data. */
  readonly definitions?: readonly ClusterDefinition[] | undefined;
  /** Not part of the question, and not saved: other namespaces to try. */
  readonly neighbours?: readonly Neighbour[] | undefined;
  /** Kinds that operators own and that have objects, although their definitions are unknown; by group and kind. */
  readonly inUse?: readonly KindInUse[] | undefined;
  /** The highest generation of the InstallPlans of the namespace. */
  readonly installPlans?: number | undefined;
  readonly options: ResolveOptions;
}

/** The order of objects: by namespace, then by name. */
export function compareNamespaced(a: CatalogName, b: CatalogName): number {
  return compareText(a.namespace ?? "", b.namespace ?? "") || compareText(a.name, b.name);
}
