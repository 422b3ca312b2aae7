// How does the validating webhook run? A server over TLS, a thread that reviews, and a keeper of the certificate, in every replica: it needs
// no Lease.

import type { Clock } from "../controller/clock.ts";
import { startHttpsServer } from "../controller/http-server.ts";
import { bugFields, type Logger } from "../controller/log.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { type AskRadius, BlastRadius } from "./blast-radius.ts";
import { CertificateKeeper } from "./certificate-keeper.ts";
import type { ReviewSetting } from "./review.ts";
import { ReviewThread } from "./review-thread.ts";
import { validityOf } from "./serving-secret.ts";
import { validateRoute } from "./validate-route.ts";
import { WebhookMetrics } from "./webhook-metrics.ts";

export interface WebhookOptions extends ReviewSetting {
  /** HOST:PORT. */
  readonly address: string;
  /** Of the Secret and of the Service: that of the controller. */
  readonly namespace: string;
  /** The names of the Secret, of the ValidatingWebhookConfiguration and of the Service. */
  readonly secret: string;
  readonly configuration: string;
  readonly service: string;
  /** For the Secret and the configuration. */
  readonly server: Pick<ApiServer, "getOnce" | "write">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** Says what a change of the runtime constraints would do. Without it, nothing is said of that. */
  readonly blastRadius?: AskRadius;
  /** The file of the thread of reviews; by default beside this one. */
  readonly thread?: URL;
}

export interface Webhook {
  /** HOST:PORT, with the port that it really has. */
  readonly address: string;
  /** It has a certificate, and can be asked. */
  readonly isServing: boolean;
  /** What is measured, in the text format of Prometheus. */
  metricsText(): string;
  /** Answers what was asked, and ends. A request to the API server that is under way ends when that client is closed. */
  close(): Promise<void>;
}

/** As long as the API server waits, and a little less for a review. */
const TIME_LIMIT = 3000;
const REVIEW_LIMIT = 2000;
/** Longer than an API server keeps a connection that it does not use: otherwise it could send a review into one that is being closed. */
const IDLE_LIMIT = 120_000;
const AT_ONCE = 16;

/** Starts to listen, and returns at once; the certificate follows. Rejects if it cannot listen. */
export async function startWebhook(options: WebhookOptions): Promise<Webhook> {
  const { address, namespace, service, server, clock, random, log, blastRadius, configMap, compat } = options;
  const { secret, configuration, thread = new URL("./review-thread-entry.js", import.meta.url) } = options;
  const metrics = new WebhookMetrics();
  const onError = (error: unknown): void => log.error("a request failed", { server: "webhook", ...bugFields(error) });
  const reviews = new ReviewThread({
    setting: { configMap, compat },
    clock,
    limit: REVIEW_LIMIT,
    entry: thread,
    onFailure: ({ message }) => log.error("the thread of reviews is replaced", { why: message }),
  });
  const validate = validateRoute({
    review: (body) => reviews.review(body),
    radius: blastRadius && new BlastRadius(blastRadius, clock, onError),
    metrics,
    clock,
  });
  const limits = { timeLimit: TIME_LIMIT, idleLimit: IDLE_LIMIT, atOnce: AT_ONCE };
  const listening = startHttpsServer({ address, routes: { "/validate": validate }, clock, ...limits, onError });
  const https = await listening.catch(async (error: unknown) => {
    await reviews.close();
    throw error;
  });
  log.info("listening", { server: "webhook", address: https.address });
  let isServing = false;
  const keeper = new CertificateKeeper({
    ...{ server, namespace, secret, configuration, clock, random, log },
    names: namesOf(service, namespace),
    onCertificate: (certificate) => {
      const { to } = validityOf(certificate.cert);
      https.present(certificate);
      metrics.present(to);
      isServing = true;
      log.info("the webhook has a certificate", { until: new Date(to).toISOString() });
    },
  });
  const over = new AbortController();
  void keeper.run(over.signal);
  return {
    address: https.address,
    get isServing() {
      return isServing;
    },
    metricsText: () => metrics.text(),
    async close() {
      over.abort();
      await https.close();
      await reviews.close();
    },
  };
}

/** How API servers call the webhook: as a Service, or by a URL on the same machine. */
function namesOf(service: string, namespace: string): readonly string[] {
  const ofService = `${service}.${namespace}.svc`;
  return [ofService, `${ofService}.cluster.local`, "localhost", "127.0.0.1", "::1"];
}
