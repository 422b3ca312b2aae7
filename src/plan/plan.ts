// What is a plan? The steps, generation after generation, that lead a namespace or the cluster scope from its installed operators to the
// newest reachable state, so that after every step all requirements are met. Plain data that survives JSON.

import type { Outline } from "../constraint/outline.ts";
import type { CrdFinding } from "../crd/finding.ts";
import type { JsonObject } from "../model/json.ts";
import type { OperatorRef, RequestRef } from "../model/operator-ref.ts";
import type { CatalogName, KindInUse } from "../model/problem.ts";
import type { NamedRequest } from "../resolve/prepare/problem-inputs.ts";
import type { Reason } from "../resolve/reason.ts";
import type { Explanation, GeneratedSubscription, Resolution } from "../resolve/resolution.ts";
import type { Warning } from "../resolve/warning.ts";
import type { BrokenRule } from "../rule/rules.ts";

/** A bundle of a catalog, as it is found in a channel. */
export interface BundleRef extends OperatorRef {
  readonly package: string;
  readonly version: string;
  readonly catalog: CatalogName;
  /** A catalog in another namespace has the same name. */
  readonly isNameShared?: true | undefined;
  readonly channel: string;
  /** The namespace of its CatalogSource, if known. */
  readonly sourceNamespace?: string | undefined;
}

/** Why an operator is installed, updated or removed. */
export type ChangeReason =
  /** The reason in the answer of its generation. */
  | Reason
  /**
   * It is on the path to the target; that path is not safe without it; or it was installed as a dependency and is no
   * longer required.
   */
  | { readonly kind: "way" | "along" | "orphan" };

/** One operator that is installed, updated or removed. */
export interface OperatorChange {
  readonly package: string;
  /** The replaced or removed operator; undefined for an installation. */
  readonly from?: OperatorRef | undefined;
  /** Further operators that it replaces; usually none. */
  readonly alsoFrom: readonly OperatorRef[];
  /** The new operator; undefined for a removal. */
  readonly to?: BundleRef | undefined;
  /** The request that it satisfies, the first by priority. */
  readonly request?: RequestRef | undefined;
  /** The Subscription generated for a dependency. */
  readonly generatedSubscription?: GeneratedSubscription | undefined;
  /** The operators that require it. */
  readonly requiredBy: readonly OperatorRef[];
  readonly reason: ChangeReason;
  /** Its order relative to other changes matters, in any namespace. */
  readonly isOrdered?: true | undefined;
}

/** What an action does. */
export type ActionVerb =
  /** The object does not exist yet. */
  | "create"
  /** The object exists. */
  | "update"
  /** It is unknown whether the object exists. */
  | "apply"
  /** A ClusterServiceVersion replaces another one. */
  | "replace"
  | "delete"
  /** The content of a bundle is in its image. */
  | "unpack"
  /** Every object of a kind is rewritten in the present storage version. */
  | "rewrite"
  /** A field is set: `status.storedVersions` of a CustomResourceDefinition, or the version of a ClusterExtension. */
  | "patch";

/** A field that objects lose, and the object that is known to have it. */
export type LostField = Pick<CrdFinding, "code" | "path" | "object">;

/** The subject of an action. */
export type ActionDetail =
  /** An object of its bundle. */
  | { readonly kind: "object" }
  /** The ClusterServiceVersion of its bundle, and the names of those it replaces. */
  | { readonly kind: "operator"; readonly replaced: readonly string[] }
  /** A bundle whose content is not completely known. */
  | {
      readonly kind: "content";
      readonly missing: "everything" | "operator" | "manifests";
      /** The number of manifests that cannot be read. */
      readonly unreadable: number;
      /** The image that contains them; empty if there is none. */
      readonly image: string;
      /** The properties that OLM passes on; only with manifests. */
      readonly properties?: string | undefined;
    }
  /** The custom resources of a kind. */
  | {
      readonly kind: "stored-objects";
      readonly allNamespaces: boolean;
      /** Their number, if known. */
      readonly count?: number | undefined;
      /** The version in which they are stored afterwards. */
      readonly storage: string;
      /** The versions in which none is stored afterwards. */
      readonly removed: readonly string[];
      readonly loss: readonly LostField[];
    }
  | { readonly kind: "stored-versions"; readonly versions: readonly string[] }
  | { readonly kind: "subscription"; readonly package: string; readonly channel: string; readonly source: string }
  /** The ClusterExtension of a package, and the only version that it allows afterwards. */
  | {
      readonly kind: "extension";
      readonly package: string;
      readonly version: string;
      /** It was created in an earlier step: its name is not known. */
      readonly isCreated?: true | undefined;
    }
  /** What is removed with an operator: its Subscription, or the operator itself. */
  | { readonly kind: "removal"; readonly operator: string };

