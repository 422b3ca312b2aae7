// What happens if a server says nothing any more, or only a byte now and then? It is given up after a limit, with a sentence; no
// read hangs.

import type { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { openCache } from "../../src/cache/cache.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import type { RegistryOptions } from "../../src/oci/registry-client.ts";
import { loadRemote } from "../../src/remote/load-remote.ts";
import { wayTo } from "../../src/remote/way.ts";
import { type CatalogReference, locationOf } from "../../src/source/catalog-reference.ts";
import { InputFiles } from "../../src/source/input-files.ts";
import { CONTENT, serving } from "../grpc/registry-reading.ts";
import { hang } from "../grpc/scripted-registry.ts";
import { type Answer, folder, scripted } from "../kube/scripted-server.ts";
import { NEVER, OCI_MANIFEST, scriptedRegistry, testImage, testOptions } from "../oci/scripted-registry.ts";
import { CONFIGS_LABEL, catalogLayer } from "./sandbox.ts";

const IMAGE = testImage([catalogLayer()], "v1", CONFIGS_LABEL);
const NOTHING: Answer = () => undefined;

/** What is said about a catalog whose server may be silent for a tenth of a second, or as the options say. */
async function saidAbout(
  path: string,
  options: Partial<RegistryOptions> = { idleLimit: 100, requestTimeout: 100 },
): Promise<string> {
  const location = locationOf(path);
  if (location === undefined) throw new Error(`${path} is a path`);
  const reference: CatalogReference = { name: "bad", priority: 0, path };
  const loaded = await loadRemote(reference, [wayTo(location)], new InputFiles(DEFAULT_LIMITS), {
    environment: {},
    signal: NEVER,
    cache: openCache({ environment: {}, home: folder(), onTrouble: () => {} }),
    insecure: [],
    registry: { ...testOptions(), ...options },
    mirrors: [],
    assembledBy: "test",
    onProgress: () => {},
  });
  if (loaded.kind === "loaded") throw new Error("it was loaded");
  return loaded.finding.message.replace(/127\.0\.0\.1:\d+/g, "HOST");
}

test.for([
  ["a manifest", "/manifests/", NOTHING],
  ["the rest of a manifest", "/manifests/", begun({ "content-type": OCI_MANIFEST })],
  ["a layer", `/blobs/${IMAGE.layers[0]?.digest}`, NOTHING],
  ["the rest of a layer", `/blobs/${IMAGE.layers[0]?.digest}`, begun({ "content-length": IMAGE.layers[0]?.size ?? 0 })],
] as const)("a registry that does not send %s", async ([, part, answer]) => {
  const registry = await scriptedRegistry(IMAGE, { plain: true });
  registry.faults.set(part, answer);
  expect(await saidAbout(`oci://${registry.host}/harbour/catalog:v1`)).toMatch(
    /^catalog bad cannot be read: the registry HOST (sent nothing for|did not complete its response within) /,
  );
});

/** The beginning of a response. */
function begun(headers: Readonly<Record<string, string | number>>): Answer {
  return (_, response) => response.writeHead(200, headers).write("{");
}

test.for([
  ["nothing", NOTHING],
  ["half a line", begun({ "content-type": "application/jsonl" })],
] as const)("a catalogd that sends %s", async ([, answer]) => {
  const { url } = await scripted(answer);
  expect(await saidAbout(`${url}/catalogs/hub`)).toMatch(
    /^catalog bad cannot be read: catalogd at https:\/\/HOST sent nothing for /,
  );
});

test("a gRPC registry that sends nothing", async () => {
  const { port } = await serving(CONTENT, { answers: { ListBundles: hang() } });
  expect(await saidAbout(`grpc://127.0.0.1:${port}`)).toMatch(
    /^catalog bad cannot be read: the gRPC registry HOST sent nothing for /,
  );
});

describe("a server that sends a byte now and then", () => {
  /** A clock on which ten seconds pass between two looks. */
  function fastClock(): () => number {
    let time = 0;
    return () => {
      time += 10_000;
      return time;
    };
  }

  /** Sends a byte at a time, until the connection is closed. */
  function trickle(stream: Pick<Writable, "write" | "on">): void {
    const timer = setInterval(() => stream.write("x"), 2);
    stream.on("close", () => clearInterval(timer));
  }

  const TOO_SLOW = " sent less than 1 KiB per second for 60 seconds";

  test.for([
    ["a manifest", "/manifests/", { "content-type": OCI_MANIFEST }],
    ["a layer", `/blobs/${IMAGE.layers[0]?.digest}`, { "content-length": IMAGE.layers[0]?.size ?? 0 }],
  ] as const)("of %s", async ([, part, headers]) => {
    const registry = await scriptedRegistry(IMAGE, { plain: true });
    registry.faults.set(part, (_, response) => trickle(response.writeHead(200, headers)));
    expect(await saidAbout(`oci://${registry.host}/harbour/catalog:v1`, { now: fastClock() })).toBe(
      `catalog bad cannot be read: the registry HOST${TOO_SLOW}`,
    );
  });

  test("of a catalogd", async () => {
    const { url } = await scripted((_, response) =>
      trickle(response.writeHead(200, { "content-type": "application/jsonl" })),
    );
    expect(await saidAbout(`${url}/catalogs/hub`, { now: fastClock() })).toBe(
      `catalog bad cannot be read: catalogd at https://HOST${TOO_SLOW}`,
    );
  });

  test("of a gRPC registry", async () => {
    const { port } = await serving(CONTENT, {
      answers: {
        ListBundles: (stream) => {
          stream.respond({ ":status": 200, "content-type": "application/grpc" });
          stream.write(Buffer.from([0, 0, 1, 0, 0]));
          trickle(stream);
        },
      },
    });
    expect(await saidAbout(`grpc://127.0.0.1:${port}`, { now: fastClock() })).toBe(
      `catalog bad cannot be read: the gRPC registry HOST${TOO_SLOW}`,
    );
  });
});
