// What does a Resolution object say? The advice for a namespace, as plain data: the types of deploy/resolution/crd.yaml.

import type { Condition } from "./condition.ts";

export const RESOLUTION_GROUP = "plimsoll.dev";
export const RESOLUTION_VERSION = "v1alpha1";
/** The Resolution of a namespace, and that of the ClusterExtensions in the namespace of the controller. */
export const NAMESPACE_RESOLUTION = "plimsoll";
export const CLUSTER_RESOLUTION = "cluster";

/** The reason of a condition about something that no answer has looked at. */
export const NO_ANSWER = "NoAnswer";

/** The API server refuses a status with a longer list, or a longer text, conditions apart. */
export const MAX_STATUS_LIST = 1_000;
export const MAX_STATUS_TEXT = 4_096;

/** What an administrator may say. */
export interface ResolutionSpec {
  readonly mode: "Advise" | "Off";
  /** Manual: every change waits for approval, whatever the Subscriptions say. */
  readonly approval?: "FromSubscriptions" | "Manual" | undefined;
  /** Packages that are neither installed nor updated. */
  readonly hold?: readonly string[] | undefined;
  /** Change nothing unless every Subscription can be satisfied. */
  readonly allOrNothing?: boolean | undefined;
}

/** The advice. Lists are in the order of the answer of `resolve`. */
export interface ResolutionStatus {
  readonly observedGeneration?: number | undefined;
  /** The digest of everything that the answer depends on. */
  readonly observedInputs?: string | undefined;
  readonly outcome?: "Resolved" | "Partial" | "Unsatisfiable" | "Undecided" | undefined;
  /** One line: "1 to install, 2 kept; 1 held back". */
  readonly summary?: string | undefined;
  /** One line: why not everything is as requested; absent if it is. */
  readonly reason?: string | undefined;
  readonly counts?: ResolutionCounts | undefined;
  /** The whole next generation, by package. */
  readonly operators?: readonly AdvisedOperator[] | undefined;
  readonly heldBack?: readonly AdvisedHold[] | undefined;
  readonly unsatisfied?: readonly AdvisedRefusal[] | undefined;
  readonly pendingApproval?: readonly AdvisedApproval[] | undefined;
  /** The way to the newest versions, from the next step on. */
  readonly plan?: AdvisedPlan | undefined;
  readonly warnings?: readonly { readonly code: string; readonly message: string }[] | undefined;
  /** What was left out because the status would be too large. */
  readonly cut?: readonly string[] | undefined;
  readonly conditions?: readonly Condition[] | undefined;
}

export interface ResolutionCounts {
  /** In the next generation. */
  readonly operators: number;
  /** To be installed or updated. */
  readonly updates: number;
  readonly heldBack: number;
  /** Requests without an operator, or without a source. */
  readonly unsatisfied: number;
  /** Changes that wait for approval. */
  readonly pendingApproval: number;
}

export interface AdvisedOperator {
  readonly package: string;
  readonly bundle: string;
  readonly version?: string | undefined;
  readonly channel?: string | undefined;
  readonly catalog?: string | undefined;
  readonly action: "install" | "update" | "keep";
  readonly replaces?: string | undefined;
  /** `namespace/name`. */
  readonly subscription?: string | undefined;
  readonly clusterExtension?: string | undefined;
  /** The name of the Subscription that has to be generated for it. */
  readonly generatedSubscription?: string | undefined;
  readonly requiredBy?: readonly string[] | undefined;
  readonly reason: string;
}

/** Why something is not possible, and what would help: a line each. */
export interface AdvisedExplanation {
  /** The first line of the reason. */
  readonly summary: string;
  readonly why: readonly string[];
  /** Each with the command that tries it below. */
  readonly whatWouldHelp?: readonly string[] | undefined;
}

export interface AdvisedHold extends AdvisedExplanation {
  readonly package: string;
  readonly bundle: string;
  /** The more preferred bundles, best first. */
  readonly available: readonly string[];
}

export interface AdvisedRefusal extends AdvisedExplanation {
  readonly package: string;
  readonly subscription?: string | undefined;
  readonly clusterExtension?: string | undefined;
  /** It is not known whether it is possible. */
  readonly undecided: boolean;
  /** Its operator, which stays. */
  readonly kept?: string | undefined;
}

export interface AdvisedApproval {
  readonly subscriptions: readonly string[];
  readonly changes: readonly AdvisedChange[];
  /** Packages that can only change together with these. */
  readonly awaiting?: readonly string[] | undefined;
}

export interface AdvisedChange {
  readonly package: string;
  readonly from?: string | undefined;
  readonly to: string;
}

export interface AdvisedPlan {
  /** How many generations there are until nothing moves. */
  readonly generations: number;
  /** The steps of the next generation, in order. */
  readonly next: readonly { readonly joint: boolean; readonly changes: readonly AdvisedChange[] }[];
}
