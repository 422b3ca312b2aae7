// What does a run take from the cache, and what if it cannot? Real processes on one cache, and servers that count what is asked.

import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ran, runCommand } from "../e2e/command.ts";
import { type Answer, folder, scripted } from "../kube/scripted-server.ts";
import { type ScriptedRegistry, scriptedRegistry, testImage } from "../oci/scripted-registry.ts";
import { tarOf } from "../oci/tar-writer.ts";
import { CONFIGS_LABEL, catalogLayer, lines, packageDocuments, runIn, type Sandbox, sandboxIn } from "./sandbox.ts";

const UPPER = tarOf([{ path: "configs/crane/catalog.json", content: lines(packageDocuments("crane")) }]);
const IMAGE = testImage([catalogLayer(), UPPER], "v1", CONFIGS_LABEL);
/** A catalog with a document that cannot be read: its line is shown. */
const BROKEN = testImage(
  [catalogLayer({ path: "configs/x/catalog.json", content: '{"schema": "olm.bundle", "name": 7}\n' })],
  "v1",
  CONFIGS_LABEL,
);
const QUESTION = ["resolve", "winch", "crane"];

function sandbox(): Sandbox {
  return sandboxIn(folder());
}

/** The command line that reads an image. */
function reading({ host }: ScriptedRegistry, reference = ":v1"): readonly string[] {
  return [...QUESTION, "--catalog", `hub=oci://${host}/harbour/catalog${reference}`];
}

const askedBlobs = ({ asked }: ScriptedRegistry): readonly string[] =>
  asked.map(({ path }) => path).filter((path) => path.includes("/blobs/"));

