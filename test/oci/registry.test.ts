// What comes from a registry, and what is said if a registry lies, hangs, breaks off or refuses?
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { FailureKind } from "../../src/net/failure.ts";
import { type Answer, failureOf } from "../kube/scripted-server.ts";
import {
  bytesOf,
  errors,
  NEVER,
  OCI_INDEX,
  OCI_MANIFEST,
  opened,
  type ScriptedRegistry,
  scriptedRegistry,
  sha256,
  testImage,
} from "./scripted-registry.ts";

const DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
const IMAGE = testImage([Buffer.from("first layer"), randomBytes(300_000)]);
const LAYER = IMAGE.layers[1] as (typeof IMAGE.layers)[number];
const LAYER_BYTES = IMAGE.blobs[LAYER.digest] as Buffer;

test.for([true, false])("an image of a registry on loopback, plain: %s", async (plain) => {
  const { host, asked } = await scriptedRegistry(IMAGE, { plain });
  const image = opened(`${host}/ns/index:v1`);
  expect(image.name).toBe(`the registry ${host}`);
  const manifest = await image.manifest(NEVER);
  expect(manifest).toMatchObject({ mediaType: OCI_MANIFEST, digest: IMAGE.digest });
  expect(LAYER_BYTES.equals(await bytesOf(image.blob(LAYER, NEVER)))).toBe(true);
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /v2/ns/index/manifests/v1",
    `GET /v2/ns/index/blobs/${LAYER.digest}`,
  ]);
});

test("an index and its members", async () => {
  const index = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      manifests: [{ mediaType: OCI_MANIFEST, digest: IMAGE.digest, size: IMAGE.manifests.v1?.bytes.length }],
    }),
  );
  const manifests = { ...IMAGE.manifests, all: { mediaType: OCI_INDEX, bytes: index } };
  const { host } = await scriptedRegistry({ ...IMAGE, manifests });
  const image = opened(`${host}/ns/index:all`);
  const { mediaType, bytes } = await image.manifest(NEVER);
  expect(mediaType).toBe(OCI_INDEX);
  const [member] = JSON.parse(Buffer.from(bytes).toString()).manifests;
  expect(await image.manifestOf(member, NEVER)).toMatchObject({ digest: IMAGE.digest, mediaType: OCI_MANIFEST });
  const failure = await failureOf(image.manifestOf({ ...member, size: 7 }, NEVER));
  expect(failure.message).toMatch(/answers for the manifest sha256:.* with \d+ bytes instead of 7$/);
  const other = await failureOf(image.manifestOf({ ...member, mediaType: DOCKER_MANIFEST }, NEVER));
  expect(other.message).toMatch(/says that it is ".*oci.*", but it was given as ".*docker.*"$/);
});

test("a reference with a digest is requested by it", async () => {
  const { host } = await scriptedRegistry(IMAGE);
  const image = opened(`${host}/ns/index:moved@${IMAGE.digest}`);
  expect((await image.manifest(NEVER)).digest).toBe(IMAGE.digest);
});

function saying(body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200): Answer {
  return (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

const MANIFEST = IMAGE.manifests.v1?.bytes as Buffer;
const OTHER = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: OCI_MANIFEST, layers: [] }));
const ARTIFACT = "application/vnd.oci.artifact.manifest.v1+json";
const TWO_IN_ONE = Buffer.from(
  JSON.stringify({ schemaVersion: 2, mediaType: OCI_MANIFEST, layers: [], manifests: [] }),
);

