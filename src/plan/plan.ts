// What is a plan? The steps, generation after generation, that lead a namespace from what runs to the newest state that can
// be reached, such that after every single step everything that runs has what it needs. Plain data: JSON carries it whole.

import type { Outline } from "../constraint/outline.ts";
import type { CrdFinding } from "../crd/finding.ts";
import type { JsonObject } from "../model/json.ts";
import type { OperatorRef, RequestRef } from "../model/operator-ref.ts";
import type { CatalogName, KindInUse } from "../model/problem.ts";
import type { NamedRequest } from "../resolve/prepare/given.ts";
import type { Reason } from "../resolve/reason.ts";
import type { Explanation, GeneratedSubscription, Resolution } from "../resolve/resolution.ts";
import type { Warning } from "../resolve/warning.ts";
import type { BrokenRule } from "../rule/rules.ts";

/** A bundle of a catalog, as it is found in a channel. */
export interface BundleRef extends OperatorRef {
  readonly package: string;
  readonly version: string;
  readonly catalog: CatalogName;
  /** Another catalog has the same name in another namespace. */
  readonly isNameShared?: true | undefined;
  readonly channel: string;
  /** The namespace of its CatalogSource, where that is known. */
  readonly sourceNamespace?: string | undefined;
}

/** Why an operator comes, moves on, or goes. */
export type ChangeReason =
  /** As the answer of its generation says. */
  | Reason
  /** The way to the target leads over it. */
  | { readonly kind: "way" }
  /** The way to the target is not safe without it. */
  | { readonly kind: "along" }
  /** It came as a dependency and is no longer needed. */
  | { readonly kind: "orphan" };

/** One operator that comes, moves on, or goes. */
export interface OperatorChange {
  readonly package: string;
  /** What it takes the place of, or what goes; nothing for an installation. */
  readonly from?: OperatorRef | undefined;
  /** Others that make room for it as well: mostly none. */
  readonly alsoFrom: readonly OperatorRef[];
  /** What runs then; nothing for a removal. */
  readonly to?: BundleRef | undefined;
  /** The request that it satisfies, the first by priority. */
  readonly request?: RequestRef | undefined;
  /** The Subscription that comes with a dependency. */
  readonly generatedSubscription?: GeneratedSubscription | undefined;
  /** Those that need it. */
  readonly requiredBy: readonly OperatorRef[];
  readonly reason: ChangeReason;
  /** Its place among the changes of others matters, in whatever namespace. */
  readonly isOrdered?: true | undefined;
}

/** What is done. */
export type ActionVerb =
  /** It is not there yet. */
  | "create"
  /** It is there. */
  | "update"
  /** It is not known whether it is there. */
  | "apply"
  /** A ClusterServiceVersion takes the place of another one. */
  | "replace"
  | "delete"
  /** The content of a bundle is in its image. */
  | "unpack"
  /** Every object of a custom kind is stored again, in the version that objects are stored in now. */
  | "rewrite"
  /** `status.storedVersions` of a CustomResourceDefinition is set. */
  | "patch";

/** A field that objects lose, and the object that is known to have it. */
export type LostField = Pick<CrdFinding, "code" | "path" | "object">;

/** What an action is about. */
export type ActionDetail =
  /** An object that its bundle brings. */
  | { readonly kind: "object" }
  /** The ClusterServiceVersion of its bundle, and the names of those it replaces. */
  | { readonly kind: "operator"; readonly replaced: readonly string[] }
  /** A bundle of which not everything is known. */
  | {
      readonly kind: "content";
      readonly missing: "everything" | "operator" | "manifests";
      /** How many manifests cannot be read. */
      readonly unreadable: number;
      /** The image that has them; empty where there is none. */
      readonly image: string;
      /** What OLM hands on of the properties of the bundle; only with manifests. */
      readonly properties?: string | undefined;
    }
  /** The objects of a custom kind. */
  | {
      readonly kind: "stored-objects";
      readonly allNamespaces: boolean;
      /** How many there are, where that is known. */
      readonly count?: number | undefined;
      /** The version in which they are stored then. */
      readonly storage: string;
      /** The versions in which none is stored any more. */
      readonly removed: readonly string[];
      readonly loss: readonly LostField[];
    }
  | { readonly kind: "stored-versions"; readonly versions: readonly string[] }
  | { readonly kind: "subscription"; readonly package: string; readonly channel: string; readonly source: string }
  /** What goes with an operator: its Subscription, or the operator itself. */
  | { readonly kind: "removal"; readonly operator: string };

