import { X509Certificate } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { ObjectServer } from "../../test/webhook/object-server.ts";
import type { TlsCertificate } from "../controller/http-server.ts";
import { Log } from "../controller/log.ts";
import { type JsonObject, partOf } from "../model/json.ts";
import { NetFailure } from "../net/failure.ts";
import { CertificateKeeper } from "./certificate-keeper.ts";
import { readServingSecret, type ServingSecret, secretData } from "./serving-secret.ts";

const SECRETS = "/api/v1/namespaces/home/secrets";
const SECRET = `${SECRETS}/plimsoll-webhook-tls`;
const CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/plimsoll-webhook";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The Secret is read again at least this often. */
const ROUND = 13 * MINUTE;

const ends: AbortController[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end.abort();
});

interface Replica {
  /** What it has shown, in the order of time. */
  readonly shown: TlsCertificate[];
  readonly log: readonly JsonObject[];
  end(): void;
}

function bed({ isConfigured = true } = {}) {
  const clock = new ManualClock();
  const server = new ObjectServer();
  if (isConfigured) configure(server);
  const start = (): Replica => {
    const shown: TlsCertificate[] = [];
    const log: JsonObject[] = [];
    const over = new AbortController();
    ends.push(over);
    const keeper = new CertificateKeeper({
      ...{ server, namespace: "home", secret: "plimsoll-webhook-tls", configuration: "plimsoll-webhook" },
      ...{ names: ["plimsoll-webhook.home.svc"], clock, random: () => 0.5 },
      log: new Log({ level: "debug", clock, write: (line) => log.push(JSON.parse(line)) }),
      onCertificate: (certificate) => shown.push(certificate),
    });
    void keeper.run(over.signal);
    return { shown, log, end: () => over.abort() };
  };
  return { clock, server, start };
}

function configure(server: ObjectServer): void {
  const clientConfig = { url: "https://127.0.0.1:9443/validate" };
  server.put(CONFIGURATION, { metadata: {}, webhooks: [{ name: "constraints.plimsoll.dev", clientConfig }] });
}

function stored(server: ObjectServer): ServingSecret {
  return readServingSecret(server.object(SECRET) as JsonObject) as ServingSecret;
}

/** The authorities that the API server trusts. */
function announced(server: ObjectServer): string {
  const { webhooks } = server.object(CONFIGURATION) as JsonObject;
  const [entry] = webhooks as readonly JsonObject[];
  return Buffer.from(`${partOf(entry as JsonObject, "clientConfig").caBundle ?? ""}`, "base64").toString();
}

function isTrusted(server: ObjectServer, { cert }: TlsCertificate): boolean {
  const certificates = announced(server).match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----\n/g) ?? [];
  return certificates.some((one) => new X509Certificate(cert).verify(new X509Certificate(one).publicKey));
}

const messages = ({ log }: Replica): readonly unknown[] => log.map(({ message }) => message);

