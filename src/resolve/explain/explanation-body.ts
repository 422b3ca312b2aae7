// What form does the reason of an explanation take, and which notes follow it? Plain data; the words are in
// render/sentence/.

import type { OperatorRef, RequestRef } from "../../model/operator-ref.ts";
import type { UnavailableCatalog } from "../../model/problem.ts";
import type { NoCandidates } from "../candidates.ts";
import type { LostPart } from "../lost-parts.ts";
import type { OlmV1Refusal } from "../olmv1/choose.ts";
import type { NamedRequest } from "../prepare/problem-inputs.ts";
import type { Explanation } from "../resolution.ts";
import type { Proof } from "./fact.ts";
import type { Preferred } from "./preferred.ts";
import type { SkippedIn } from "./why-absent.ts";
import type { ChosenNeed, ChosenRoot } from "./why-chosen.ts";

/** A catalog that was not read, or not all of it; or the ClusterCatalogs themselves. */
export type UnreadByOlmV1 = { readonly kind: "catalog"; readonly name: string } | { readonly kind: "catalogs" };

/** The form of a reason. */
export type ExplanationBody =
  /** How the "no" follows from the facts. */
  | { readonly kind: "proof"; readonly proof: Proof }
  /** The search ended undecided; `isUnproven` if the answer may not be the best. */
  | Readonly<{
      kind: "limit";
      limit: "time" | "cost" | "conflicts";
      maxConflicts: number;
      isUnproven?: true | undefined;
    }>
  /** It is not possible; the search for the reason ended early. */
  | { readonly kind: "no-reason"; readonly by: "time" | "work" }
  /** --all-or-nothing was given, and these requests cannot be satisfied; or Manual Subscriptions wait for approval. */
  | { readonly kind: "all-or-nothing" | "waits"; readonly requests: readonly RequestRef[] }
  /** There are too many to explain all of them. */
  | { readonly kind: "left-out"; readonly package: string }
  /** Why it is in the answer: the request for the first operator, then what each operator requires of the next. */
  | { readonly kind: "chosen"; readonly root: ChosenRoot; readonly needs: readonly ChosenNeed[] }
  /** It is on no chain; for each bundle of the version, the channels that list it. */
  | { readonly kind: "off-chain"; readonly bundles: readonly (readonly SkippedIn[])[] }
  /** No rule excludes it, but another answer is better. */
  | { readonly kind: "preferred"; readonly preferred: Preferred }
  /** OLM v1 would report an error (--compat olmv1); `unread` may have what it misses. */
  | { readonly kind: "olmv1"; readonly refusal: OlmV1Refusal; readonly unread?: UnreadByOlmV1 | undefined }
  /**
   * It is neither requested nor required; operators of the package that run in other namespaces, and whether nothing at all
   * is requested and installed in this one.
   */
  | {
      readonly kind: "not-requested";
      readonly scope?: "cluster" | undefined;
      readonly elsewhere: readonly OperatorRef[];
      readonly isEmpty: boolean;
    }
  /** The facts are the reason, one line each, or as sentences; or nothing can change in the namespace. */
  | { readonly kind: "facts" | "sentences" | "stuck" }
  /** No safe upgrade path leads to a version; then why the next step on it is not possible. */
  | {
      readonly kind: "no-way";
      readonly target: NamedRequest;
      /** Other namespaces do not change. */
      readonly besideOthers?: true | undefined;
      readonly closest?: ClosestState | undefined;
      readonly next: ExplanationBody;
    };

/** The state on the upgrade path that comes closest to a version. */
export interface ClosestState {
  readonly operator: OperatorRef;
  /** The number of generations to reach it. */
  readonly generations: number;
  /** A closer state may be reachable. */
  readonly isUncertain?: true | undefined;
}

/** A line below a reason. */
export type Note =
  /** Which requests come first, if not all can be satisfied. */
  | { readonly kind: "priority" }
  /** If it is requested anyway, these requests are not satisfied. */
  | { readonly kind: "displaces"; readonly requests: readonly RequestRef[] }
  /** An unavailable catalog may have what is missing. */
  | { readonly kind: "unavailable"; readonly catalog: string; readonly reason: string }
  /** Unavailable catalogs may have something better. */
  | { readonly kind: "perhaps-better"; readonly catalogs: readonly Pick<UnavailableCatalog, "name" | "reason">[] }
  /** A part that was left out of a catalog may be what is missing. */
  | { readonly kind: "lost"; readonly lost: LostPart }
  /** The number of further parts that were left out. */
  | { readonly kind: "more-lost"; readonly count: number }
  /** It is unknown whether an operator that is in the way can be updated. */
  | Readonly<{ kind: "may-move"; installed: OperatorRef; request: RequestRef; none: NoCandidates }>;

/** An explanation whose reason is not a fact. */
export function withoutFacts(body: ExplanationBody): Explanation {
  return { operators: [], offers: [], facts: [], body, notes: [], isMinimal: true, fixes: [] };
}
