// What is to be resolved? One namespace of a cluster, with everything that the answer may depend on: what was asked for,
// what runs, what the catalogs offer, what the cluster is and what its administrator demands. Plain data: whoever has it
// has everything.

import type { Range } from "../semver/blang-range.ts";
import type { Version } from "../semver/version.ts";
import type { Catalog, Property } from "./catalog.ts";
import type { CustomResource, CustomResourceDefinition } from "./custom-resource.ts";
import type { Finding, Severity } from "./finding.ts";
import type { InstallMode } from "./installed-operator.ts";
import type { Place } from "./place.ts";
import type { Approval } from "./subscription.ts";

/** A wish for an operator of a package: a Subscription, or a package named on the command line. */
export interface Request {
  /** `namespace/name`; unique. */
  readonly id: string;
  readonly name: string;
  /** The higher comes first; then the id, bytewise. */
  readonly priority: number;
  readonly package: string;
  /** The catalog to take it from; without one every catalog is asked, in their order. */
  readonly catalog?: CatalogName | undefined;
  /** Without one, every channel will do, the default channel first. */
  readonly channel?: string | undefined;
  /** Only versions inside (packages named on the command line). */
  readonly range?: Range | undefined;
  /** The only bundle to begin with, while nothing is installed. */
  readonly startingCSV?: string | undefined;
  /** The name of the operator of this namespace that it keeps up to date, if that runs. */
  readonly installed?: string | undefined;
  readonly approval: Approval;
  /** The names of bundles that it has had in a plan, and to which it does not go back. */
  readonly left?: readonly string[] | undefined;
  /** It is Manual, and somebody has approved what it asks for. */
  readonly isApproved?: true | undefined;
  /** It came with a dependency: nobody asked for the package itself. */
  readonly isGenerated?: true | undefined;
  /** Nobody has written a Subscription for it, but a plan has. */
  readonly isPlanned?: true | undefined;
  /** Where it was asked for; nothing for the command line. */
  readonly place?: Place | undefined;
}

