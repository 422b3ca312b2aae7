// What is the answer? The next generation of a namespace, and everything that can be asked about it.

import type { OperatorRef, RequestRef } from "../model/operator-ref.ts";
import type { CatalogName } from "../model/problem.ts";
import type { RequirementDetail } from "../rule/requirement.ts";
import type { BrokenRule } from "../rule/rules.ts";
import type { SolverStatistics } from "../sat/solver.ts";
import type { Advice } from "./explain/advice.ts";
import type { ExplanationBody, Note } from "./explain/explanation-body.ts";
import type { Facts } from "./explain/fact.ts";
import type { Remedy } from "./explain/remedies.ts";
import type { Reason } from "./reason.ts";
import type { Warning } from "./warning.ts";
import type { Change } from "./what-if.ts";

/** Resolved: every request is satisfied. Partial: some are. Unsatisfiable: none is. Undecided: unknown. */
export type Outcome = "Resolved" | "Partial" | "Unsatisfiable" | "Undecided";

/** The catalog and channel of a bundle. */
export interface Origin {
  readonly catalog: CatalogName;
  /** A catalog in another namespace has the same name. */
  readonly isNameShared?: true | undefined;
  /** The index among the catalogs with the same name and namespace; undefined for the first. */
  readonly namesake?: number | undefined;
  readonly channel: string;
}

/** One operator of the generation. */
export interface ResolvedOperator {
  /** Empty if unknown. */
  readonly package: string;
  /** The name of its bundle or ClusterServiceVersion. */
  readonly name: string;
  readonly version?: string | undefined;
  readonly action: "install" | "update" | "keep";
  /** Undefined for an operator that stays. */
  readonly from?: Origin | undefined;
  /** The operator that stays or is replaced. */
  readonly installed?: OperatorRef | undefined;
  /** The request that it satisfies, the first by priority. */
  readonly request?: RequestRef | undefined;
  /** The Subscription generated for an operator without a request. */
  readonly generatedSubscription?: GeneratedSubscription | undefined;
  /** The names of operators in the generation that require it. */
  readonly requiredBy: readonly string[];
  /** Its catalog marks the bundle as deprecated. */
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
  /** The namespace to apply it in. */
  readonly namespace: string;
  readonly changes: readonly Change[];
  /** What to do, for each change; without changes, what must be read first. */
  readonly advice: readonly Advice[];
  /** The obstacles after the first changes; undefined if one change is enough. */
  readonly because?: Facts | undefined;
}

/** Why something is not possible, and what would help. */
export interface Explanation extends Facts {
  /** The form of the reason. */
  readonly body: ExplanationBody;
  /** The lines below it. */
  readonly notes: readonly Note[];
  /** No fact can be left out; false if a limit was reached first. */
  readonly isMinimal: boolean;
  /** The smallest changes that help, the least intrusive first. */
  readonly fixes: readonly Fix[];
  /** What must be done first, if no change helps. */
  readonly remedies?: readonly Remedy[] | undefined;
  /** The time was over before the reason, or all fixes, were found. */
  readonly isCutOff?: boolean;
  /** Not computed, because there are too many. */
  readonly isLeftOut?: boolean;
}

/** An operator with a better candidate. */
export interface HeldBack extends OperatorRef {
  readonly package: string;
  /** The more preferred bundles, best first. */
  readonly available: readonly OperatorRef[];
  /** The channel head of the best candidate, if it is not among them. */
  readonly head?: { readonly channel: string; readonly bundle: OperatorRef } | undefined;
  /** Set by explainAnswer. */
  readonly explanation?: Explanation | undefined;
}

/** A request without an operator, or whose operator cannot be updated because its source is missing. */
export interface Unsatisfied {
  readonly request: RequestRef;
  /** A limit or unread input makes the "no" uncertain. */
  readonly undecided: boolean;
  /** The name of its operator that stays. */
  readonly kept?: string | undefined;
  /** Set by explainAnswer. */
  readonly explanation?: Explanation | undefined;
}

/** A change of one package; `from` is undefined for an installation. */
export interface PackageChange {
  readonly package: string;
  readonly from?: OperatorRef | undefined;
  readonly to: OperatorRef;
}

/** Changes that are pending approval together. */
export interface PendingApproval {
  /** The Manual requests among them. */
  readonly requests: readonly RequestRef[];
  readonly changes: readonly PackageChange[];
  /** Packages without a Manual request that can only change together with these. */
  readonly awaiting: readonly string[];
}

/** An optional requirement that the answer does not meet. */
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

/** The value of the answer at one objective. */
export interface Objective {
  readonly name: ObjectiveName;
  /** A count; a sequence for objectives that compare sequences. */
  readonly value: number | readonly number[] | readonly string[];
  readonly proven: boolean;
}

/** The work it took. */
export interface Statistics extends Readonly<Pick<SolverStatistics, "conflicts" | "propagations" | "decisions">> {
  readonly variables: number;
  readonly clauses: number;
  /** Bundles whose constraints were loaded. */
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
  /** The answer without the administrator's constraints, if those are malformed. */
  readonly withoutRuntimeConstraints?: Resolution | undefined;
}
