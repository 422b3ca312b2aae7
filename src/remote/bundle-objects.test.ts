// Does the image of a bundle give all of its manifests, or none? Half of them would hide a change of a definition.

import { expect, test } from "vitest";
import { NEVER, scriptedRegistry, testImage, testOptions } from "../../test/oci/scripted-registry.ts";
import { tarOf } from "../../test/oci/tar-writer.ts";
import { type Cache, openCache } from "../cache/cache.ts";
import { DEFAULT_LIMITS } from "../input/limits.ts";
import { type FetchedObjects, fetchObjects } from "./bundle-objects.ts";

const LABELS = { "operators.operatorframework.io.bundle.manifests.v1": "manifests/" };
const SERVICE = '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "winch"}}\n';

/** What is fetched from the image of a bundle with these files. */
async function fetched(
  files: Readonly<Record<string, string>>,
  cache: Cache = openCache({ environment: {}, home: "", onTrouble: () => {} }),
): Promise<FetchedObjects | undefined> {
  const layer = tarOf(Object.entries(files).map(([path, content]) => ({ path, content })));
  const { host } = await scriptedRegistry(testImage([layer], "v1", LABELS));
  const setting = {
    ...{ environment: {}, insecure: [], mirrors: [], assembledBy: "test", onProgress: () => {}, signal: NEVER },
    cache,
    registry: testOptions(),
  };
  let count = 0;
  const [result] = await fetchObjects([`${host}/harbour/winch:v1`], setting, DEFAULT_LIMITS, () => count++);
  expect(count).toBe(1);
  return result;
}

test("all manifests, and no other files", async () => {
  const files = { "manifests/a.json": SERVICE, "manifests/.b.yaml": "{", "manifests/README.md": "#", "x/c.yaml": "{" };
  expect(await fetched(files)).toMatchObject({ properties: [{ type: "olm.bundle.object" }] });
});

test("a layer that was kept in another form is read, and kept anew", async () => {
  const kept: string[] = [];
  const old: Cache = {
    ...openCache({ environment: {}, home: "", onTrouble: () => {} }),
    once: async () => Buffer.from("plimsoll-layer 0\n"),
    put: async ({ kind }) => void kept.push(kind),
  };
  expect(await fetched({ "manifests/a.json": SERVICE }, old)).toMatchObject({ properties: [{}] });
  expect(kept).toEqual(["image", "layer"]);
});

test("a manifest that cannot be read is a failure of all", async () => {
  expect(await fetched({ "manifests/a.json": SERVICE, "manifests/b.yaml": "a: [\n" })).toMatchObject({
    message: expect.stringMatching(/^manifests\/b\.yaml in the image .* cannot be read: /),
  });
});

test("an image without manifests is a failure", async () => {
  expect(await fetched({ "manifests/README.md": "#" })).toMatchObject({
    message: expect.stringMatching(/has no manifests$/),
  });
});
