// Is a catalog of the cache used when its source cannot be reached any more? It is, and messages have excerpts if its layers are
// in the cache, too.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NO_CREDENTIALS, scriptedRegistry, testImage } from "../../test/oci/scripted-registry.ts";
import { tarOf } from "../../test/oci/tar-writer.ts";
import { openCache } from "../cache/cache.ts";
import { DEFAULT_LIMITS } from "../input/limits.ts";
import { InputFiles } from "../source/input-files.ts";
import { loadRemote } from "./load-remote.ts";
import type { RemoteSetting } from "./setting.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "plimsoll-remote-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A package whose default channel does not exist, which is a finding with a place. */
const CATALOG = '{"schema": "olm.package", "name": "lantern", "defaultChannel": "nowhere"}\n';
const LABELS = { "operators.operatorframework.io.index.configs.v1": "/configs" };

test("a catalog that was read before by its digest needs no registry, and shows no excerpts without its layers", async () => {
  const image = testImage([tarOf([{ path: "configs/catalog.json", content: CATALOG }])], "v1", LABELS);
  const registry = await scriptedRegistry(image);
  const environment = { PLIMSOLL_CACHE_DIR: directory };
  const setting: RemoteSetting = {
    ...{ environment, insecure: [], mirrors: [], assembledBy: "test", onProgress: () => {} },
    signal: new AbortController().signal,
    cache: openCache({ environment, home: directory, onTrouble: (message) => expect.unreachable(message) }),
    registry: {
      ...{ environment, home: directory, system: directory, credentials: NO_CREDENTIALS, insecure: [] },
      wait: async () => {},
    },
  };
  const read = async (): Promise<unknown> => {
    const files = new InputFiles(DEFAULT_LIMITS);
    const reference = { name: "harbour", priority: 0, path: "oci://" };
    const way = { kind: "image", image: `${registry.host}/harbour/catalog@${image.digest}` } as const;
    const loaded = await loadRemote(reference, [way], files, setting);
    if (loaded.kind !== "loaded") return loaded.finding.message;
    const places = loaded.catalog.findings.map(({ place }) => place);
    return [loaded.catalog.findings.map(({ code }) => code), (await files.locate(places)).size > 0];
  };
  const before = await read();
  expect(before).toEqual([expect.arrayContaining([expect.stringMatching(/^PL/)]), true]);
  registry.faults.set("/v2/", (_, response) => void response.destroy());
  expect(await read()).toEqual(before);
  rmSync(join(directory, "layer"), { recursive: true });
  expect(await read()).toEqual([(before as readonly unknown[])[0], false]);
});