describe("one replica", () => {
  test("makes the Secret, shows its certificate, and announces its authority", async () => {
    const { clock, server, start } = bed();
    const replica = start();
    await clock.pass(0);
    expect(server.requests).toEqual([
      `GET ${SECRET}`,
      `POST ${SECRETS}`,
      `GET ${CONFIGURATION}`,
      `PATCH ${CONFIGURATION}`,
    ]);
    expect(server.object(SECRET)).toMatchObject({
      apiVersion: "v1",
      kind: "Secret",
      type: "kubernetes.io/tls",
      metadata: {
        name: "plimsoll-webhook-tls",
        namespace: "home",
        labels: { "app.kubernetes.io/managed-by": "plimsoll" },
      },
    });
    expect(replica.shown).toEqual([stored(server).serving]);
    expect(announced(server)).toBe(stored(server).authorities[0]);
  });

  test("only reads while nothing is to be done", async () => {
    const { clock, server, start } = bed();
    const replica = start();
    await clock.pass(0);
    const before = server.requests.length;
    await clock.pass(DAY / 2);
    expect(server.writes).toHaveLength(2);
    expect(server.requests.length).toBeGreaterThan(before + 100);
    expect(new Set(server.requests.slice(before))).toEqual(new Set([`GET ${SECRET}`, `GET ${CONFIGURATION}`]));
    expect(replica.shown).toHaveLength(1);
  });

  test("takes what it finds after a restart", async () => {
    const { clock, server, start } = bed();
    start().end();
    await clock.pass(0);
    const replica = start();
    await clock.pass(0);
    expect(server.writes).toHaveLength(2);
    expect(replica.shown).toEqual([stored(server).serving]);
  });

  test("renews a certificate, and keeps fields of the Secret that are not its own", async () => {
    const { clock, server, start } = bed();
    const replica = start();
    await clock.pass(0);
    const secret = server.object(SECRET) as JsonObject;
    server.put(SECRET, {
      ...secret,
      metadata: { ...partOf(secret, "metadata"), annotations: { a: "b" } },
      data: { ...partOf(secret, "data"), other: "b3RoZXI=" },
    });
    const { serving } = stored(server);
    clock.set(clock.now() + 61 * DAY);
    await clock.pass(ROUND);
    expect(stored(server).serving).not.toEqual(serving);
    expect(server.object(SECRET)).toMatchObject({ metadata: { annotations: { a: "b" } }, data: { other: "b3RoZXI=" } });
    expect(replica.shown).toEqual([serving, stored(server).serving]);
    expect(server.writes.slice(2)).toEqual([`PUT ${SECRET}`]);
  });

  test("writes a Secret that was deleted again as it was", async () => {
    const { clock, server, start } = bed();
    const replica = start();
    await clock.pass(0);
    const before = stored(server);
    server.remove(SECRET);
    await clock.pass(ROUND);
    expect(stored(server)).toEqual(before);
    expect(replica.shown).toHaveLength(1);
  });

  /** As `kubectl patch --type merge` does it. */
  function empty(server: ObjectServer, fields: readonly string[]): void {
    const secret = server.object(SECRET) as JsonObject;
    const emptied = Object.fromEntries(fields.map((field) => [field, ""]));
    server.put(SECRET, { ...secret, data: { ...partOf(secret, "data"), ...emptied } });
  }

  test("makes a new certificate, signed by the same authority, if that in the Secret is emptied", async () => {
    const { clock, server, start } = bed();
    const replicas = [start(), start()];
    await clock.pass(2 * MINUTE);
    const before = stored(server);
    empty(server, ["tls.crt", "tls.key"]);
    await clock.pass(2 * ROUND);
    const { authorities, serving } = stored(server);
    expect(authorities).toEqual(before.authorities);
    expect(serving).not.toEqual(before.serving);
    for (const { shown } of replicas) expect(shown).toEqual([before.serving, serving]);
  });

  test("makes a new authority, too, if all fields are emptied", async () => {
    const { clock, server, start } = bed();
    const replicas = [start(), start()];
    await clock.pass(2 * MINUTE);
    const before = stored(server);
    empty(server, ["tls.crt", "tls.key", "ca.crt", "ca.key"]);
    await clock.pass(2 * ROUND);
    const { authorities, serving } = stored(server);
    expect(authorities).toHaveLength(1);
    expect(announced(server)).toBe(authorities[0]);
    expect(isTrusted(server, before.serving)).toBe(false);
    for (const { shown } of replicas) expect(shown).toEqual([before.serving, serving]);
  });

  test.each<readonly [string, JsonObject]>([
    ["empty", { type: "Opaque" }],
    ["of a wrong type", { data: [] }],
    ["half", { data: { "tls.crt": "", "ca.crt": "" } }],
    ["garbage", { data: { "tls.crt": "eA==", "tls.key": "eA==", "ca.crt": "eA==", "ca.key": "eA==" } }],
  ])("replaces a Secret that is %s", async (_, object) => {
    const { clock, server, start } = bed();
    server.put(SECRET, { metadata: { name: "plimsoll-webhook-tls" }, ...object });
    const replica = start();
    await clock.pass(0);
    expect(server.writes).toEqual([`PUT ${SECRET}`, `PATCH ${CONFIGURATION}`]);
    expect(replica.shown).toEqual([stored(server).serving]);
    expect(isTrusted(server, stored(server).serving)).toBe(true);
  });

  test("ends when it is asked to, and says nothing of what fails then", async () => {
    const { clock, server, start } = bed();
    const replica = start();
    await clock.pass(0);
    server.failureOf = () => {
      replica.end();
      return new NetFailure("cancelled", "the read was cancelled");
    };
    await clock.pass(DAY);
    expect(clock.waiting).toBe(0);
    expect(replica.log.filter(({ level }) => level !== "info")).toEqual([]);
  });
});

