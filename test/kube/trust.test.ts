// Who decides which certificates are accepted? The kubeconfig; what the environment trusts does not widen it.
import { createServer } from "node:https";
import { afterEach, expect, test, vi } from "vitest";
import { atEnd } from "../at-end.ts";
import { api, base64, certificate, failureOf, file, json, kubeconfig, listening, scripted } from "./scripted-server.ts";

const OK = json({ kind: "Thing" });
const OTHER = { "certificate-authority-data": base64(certificate("other-authority.crt")) };

afterEach(() => {
  vi.unstubAllEnvs();
});

test.for(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"])(
  "the authority of a cluster counts alone, whatever is in %s",
  async (name) => {
    const environment = { [name]: file(certificate("authority.crt")) };
    const { url, requests } = await scripted(OK);
    const without = { "certificate-authority-data": undefined };
    await api(kubeconfig(url, { cluster: without }), {}, {}, environment).server.get("/version");
    expect(requests).toHaveLength(1);
    const { server } = api(kubeconfig(url, { cluster: OTHER }), {}, {}, environment);
    expect((await failureOf(server.get("/version"))).kind).toBe("certificate");
    expect(requests).toHaveLength(1);
  },
);

test("NODE_TLS_REJECT_UNAUTHORIZED=0 does not turn the check off", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const { url, requests } = await scripted(OK);
  const failure = await failureOf(api(kubeconfig(url, { cluster: OTHER })).server.get("/version"));
  expect(failure.message).toContain("it is signed by an unknown authority");
  expect(requests).toEqual([]);
});

test("nor that of the certificate of a proxy", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const proxy = createServer({ cert: certificate("expired.crt"), key: certificate("expired.key") });
  const asked: string[] = [];
  proxy.on("connect", ({ url = "" }, socket) => {
    asked.push(url);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  proxy.on("tlsClientError", () => undefined);
  atEnd(() => proxy.close());
  const cluster = { "proxy-url": `https://me:hunter22@127.0.0.1:${await listening(proxy)}` };
  const failure = await failureOf(api(kubeconfig("https://127.0.0.1:1", { cluster })).server.get("/version"));
  expect(failure.message).toContain("is not accepted: it has expired");
  expect(asked).toEqual([]);
});