/** One thing that is done to the cluster. */
export interface Action {
  readonly verb: ActionVerb;
  /** The kind of the object: ClusterServiceVersion, CustomResourceDefinition, Subscription… */
  readonly kind: string;
  readonly name: string;
  /** Nothing for an object of the whole cluster. */
  readonly namespace?: string | undefined;
  /** The name of the bundle on whose behalf it is done; nothing for a removal. */
  readonly bundle?: string | undefined;
  readonly detail: ActionDetail;
  /** The object as it is to be, where that is known and was asked for; of a patch, what is patched. */
  readonly manifest?: JsonObject | undefined;
  /** What a person could type to do it, where OLM does not: migrations, removals. */
  readonly command?: string | undefined;
}

/** A rule that a change would break. */
export type Breach =
  /** A rule between operators. */
  | { readonly kind: "rule"; readonly rule: BrokenRule }
  /** What is made of custom kinds. */
  | { readonly kind: "custom-kinds" };

/** Why an operator cannot move before others. */
export interface Because {
  readonly package: string;
  readonly breach: Breach;
}

/** Changes that are made together, because none of them can be made without the others. */
export interface Step {
  /** By package. More than one: a joint step. */
  readonly changes: readonly OperatorChange[];
  /** For a joint step: for each of them, what breaks if it moves before the others. */
  readonly because: readonly Because[];
  /** What has to be done by hand to stored objects first, in this order. */
  readonly migrations: readonly Action[];
  /** What is done then, in the order in which it is safe; only where it was asked for. */
  readonly actions?: readonly Action[] | undefined;
}

/** Steps that lead from one state to the next: everything that can move does so once. */
export interface Generation<S = Step> {
  /** Counted from 1. Of several namespaces, generation 1 of all comes before generation 2 of any; not all move in each. */
  readonly number: number;
  /** In the order in which they are safe; at least one. */
  readonly steps: readonly S[];
}

/** An operator that came as a dependency and is no longer needed. */
export interface Orphan extends OperatorRef {
  /** Its name where the package is not known. */
  readonly package: string;
  /** The generated Subscriptions that keep it up to date. */
  readonly requests: readonly RequestRef[];
  /** The kinds that it owns and of which objects were given: it may still be in use. */
  readonly inUse: readonly KindInUse[];
  /** The first orphan that needs it and stays, because it is in use or needed in turn by one that is: with it, this one stays. */
  readonly neededBy?: OrphanNeed | undefined;
}

/** What an orphan that stays needs of another. */
export interface OrphanNeed {
  readonly operator: OperatorRef;
  /** What it asks for. */
  readonly demand: Outline;
  /** It only wishes for it. */
  readonly isOptional: boolean;
}

/** Why a plan ends. */
export type PlanEnd =
  /** Nothing can move any more, or the target is reached. */
  | "done"
  /** No safe way leads to the target. */
  | "no-way"
  /** No safe way leads to the target as far as is known: something was not read that may have one. */
  | "unread"
  /** There would be more generations than allowed. */
  | "generations"
  /** The time was over, or the search for a way grew too large. */
  | "search";

/** What became of the wish to reach a version. */
export interface Target {
  readonly wish: NamedRequest;
  readonly isReached: boolean;
  /** Why there is no way; nothing if there is one, or if that is not known. */
  readonly explanation?: Explanation | undefined;
}

/** What a plan comes to, beside its steps. */
export interface PlanOutcome {
  readonly namespace: string;
  readonly end: PlanEnd;
  /** Which orphans it was to remove. */
  readonly prune: PlanOptions["prune"];
  /** The answer about the state after the last generation: what is held back, refused, waiting for approval, and why. */
  readonly last: Resolution;
  /** By package. */
  readonly orphans: readonly Orphan[];
  /** Each once; those about the present state come first. */
  readonly warnings: readonly Warning[];
  readonly target?: Target | undefined;
  /** Every generation was proven to be the best. */
  readonly proven: boolean;
}

/** The plan of a namespace. */
export interface Plan extends PlanOutcome {
  readonly generations: readonly Generation[];
  /** The operators that run now. */
  readonly before: readonly OperatorRef[];
  /** The operators that run after the last generation. */
  readonly after: readonly OperatorRef[];
  /** The operators that were taken away to see what happens. */
  readonly gone: readonly OperatorRef[];
  /** The number of the latest InstallPlan of the namespace. */
  readonly installPlans: number;
}

/** What a plan is to do. */
export interface PlanOptions {
  readonly maxGenerations: number;
  /** Only what leads there, on the shortest way. */
  readonly to?: NamedRequest | undefined;
  /** Orphans are removed; only with `with-objects` also those that own a kind of which objects were given. */
  readonly prune: boolean | "with-objects";
  /** Every step says what is done in it; with `whole`, with the manifests. */
  readonly actions?: "short" | "whole" | undefined;
  /** The last answer says why; with `all` also of operators that have only to be approved. */
  readonly explanations?: "all" | "beyond-approval" | undefined;
}

/** What holds where nothing else is said. */
export const DEFAULT_PLAN_OPTIONS: PlanOptions = { maxGenerations: 1_000, prune: false };
