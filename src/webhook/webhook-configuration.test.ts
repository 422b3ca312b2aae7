import { describe, expect, test } from "vitest";
import { ObjectServer } from "../../test/webhook/object-server.ts";
import type { JsonObject } from "../model/json.ts";
import { announce, announcement } from "./webhook-configuration.ts";

const PATH = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/plimsoll-webhook";
const OLD = Buffer.from("old").toString("base64");
const NEW = Buffer.from("new").toString("base64");

function entry(name: string, clientConfig: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, clientConfig, rules: [{ operations: ["CREATE"] }], failurePolicy: "Ignore", ...more };
}

function configuration(...webhooks: readonly JsonObject[]): JsonObject {
  return { apiVersion: "v1", kind: "X", metadata: { name: "plimsoll-webhook", resourceVersion: "7" }, webhooks };
}

const SERVICE = { service: { name: "elsewhere", namespace: "away", port: 8443 } };
const URL = { url: "https://127.0.0.1:9443/validate" };

describe("the patch", () => {
  test("has the bundle in all entries of ours; everything else is as it was", () => {
    const ours = entry("constraints.plimsoll.dev", { ...SERVICE, caBundle: OLD }, { timeoutSeconds: 9 });
    const byUrl = entry("placements.plimsoll.dev", URL);
    const theirs = entry("policy.example.com", { ...SERVICE, caBundle: OLD });
    expect(announcement(configuration(ours, theirs, byUrl), NEW)).toEqual({
      metadata: { resourceVersion: "7" },
      webhooks: [
        { ...ours, clientConfig: { ...SERVICE, caBundle: NEW } },
        theirs,
        { ...byUrl, clientConfig: { ...URL, caBundle: NEW } },
      ],
    });
  });

  test("is not needed if all of ours have it, or none is ours", () => {
    const ours = entry("constraints.plimsoll.dev", { ...SERVICE, caBundle: NEW });
    const theirs = ["policy.example.com", "plimsoll.dev", "x.plimsoll.dev.example.com", "xplimsoll.dev"];
    const others = theirs.map((name) => entry(name, { ...SERVICE, caBundle: OLD }));
    expect(announcement(configuration(ours, ...others), NEW)).toBeUndefined();
    expect(announcement(configuration(), NEW)).toBeUndefined();
  });

  test.each<readonly [string, JsonObject]>([
    ["has no version", { webhooks: [entry("a.plimsoll.dev", URL)] }],
    ["has no entries", { metadata: { resourceVersion: "7" } }],
    ["has entries of another type", { metadata: { resourceVersion: "7" }, webhooks: { a: 1 } }],
    ["has entries that are none", { metadata: { resourceVersion: "7" }, webhooks: [null, 7, "x", [], { name: 8 }] }],
  ])("is not made for something that %s", (_, object) => {
    expect(announcement(object, NEW)).toBeUndefined();
  });
});

describe("announcing", () => {
  test("patches once, with the version that was read", async () => {
    const server = new ObjectServer();
    server.put(PATH, configuration(entry("constraints.plimsoll.dev", SERVICE)));
    expect(await announce(server, "plimsoll-webhook", "new")).toBe(true);
    expect(await announce(server, "plimsoll-webhook", "new")).toBe(false);
    expect(server.writes).toEqual([`PATCH ${PATH}`]);
    expect(server.object(PATH)).toMatchObject({ webhooks: [{ clientConfig: { ...SERVICE, caBundle: NEW } }] });
  });

  test("does not overwrite what another client has written in between", async () => {
    const server = new ObjectServer();
    server.put(PATH, configuration(entry("constraints.plimsoll.dev", SERVICE)));
    server.before = (request) => {
      if (request.startsWith("PATCH")) server.put(PATH, configuration(entry("constraints.plimsoll.dev", URL)));
    };
    await expect(announce(server, "plimsoll-webhook", "new")).rejects.toMatchObject({ kind: "conflict" });
    expect(server.object(PATH)).toMatchObject({ webhooks: [{ clientConfig: URL }] });
  });

  test("fails if there is none, or something else", async () => {
    const server = new ObjectServer();
    await expect(announce(server, "plimsoll-webhook", "new")).rejects.toMatchObject({ kind: "not-found" });
    for (const text of ["[]", "7", "null", "[".repeat(100) + "]".repeat(100)]) {
      server.garble(PATH, text);
      await expect(announce(server, "plimsoll-webhook", "new")).rejects.toMatchObject({ kind: "malformed" });
    }
  });
});
