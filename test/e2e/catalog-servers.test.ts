// Do crane, opm and catalogd behave as the servers of a real catalog do? Each with the catalog of the bundled example.

import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:http2";
import { get } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { AUTHORITY } from "../certificates.ts";
import { exampleDocuments } from "../example-documents.ts";
import { catalogFiles, servedByOpm, writeFiles } from "./catalog-files.ts";
import { type Catalogd, startCatalogd } from "./catalogd.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { testFolder } from "./command.ts";
import { runCrane, saveImage } from "./crane.ts";
import { exposeService } from "./expose-service.ts";
import { startOpm } from "./opm.ts";
import {
  digestOf,
  filesBelow,
  type PushedImage,
  pushBundleImage,
  pushCatalogImage,
  pushImage,
  pushIndex,
} from "./push-image.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { startSecureRegistry } from "./secure-registry.ts";

const DOCUMENTS = exampleDocuments("catalog");
const FILES = catalogFiles(DOCUMENTS);
const PACKAGES = DOCUMENTS.filter(({ schema }) => schema === "olm.package")
  .map(({ name }) => name as string)
  .sort();
const folder = testFolder("catalog-servers");
let registry: Registry;
let image: PushedImage;
beforeAll(async () => {
  registry = await startRegistry();
  image = await pushCatalogImage(registry.address, "harbour/catalog:v1", FILES);
});
afterAll(() => registry.stop());

/** An object that a registry serves, and its digest. */
async function fetched(path: string): Promise<{ readonly object: JsonObject; readonly digest: string }> {
  const bytes = new Uint8Array(await (await fetch(`http://${registry.address}/v2/${path}`)).arrayBuffer());
  return { object: JSON.parse(Buffer.from(bytes).toString()) as JsonObject, digest: digestOf(bytes) };
}

/** What crane prints about an image, as JSON. */
async function printed(...args: readonly string[]): Promise<JsonObject> {
  return JSON.parse(await runCrane(folder, args)) as JsonObject;
}

describe("the registry", () => {
  test("has a pushed catalog under its tag and its digest", async () => {
    for (const reference of ["v1", image.digest]) {
      const { object, digest } = await fetched(`harbour/catalog/manifests/${reference}`);
      expect([object.mediaType, digest]).toEqual([image.mediaType, image.digest]);
    }
    expect((await runCrane(folder, ["digest", image.reference])).trim()).toBe(image.digest);
  });

  test("has every layer, and a later one removes files", async () => {
    const above = new Map([
      ["configs/almanac/.wh.catalog.json", ""],
      [`configs/${"long-".repeat(30)}name.yaml`, "---\n"],
    ]);
    const { reference } = await pushCatalogImage(registry.address, "harbour/layers:v1", FILES, {
      layers: [above],
      labels: { "example.com/colour": "blue" },
      format: "docker",
      compression: "none",
    });
    const exported = join(folder, "layers.tar");
    await runCrane(folder, ["export", reference, exported]);
    const text = readFileSync(exported, "latin1");
    expect(text).toContain(`configs/${"long-".repeat(30)}name.yaml`);
    expect(text).toContain("configs/boiler/catalog.json");
    expect(text).not.toContain("configs/almanac/catalog.json");
    const { config } = await printed("config", reference);
    expect((config as JsonObject).Labels).toEqual({
      "operators.operatorframework.io.index.configs.v1": "/configs",
      "example.com/colour": "blue",
    });
  });

  test("has an index with an image for each architecture", async () => {
    const arm = await pushImage(registry.address, "harbour/catalog:arm", { layers: [], architecture: "arm64" });
    const { reference } = await pushIndex(registry.address, "harbour/catalog:all", { amd64: image, arm64: arm });
    expect((await runCrane(folder, ["digest", "--platform=linux/arm64", reference])).trim()).toBe(arm.digest);
    expect((await runCrane(folder, ["digest", "--platform=linux/amd64", reference])).trim()).toBe(image.digest);
  });

  test("has a bundle with its annotations as labels", async () => {
    const files = filesBelow("examples/harbour/bundles/tide-tables/1.0.0");
    const { reference } = await pushBundleImage(registry.address, "harbour/tide-tables:v1.0.0", files);
    const { config } = await printed("config", reference);
    expect((config as JsonObject).Labels).toMatchObject({
      "operators.operatorframework.io.bundle.mediatype.v1": "registry+v1",
      "operators.operatorframework.io.bundle.package.v1": "tide-tables",
    });
    expect(((await printed("manifest", reference)).layers as readonly JsonObject[]).length).toBe(2);
  });
});

