// How is the reason of an explanation told, and what is said beneath it? Plain data; the words are in render/sentence/.

import type { OperatorRef, RequestRef } from "../../model/operator-ref.ts";
import type { UnavailableCatalog } from "../../model/problem.ts";
import type { NoCandidates } from "../candidates.ts";
import type { LostPart } from "../lost-parts.ts";
import type { NamedRequest } from "../prepare/given.ts";
import type { Proof } from "./fact.ts";
import type { SkippedIn } from "./off-chain.ts";
import type { Preferred } from "./preferred.ts";
import type { ChosenNeed, ChosenRoot } from "./why-chosen.ts";

/** How a reason is told. */
export type Story =
  /** How the "no" follows from the facts. */
  | { readonly kind: "proof"; readonly proof: Proof }
  /** The facts are the reason: a line for each. */
  | { readonly kind: "facts" }
  /** The search ended before it could say yes or no; `isUnproven` where the answer may not be the best. */
  | {
      readonly kind: "limit";
      readonly limit: "time" | "cost" | "conflicts";
      readonly maxConflicts: number;
      readonly isUnproven?: true | undefined;
    }
  /** It is not possible; the search for the reason ended. */
  | { readonly kind: "no-reason"; readonly by: "time" | "work" }
  /** All or nothing was asked for, and these cannot be had. */
  | { readonly kind: "all-or-nothing"; readonly requests: readonly RequestRef[] }
  /** There are too many to explain all of them. */
  | { readonly kind: "left-out"; readonly package: string }
  /** Why it is there: who asked for the first operator, then what each needs of the next. */
  | { readonly kind: "chosen"; readonly root: ChosenRoot; readonly needs: readonly ChosenNeed[] }
  /** Manual Subscriptions ask for approval. */
  | { readonly kind: "waits"; readonly requests: readonly RequestRef[] }
  /** Nothing can be done in the namespace. */
  | { readonly kind: "stuck" }
  /** It is on no chain; for each bundle of the version the channels that have it. */
  | { readonly kind: "off-chain"; readonly bundles: readonly (readonly SkippedIn[])[] }
  /** No rule forbids it, but another answer is better. */
  | { readonly kind: "preferred"; readonly preferred: Preferred }
  /** It is neither asked for nor needed; operators of the package that run in other namespaces. */
  | { readonly kind: "not-requested"; readonly elsewhere: readonly OperatorRef[] }
  /** The facts are the reason, as whole sentences. */
  | { readonly kind: "sentences" }
  /** No safe way leads to a version; then why what comes next on the way is not possible. */
  | {
      readonly kind: "no-way";
      readonly wish: NamedRequest;
      /** Other namespaces stay as they are. */
      readonly besideOthers?: true | undefined;
      readonly closest?: ClosestState | undefined;
      readonly next: Story;
    };

/** The operator on its way to a version, in the state that comes closest to it. */
export interface ClosestState {
  readonly operator: OperatorRef;
  /** How many generations lead there. */
  readonly generations: number;
  /** A nearer state may be reachable. */
  readonly isUncertain?: true | undefined;
}

/** Something that is said beneath a reason, on a line of its own. */
export type Note =
  /** Which of several requests go without, where not all can be served. */
  | { readonly kind: "priority" }
  /** If it is asked for all the same, these requests have no operator. */
  | { readonly kind: "displaces"; readonly requests: readonly RequestRef[] }
  /** A catalog that is not available may have what is missing. */
  | { readonly kind: "unavailable"; readonly catalog: string; readonly reason: string }
  /** Catalogs that are not available may have something better. */
  | { readonly kind: "perhaps-better"; readonly catalogs: readonly Pick<UnavailableCatalog, "name" | "reason">[] }
  /** Something was left out of a catalog that may be what is missing. */
  | { readonly kind: "lost"; readonly lost: LostPart }
  /** So much more was left out. */
  | { readonly kind: "more-lost"; readonly count: number }
  /** Whether an operator that is in the way can be updated is not known. */
  | {
      readonly kind: "may-move";
      readonly installed: OperatorRef;
      readonly request: RequestRef;
      readonly none: NoCandidates;
    };
