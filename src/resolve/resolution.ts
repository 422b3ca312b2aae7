// What is the answer? The whole next generation of a namespace, and everything that a person may ask about it.

import type { OperatorRef, RequestRef } from "../model/operator-ref.ts";
import type { CatalogName } from "../model/problem.ts";
import type { RequirementDetail } from "../rule/requirement.ts";
import type { BrokenRule } from "../rule/rules.ts";
import type { Advice } from "./explain/advice.ts";
import type { Facts } from "./explain/fact.ts";
import type { Remedy } from "./explain/remedies.ts";
import type { Note, Story } from "./explain/story.ts";
import type { Reason } from "./reason.ts";
import type { Warning } from "./warning.ts";
import type { Change } from "./what-if.ts";

/** Resolved: every request is satisfied. Partial: some have. Unsatisfiable: none has. Undecided: nobody can say. */
export type Outcome = "Resolved" | "Partial" | "Unsatisfiable" | "Undecided";

/** Where a bundle was found. */
export interface Origin {
  readonly catalog: CatalogName;
  /** Another catalog has the same name in another namespace. */
  readonly isNameShared?: true | undefined;
  /** Which of the catalogs with this very name and namespace it is, from 0; left out for the first. */
  readonly namesake?: number | undefined;
  readonly channel: string;
}

/** One operator of the generation. */
export interface ResolvedOperator {
  /** Empty where it is not known. */
  readonly package: string;
  /** The name of its bundle or ClusterServiceVersion. */
  readonly name: string;
  readonly version?: string | undefined;
  readonly action: "install" | "update" | "keep";
  /** Where its bundle was found; nothing for an operator that stays. */
  readonly from?: Origin | undefined;
  /** The operator that stays or is replaced. */
  readonly installed?: OperatorRef | undefined;
  /** The request that it satisfies, the first by priority. */
  readonly request?: RequestRef | undefined;
  /** The Subscription that comes with an operator which nobody asked for. */
  readonly generatedSubscription?: GeneratedSubscription | undefined;
  /** The names of those in the generation that need it. */
  readonly requiredBy: readonly string[];
  /** Its catalog says that the bundle is deprecated. */
  readonly isDeprecated?: true | undefined;
  /** Why this one. */
  readonly reason: Reason;
}

/** A Subscription as OLM generates it for a dependency. */
export interface GeneratedSubscription {
  readonly name: string;
  readonly namespace: string;
  readonly package: string;
  readonly channel: string;
  readonly source: string;
  readonly sourceNamespace: string;
  readonly startingCSV: string;
}

/** Changes that together would help. */
export interface Fix {
  /** Where it helps. */
  readonly namespace: string;
  readonly changes: readonly Change[];
  /** What to do, for each change; without changes, what has to be read before anything can be tried. */
  readonly advice: readonly Advice[];
  /** What would still be in the way after the first changes; nothing where one change is enough. */
  readonly because?: Facts | undefined;
}

/** Why something is not possible, and what would help. */
export interface Explanation extends Facts {
  /** How the reason is told. */
  readonly story: Story;
  /** What is said beneath it. */
  readonly notes: readonly Note[];
  /** No fact could be left out. Where a limit was hit, that is not known. */
  readonly isMinimal: boolean;
  /** The smallest changes that help, the least intrusive first. */
  readonly fixes: readonly Fix[];
  /** What has to be done by others first, where no change helps. */
  readonly remedies?: readonly Remedy[] | undefined;
  /** The time was over before the reason, or all that would help, was found. */
  readonly isCutOff?: boolean;
  /** It was not looked for, because there are very many. */
  readonly isLeftOut?: boolean;
}

/** An operator that could be newer by itself. */
export interface HeldBack extends OperatorRef {
  readonly package: string;
  /** The more preferred bundles, best first. */
  readonly available: readonly OperatorRef[];
  /** Where the channel of the best of them leads in the end, if that is none of them. */
  readonly head?: { readonly channel: string; readonly bundle: OperatorRef } | undefined;
  /** Why, once that was asked for. */
  readonly explanation?: Explanation | undefined;
}

/** A request without an operator, or whose operator nobody can keep up to date. */
export interface Unsatisfied {
  readonly request: RequestRef;
  /** A limit, or something that was not read, stands in the way of a "no". */
  readonly undecided: boolean;
  /** The name of the operator that it has, and that stays. */
  readonly kept?: string | undefined;
  /** Why, once that was asked for. */
  readonly explanation?: Explanation | undefined;
}

/** A change of one package; `from` is nothing for an installation. */
export interface PackageChange {
  readonly package: string;
  readonly from?: OperatorRef | undefined;
  readonly to: OperatorRef;
}

/** Changes that wait together for a person's approval. */
export interface PendingApproval {
  /** The Manual requests among them. */
  readonly requests: readonly RequestRef[];
  readonly changes: readonly PackageChange[];
  /** Packages that are not Manual themselves but can only move with these. */
  readonly awaiting: readonly string[];
}

/** A wish that the answer does not fulfil. */
export interface OptionalNotMet {
  readonly operator: OperatorRef;
  readonly detail: RequirementDetail;
}

/** The names of the objectives. */
export type ObjectiveName =
  | "subscriptions"
  | "repaired"
  | "updates"
  | "candidates"
  | "additional"
  | "optional"
  | "providers"
  | "ids";

/** How well the answer does at one level. */
export interface Objective {
  readonly name: ObjectiveName;
  /** A count, or for the levels that compare sequences the sequence. */
  readonly value: number | readonly number[] | readonly string[];
  readonly proven: boolean;
}

/** How much work the answer was. */
export interface Statistics {
  readonly conflicts: number;
  readonly propagations: number;
  readonly decisions: number;
  readonly variables: number;
  readonly clauses: number;
  /** Bundles whose constraints took part. */
  readonly bundles: number;
}

/** The answer for a namespace. */
export interface Resolution {
  readonly namespace: string;
  readonly outcome: Outcome;
  /** By package, then by name. */
  readonly operators: readonly ResolvedOperator[];
  readonly heldBack: readonly HeldBack[];
  readonly unsatisfied: readonly Unsatisfied[];
  readonly pendingApproval: readonly PendingApproval[];
  /** Rules that held before a removal and no longer do. */
  readonly broken: readonly BrokenRule[];
  readonly optionalNotMet: readonly OptionalNotMet[];
  readonly warnings: readonly Warning[];
  readonly objectives: readonly Objective[];
  readonly proven: boolean;
  readonly statistics: Statistics;
  /** What the answer would be without the administrator's constraints, while those cannot be read. */
  readonly withoutRuntimeConstraints?: Resolution | undefined;
}