test.for<[what: string, answer: Answer, message: RegExp]>([
  [
    "a login page",
    saying("<html>", { "content-type": "text/html" }),
    / does not look like a registry: it answers for the image .* with a web page$/,
  ],
  [
    "JSON of something else",
    saying('{"a":1}', { "content-type": OCI_MANIFEST }),
    /^the manifest sha256:\w{64} of the registry \S+ is neither an index nor an image$/,
  ],
  ["nothing", saying("", { "content-type": OCI_MANIFEST }), /, which is not the manifest of an image$/],
  [
    "an image that is an index, too",
    saying(TWO_IN_ONE, { "content-type": OCI_MANIFEST }),
    /is both an index and an image$/,
  ],
  [
    "an image of Docker before 2016",
    saying('{"schemaVersion":1,"fsLayers":[]}'),
    /has the format of Docker before 2016 \(schema 1\), which Plimsoll does not read$/,
  ],
  [
    "an artifact",
    saying(`{"mediaType":"${ARTIFACT}"}`, { "content-type": ARTIFACT }),
    /is not a container image: it is of type "application\/vnd\.oci\.artifact/,
  ],
  [
    "an image whose header says that it is an index",
    saying('{"schemaVersion":2,"layers":[]}', { "content-type": OCI_INDEX }),
    /has the fields of an image, but is "application\/vnd\.oci\.image\.index/,
  ],
  [
    "another digest",
    saying(MANIFEST, { "docker-content-digest": sha256(OTHER) }),
    /with other content: its digest is sha256:/,
  ],
  ["5 MiB", saying(Buffer.alloc(5 * 1024 * 1024)), /with more than 4 MiB$/],
  ["compressed", saying(MANIFEST, { "content-encoding": "br" }), /encodes its response as "br"$/],
])("a manifest that is %s", async ([, answer, message]) => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  faults.set("/manifests/", answer);
  const failure = await failureOf(opened(`${host}/ns/index:v1`).manifest(NEVER));
  expect(failure.message).toMatch(message);
  expect(failure.kind).toBe("malformed");
});

test("other bytes than the digest of the reference, although the header says so", async () => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  faults.set("/manifests/", saying(OTHER, { "docker-content-digest": IMAGE.digest }));
  const failure = await failureOf(opened(`${host}/ns/index@${IMAGE.digest}`).manifest(NEVER));
  expect(failure.message).toContain(`its digest is ${sha256(OTHER)} instead of ${IMAGE.digest}`);
});

test("a header with another media type does not count: no digest covers it", async () => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  faults.set("/manifests/", saying(MANIFEST, { "content-type": OCI_INDEX }));
  expect((await opened(`${host}/ns/index:v1`).manifest(NEVER)).mediaType).toBe(OCI_MANIFEST);
});

test.for(["application/octet-stream", "text/plain; charset=utf-8", `${OCI_MANIFEST}; charset=utf-8`])(
  "a manifest that does not say what it is, with the header %s",
  async (header) => {
    const { host, faults } = await scriptedRegistry(IMAGE);
    const silent = Buffer.from(JSON.stringify({ ...JSON.parse(MANIFEST.toString()), mediaType: undefined }));
    faults.set("/manifests/", saying(silent, { "content-type": header }));
    const { digest, mediaType } = await opened(`${host}/ns/index:v1`).manifest(NEVER);
    expect(digest).toBe(sha256(silent));
    expect(mediaType).toBe(header.startsWith(OCI_MANIFEST) ? OCI_MANIFEST : "");
  },
);

test.for<[number, FailureKind, string, number]>([
  [400, "server", "fails to read the image HOST/ns/index:v1 with status 400: no", 1],
  [403, "forbidden", "forbids reading the image HOST/ns/index:v1: no", 1],
  [418, "server", "fails to read the image HOST/ns/index:v1 with status 418: no", 1],
  [429, "throttled", "has too many requests: no (after 5 attempts)", 5],
  [500, "server", "fails to read the image HOST/ns/index:v1 with status 500: no (after 5 attempts)", 5],
  [503, "server", "fails to read the image HOST/ns/index:v1 with status 503: no (after 5 attempts)", 5],
])("status %i", async ([status, kind, message, requests]) => {
  const { host, faults, asked } = await scriptedRegistry(IMAGE);
  faults.set("/manifests/", (_, response) => errors(response, status, "NO", "no"));
  const failure = await failureOf(opened(`${host}/ns/index:v1`).manifest(NEVER));
  expect(failure).toMatchObject({ kind, status, message: `the registry ${host} ${message.replace("HOST", host)}` });
  expect(asked).toHaveLength(requests);
});

test("an image that does not exist", async () => {
  const { host } = await scriptedRegistry(IMAGE);
  expect(await failureOf(opened(`${host}/ns/index:v9`).manifest(NEVER))).toMatchObject({
    kind: "not-found",
    message: `there is no image ${host}/ns/index:v9: unknown to registry`,
    help: "check the repository and the tag; a tag may have been removed",
  });
});

