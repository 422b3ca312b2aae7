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

/** What a difference is about: an input, or the answer itself. */
export type DifferenceKind =
  | InputKind
  | "engine"
  | "package"
  | "bundle"
  /** The lock has namespaces that were not asked for. */
  | "namespace"
  /** The lock knows nothing of a namespace. */
  | "unlocked"
  /** What runs is what runs before no generation. */
  | "state"
  /** An operator moves another way. */
  | "change"
  /** The same changes are made in other steps, or in another order. */
  | "steps"
  /** The plan ends for another reason. */
  | "end";

/** One thing that is not as it was locked. */
export interface LockDifference {
  readonly kind: DifferenceKind;
  /** The name of what it is about. */
  readonly subject: string;
  /** The whole sentence, without a full stop. */
  readonly text: string;
}

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
