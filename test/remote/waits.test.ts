// Is it known what is waited for, while a catalog is read, and that it is not any more afterwards?

import { expect, test } from "vitest";
import { type Cache, openCache } from "../../src/cache/cache.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { loadRemote } from "../../src/remote/load-remote.ts";
import { wayTo } from "../../src/remote/way.ts";
import { locationOf } from "../../src/source/catalog-reference.ts";
import { InputFiles } from "../../src/source/input-files.ts";
import { CONTENT, serving } from "../grpc/registry-reading.ts";
import { folder, scripted } from "../kube/scripted-server.ts";
import { NEVER, scriptedRegistry, testImage, testOptions } from "../oci/scripted-registry.ts";
import { CONFIGS_LABEL, catalogLayer, lines, packageDocuments } from "./sandbox.ts";

const IMAGE = testImage([catalogLayer()], "v1", CONFIGS_LABEL);

/** What was waited for, in order, and what still is when something arrives or the work is done. */
interface Waits {
  readonly begun: string[];
  readonly open: Set<string>;
}

async function load(path: string, waits: Waits, cache?: Cache): Promise<string> {
  const location = locationOf(path);
  if (location === undefined) throw new Error(`${path} is a path`);
  const onWait = (what: string): (() => void) => {
    waits.begun.push(what);
    waits.open.add(what);
    return () => void waits.open.delete(what);
  };
  const files = new InputFiles(DEFAULT_LIMITS);
  const loaded = await loadRemote({ name: "hub", priority: 0, path }, [wayTo(location)], files, {
    ...{ environment: {}, signal: NEVER, insecure: [], mirrors: [], assembledBy: "test", onProgress: () => {} },
    cache: cache ?? openCache({ environment: {}, home: folder(), onTrouble: () => {} }),
    registry: { ...testOptions(), onWait },
  });
  return loaded.kind;
}

const none = (): Waits => ({ begun: [], open: new Set() });

test("a registry, until it has answered", async () => {
  const registry = await scriptedRegistry(IMAGE, { plain: true });
  const waits = none();
  registry.faults.set("/v2/", () => {
    expect([...waits.open]).toContain(`the registry ${registry.host}`);
    return false;
  });
  expect(await load(`oci://${registry.host}/harbour/catalog:v1`, waits)).toBe("loaded");
  expect(registry.asked.length).toBeGreaterThan(2);
  expect([...waits.open]).toEqual([]);
  registry.faults.set("/v2/", (_, response) => void response.destroy());
  expect(await load(`oci://${registry.host}/harbour/catalog:v1`, waits)).toBe("unreachable");
  expect([...waits.open]).toEqual([]);
});

test("another process, while it has the lock of a layer", async () => {
  const registry = await scriptedRegistry(IMAGE, { plain: true });
  const waits = none();
  const cache = openCache({ environment: {}, home: folder(), onTrouble: () => {} });
  let seen: readonly string[] = [];
  const once: Cache["once"] = (entry, make, signal) => {
    seen = [...waits.open];
    return cache.once(entry, make, signal);
  };
  expect(await load(`oci://${registry.host}/harbour/catalog:v1`, waits, { ...cache, once })).toBe("loaded");
  expect(seen).toEqual(["another process that reads the same layer"]);
  const [, blob] = waits.begun.slice(waits.begun.indexOf("another process that reads the same layer"));
  expect(blob).toBe(`the registry ${registry.host}`);
  expect([...waits.open]).toEqual([]);
});

test("a catalogd", async () => {
  const waits = none();
  const { url } = await scripted((_, response) => {
    expect([...waits.open]).toEqual([`catalogd at ${url}`]);
    response.writeHead(200, { "content-type": "application/jsonl" }).end(lines(packageDocuments("winch")));
  });
  expect(await load(`${url}/catalogs/hub`, waits)).toBe("loaded");
  expect([waits.begun.length, waits.open.size]).toEqual([1, 0]);
});

test("a gRPC registry", async () => {
  const { port } = await serving(CONTENT);
  const waits = none();
  expect(await load(`grpc://127.0.0.1:${port}`, waits)).toBe("loaded");
  expect([waits.begun, waits.open.size]).toEqual([[`the gRPC registry 127.0.0.1:${port}`], 0]);
});