/** One action on the cluster. */
export interface Action {
  readonly verb: ActionVerb;
  /** The kind of the object: ClusterServiceVersion, CustomResourceDefinition, Subscription… */
  readonly kind: string;
  readonly name: string;
  /** Undefined for a cluster-scoped object. */
  readonly namespace?: string | undefined;
  /** The name of the bundle it belongs to; undefined for a removal. */
  readonly bundle?: string | undefined;
  readonly detail: ActionDetail;
  /** The desired object, if known and requested; for a patch, the patch. */
  readonly manifest?: JsonObject | undefined;
  /** The command to run, where OLM does not act: migrations, removals, versions of ClusterExtensions. */
  readonly command?: string | undefined;
}

/** A rule that a change would break. */
export type Breach =
  /** A rule between operators. */
  | { readonly kind: "rule"; readonly rule: BrokenRule }
  /** The result for CRDs. */
  | { readonly kind: "custom-kinds" };

/** Why an operator cannot change before others. */
export interface Because {
  readonly package: string;
  readonly breach: Breach;
}

/** Changes that are applied together, because none of them is possible without the others. */
export interface Step {
  /** By package. More than one make a joint step. */
  readonly changes: readonly OperatorChange[];
  /** For a joint step: for each change, what breaks if it comes before the others. */
  readonly because: readonly Because[];
  /** Migrations of stored objects that must be done by hand first, in this order. */
  readonly migrations: readonly Action[];
  /** The actions after that, in a safe order; only if requested. */
  readonly actions?: readonly Action[] | undefined;
}

/** Steps that lead from one state to the next: everything that can change does so once. */
export interface Generation<S = Step> {
  /** From 1. With several namespaces, generation 1 of all comes before generation 2 of any; not all change in each. */
  readonly number: number;
  /** In a safe order; at least one. */
  readonly steps: readonly S[];
}

/** An operator that was installed as a dependency and is no longer required. */
export interface Orphan extends OperatorRef {
  /** Its name if the package is unknown. */
  readonly package: string;
  /** The generated Subscriptions that claim it. */
  readonly requests: readonly RequestRef[];
  /** The kinds that it owns and that have objects in the input: it may still be in use. */
  readonly inUse: readonly KindInUse[];
  /** The first orphan that requires it and stays, because it is in use or required in turn by one that is. */
  readonly neededBy?: OrphanNeed | undefined;
}

/** What an orphan that stays requires of another. */
export interface OrphanNeed {
  readonly operator: OperatorRef;
  readonly demand: Outline;
  /** The requirement is optional. */
  readonly isOptional: boolean;
}

/** Why a plan ends. */
export type PlanEnd =
  /** Nothing can change any more, or the target is reached. */
  | "done"
  /** No safe path leads to the target. */
  | "no-way"
  /** No safe path is known, but unread input may have one. */
  | "unread"
  /** There would be more generations than allowed. */
  | "generations"
  /** The time was over, or the search for a path grew too large. */
  | "search";

/** The result for a target version. */
export interface Target {
  readonly request: NamedRequest;
  readonly isReached: boolean;
  /** Why there is no path; undefined if there is one, or if that is unknown. */
  readonly explanation?: Explanation | undefined;
}

/** The result of a plan, without its steps. */
export interface PlanOutcome {
  /** `CLUSTER_SCOPE` for the ClusterExtensions. */
  readonly namespace: string;
  readonly end: PlanEnd;
  /** Which orphans to remove. */
  readonly prune: PlanOptions["prune"];
  /** The answer for the state after the last generation: what is held back, refused, pending approval, and why. */
  readonly last: Resolution;
  /** By package. */
  readonly orphans: readonly Orphan[];
  /** Without duplicates; those about the present state come first. */
  readonly warnings: readonly Warning[];
  readonly target?: Target | undefined;
  /** Every generation is proven to be optimal. */
  readonly proven: boolean;
}

/** The plan of a namespace. */
export interface Plan extends PlanOutcome {
  readonly generations: readonly Generation[];
  /** The present operators. */
  readonly before: readonly OperatorRef[];
  /** The operators after the last generation. */
  readonly after: readonly OperatorRef[];
  /** The operators removed by a what-if flag. */
  readonly gone: readonly OperatorRef[];
  /** The highest generation of the InstallPlans of the namespace. */
  readonly installPlans: number;
}

/** The options of a plan. */
export interface PlanOptions {
  readonly maxGenerations: number;
  /** Only the shortest path to this target. */
  readonly to?: NamedRequest | undefined;
  /** Orphans are removed; those that own a kind with objects only with `with-objects`. */
  readonly prune: boolean | "with-objects";
  /** Every step lists its actions; with `whole`, including manifests. */
  readonly actions?: "short" | "whole" | undefined;
  /** How kubectl is called for the cluster of the plan, if not as `kubectl`: with a context, for example. */
  readonly kubectl?: string | undefined;
  /** The last answer has explanations; with `all`, also for operators that only wait for approval. */
  readonly explanations?: "all" | "beyond-approval" | undefined;
}

export const DEFAULT_PLAN_OPTIONS: PlanOptions = { maxGenerations: 1_000, prune: false };
