// What does an engine say of a catalog that it does not read to the end?

import { afterEach, expect, test, vi } from "vitest";
import { openCache } from "../../src/cache/cache.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { type EngineOptions, startEngine } from "../../src/resolution-controller/engine/engine.ts";
import { watchedInput } from "../../src/resolution-controller/watched-kinds.ts";
import { CONTENT, serving } from "../grpc/registry-reading.ts";
import { hang } from "../grpc/scripted-registry.ts";
import { NEVER, testOptions } from "../oci/scripted-registry.ts";

afterEach(() => vi.restoreAllMocks());

const SETTING = {
  ...{ environment: {}, insecure: [], mirrors: [], assembledBy: "test", signal: NEVER, registry: testOptions() },
  cache: openCache({ environment: {}, home: "", onTrouble: () => {} }),
};
const SILENT = new NetFailure("unreachable", "the API server does not answer");

/** An engine that knows one CatalogSource; what it says of it. */
function reader(port: number, remote: EngineOptions["remote"]) {
  const engine = startEngine({
    ...{ version: "0", configMap: { namespace: "olm", name: "none" }, remote },
    position: { isInside: true, namespace: undefined, isOfClusterScope: false, server: "", proxied: vi.fn() },
    ...{ commandOf: () => () => "", limit: 1000, now: () => 0 },
  });
  const text = JSON.stringify({
    metadata: { name: "harbour", namespace: "olm", uid: "1", resourceVersion: "1" },
    spec: { sourceType: "grpc", address: `127.0.0.1:${port}` },
  });
  const input = watchedInput("catalogSources", text);
  if (typeof input === "string") throw new Error(input);
  engine.change([{ list: "catalogSources", key: input.key, part: input.part }]);
  return (known?: string) => engine.read({ name: "harbour", namespace: "olm", known });
}

test("that the API server does not say how catalogs are read is not the fault of a catalog", async () => {
  const { port } = await serving(CONTENT);
  const read = reader(port, async () => {
    throw SILENT;
  });
  expect(await read()).toEqual({ is: "not-asked", why: "the API server does not answer" });
});

test("while the API server does not answer, what it said last counts", async () => {
  const { port } = await serving(CONTENT);
  const remote = vi.fn(async () => SETTING);
  const read = reader(port, remote);
  expect(await read()).toMatchObject({ is: "changed" });
  remote.mockRejectedValue(SILENT);
  expect(await read()).toMatchObject({ is: "changed" });
});

test("a bug is none of the API server", async () => {
  const read = reader(1, async () => {
    throw new TypeError("no function");
  });
  await expect(read()).rejects.toThrow("no function");
});

test("a catalog that hangs is given up, and it is said why", async () => {
  const { port } = await serving(CONTENT, { answers: { ListBundles: hang() } });
  // The time is over at once.
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  const read = reader(port, async () => SETTING);
  expect(await read()).toEqual({ is: "failed", why: "it was not read within 90 seconds" });
});
