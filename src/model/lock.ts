// What does a lock file remember? The plans of namespaces, and of everything that they depend on so much that a later run
// can say whether it is still the same, and what is not.

/** What an answer depends on, beside the content of catalogs. */
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

/** One thing that the plan depends on. */
export interface LockedInput {
  readonly kind: InputKind;
  /** Its name; several things of a kind may share one. */
  readonly subject: string;
  /** What it is in short, for people. */
  readonly value?: string | undefined;
  /** Of all that it is, wherever it stands. */
  readonly digest: string;
}

/** A package that the plan is about. */
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
  /** Of the bundle, and of the upgrade edges that lead to it in that channel. */
  readonly digest: string;
}

/** An operator that comes, moves on, or goes. */
export interface LockedChange {
  readonly package: string;
  /** Nothing for an installation. */
  readonly from?: string | undefined;
  /** Others that make room as well. */
  readonly alsoFrom: readonly string[];
  /** Nothing for a removal. */
  readonly to?: string | undefined;
  readonly catalog?: string | undefined;
  readonly channel?: string | undefined;
  /** The names of the Subscriptions that come, or go, with it. */
  readonly subscriptions: readonly string[];
}

/** Changes that are made together. */
export type LockedStep = readonly LockedChange[];

/** The steps of a generation. */
export interface LockedGeneration {
  readonly steps: readonly LockedStep[];
}

/** The plan of a namespace. What runs before a generation are the installed inputs, and what the changes before made of them. */
export interface LockedPlan {
  readonly namespace: string;
  /** By kind, subject and digest. */
  readonly inputs: readonly LockedInput[];
  /** By catalog and name. */
  readonly packages: readonly LockedPackage[];
  /** By catalog, package, name and channel. */
  readonly bundles: readonly LockedBundle[];
  readonly generations: readonly LockedGeneration[];
  /** Why it ends there. */
  readonly end: string;
}

/** Plans that were locked. */
export interface Lock {
  /** The version of plimsoll that made them. */
  readonly engine: string;
  /** By namespace. */
  readonly plans: readonly LockedPlan[];
}

/** Something that the plan depends on is new, gone or changed. */
export interface InputDifference {
  readonly kind: InputKind;
  readonly subject: string;
  /** Nothing for what is new. */
  readonly was?: LockedInput | undefined;
  /** Nothing for what is gone. */
  readonly is?: LockedInput | undefined;
  /** Only the hold of an operator is new, or gone. */
  readonly hold?: { readonly isNew: boolean; readonly text: string } | undefined;
  /** A request that an earlier step of the plan has brought is gone. */
  readonly cameWithPlan?: true | undefined;
}

/** What became of something in a catalog. */
export interface CatalogDifference {
  readonly kind: "package" | "bundle";
  readonly subject: string;
  readonly catalog: string;
  readonly became: "gone" | "new" | "other";
  /** Of a bundle that is another one: the channel that leads to it. */
  readonly channel?: string | undefined;
}

/** An operator moves another way. */
export interface ChangeDifference {
  readonly kind: "change";
  /** Its package; empty where that is not known. */
  readonly subject: string;
  readonly namespace: string;
  readonly generation: number;
  /** Nothing where it stayed. */
  readonly was?: LockedChange | undefined;
  /** Nothing where it stays. */
  readonly is?: LockedChange | undefined;
}

/** One thing that is not as it was locked; the words are in render/sentence/lock.ts. */
export type LockDifference =
  | InputDifference
  | CatalogDifference
  | ChangeDifference
  /** The version of plimsoll that answers, and the one that made the lock. */
  | { readonly kind: "engine"; readonly subject: string; readonly was: string }
  /** The lock has namespaces that were not asked for. */
  | { readonly kind: "namespace"; readonly subject: string; readonly namespaces: readonly string[] }
  /** The lock knows nothing of a namespace. */
  | { readonly kind: "unlocked"; readonly subject: string }
  /** What runs in a namespace is what runs before no generation; before the nearest, some do not run, and others should not. */
  | {
      readonly kind: "state";
      readonly subject: string;
      readonly generation: number;
      readonly missing: readonly string[];
      readonly extra: readonly string[];
    }
  /** The same changes of a namespace are made in other steps, or in another order; each step by its packages. */
  | {
      readonly kind: "steps";
      readonly subject: string;
      readonly generation: number;
      readonly was: readonly (readonly string[])[];
      readonly is: readonly (readonly string[])[];
    }
  /** The plan of a namespace ends for another reason. */
  | { readonly kind: "end"; readonly subject: string; readonly was: string; readonly is: string };

/** What became of a locked plan. */
export interface LockComparison {
  /** The answer is the one that was locked, whatever it depends on. */
  readonly same: boolean;
  /** The generation that the answer was compared with, from 1; one more than the last where all were carried out. */
  readonly generation: number;
  /** How many were locked. */
  readonly generations: number;
  /** Those of the answer first. */
  readonly differences: readonly LockDifference[];
}
