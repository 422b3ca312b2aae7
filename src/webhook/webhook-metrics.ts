// What is measured of the webhook?

import { Metrics } from "../controller/metrics.ts";
import type { ReviewedKind } from "./review.ts";

/** What came of a request. `error`: there was no verdict, and the API server lets the write pass. */
export type RequestResult = "allowed" | "denied" | "error";

export class WebhookMetrics {
  readonly #metrics = new Metrics();
  readonly #requests = this.#metrics.counter("plimsoll_webhook_requests_total", "Reviews of the validating webhook.", {
    labels: ["kind", "result"],
  });
  readonly #seconds = this.#metrics.histogram(
    "plimsoll_webhook_seconds",
    "How long reviews take, from the arrival of the request until its answer.",
    { buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3] },
  );
  readonly #expiry = this.#metrics.gauge(
    "plimsoll_webhook_certificate_expiry_seconds",
    "When the certificate of the webhook ends, in seconds since 1970; 0 while there is none.",
  );

  reviewed(kind: ReviewedKind, result: RequestResult, seconds: number): void {
    this.#requests.add(1, { kind, result });
    this.#seconds.observe(seconds);
  }

  /** There is a certificate that ends at this time, in milliseconds since 1970. */
  present(end: number): void {
    this.#expiry.set(Math.floor(end / 1000));
  }

  text(): string {
    return this.#metrics.render();
  }
}