/** All entries of the cache. */
function entries({ cache }: Sandbox): readonly string[] {
  const all = readdirSync(cache, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

const RIGHT: Partial<Ran> = { code: 0, err: "", out: expect.stringContaining("2 to install") };

describe("an image", () => {
  test("is pulled once or twice by eight processes on a cold cache", async () => {
    const registry = await scriptedRegistry(IMAGE, { plain: true });
    const { home, environment } = sandbox();
    const runs = await Promise.all(Array.from({ length: 8 }, () => runCommand(reading(registry), home, environment)));
    for (const ran of runs) expect(ran).toEqual(runs[0]);
    expect(runs[0]).toMatchObject(RIGHT);
    const asked = askedBlobs(registry);
    for (const { digest } of IMAGE.layers) {
      const count = asked.filter((path) => path.endsWith(digest)).length;
      expect([1, 2]).toContain(count);
    }
  });

  test("needs its manifest alone in a second run, and no request at all if its digest is given", async () => {
    const registry = await scriptedRegistry(IMAGE, { plain: true });
    const box = sandbox();
    const first = await runIn(box, reading(registry));
    expect(first).toMatchObject(RIGHT);
    const pulled = registry.asked.length;
    expect(await runIn(box, reading(registry))).toEqual(first);
    expect(registry.asked.slice(pulled).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v2/harbour/catalog/manifests/v1",
    ]);
    const before = registry.asked.length;
    expect(await runIn(box, reading(registry, `@${IMAGE.digest}`))).toEqual(first);
    expect(registry.asked.slice(before)).toEqual([]);
  });

  test("shows the lines of findings also if it comes from the cache", async () => {
    const registry = await scriptedRegistry(BROKEN, { plain: true });
    const box = sandbox();
    const args = ["lint", "--catalog", `hub=oci://${registry.host}/harbour/catalog@${BROKEN.digest}`];
    const first = await runIn(box, args);
    expect(first.out).toContain('1 | {"schema": "olm.bundle", "name": 7}');
    const pulled = askedBlobs(registry).filter((path) => path.endsWith(BROKEN.layers[0]?.digest ?? "")).length;
    expect(await runIn(box, args)).toEqual(first);
    expect(askedBlobs(registry).filter((path) => path.endsWith(BROKEN.layers[0]?.digest ?? ""))).toHaveLength(pulled);
  });

  test.for([
    ["all", /./, true],
    ["the layer is gone", /\/layer\//, false],
    ["the names of its layers are gone", /\/image\//, false],
  ] as const)("that comes from the cache needs no registry for a finding: %s", async ([what, gone, hasLine]) => {
    const registry = await scriptedRegistry(BROKEN, { plain: true });
    const box = sandbox();
    const args = ["lint", "--catalog", `hub=oci://${registry.host}/harbour/catalog@${BROKEN.digest}`];
    const first = await runIn(box, args);
    registry.faults.set("/v2/", (_, response) => response.writeHead(404).end());
    if (what !== "all") for (const file of entries(box)) if (gone.test(file)) rmSync(file);
    const second = await runIn(box, args);
    expect(second.code).toBe(first.code);
    expect(second.out).toContain("the name of a bundle must be text");
    if (hasLine) expect(second).toEqual(first);
  });

  test("is read anew if its entries are damaged", async () => {
    const registry = await scriptedRegistry(IMAGE, { plain: true });
    const box = sandbox();
    const first = await runIn(box, reading(registry));
    const damaged = entries(box);
    expect(damaged.length).toBeGreaterThanOrEqual(2);
    for (const [index, file] of damaged.entries()) {
      const bytes = readFileSync(file);
      if (index % 2 === 0) truncateSync(file, bytes.length - 3);
      else {
        bytes[bytes.length - 5] = (bytes[bytes.length - 5] as number) ^ 1;
        writeFileSync(file, bytes);
      }
    }
    const second = await runIn(box, reading(registry));
    expect([second.code, second.out]).toEqual([first.code, first.out]);
    expect(second.err.match(/an entry of the cache is damaged and not used/g)).toHaveLength(damaged.length);
    expect(await runIn(box, reading(registry))).toEqual(first);
  });
});

describe("a cache that cannot be written", () => {
  test.for(["below a regular file", "in place of a regular file"] as const)("%s: it is said once", async (where) => {
    const registry = await scriptedRegistry(IMAGE, { plain: true });
    const box = sandbox();
    const file = join(box.home, "file");
    writeFileSync(file, "x");
    const environment = { PLIMSOLL_CACHE_DIR: where === "below a regular file" ? join(file, "below") : file };
    const { code, out, err } = await runIn(box, reading(registry), environment);
    expect([code, out]).toEqual([0, expect.stringContaining("2 to install")]);
    expect(err.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^plimsoll: the cache ".*" (cannot be written|is not used).*PLIMSOLL_CACHE_DIR/),
    ]);
    expect(entries(box)).toEqual([]);
  });

  test("is not mentioned if no catalog needs it", async () => {
    const box = sandbox();
    const file = join(box.home, "file");
    writeFileSync(file, "x");
    const args = ["resolve", "anchor", ...box.good];
    expect(await runIn(box, args, { PLIMSOLL_CACHE_DIR: file })).toMatchObject({ code: 0, err: "" });
  });
});

describe("a catalogd", () => {
  const MODIFIED = "Tue, 03 Nov 2026 10:00:00 GMT";
  const CATALOG = lines([...packageDocuments("winch"), ...packageDocuments("crane")]);

  test("is only asked whether its catalog has changed", async () => {
    let [content, modified] = [CATALOG, MODIFIED];
    const answer: Answer = ({ headers }, response) => {
      if (headers["if-modified-since"] === modified) response.writeHead(304).end();
      else response.writeHead(200, { "content-type": "application/jsonl", "last-modified": modified }).end(content);
    };
    const { url, requests } = await scripted(answer);
    const box = sandbox();
    const args = [...QUESTION, "--catalog", `hub=${url}/catalogs/hub`];
    const first = await runIn(box, args);
    expect(first).toMatchObject(RIGHT);
    expect(await runIn(box, args)).toEqual(first);
    expect(requests.map(({ headers }) => headers["if-modified-since"])).toEqual([undefined, MODIFIED]);
    [content, modified] = [lines(packageDocuments("winch")), "Wed, 04 Nov 2026 10:00:00 GMT"];
    expect((await runIn(box, args)).out).toContain("crane");
    expect((await runIn(box, args)).code).not.toBe(0);
  });
});