describe("what fails is tried again, and logged once", () => {
  const forbidden = new NetFailure("forbidden", "secrets is forbidden");

  test("the Secret cannot be read", async () => {
    const { clock, server, start } = bed();
    server.failureOf = (request) => (request.includes("/secrets") ? forbidden : undefined);
    const replica = start();
    await clock.pass(30 * MINUTE);
    const tries = server.requests.length;
    expect(tries).toBeGreaterThan(25);
    expect(tries).toBeLessThan(60);
    expect(replica.shown).toEqual([]);
    expect(replica.log).toMatchObject([
      { level: "warn", message: "the Secret of the webhook cannot be read or written", why: "secrets is forbidden" },
    ]);
    server.failureOf = () => undefined;
    await clock.pass(2 * MINUTE);
    expect(replica.shown).toHaveLength(1);
    expect(messages(replica)).toContain("recovered");
  });

  test("a Secret that cannot be renewed is shown as long as it is valid", async () => {
    const { clock, server, start } = bed();
    start().end();
    await clock.pass(0);
    clock.set(clock.now() + 61 * DAY);
    server.failureOf = (request) => (request.startsWith("PUT") ? forbidden : undefined);
    const replica = start();
    await clock.pass(ROUND);
    expect(replica.shown).toEqual([stored(server).serving]);
  });

  test("there is no configuration yet", async () => {
    const { clock, server, start } = bed({ isConfigured: false });
    const replica = start();
    await clock.pass(10 * MINUTE);
    expect(replica.shown).toHaveLength(1);
    const message = expect.stringContaining("ValidatingWebhookConfiguration cannot be read or patched");
    expect(replica.log.filter(({ level }) => level === "warn")).toMatchObject([{ message }]);
    configure(server);
    await clock.pass(2 * MINUTE);
    expect(isTrusted(server, stored(server).serving)).toBe(true);
  });

  test("a bug is logged with its stack, and does not end it", async () => {
    const { clock, server, start } = bed();
    let isBroken = true;
    server.before = () => {
      if (isBroken) throw new TypeError("a bug");
    };
    const replica = start();
    await clock.pass(10 * MINUTE);
    expect(replica.log).toMatchObject([{ level: "error", why: "a bug", stack: expect.stringContaining("TypeError") }]);
    isBroken = false;
    await clock.pass(2 * MINUTE);
    expect(replica.shown).toHaveLength(1);
  });
});

describe("several replicas", () => {
  test("agree on one Secret, whichever is first", async () => {
    const { clock, server, start } = bed();
    const replicas = [start(), start(), start()];
    await clock.pass(2 * MINUTE);
    expect(server.writes.filter((request) => request.startsWith("POST"))).toHaveLength(3);
    for (const { shown, log } of replicas) {
      expect(shown).toEqual([stored(server).serving]);
      expect(log.filter(({ level }) => level !== "info")).toEqual([]);
    }
    expect(announced(server)).toBe(stored(server).authorities[0]);
  });

  test("for two years show only what the API server trusts", async () => {
    const { clock, server, start } = bed();
    const replicas = [start(), start()];
    let longest = 0;
    for (let day = 0; day < 700; day += 25) {
      await clock.pass(ROUND);
      clock.set(clock.now() + 25 * DAY - ROUND);
      for (let round = 0; round < 2; round++) {
        await clock.pass(ROUND);
        for (const { shown } of replicas)
          expect(isTrusted(server, shown.at(-1) as TlsCertificate), `day ${day}`).toBe(true);
        longest = Math.max(longest, stored(server).authorities.length);
      }
    }
    expect(longest).toBe(2);
    for (const { shown } of replicas) expect(shown.length).toBeGreaterThan(8);
    expect(new Set(replicas.map(({ shown }) => shown.at(-1)?.cert)).size).toBe(1);
  });

  test("one that has not seen a new Secret yet does not announce the old one", async () => {
    const { clock, server, start } = bed();
    start();
    await clock.pass(5 * MINUTE);
    start();
    await clock.pass(0);
    const seen: string[] = [];
    server.before = (request) => {
      if (request.startsWith("PATCH")) seen.push(announced(server));
    };
    clock.set(clock.now() + 490 * DAY);
    await clock.pass(3 * 60 * MINUTE);
    expect(stored(server).authorities).toHaveLength(1);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

test("no request is about another Secret or configuration, and no key is ever logged", async () => {
  const { clock, server, start } = bed();
  const replicas = [start(), start()];
  await clock.pass(ROUND);
  server.failureOf = (request) =>
    request.startsWith("PUT")
      ? new NetFailure("invalid", `refused: ${JSON.stringify(secretData(stored(server)))}`)
      : undefined;
  clock.set(clock.now() + 61 * DAY);
  await clock.pass(ROUND);
  server.failureOf = () => undefined;
  await clock.pass(ROUND);
  const paths = new Set(server.requests.map((request) => request.split(" ")[1]));
  expect(paths).toEqual(new Set([SECRET, SECRETS, CONFIGURATION]));
  const said = JSON.stringify(replicas.map(({ log }) => log));
  expect(said).toContain("refused");
  for (const text of Object.values(secretData(stored(server)))) {
    expect(said).not.toContain(text.slice(40, 80));
    expect(said).not.toContain(Buffer.from(text, "base64").toString().slice(40, 80));
  }
  expect(said).not.toMatch(/PRIVATE KEY|LS0tLS1CRUdJTi/);
});
