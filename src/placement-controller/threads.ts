// What do the two threads of the placement controller exchange, besides what those of every controller do? Plain data only.

import type { CommonReadingFunctions, CommonWritingFunctions } from "../controller/controller-threads.ts";
import type { AccessReview, DebugAnswer, DebugRequest } from "../placement/ocm/debug-request.ts";

/** What it is called, in logs and metrics. */
export const CONTROLLER = "placement";

/** What the reading thread starts with. */
export interface ReadingSetting {
  readonly compat: "ocm" | undefined;
  readonly tieBreak: "name" | "hash" | undefined;
  readonly onExpiredScore: "error" | "keep" | undefined;
  /** Whose PlacementDecisions have scores, where the CRD has them. */
  readonly decisionScores: "sorted" | "all";
  /** How many Placements are written at the same time. */
  readonly writesAtOnce: number;
}

/** A question about one Placement. */
export interface PlaceRequest {
  readonly namespace: string;
  readonly name: string;
  /** Only this cluster, with every check. */
  readonly cluster: string | undefined;
  /** May the caller get that cluster? Otherwise one outside of the eligible sets does not exist. */
  readonly seesCluster: boolean;
}

/** The JSON of `place`; or why the Placement cannot be read; or why nothing can be said yet of any Placement. */
export type PlaceAnswer = { readonly text: string } | { readonly unreadable: string } | { readonly incomplete: string };

/** What the reading thread offers. */
export type ReadingFunctions = CommonReadingFunctions & {
  readonly debug: (request: DebugRequest) => Promise<DebugAnswer>;
  /** Undefined if there is no such Placement. */
  readonly place: (request: PlaceRequest) => PlaceAnswer | undefined;
};

/** What the writing thread offers for questions about callers. */
export type ReviewFunctions = {
  readonly review: (review: AccessReview) => Promise<boolean>;
};

/** What the writing thread offers. */
export type WritingFunctions = CommonWritingFunctions & ReviewFunctions;