test.for([
  [
    "text/html",
    "<html>Not Found</html>",
    {},
    " does not look like a registry: it answers for the image HOST/ns/index:v9 with status 404",
  ],
  ["application/json", '{"status": 404}', {}, " does not look like a registry"],
  [
    "text/plain",
    "",
    { "Docker-Distribution-Api-Version": "registry/2.0" },
    "there is no image HOST/ns/index:v9: Not Found",
  ],
] as const)("a 404 as %s, %s", async ([type, body, headers, message]) => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  faults.set("/manifests/", (_, response) => response.writeHead(404, { "content-type": type, ...headers }).end(body));
  expect(await failureOf(opened(`${host}/ns/index:v9`).manifest(NEVER))).toMatchObject({
    status: 404,
    message: expect.stringContaining(message.replace("HOST", host)),
  });
});

test("a host to which a registry redirects need not be a registry", async () => {
  const store = await scriptedRegistry(IMAGE);
  store.faults.set("/store", (_, response) =>
    response.writeHead(404, { "content-type": "application/xml" }).end("<x/>"),
  );
  const { host, faults } = await scriptedRegistry(IMAGE);
  faults.set("/blobs/", (_, response) => response.writeHead(307, { location: `https://${store.host}/store` }).end());
  const image = opened(`${host}/ns/index:v1`);
  const failure = await failureOf(bytesOf(image.blob(LAYER, NEVER)));
  expect(failure.message).toMatch(/^there is no blob sha256:/);
});

test("429 with Retry-After, then the image", async () => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  const said: string[] = [];
  faults.set("/manifests/", (_, response) => {
    faults.clear();
    errors(response, 429, "TOOMANYREQUESTS", "slow down", { "retry-after": "3" });
  });
  const image = opened(`${host}/ns/index:v1`, { onRetry: (what) => said.push(what) });
  expect((await image.manifest(NEVER)).digest).toBe(IMAGE.digest);
  expect(image.waits).toEqual([3000]);
  expect(said).toEqual([`the registry ${host} has too many requests: slow down; trying again in 3.0 s`]);
});

/** Sends the first bytes of the layer, then does as told. */
function partly(bytes: number, end: (response: ServerResponse) => void, headers: object = {}): Answer {
  return (_, response) => {
    response.writeHead(200, { ...headers });
    response.write(LAYER_BYTES.subarray(0, bytes), () => setImmediate(() => end(response)));
  };
}

const WHOLE = { "content-length": LAYER_BYTES.length };

test.for<[string, Answer]>([
  ["with a length", partly(100_000, (response) => response.destroy(), WHOLE)],
  ["in chunks", partly(100_000, (response) => response.destroy())],
  [
    "with the connection",
    partly(100_000, (response) => response.end(), { connection: "close", "transfer-encoding": "identity" }),
  ],
  ["before any byte", (_, response) => response.destroy()],
])("a blob that breaks off %s is requested again, and continues", async ([, answer]) => {
  const { host, faults, asked } = await scriptedRegistry(IMAGE);
  const image = opened(`${host}/ns/index:v1`);
  await image.manifest(NEVER);
  faults.set("/blobs/", (...request) => {
    if (asked.length === 3) faults.clear();
    answer(...request);
  });
  expect(LAYER_BYTES.equals(await bytesOf(image.blob(LAYER, NEVER)))).toBe(true);
  expect(asked).toHaveLength(4);
});

test("a blob that breaks off always is given up after three attempts", async () => {
  const { host, faults, asked } = await scriptedRegistry(IMAGE);
  faults.set(
    "/blobs/",
    partly(100_000, (response) => response.destroy(), WHOLE),
  );
  const failure = await failureOf(bytesOf(opened(`${host}/ns/index:v1`).blob(LAYER, NEVER)));
  expect(failure).toMatchObject({
    kind: "unreachable",
    message: `the registry ${host} closed the connection`,
  });
  expect(asked).toHaveLength(3);
});

