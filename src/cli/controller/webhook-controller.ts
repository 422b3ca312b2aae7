// How does the webhook run among the controllers of a process? It starts and ends with them; it has neither a Lease nor a reading thread.

import type { Controller } from "../../controller/controller-process.ts";
import type { ControllerSurroundings } from "../../controller/leading-controller.ts";
import { ApiServer } from "../../kube/api-server.ts";
import { startWebhook, type Webhook, type WebhookOptions } from "../../webhook/start-webhook.ts";

export type WebhookSetting = Omit<WebhookOptions, "server" | "clock" | "random" | "log">;

/** The webhook listens when it runs; it is settled when it has a certificate. */
export function webhookController(setting: WebhookSetting, surroundings: ControllerSurroundings): Controller {
  const { connection, clock, random, log } = surroundings;
  const server = new ApiServer(connection, { writeConnections: 1 });
  const over = new AbortController();
  let webhook: Webhook | undefined;
  return {
    name: "webhook",
    isAlive: true,
    get isSettled() {
      return webhook?.isServing === true;
    },
    metrics: async () => webhook?.metricsText() ?? "",
    async run() {
      webhook = await startWebhook({ ...setting, server, clock, random, log });
      if (over.signal.aborted) await webhook.close();
      else await new Promise<void>((done) => over.signal.addEventListener("abort", () => done(), { once: true }));
    },
    async stop() {
      over.abort();
      await webhook?.close();
      server.close();
    },
  };
}