describe("a registry with a user", () => {
  const user = { user: "keeper", password: "lamp-oil-7" };
  const HUB = "harbour/catalog:v1";

  test.for(["basic", "token"] as const)("asks for credentials: %s", async (by) => {
    const secure = await startSecureRegistry({ ...user, by });
    try {
      const { digest } = await pushCatalogImage(secure.backend, HUB, FILES);
      const reference = `${secure.address}/${HUB}`;
      const home = testHome();
      await expect(runCrane(home, ["digest", reference])).rejects.toThrow(/401|UNAUTHORIZED/);
      await runCrane(home, ["auth", "login", secure.address, "-u", user.user, "-p", user.password]);
      expect((await runCrane(home, ["digest", reference])).trim()).toBe(digest);
      const schemes = secure.seen.filter(({ url }) => url.includes("/manifests/")).map(({ scheme }) => scheme);
      expect(schemes.at(-1)).toBe(by === "basic" ? "Basic" : "Bearer");
    } finally {
      await secure.stop();
    }
  });

  test("gives a token to everyone if it is public, for one repository", async () => {
    const secure = await startSecureRegistry({ ...user, by: "token", isPublic: true });
    try {
      for (const name of [HUB, "harbour/other:v1"]) await pushCatalogImage(secure.backend, name, new Map());
      await runCrane(testHome(), ["digest", `${secure.address}/${HUB}`]);
      const [asked] = secure.seen.filter(({ url }) => url.startsWith("/token"));
      expect([asked?.scheme, asked?.url]).toEqual(["", expect.stringContaining("harbour%2Fcatalog%3Apull")]);
      const { token } = JSON.parse((await ask(`https://${secure.address}${asked?.url}`)).text) as JsonObject;
      const status = async (name: string): Promise<number> =>
        (await ask(`https://${secure.address}/v2/${name}/manifests/v1`, { authorization: `Bearer ${token}` })).status;
      expect([await status("harbour/catalog"), await status("harbour/other")]).toEqual([200, 401]);
    } finally {
      await secure.stop();
    }
  });
});

/** A home of crane without credentials. */
let homes = 0;
function testHome(): string {
  return join(folder, `home-${++homes}`);
}

/** An answer over TLS. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((done, failed) => {
    const sent = get(url, { ca: AUTHORITY, headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part)).on("error", failed);
      answer.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        done({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    sent.on("error", failed);
  });
}

test("crane saves an image as an archive of Docker, a layout and an archive of OCI", async () => {
  const docker = await saveImage(folder, "docker.tar", image.reference, "docker-archive");
  expect(readFileSync(docker, "latin1")).toContain("manifest.json");
  const layout = await saveImage(folder, "layout", image.reference, "oci-layout");
  const index = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")) as JsonObject;
  expect((index.manifests as readonly JsonObject[]).map(({ digest }) => digest)).toEqual([image.digest]);
  expect(existsSync(join(layout, "blobs", image.digest.replace(":", "/")))).toBe(true);
  const archive = await saveImage(folder, "oci.tar", image.reference, "oci-archive");
  expect(readFileSync(archive, "latin1")).toContain(`blobs/${image.digest.replace(":", "/")}`);
});

/** The names that `api.Registry/ListPackages` streams: messages with a name as field 1. */
async function listPackages(address: string): Promise<readonly string[]> {
  const session = connect(`http://${address}`);
  const headers = { ":method": "POST", ":path": "/api.Registry/ListPackages", te: "trailers" };
  const stream = session.request({ ...headers, "content-type": "application/grpc" });
  stream.end(Buffer.alloc(5)); // one message without fields
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  session.close();
  const bytes = Buffer.concat(parts);
  const names: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at + 1);
    const message = bytes.subarray(at + 5, at + 5 + length);
    names.push(message.subarray(2, 2 + (message[1] as number)).toString("utf8"));
    at += 5 + length;
  }
  return names;
}

describe("opm", () => {
  test("lists the packages of a catalog by gRPC", async () => {
    const opm = await startOpm(writeFiles(join(folder, "catalog"), catalogFiles(servedByOpm(DOCUMENTS))));
    try {
      expect([...(await listPackages(opm.address))].sort()).toEqual(PACKAGES);
    } finally {
      await opm.stop();
    }
  });

  test("that refuses a catalog says why", async () => {
    await expect(startOpm("examples/harbour/cluster")).rejects.toThrow(/opm ended with 1/);
  });
});

describe("catalogd", () => {
  let cluster: Cluster;
  let catalogd: Catalogd;
  beforeAll(async () => {
    cluster = await startCluster();
    const host = "catalogd-service.olmv1-system.svc";
    catalogd = await startCatalogd(cluster, { image: image.reference, name: "hub", externalAddress: host });
  });
  afterAll(async () => {
    await catalogd?.stop();
    await cluster.stop();
  });

  test("serves all documents of a catalog, and answers 304 if they have not changed", async () => {
    const url = `${catalogd.url}/api/v1/all`;
    const { status, text, headers } = await ask(url);
    expect(status).toBe(200);
    expect(packagesIn(text)).toEqual(PACKAGES);
    const since = headers["last-modified"] as string;
    expect((await ask(url, { "if-modified-since": since })).status).toBe(304);
    expect((await ask(`${catalogd.url}/api/v1/metas?schema=olm.package`)).status).toBe(404);
  });

  test("names its Service in the status, which leads to it through the API server", async () => {
    const catalog = await cluster.admin.get("/apis/olm.operatorframework.io/v1/clustercatalogs/hub");
    expect(catalog.status).toMatchObject({ urls: { base: "https://catalogd-service.olmv1-system.svc/catalogs/hub" } });
    const service = { namespace: "olmv1-system", name: "catalogd-service" };
    const exposure = await exposeService(cluster, { ...service, port: 443, target: catalogd.address });
    try {
      const proxy = `/api/v1/namespaces/${service.namespace}/services/https:${service.name}:443/proxy`;
      const headers = { authorization: `Bearer ${cluster.tokens.admin}` };
      const { status, text } = await ask(`${cluster.server}${proxy}/catalogs/hub/api/v1/all`, headers);
      expect([status, packagesIn(text)]).toEqual([200, PACKAGES]);
    } finally {
      await exposure.stop();
    }
  });
});

/** The packages of JSON documents, a line each. */
function packagesIn(text: string): readonly string[] {
  const documents = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);
  return documents
    .filter(({ schema }) => schema === "olm.package")
    .map(({ name }) => name as string)
    .sort();
}
