// Does the proxy of the tests do what it says? The tests of faults rest on it.

import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { AUTHORITY } from "../certificates.ts";
import { type ApiProxy, type Fault, startProxy } from "./proxy.ts";

const { server, tokens } = inject("cluster");
const CLUSTERS = "/apis/cluster.open-cluster-management.io/v1/managedclusters";

let proxy: ApiProxy | undefined;
const agent = new Agent({ keepAlive: true, ca: AUTHORITY });
afterEach(async () => {
  agent.destroy();
  await proxy?.stop();
  proxy = undefined;
});

/** Sends a request through the proxy; the answer is not read yet. */
async function ask(path: string, signal?: AbortSignal): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${tokens.admin}` };
  const sent = request(`${proxy?.server}${path}`, { headers, agent, ...(signal && { signal }) });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk;
  return text;
}

async function withFault(fault: Fault, times?: number): Promise<ApiProxy> {
  proxy = await startProxy({ server });
  proxy.inject({ when: ({ path }) => path === CLUSTERS, fault, ...(times !== undefined && { times }) });
  return proxy;
}

test("it passes on requests and answers, and records them without credentials", async () => {
  proxy = await startProxy({ server });
  const answer = await ask(`${CLUSTERS}?limit=3`);
  const list = JSON.parse(await textOf(answer));
  expect(answer.statusCode).toBe(200);
  expect(list.items).toHaveLength(3);
  expect(list.metadata.continue).not.toBe("");
  expect(proxy.seen.map(({ method, path, isAuthorized }) => [method, path, isAuthorized])).toEqual([
    ["GET", CLUSTERS, true],
  ]);
  expect(proxy.seen[0]?.query.get("limit")).toBe("3");
  expect(JSON.stringify(proxy.seen)).not.toContain(tokens.admin);
});

test("requests at the same time find connections that were opened before", async () => {
  let opened = 0;
  const line = createServer((client) => {
    opened++;
    const upstream = connect(Number(new URL(server).port), "127.0.0.1").on("error", () => client.destroy());
    client.on("error", () => upstream.destroy()).pipe(upstream);
    upstream.pipe(client);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void line.close());
  await once(line, "listening");
  proxy = await startProxy({ server: `https://127.0.0.1:${(line.address() as AddressInfo).port}` });
  await proxy.connect(3);
  expect(opened).toBe(3);
  await Promise.all(["/livez", "/readyz", "/version"].map(async (path) => textOf(await ask(path))));
  expect(opened).toBe(3);
});

test("a fault happens as often as it should", async () => {
  await withFault({ is: "status", code: 429, reason: "TooManyRequests", message: "busy", retryAfter: 1 }, 1);
  const refused = await ask(CLUSTERS);
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
  expect(JSON.parse(await textOf(refused))).toMatchObject({ kind: "Status", reason: "TooManyRequests", code: 429 });
  const answer = await ask(CLUSTERS);
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse(await textOf(answer)).kind).toBe("ManagedClusterList");
});

test("another kind is not affected", async () => {
  await withFault({ is: "status", code: 403, reason: "Forbidden", message: "no" });
  const answer = await ask("/apis/cluster.open-cluster-management.io/v1beta2/managedclustersets");
  expect(JSON.parse(await textOf(answer)).kind).toBe("ManagedClusterSetList");
});

test("a page of HTML", async () => {
  await withFault({ is: "answer", code: 200, type: "text/html", text: "<html>Log in</html>" });
  const answer = await ask(CLUSTERS);
  expect([answer.headers["content-type"], await textOf(answer)]).toEqual(["text/html", "<html>Log in</html>"]);
});

test("half a list, with a proper end", async () => {
  await withFault({ is: "truncated", bytes: 2_000 });
  const text = await textOf(await ask(CLUSTERS));
  expect(text).toHaveLength(2_000);
  expect(() => JSON.parse(text)).toThrow();
});

test("a connection that is cut in the middle of a list", async () => {
  await withFault({ is: "cut", bytes: 2_000 });
  await expect(textOf(await ask(CLUSTERS))).rejects.toThrow("aborted");
});

test("an answer that stops and does not end", async () => {
  await withFault({ is: "stalled", bytes: 2_000 });
  const answer = await ask(CLUSTERS);
  let received = 0;
  const stopped = new Promise<void>((done) => {
    answer.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received === 2_000) done();
    });
  });
  await stopped;
  expect(answer.complete).toBe(false);
  answer.destroy();
});

test("no answer", async () => {
  const started = await withFault({ is: "silent" });
  const giveUp = new AbortController();
  const asked = ask(CLUSTERS, giveUp.signal);
  await started.sees(({ path }) => path === CLUSTERS);
  giveUp.abort();
  await expect(asked).rejects.toThrow("aborted");
});

describe("certificates", () => {
  test.each([
    ["elsewhere", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["expired", "CERT_HAS_EXPIRED"],
  ] as const)("%s is refused with %s", async (certificate, code) => {
    proxy = await startProxy({ server, certificate });
    await expect(ask("/version")).rejects.toMatchObject({ code });
  });
});
