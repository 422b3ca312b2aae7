import { request } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { atEnd } from "../../test/at-end.ts";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { eventually } from "../../test/eventually.ts";
import { ObjectServer } from "../../test/webhook/object-server.ts";
import { bodyOf, constraintsMap, placement, review, UID } from "../../test/webhook/review-body.ts";
import { SYSTEM_CLOCK } from "../controller/clock.ts";
import { Log } from "../controller/log.ts";
import type { JsonObject } from "../model/json.ts";
import { NetFailure } from "../net/failure.ts";
import { MAX_REVIEW_BYTES } from "./admission-review.ts";
import { authorityBundle, readServingSecret } from "./serving-secret.ts";
import { startWebhook, type WebhookOptions } from "./start-webhook.ts";

const SECRET = "/api/v1/namespaces/home/secrets/tls";
const DAY = 24 * 60 * 60 * 1000;

async function started(options: Partial<WebhookOptions> = {}, server: ObjectServer = new ObjectServer()) {
  // TLS itself compares certificates with the time of the machine.
  const clock = new ManualClock(SYSTEM_CLOCK.now());
  const log: JsonObject[] = [];
  const webhook = await startWebhook({
    ...{ address: "127.0.0.1:0", namespace: "home", secret: "tls", configuration: "config", service: "hook" },
    ...{ configMap: { namespace: "olm", name: "olm-runtime-constraints" }, compat: false },
    ...{ server, clock, random: () => 0, thread: pathToFileURL("dist/bin/review-thread-entry.js") },
    log: new Log({ level: "debug", clock, write: (line) => log.push(JSON.parse(line)) }),
    ...options,
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await webhook.close();
    isClosed = true;
  };
  atEnd(close);
  const authorities = (): string => authorityBundle(readServingSecret(server.object(SECRET) ?? {})?.authorities ?? []);
  return { webhook, server, clock, log, close, authorities, port: Number(webhook.address.split(":").at(-1)) };
}

type Started = Awaited<ReturnType<typeof started>>;

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly servername?: string;
  readonly ca?: string;
}

/** Asks as an API server does: it trusts the authorities that are announced, and no others. */
function post(
  { port, authorities }: Started,
  body: Uint8Array,
  sent: Sent = {},
): Promise<{ status: number; body: string }> {
  const { method = "POST", path = "/validate", servername = "hook.home.svc", ca = authorities() } = sent;
  return new Promise((done, failed) => {
    const headers = { "content-type": "application/json" };
    const options = { host: "127.0.0.1", port, method, path, headers, agent: false, ca, servername };
    const asked = request(options, (response) => {
      void text(response).then((received) => done({ status: response.statusCode ?? 0, body: received }));
    });
    asked.on("error", failed);
    asked.end(method === "GET" ? undefined : body);
  });
}

const good = bodyOf(review({ object: constraintsMap("[]") }));