/** How a catalog is referred to; without a namespace, by its name in any. */
export interface CatalogName {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** A catalog whose content is not known. */
export interface UnavailableCatalog extends CatalogName {
  readonly priority: number;
  readonly reason: string;
}

/** An operator that runs, as resolution sees it. Copies of operators of other namespaces are not among them. */
export interface Installed {
  readonly namespace: string;
  /** The name of its ClusterServiceVersion. */
  readonly name: string;
  /** The package it is of, where that is known. */
  readonly package: string | undefined;
  readonly version: Version | undefined;
  /** As recorded, or derived from the APIs it owns and requires. */
  readonly properties: readonly Property[];
  readonly minKubeVersion: string | undefined;
  readonly installModes: readonly InstallMode[];
  /** The versions of custom kinds that its ClusterServiceVersion owns, by `gvkKey`: it works with objects of these. */
  readonly owned?: readonly string[] | undefined;
  /** Why it must stay as it is. */
  readonly hold: Hold | undefined;
  readonly place: Place | undefined;
}

/** Why an operator is not to be updated. */
export interface Hold {
  readonly by: "condition" | "flag" | "approval";
  readonly text: string;
  /** The package that a flag named. */
  readonly package?: string | undefined;
}

/** The cluster itself: a member of every answer that nobody chose. */
export interface ClusterNode {
  /** `kubernetes.version`, `cluster.label`, `olm.gvk` of the server… and what the administrator declares. */
  readonly properties: readonly Property[];
}

/** One constraint of the administrator, as written. */
export interface RuntimeEntry {
  readonly property: Property;
  readonly place: Place | undefined;
  /** Its number in the file, counted from 1, where others were taken away; otherwise that is its place in the list. */
  readonly number?: number | undefined;
}

/** The number of each constraint of the administrator, as the file counts them. */
export function numbersOf({ entries }: Pick<RuntimeConstraints, "entries">): readonly number[] {
  return entries.map(({ number }, index) => number ?? index + 1);
}

/** What the administrator demands of everything that is newly installed or updated to. */
export interface RuntimeConstraints {
  readonly entries: readonly RuntimeEntry[];
  /** What makes them unusable as a whole. While it stands, nothing is installed or updated. */
  readonly problems: readonly Finding[];
}

/** The namespaces that operators here work for; nothing where that is not known. */
export interface TargetNamespaces {
  readonly all: boolean;
  readonly names: readonly string[];
}

/** How questions with several possible readings are read, and how much may be spent. */
export interface ResolveOptions {
  /** As OLM does it. */
  readonly compat: boolean;
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
  /** How serious findings about CustomResourceDefinitions are, by code, where that is not as usual. */
  readonly crdSeverities?: { readonly [code: string]: Severity | "off" } | undefined;
}

/** What holds where nothing else is said. */
export const DEFAULT_OPTIONS: ResolveOptions = {
  compat: false,
  compoundConstraints: true,
  allOrNothing: false,
  installOptional: false,
  ignoreUnavailable: false,
  maxConflicts: 100_000,
  celCostLimit: 1_000_000,
  maxConstraintBytes: 65_536,
  maxConstraintDepth: 10,
};

/** A custom kind that the cluster has, and its objects. */
export interface ClusterDefinition {
  readonly definition: CustomResourceDefinition;
  /** All of them; nothing where none was given, for then nobody knows. */
  readonly objects: readonly CustomResource[] | undefined;
  /** There are more, which could not be read. */
  readonly isPartial?: true | undefined;
  /** The definition was not given: it is assumed to be that of the bundle of this name, which is installed. */
  readonly assumedFrom?: string | undefined;
}

/** Another namespace with an OperatorGroup, in which something could be asked for instead. */
export interface Neighbour {
  readonly namespace: string;
  readonly targets: TargetNamespaces;
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  readonly requests: readonly Request[];
  readonly installed: readonly Installed[];
}

/** A kind of which objects were given. */
export interface KindInUse {
  readonly group: string;
  readonly kind: string;
  /** So many, those included that could not be read. */
  readonly count: number;
}

/** Everything that the answer for a namespace depends on. */
export interface Problem {
  readonly namespace: string;
  /** Sorted by namespace and name. */
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  /** CatalogSources of the cluster whose content was not given, by namespace and name. */
  readonly notGiven?: readonly CatalogName[] | undefined;
  /** In their order of priority. */
  readonly requests: readonly Request[];
  /**
   * Nothing may happen that needs approval: all Manual requests, those without an operator being no longer among the
   * `requests`. Operators that only these claim are held. Of their packages nothing is chosen but candidates of others.
   */
  readonly unapproved?: readonly Request[] | undefined;
  /** Of this namespace, by name. */
  readonly installed: readonly Installed[];
  /** Of other namespaces, by namespace and name: they stay as they are. */
  readonly elsewhere: readonly Installed[];
  readonly node: ClusterNode;
  readonly runtime: RuntimeConstraints;
  readonly targets: TargetNamespaces | undefined;
  /** Packages that are to go: their operators are no longer in `installed`, and they are not chosen anew. */
  readonly removed: readonly string[];
  /** The operators that went with them; what held with them and fails without them is broken by the removal. */
  readonly gone: readonly Installed[];
  /** APIs of CustomResourceDefinitions that no operator owns, by `gvkKey`: they are there, but nothing runs them. */
  readonly orphans?: readonly string[] | undefined;
  /** The custom kinds of the cluster, by name: what a bundle makes of them must lose nothing. */
  readonly definitions?: readonly ClusterDefinition[] | undefined;
  /** No part of the question, and not saved: where else it could be asked. */
  readonly neighbours?: readonly Neighbour[] | undefined;
  /** Kinds that operators own and of which objects were given, although their definitions are not known; by group and kind. */
  readonly inUse?: readonly KindInUse[] | undefined;
  /** The number of the latest InstallPlan of the namespace. */
  readonly installPlans?: number | undefined;
  readonly options: ResolveOptions;
}
