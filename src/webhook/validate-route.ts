// How is a POST to /validate answered? With a verdict in time; with an error where there is none, and the API server then lets the write pass.

import type { Clock } from "../controller/clock.ts";
import { type Answer, plainText, type Route } from "../controller/http-server.ts";
import { answerText, MAX_REVIEW_BYTES } from "./admission-review.ts";
import type { BlastRadius } from "./blast-radius.ts";
import type { Reviewed } from "./review.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

export interface Validating {
  readonly review: (body: Uint8Array) => Promise<Reviewed>;
  readonly radius: BlastRadius | undefined;
  readonly metrics: WebhookMetrics;
  readonly clock: Clock;
}

/** Milliseconds in which a review is answered, and the most that the blast radius gets of it. The API server waits for 3 seconds. */
const ANSWER_LIMIT = 2700;
const RADIUS_LIMIT = 2000;

export function validateRoute({ review, radius, metrics, clock }: Validating): Route {
  const answered = async (body: Uint8Array, begun: number): Promise<Answer> => {
    const judged = await review(body);
    const seconds = (): number => (clock.monotonic() - begun) / 1000;
    if (judged.is === "unreadable") {
      metrics.reviewed("other", "error", seconds());
      return plainText(400, judged.why);
    }
    const { uid, kind, verdict, proposed } = judged;
    const limit = Math.min(RADIUS_LIMIT, begun + ANSWER_LIMIT - clock.monotonic());
    const more = proposed === undefined || radius === undefined ? [] : await radius.warnings(proposed, limit);
    metrics.reviewed(kind, verdict.denial === undefined ? "allowed" : "denied", seconds());
    // What it does comes first: API servers cut long lists of warnings.
    const warnings = [...more, ...verdict.warnings];
    return { status: 200, contentType: "application/json", body: answerText({ uid }, { ...verdict, warnings }) };
  };
  return {
    methods: ["POST"],
    maxBody: MAX_REVIEW_BYTES,
    handle: async ({ headers, body }) => {
      const begun = clock.monotonic();
      const refused = refusalOf(headers["content-type"], body);
      if (refused !== undefined) {
        metrics.reviewed("other", "error", 0);
        return refused;
      }
      try {
        return await answered(body, begun);
      } catch (error) {
        metrics.reviewed("other", "error", (clock.monotonic() - begun) / 1000);
        throw error;
      }
    },
  };
}

function refusalOf(type: unknown, body: Uint8Array): Answer | undefined {
  if (typeof type !== "string" || !/^application\/json(?:\s*;|$)/i.test(type))
    return plainText(415, "the body must be application/json");
  return body.length > MAX_REVIEW_BYTES ? plainText(413, "the review is too large") : undefined;
}
