// What is said to a write? The whole way from the body of a request to a verdict: a pure function, which runs in a thread of its own.

import { CONFIG_MAP } from "../input/objects/config-map.ts";
import { PLACEMENT } from "../input/objects/placement.ts";
import { ALLOWED, readReview, type Verdict } from "./admission-review.ts";
import { type ConstraintsName, type ProposedConstraints, reviewConstraints } from "./constraints-review.ts";
import { reviewPlacement } from "./placement-review.ts";

/** What reviews depend on. Plain data. */
export interface ReviewSetting {
  readonly configMap: ConstraintsName;
  /** Placements are decided as OCM decides them (`--compat ocm`). */
  readonly compat: boolean;
}

/** The kinds that are reviewed; anything else is allowed. */
export type ReviewedKind = "ConfigMap" | "Placement" | "other";

/** What came of a review. Plain data. */
export type Reviewed =
  | {
      readonly is: "judged";
      readonly uid: string;
      readonly kind: ReviewedKind;
      readonly verdict: Verdict;
      /** A change of the runtime constraints that is allowed. */
      readonly proposed?: ProposedConstraints;
    }
  /** The body is no review. */
  | { readonly is: "unreadable"; readonly why: string };

export function reviewed(body: Uint8Array, { configMap, compat }: ReviewSetting): Reviewed {
  const request = readReview(body);
  if (typeof request === "string") return { is: "unreadable", why: request };
  const { uid, group, kind } = request;
  const is = "judged";
  if (group === CONFIG_MAP.group && kind === CONFIG_MAP.kind)
    return { is, uid, kind: "ConfigMap", ...reviewConstraints(request, configMap) };
  if (group === PLACEMENT.group && kind === PLACEMENT.kind)
    return { is, uid, kind: "Placement", verdict: reviewPlacement(request, compat) };
  return { is, uid, kind: "other", verdict: ALLOWED };
}