test("a blob whose second half is of another blob", async () => {
  const { host, faults, asked } = await scriptedRegistry(IMAGE);
  faults.set("/blobs/", (request, response) =>
    asked.length === 1
      ? partly(100_000, () => response.destroy(), WHOLE)(request, response)
      : saying(Buffer.alloc(LAYER.size))(request, response),
  );
  const failure = await failureOf(bytesOf(opened(`${host}/ns/index:v1`).blob(LAYER, NEVER)));
  expect(failure.message).toContain(`gives other bytes for ${LAYER.digest}`);
});

test.for<[string, Answer, RegExp]>([
  ["other bytes", saying(Buffer.alloc(LAYER.size)), /gives other bytes for sha256:/],
  [
    "another length",
    saying("<html>log in", { "content-type": "text/html", "content-length": "12" }),
    /with 12 bytes of "text\/html" instead of \d+$/,
  ],
  [
    "a page without a length",
    partly(0, (response) => response.end(Buffer.alloc(LAYER.size + 1))),
    /gives other bytes for .*: more than the/,
  ],
])("a blob that is %s", async ([, answer, message]) => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  faults.set("/blobs/", answer);
  const failure = await failureOf(bytesOf(opened(`${host}/ns/index:v1`).blob(LAYER, NEVER)));
  expect(failure.message).toMatch(message);
});

test("a digest that is none is not requested", async () => {
  const { host, asked } = await scriptedRegistry(IMAGE);
  const image = opened(`${host}/ns/index:v1`);
  const bad = { ...LAYER, digest: "sha256:../../../v2/other/blobs/x" };
  expect((await failureOf(() => image.manifestOf(bad, NEVER))).message).toContain("is not a sha256 or sha512 digest");
  expect((await failureOf(() => bytesOf(image.blob(bad, NEVER)))).message).toContain(
    "is not a sha256 or sha512 digest",
  );
  expect(asked).toHaveLength(0);
});

test.for<[string, Answer]>([
  ["before the response", () => undefined],
  ["inside of it", partly(1000, () => undefined, WHOLE)],
])("a registry that hangs %s", async ([, answer]) => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  faults.set("/blobs/", answer);
  const image = opened(`${host}/ns/index:v1`, { idleLimit: 80 });
  const failure = await failureOf(bytesOf(image.blob(LAYER, NEVER)));
  expect(failure).toMatchObject({ kind: "timeout", message: `the registry ${host} sent nothing for 80 ms` });
});

test("a manifest that comes byte by byte", async () => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  faults.set("/manifests/", (_, response) => {
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  });
  const failure = await failureOf(opened(`${host}/ns/index:v1`, { requestTimeout: 150 }).manifest(NEVER));
  expect(failure.message).toBe(`the registry ${host} did not complete its response within 150 ms`);
});

test("a reader that takes its time is not the registry's fault", async () => {
  const { host } = await scriptedRegistry(IMAGE);
  let length = 0;
  for await (const chunk of opened(`${host}/ns/index:v1`, { idleLimit: 80 }).blob(LAYER, NEVER)) {
    if (length === 0) await new Promise((resolve) => setTimeout(resolve, 200));
    length += chunk.length;
  }
  expect(length).toBe(LAYER.size);
});

test("cancelled, and left", async () => {
  const { host, faults } = await scriptedRegistry(IMAGE);
  const closed: Promise<void>[] = [];
  faults.set("/blobs/", (request, response) => {
    closed.push(new Promise((resolve) => response.on("close", resolve)));
    partly(1000, () => undefined, WHOLE)(request, response);
  });
  const image = opened(`${host}/ns/index:v1`);
  const stop = new AbortController();
  const work = bytesOf(image.blob(LAYER, stop.signal));
  setTimeout(() => stop.abort(), 50);
  expect(await failureOf(work)).toMatchObject({ kind: "cancelled" });
  for await (const _ of image.blob(LAYER, NEVER)) break;
  expect(closed).toHaveLength(2);
  await Promise.all(closed);
});

test("a registry that is not there", async () => {
  const { host } = await closedRegistry();
  const failure = await failureOf(opened(`${host}/ns/index:v1`).manifest(NEVER));
  expect(failure).toMatchObject({
    kind: "unreachable",
    message: `the registry ${host} does not answer: connection refused`,
  });
});

async function closedRegistry(): Promise<Pick<ScriptedRegistry, "host">> {
  const { createServer } = await import("node:net");
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return { host: `127.0.0.1:${port}` };
}