describe("the webhook", () => {
  test("reviews what an API server sends over TLS", async () => {
    const hook = await started({ blastRadius: async () => "hides 412 bundles" });
    await hook.clock.pass(0);
    expect(hook.webhook.isServing).toBe(true);
    for (const servername of ["hook.home.svc", "hook.home.svc.cluster.local", "localhost"]) {
      const { status, body } = await post(hook, good, { servername });
      expect([status, JSON.parse(body).response]).toEqual([
        200,
        { uid: UID, allowed: true, warnings: ["hides 412 bundles"] },
      ]);
    }
    const denied = await post(hook, bodyOf(review({ kind: "Placement", object: placement({ numberOfClusters: -1 }) })));
    expect(JSON.parse(denied.body).response).toMatchObject({ allowed: false, status: { code: 422 } });
    expect(hook.webhook.metricsText()).toContain(
      'plimsoll_webhook_requests_total{kind="ConfigMap",result="allowed"} 3\n',
    );
    expect(hook.webhook.metricsText()).toMatch(/^plimsoll_webhook_certificate_expiry_seconds \d{10}$/m);
    expect(hook.log.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("is there before its certificate is, and cannot be asked until then", async () => {
    const server = new ObjectServer();
    server.failureOf = () => new NetFailure("unreachable", "there is no API server");
    const hook = await started({}, server);
    await hook.clock.pass(0);
    expect(hook.webhook.isServing).toBe(false);
    expect(hook.webhook.metricsText()).toContain("plimsoll_webhook_certificate_expiry_seconds 0\n");
    await expect(post(hook, good)).rejects.toThrow();
    server.failureOf = () => undefined;
    await hook.clock.pass(5000);
    expect((await post(hook, good)).status).toBe(200);
  });

  test("shows another certificate without a restart, also while connections are open", async () => {
    const hook = await started();
    await hook.clock.pass(0);
    const before = hook.authorities();
    const open = connectTls({ host: "127.0.0.1", port: hook.port, ca: before, servername: "localhost" });
    const end = new Promise((done) => open.on("close", done));
    await new Promise<void>((done) => open.on("secureConnect", done));
    const shown = open.getPeerX509Certificate()?.fingerprint256;
    const certificate = async (): Promise<string | undefined> => {
      const socket = connectTls({ host: "127.0.0.1", port: hook.port, rejectUnauthorized: false });
      await new Promise<void>((done) => socket.on("secureConnect", done));
      const { fingerprint256 } = socket.getPeerX509Certificate() ?? {};
      socket.destroy();
      return fingerprint256;
    };
    expect(await certificate()).toBe(shown);
    hook.clock.set(hook.clock.now() + 61 * DAY);
    await hook.clock.pass(13 * 60_000);
    expect(await certificate()).not.toBe(shown);
    expect(open.destroyed).toBe(false);
    open.destroy();
    await end;
  });
});

describe("what is not a review", () => {
  test.each<readonly [string, Sent, number]>([
    ["another path", { path: "/" }, 404],
    ["another path below", { path: "/validate/x" }, 404],
    ["another method", { method: "PUT" }, 405],
    ["a read", { method: "GET" }, 405],
  ])("%s", async (_, sent, status) => {
    const hook = await started();
    await hook.clock.pass(0);
    expect((await post(hook, good, sent)).status).toBe(status);
  });

  test("a body that is too large, or no review", async () => {
    const hook = await started();
    await hook.clock.pass(0);
    const large = Buffer.alloc(MAX_REVIEW_BYTES + 1, " ");
    expect(await post(hook, large)).toMatchObject({ status: 413 });
    expect(await post(hook, large.subarray(1))).toMatchObject({ status: 400 });
    expect(await post(hook, new TextEncoder().encode("[".repeat(2_000_000)))).toMatchObject({ status: 400 });
    expect((await post(hook, good)).status).toBe(200);
  });

  test("plain HTTP, and older TLS", async () => {
    const hook = await started();
    await hook.clock.pass(0);
    const plain = connect(hook.port, "127.0.0.1");
    plain.on("error", () => undefined);
    plain.write("POST /validate HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await text(plain).catch(() => "")).not.toContain("HTTP/1.1 2");
    const old = connectTls({
      host: "127.0.0.1",
      port: hook.port,
      rejectUnauthorized: false,
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    const failure = await new Promise<Error | undefined>((done) => {
      old.on("error", done);
      old.on("secureConnect", () => done(undefined));
    });
    expect(failure).toBeDefined();
  });
});

describe("it ends", () => {
  test("also if it cannot listen", async () => {
    const hook = await started();
    await expect(started({ address: hook.webhook.address })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("with connections whose handshake is not complete", async () => {
    const hook = await started();
    const socket = connect(hook.port, "127.0.0.1");
    socket.on("error", () => undefined);
    await new Promise<void>((done) => socket.on("connect", done));
    const closed = hook.close();
    await hook.clock.pass(1000);
    await closed;
    await eventually(() => expect(socket.destroyed || socket.readableEnded).toBe(true));
    socket.destroy();
    expect(hook.clock.waiting).toBe(0);
  });
});
