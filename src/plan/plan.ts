// What is a plan? The steps, generation after generation, that lead a namespace from what runs to the newest state that can
// be reached, such that after every single step everything that runs has what it needs.

import type { Bundle, Catalog } from "../model/catalog.ts";
import type { JsonObject } from "../model/json.ts";
import type { Installed, KindInUse, Problem, Request } from "../model/problem.ts";
import type { Explanation, GeneratedSubscription, Resolution, Warning } from "../resolve/resolution.ts";
import type { Wish } from "../resolve/what-if.ts";

/** A bundle of a catalog, as it is found in a channel. */
export interface Source {
  readonly catalog: Catalog;
  readonly channel: string;
  readonly bundle: Bundle;
}

/** One operator that comes, moves on, or goes. */
export interface OperatorChange {
  readonly package: string;
  /** What it takes the place of, or what goes; nothing for an installation. */
  readonly from: Installed | undefined;
  /** Others that make room for it as well: mostly nobody. */
  readonly alsoFrom: readonly Installed[];
  /** What runs then; nothing for a removal. */
  readonly to: Source | undefined;
  /** The request that it satisfies, the first by priority. */
  readonly request: Request | undefined;
  /** The Subscription that comes with an operator which nobody asked for. */
  readonly generatedSubscription: GeneratedSubscription | undefined;
  /** The names of those that need it. */
  readonly requiredBy: readonly string[];
  /** Why this one. */
  readonly reason: string;
}

/** What is done. */
export type ActionVerb =
  /** It is not there yet. */
  | "create"
  /** It is there. */
  | "update"
  /** Nobody knows whether it is there. */
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

/** One thing that is done to the cluster. */
export interface Action {
  readonly verb: ActionVerb;
  /** The kind of the object: ClusterServiceVersion, CustomResourceDefinition, Subscription… */
  readonly kind: string;
  readonly name: string;
  /** Nothing for an object of the whole cluster. */
  readonly namespace: string | undefined;
  /** The bundle on whose behalf it is done; nothing for a removal. */
  readonly bundle: string | undefined;
  /** The whole sentence, without a full stop. */
  readonly text: string;
  /** The object as it is to be, where that is known; of a patch, what is patched. */
  readonly manifest: JsonObject | undefined;
  /** What a person could type to do it, where nobody else does: migrations, removals. */
  readonly command?: string | undefined;
}

/** Why an operator cannot move before others. */
export interface Because {
  readonly package: string;
  /** The rule that would be broken, without a full stop. */
  readonly text: string;
}

/** Changes that are made together, because none of them can be made without the others. */
export interface Step {
  /** By package. More than one: a joint step. */
  readonly changes: readonly OperatorChange[];
  /** For a joint step: for each of them, what breaks if it moves before the others. */
  readonly because: readonly Because[];
  /** What should be known before it is carried out: what its migrations may lose. */
  readonly warnings: readonly Warning[];
  /** In the order in which they are safe; found out when first read. */
  readonly actions: readonly Action[];
}

/** Steps that lead from one state to the next: everything that can move does so once. */
export interface Generation {
  /** Counted from 1. Of several namespaces, generation 1 of all comes before generation 2 of any; not all move in each. */
  readonly number: number;
  /** In the order in which they are safe; at least one. */
  readonly steps: readonly Step[];
}

/** An operator that came as a dependency, and that nobody needs any more. */
export interface Orphan {
  readonly package: string;
  /** The name of its ClusterServiceVersion. */
  readonly name: string;
  /** The generated Subscriptions that keep it up to date. */
  readonly requests: readonly Request[];
  /** The kinds that it owns and of which objects were given: somebody may still use it. */
  readonly inUse: readonly KindInUse[];
  /** The first orphan that needs it and stays, because it is in use or needed in turn by one that is: with it, this one stays. */
  readonly neededBy: OrphanNeed | undefined;
}

/** What an orphan that stays needs of another. */
export interface OrphanNeed {
  /** The name of its ClusterServiceVersion. */
  readonly name: string;
  /** What it asks for: "the API Etcd (etcd.example.com/v1)". */
  readonly through: string;
  /** It only wishes for it. */
  readonly isWish: boolean;
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
  readonly wish: Wish;
  readonly isReached: boolean;
  /** Why there is no way; nothing if there is one, or if nobody knows. */
  readonly explanation: Explanation | undefined;
}

/** The plan of a namespace. */
export interface Plan {
  readonly namespace: string;
  readonly generations: readonly Generation[];
  readonly end: PlanEnd;
  /** Which orphans it was to remove. */
  readonly prune: PlanOptions["prune"];
  /** The answer about the state after the last generation: who is held back, refused, waiting for approval, and why. */
  readonly last: Resolution;
  /** By package. */
  readonly orphans: readonly Orphan[];
  /** Each once; those about the present state come first. */
  readonly warnings: readonly Warning[];
  readonly target: Target | undefined;
  /** Every generation was proven to be the best. */
  readonly proven: boolean;
  /** What is there now. */
  readonly before: Problem;
  /** What will be there. */
  readonly after: Problem;
}

/** What a plan is to do. */
export interface PlanOptions {
  readonly maxGenerations: number;
  /** Only what leads there, on the shortest way. */
  readonly to?: Wish | undefined;
  /** Orphans are removed; only with `with-objects` also those that own a kind of which objects were given. */
  readonly prune: boolean | "with-objects";
}

/** What holds where nothing else is said. */
export const DEFAULT_PLAN_OPTIONS: PlanOptions = { maxGenerations: 1_000, prune: false };
