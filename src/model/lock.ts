// What does a lock file contain? The plans of namespaces, and digests of all their inputs, so that a later run can
// report whether they are still the same, and what is not.

/** The inputs of an answer, besides the content of catalogs. */
export const INPUT_KINDS = [
  "catalog",
  "unavailable",
  "constraint",
  "fact",
  "request",
  "claim",
  "installed",
  "elsewhere",
  "definition",
  "orphan",
  "targets",
  "removed",
  "option",
  "target",
] as const;

export type InputKind = (typeof INPUT_KINDS)[number];

/** One input of a plan. */
export interface LockedInput {
  readonly kind: InputKind;
  /** Its name; several inputs of a kind may share one. */
  readonly subject: string;
  /** A short form for display. */
  readonly value?: string | undefined;
  /** The digest of its content, without its place. */
  readonly digest: string;
}

/** A package of the plan. */
export interface LockedPackage {
  readonly catalog: string;
  readonly package: string;
  readonly digest: string;
  /** The names of its bundles, sorted. */
  readonly bundles: readonly string[];
}

/** A bundle that the plan uses. */
export interface LockedBundle {
  readonly catalog: string;
  readonly package: string;
  readonly name: string;
  readonly channel: string;
  /** The digest of the bundle and its upgrade edges in that channel. */
  readonly digest: string;
}

/** An operator that is installed, updated or removed. */
export interface LockedChange {
  readonly package: string;
  /** Undefined for an installation. */
  readonly from?: string | undefined;
  /** Further operators that it replaces. */
  readonly alsoFrom: readonly string[];
  /** Undefined for a removal. */
  readonly to?: string | undefined;
  readonly catalog?: string | undefined;
  readonly channel?: string | undefined;
  /** The names of the Subscriptions created or removed with it. */
  readonly subscriptions: readonly string[];
}

/** Changes that are applied together. */
export type LockedStep = readonly LockedChange[];

/** The steps of a generation. */
export interface LockedGeneration {
  readonly steps: readonly LockedStep[];
}

/**
 * The plan of a namespace. The operators before a generation are the installed inputs with the earlier changes
 * applied.
 */
export interface LockedPlan {
  readonly namespace: string;
  /** By kind, subject and digest. */
  readonly inputs: readonly LockedInput[];
  /** By catalog and name. */
  readonly packages: readonly LockedPackage[];
  /** By catalog, package, name and channel. */
  readonly bundles: readonly LockedBundle[];
  readonly generations: readonly LockedGeneration[];
  /** Why it ends. */
  readonly end: string;
}

/** Plans that were locked. */
export interface Lock {
  /** The version of plimsoll that made them. */
  readonly engine: string;
  /** By namespace. */
  readonly plans: readonly LockedPlan[];
}

/** An input of the plan is new, gone or changed. */
export interface InputDifference extends Pick<LockedInput, "kind" | "subject"> {
  /** Undefined for a new input. */
  readonly was?: LockedInput | undefined;
  /** Undefined for one that is gone. */
  readonly is?: LockedInput | undefined;
  /** Only the hold of an operator was added or released. */
  readonly hold?: { readonly isNew: boolean; readonly text: string } | undefined;
  /** A request that an earlier step of the plan has created is gone. */
  readonly cameWithPlan?: true | undefined;
}

/** A change in a catalog. */
export interface CatalogDifference {
  readonly kind: "package" | "bundle";
  readonly subject: string;
  readonly catalog: string;
  readonly became: "gone" | "new" | "other";
  /** For a changed bundle: the channel that leads to it. */
  readonly channel?: string | undefined;
}

/** An operator changes differently. */
export interface ChangeDifference {
  readonly kind: "change";
  /** Its package; empty if unknown. */
  readonly subject: string;
  readonly namespace: string;
  readonly generation: number;
  /** Undefined if it stayed. */
  readonly was?: LockedChange | undefined;
  /** Undefined if it stays. */
  readonly is?: LockedChange | undefined;
}

/** One difference from the lock; the words are in render/sentence/lock.ts. */
export type LockDifference =
  | InputDifference
  | CatalogDifference
  | ChangeDifference
  /** The present version of plimsoll, and the one that made the lock. */
  | { readonly kind: "engine"; readonly subject: string; readonly was: string }
  /** The lock has namespaces that were not requested. */
  | { readonly kind: "namespace"; readonly subject: string; readonly namespaces: readonly string[] }
  /** The lock does not contain a namespace. */
  | { readonly kind: "unlocked"; readonly subject: string }
  /** The installed operators of a namespace match no generation; for the nearest, the missing and the surplus ones. */
  | {
      readonly kind: "state";
      readonly subject: string;
      readonly generation: number;
      readonly missing: readonly string[];
      readonly extra: readonly string[];
    }
  /** The same changes of a namespace are in other steps, or in another order; each step by its packages. */
  | {
      readonly kind: "steps";
      readonly subject: string;
      readonly generation: number;
      readonly was: readonly (readonly string[])[];
      readonly is: readonly (readonly string[])[];
    }
  /** The plan of a namespace ends for another reason. */
  | { readonly kind: "end"; readonly subject: string; readonly was: string; readonly is: string };

/** The comparison of an answer with a locked plan. */
export interface LockComparison {
  /** The answer is the locked one, whether or not inputs have changed. */
  readonly same: boolean;
  /** The generation that the answer was compared with, from 1; one more than the last if all were applied. */
  readonly generation: number;
  /** The number of locked generations. */
  readonly generations: number;
  /** Differences of the answer come first. */
  readonly differences: readonly LockDifference[];
}
