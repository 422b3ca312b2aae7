// What can a registry, a layer, a catalogd or a gRPC registry do to the command? Each bad one ends with one sentence and exit code
// 4; nothing outside the cache is touched, no password is printed, and other catalogs still answer.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { CERTIFICATES } from "../certificates.ts";
import { bundleMessage, packageName } from "../grpc/registry-messages.ts";
import { CONTENT, serving, WINCH } from "../grpc/registry-reading.ts";
import { dropping, endless, frame, type Answer as GrpcAnswer } from "../grpc/scripted-registry.ts";
import { type Answer, folder, scripted } from "../kube/scripted-server.ts";
import {
  errors,
  OCI_MANIFEST,
  packedImage,
  proxyTo,
  type ScriptedRegistry,
  scriptedRegistry,
  type TestImage,
  testImage,
} from "../oci/scripted-registry.ts";
import { tarEntry, tarOf, type WrittenEntry } from "../oci/tar-writer.ts";
import {
  CONFIGS_LABEL,
  catalogLayer,
  lines,
  packageDocuments,
  runIn,
  type Sandbox,
  sandboxIn,
  sentenceAbout,
} from "./sandbox.ts";

const GOOD_LAYER = catalogLayer();
const IMAGE = testImage([GOOD_LAYER], "v1", CONFIGS_LABEL);
const [LAYER] = IMAGE.layers as [(typeof IMAGE.layers)[number]];
const BLOB = IMAGE.blobs[LAYER.digest] as Buffer;
const REPOSITORY = "harbour/catalog";
const AUTHORITY_FILE = join(CERTIFICATES, "authority.crt");

function sandbox(): Sandbox {
  return sandboxIn(folder());
}

/** A sentence without what differs from run to run. */
function plain(sentence: string): string {
  return sentence
    .replace(/127\.0\.0\.1:\d+/g, "HOST")
    .replace(/sha256:[0-9a-f]{64}/g, "DIGEST")
    .replace(/\d+ bytes?\b/g, "N bytes");
}

/** What is said about the image of a registry with faults. */
async function saidOf(image: TestImage, spoil: (registry: ScriptedRegistry) => void = () => {}): Promise<string> {
  const registry = await scriptedRegistry(image, { plain: true });
  spoil(registry);
  return plain(await sentenceAbout(sandbox(), `oci://${registry.host}/${REPOSITORY}:v1`));
}

const blobs =
  (answer: Answer) =>
  ({ faults }: ScriptedRegistry): void =>
    void faults.set(`/blobs/${LAYER.digest}`, answer);

/** A manifest in place of that of the image, under the same tag. */
function withManifest(change: (manifest: { layers: { size: number; digest: string; mediaType: string }[] }) => void) {
  const manifest = JSON.parse(IMAGE.manifests.v1?.bytes.toString() ?? "");
  change(manifest);
  const bytes = Buffer.from(JSON.stringify(manifest));
  return { ...IMAGE, manifests: { v1: { mediaType: OCI_MANIFEST, bytes } } };
}

test("the image is a good one if its registry is", async () => {
  const registry = await scriptedRegistry(IMAGE, { plain: true });
  const args = ["resolve", "winch", "--catalog", `oci://${registry.host}/${REPOSITORY}:v1`];
  expect(await runIn(sandbox(), args)).toMatchObject({ code: 0, err: "" });
});

describe("a registry that redirects", () => {
  test.for([
    ["http://cdn.example/blob", 'redirects to "cdn.example" by http, and only https is followed'],
    ["file:///etc/passwd", 'redirects to "file:" by file, and only https is followed'],
    ["https://169.254.169.254/latest/meta-data/", 'redirects to "169.254.169.254", which is a link-local address'],
    ["https://[fe80::1]/", 'redirects to "[fe80::1]", which is a link-local address'],
    ["https://metadata.google.internal/", 'redirects to "metadata.google.internal", which is a metadata service'],
  ] as const)("to %s", async ([location, words]) => {
    const registry = await scriptedRegistry(IMAGE);
    blobs((_, response) => response.writeHead(307, { location }).end())(registry);
    const sentence = plain(await sentenceAbout(sandbox(), `oci://${registry.host}/${REPOSITORY}:v1`));
    expect(sentence).toBe(`the registry HOST ${words}`);
  });

  test("in circles", async () => {
    const around: Answer = ({ url }, response) => response.writeHead(307, { location: url }).end();
    expect(await saidOf(IMAGE, ({ faults }) => void faults.set("/manifests/", around))).toBe(
      'the registry HOST redirects again and again, the last time from "HOST"',
    );
  });
});

describe("a registry that lies", () => {
  test("about the digest of a layer", async () => {
    const other = Buffer.from(BLOB);
    other[other.length - 1] = (other.at(-1) as number) ^ 1;
    const sentence = await saidOf(
      IMAGE,
      blobs((_, response) => response.end(other)),
    );
    expect(sentence).toMatch(/DIGEST|gzip/);
  });

  test("about the digest of a manifest", async () => {
    const sentence = await saidOf(IMAGE, ({ faults }) => {
      const headers = { "content-type": OCI_MANIFEST, "docker-content-digest": LAYER.digest };
      faults.set("/manifests/", (_, response) => response.writeHead(200, headers).end(IMAGE.manifests.v1?.bytes));
    });
    expect(sentence).toContain("other content: its digest is DIGEST instead of DIGEST");
  });

  test.for([
    ["smaller", -1],
    ["larger", 1],
    ["huge", 2 ** 50],
  ] as const)("about the size of a layer: %s", async ([, difference]) => {
    const sentence = await saidOf(
      withManifest(({ layers }) => {
        for (const layer of layers) layer.size += difference;
      }),
    );
    expect(sentence).toMatch(/N bytes|bytes of|limit/);
  });

  test("about the media type of a layer", async () => {
    const sentence = await saidOf(
      withManifest(({ layers }) => {
        for (const layer of layers) layer.mediaType = "application/vnd.oci.image.layer.v1.tar+zstd";
      }),
    );
    expect(sentence).toContain("zstd");
  });

  test("about the media type of a manifest: a web page", async () => {
    const page: Answer = (_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Please log in</html>");
    const sentence = await saidOf(IMAGE, ({ faults }) => void faults.set("/manifests/", page));
    expect(sentence).toBe(
      `HOST does not look like a registry: it answers for the image HOST/${REPOSITORY}:v1 with a web page`,
    );
  });
});

describe("a registry that sends too much or too little", () => {
  test("a manifest that does not end", async () => {
    const endlessly: Answer = (_, response) => {
      response.writeHead(200, { "content-type": OCI_MANIFEST });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, " ")));
      };
      response.on("drain", more);
      more();
    };
    const sentence = await saidOf(IMAGE, ({ faults }) => void faults.set("/manifests/", endlessly));
    expect(sentence).toContain("more than 4 MiB");
  });

  test("a bomb", async () => {
    const zeros = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    const head = gzipSync(tarEntry({ path: "usr/bomb", size: 2 ** 40, isBinarySize: true }));
    const bomb = Buffer.concat([head, ...Array.from({ length: 66 }, () => zeros)]);
    expect(await saidOf(packedImage([bomb], "v1", CONFIGS_LABEL))).toMatch(
      /^the layer DIGEST unpacks to more than 1 GiB/,
    );
  });

  test("half a layer, and closes the connection", async () => {
    const sentence = await saidOf(
      IMAGE,
      blobs((_, response) => {
        response.writeHead(200, { "content-length": BLOB.length });
        response.write(BLOB.subarray(0, BLOB.length / 2), () => response.destroy());
      }),
    );
    expect(sentence).toMatch(/^the registry HOST (closed|ended|breaks|does)/);
  });

  test("half a layer, and ends the response", async () => {
    const sentence = await saidOf(
      IMAGE,
      blobs((_, response) => response.end(BLOB.subarray(0, BLOB.length / 2))),
    );
    expect(sentence).toContain("bytes");
  });
});

describe("credentials", () => {
  const PASSWORD = "lamp-oil-7-secret";
  const ENCODED = Buffer.from(`keeper:${PASSWORD}`).toString("base64");

  function loggedIn(home: string, host: string): void {
    mkdirSync(join(home, ".docker"), { recursive: true });
    writeFileSync(join(home, ".docker/config.json"), JSON.stringify({ auths: { [host]: { auth: ENCODED } } }));
  }

  test("stay with the registry that asks for them on another host", async () => {
    const thief = await scriptedRegistry(IMAGE);
    // Another name of this machine is another host.
    const realm = `https://localhost:${thief.port}/token`;
    const registry = await scriptedRegistry(IMAGE, { challenge: () => `Bearer realm="${realm}",service="x"` });
    thief.faults.set("/token", (_, response) => errors(response, 401, "UNAUTHORIZED", "no"));
    const box = sandbox();
    loggedIn(box.home, registry.host);
    const reference = `oci://${registry.host}/${REPOSITORY}:v1`;
    const args = ["resolve", "anchor", "-v", ...box.good, "--catalog", `bad=${reference}`];
    const { code, out, err } = await runIn(box, args);
    expect([code, out]).toEqual([4, expect.stringContaining("install  anchor   1.0.0")]);
    expect(err).toContain(
      `wants credentials for the image ${registry.host}/${REPOSITORY}:v1 on another host, localhost:`,
    );
    expect(thief.asked.map(({ authorization }) => authorization)).toEqual(thief.asked.map(() => undefined));
    expect(out + err).not.toMatch(new RegExp(`${PASSWORD}|${ENCODED}`));
  });

  test("are not taken in the URL of a catalogd, and not repeated", async () => {
    const box = sandbox();
    const reference = `bad=http://keeper:${PASSWORD}@127.0.0.1:1/catalogs/hub`;
    for (const args of [
      ["resolve", "anchor", "-v", ...box.good, "--catalog", reference],
      ["lint", reference],
    ]) {
      const { code, out, err } = await runIn(box, args);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("credentials are not part of a reference");
      expect(err).not.toContain(PASSWORD);
    }
  });

  test("in the query of the URL of a catalogd are sent, but in no output and not in the cache", async () => {
    const { url, requests } = await scripted((_, response) =>
      response.writeHead(200, { "content-type": "application/jsonl" }).end(lines(packageDocuments("winch"))),
    );
    const box = sandbox();
    const reference = (name: string): string => `${url}/catalogs/${name}?key=${PASSWORD}&${PASSWORD}`;
    const texts: string[] = [];
    for (const args of [
      ["resolve", "winch", "-v", "--catalog", reference("hub")],
      ["resolve", "winch", "-o", "json", "--catalog", reference("hub")],
      ["resolve", "winch@>9", "--catalog", reference("hub"), "--hold", "winch"],
      ["show", "winch@1.0.0", "-o", "json", "--catalog", reference("hub")],
      ["show", "--catalog", reference("hub"), "--catalog", reference("hub")],
      ["show", "--catalog", `hub=http://registry.example/x?key=${PASSWORD}`],
      ["show", "--catalog", `hub=https://127.0.0.1:1/?key=${PASSWORD}`],
      ["lint", `hub=https:///?key=${PASSWORD}`],
      ["cache", "list"],
    ]) {
      const { out, err } = await runIn(box, args);
      expect(out + err).not.toContain(PASSWORD);
      texts.push(out + err);
    }
    expect(requests[0]?.path).toBe(`/catalogs/hub/api/v1/all?key=${PASSWORD}&${PASSWORD}`);
    expect(texts.join("")).toContain("/catalogs/hub/api/v1/all?[hidden]");
    const kept = readdirSync(box.cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(kept.length).toBeGreaterThan(0);
    for (const { parentPath, name } of kept)
      expect(readFileSync(join(parentPath, name), "latin1")).not.toContain(PASSWORD);
  });

  test("are in no output, wherever they are in a reference that is wrong", async () => {
    const box = sandbox();
    const references = [
      `https://127.0.0.1:1/c?token='${PASSWORD}'`,
      `https://127.0.0.1:1/c?token="${PASSWORD}"`,
      `https://127.0.0.1:1/c?token=a ${PASSWORD}`,
      `https://127.0.0.1:1?token='${PASSWORD}'`,
      `https://127.0.0.1:1/c#token=${PASSWORD}`,
      `oci://quay.io/x/y?token=${PASSWORD}`,
      `oci:https://user:${PASSWORD}@quay.io/x?t=${PASSWORD}`,
      `oci:user:${PASSWORD}@quay.io/x`,
      `https://user:a/${PASSWORD}@h/x`,
      `https://user:${PASSWORD}#a@h/x`,
      `https://user:${PASSWORD}?a@h/x`,
      `https:/user:${PASSWORD}@h/x`,
      `user:${PASSWORD}@quay.io/x/y`,
      `quay.io/x?token=${PASSWORD}`,
      `docker://user:${PASSWORD}@quay.io`,
    ];
    const every = references.flatMap((reference, index) => ["--catalog", `c${index}=${reference}`]);
    const apart = references.map((reference) => ["show", "--catalog", reference]);
    for (const args of [
      ["show", ...every],
      ["lint", ...references],
      ["lint", ...references, "-o", "json"],
      ["show", ...box.good, ...references],
      ["show", "-f", `https://user:a/${PASSWORD}@h/x`],
      [`https://user:a/${PASSWORD}@h/x`],
      ["show", ...box.good, "--insecure-registry", `u:${PASSWORD}@h`],
      ["show", ...box.good, `--insecure-registry=https://u:a/${PASSWORD}@h`],
      ...apart,
    ]) {
      const { code, out, err } = await runIn(box, args);
      expect(code).toBeGreaterThan(1);
      expect(err).not.toBe("");
      expect(out + err, args.join(" ")).not.toContain(PASSWORD);
    }
  });

  test("are in no output, also if the registry repeats them", async () => {
    const registry = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="x"', accepts: [] });
    registry.faults.set("/v2/", ({ headers: { authorization } }, response) =>
      authorization === undefined
        ? false
        : errors(response, 403, "DENIED", `${authorization} ${PASSWORD} is not welcome`),
    );
    const box = sandbox();
    loggedIn(box.home, registry.host);
    for (const flags of [[], ["-v"], ["-o", "json"]]) {
      const args = [
        "resolve",
        "anchor",
        ...flags,
        ...box.good,
        "--catalog",
        `bad=oci://${registry.host}/${REPOSITORY}:v1`,
      ];
      const { code, out, err } = await runIn(box, args);
      expect(code).toBe(4);
      expect(out + err).not.toMatch(new RegExp(`${PASSWORD}|${ENCODED}`));
      expect(out + err).toContain("is not welcome");
    }
    expect(registry.asked.some(({ authorization }) => authorization === `Basic ${ENCODED}`)).toBe(true);
  });
});

describe("a layer", () => {
  const ofLayer = (...entries: readonly WrittenEntry[]): TestImage =>
    testImage([catalogLayer(...entries)], "v1", CONFIGS_LABEL);

  test.for([
    ["../../victim", { path: "configs/../../victim", content: "x" }],
    ["a hard link out of the image", { path: "configs/x.yaml", type: "link", link: "../../etc/passwd" }],
    ["a directory of dots", { path: "../configs/x.yaml", content: "x" }],
  ] as const)("with %s", async ([, entry]) => {
    expect(await saidOf(ofLayer(entry))).toMatch(/^the layer DIGEST has a path that leaves the image: "/);
  });

  test("with a million files", async () => {
    const files = gzipSync(Buffer.alloc(512 * 10_000, tarEntry({ path: "usr/x" })));
    const packed = Buffer.concat(Array.from({ length: 100 }, () => files));
    const image = packedImage([packed, gzipSync(GOOD_LAYER)], "v1", CONFIGS_LABEL);
    expect(await saidOf(image)).toBe("the layer DIGEST has more than 200000 files, which is the limit");
  });

  /** What is in place of a file is left out with a sentence; the rest of the catalog is used. */
  test.for([
    ["a symbolic link to a file of this machine", { path: "configs/x.yaml", type: "symlink", link: "/etc/passwd" }],
    ["a symbolic link out of the image", { path: "configs/x.yaml", type: "symlink", link: "../../../etc/passwd" }],
    ["a link to itself", { path: "configs/x.yaml", type: "symlink", link: "x.yaml" }],
    ["a device", { path: "configs/x.yaml", type: "device" }],
    ["a block device", { path: "configs/x.yaml", type: "block" }],
    ["a named pipe", { path: "configs/x.yaml", type: "pipe" }],
  ] as const)("with %s: it is left out, and said", async ([, entry]) => {
    const registry = await scriptedRegistry(ofLayer(entry), { plain: true });
    const args = ["resolve", "winch", "--catalog", `bad=oci://${registry.host}/${REPOSITORY}:v1`];
    const { code, out, err } = await runIn(sandbox(), args);
    expect(code).toBe(4);
    expect(err).toMatch(/^error\[PL001\]: not a file that can be read: .+\n {2}--> oci:\/\/.+\/configs\/x\.yaml\n/);
    expect(err).not.toContain("root:");
    expect(out).toContain("install  winch    1.0.0");
  });

  test("with absolute names: they are those of the image", async () => {
    const tar = tarOf([
      { path: "/etc/plimsoll-test-victim", content: "x" },
      { path: "/configs/winch/catalog.json", content: lines(packageDocuments("winch")) },
    ]);
    const registry = await scriptedRegistry(testImage([tar], "v1", CONFIGS_LABEL), { plain: true });
    const args = ["resolve", "winch", "--catalog", `bad=oci://${registry.host}/${REPOSITORY}:v1`];
    expect(await runIn(sandbox(), args)).toMatchObject({ code: 0, err: "" });
  });
});

describe("an image", () => {
  test.for([
    [{}, "is neither a catalog nor a bundle"],
    [{ "operators.operatorframework.io.index.database.v1": "/database/index.db" }, "is an old index with an SQLite"],
    [{ "operators.operatorframework.io.index.configs.v1": "/../etc" }, "which is no directory of it"],
    [{ "operators.operatorframework.io.index.configs.v1": "/" }, "which is no directory of it"],
  ] as const)("with the labels %j", async ([labels, words]) => {
    expect(await saidOf(testImage([GOOD_LAYER], "v1", labels))).toContain(words);
  });
});

describe("a catalogd", () => {
  const CATALOG = lines(packageDocuments("winch"));
  const saidOfCatalogd = async (answer: Answer): Promise<string> => {
    const { url } = await scripted(answer);
    return plain(await sentenceAbout(sandbox(), `${url}/catalogs/hub`));
  };
  const headers = { "content-type": "application/jsonl" };

  // It is asked five times, so that this takes some seconds.
  test("that always closes the connection in the middle", async () => {
    const sentence = await saidOfCatalogd((_, response) => {
      response.writeHead(200, { ...headers, "content-length": CATALOG.length });
      response.write(CATALOG.slice(0, 100), () => response.destroy());
    });
    expect(sentence).toBe("catalogd at https://HOST closed the connection (after 5 attempts)");
  });

  test("that sends half a line", async () => {
    expect(await saidOfCatalogd((_, response) => response.writeHead(200, headers).end(CATALOG.slice(0, -20)))).toBe(
      "catalogd at https://HOST ends in the middle of a document",
    );
  });

  test("that redirects", async () => {
    const to = { location: "http://169.254.169.254/" };
    expect(await saidOfCatalogd((_, response) => response.writeHead(302, to).end())).toBe(
      "catalogd at https://HOST answers with status 302",
    );
  });

  test("that sends damaged gzip", async () => {
    const zipped = { ...headers, "content-encoding": "gzip" };
    expect(await saidOfCatalogd((_, response) => response.writeHead(200, zipped).end("no gzip"))).toBe(
      "catalogd at https://HOST sends damaged gzip",
    );
  });

  test.for([
    [{}, 4],
    [{ NODE_EXTRA_CA_CERTS: AUTHORITY_FILE }, 0],
    [{ SSL_CERT_FILE: AUTHORITY_FILE }, 0],
  ] as const)("outside this machine, whose authority is known only by %j", async ([environment, expected]) => {
    const { port } = await scripted((_, response) => response.writeHead(200, headers).end(CATALOG), {
      name: "elsewhere",
    });
    const proxy = await proxyTo({ "elsewhere.example:443": port });
    const args = ["resolve", "winch", "--catalog", "bad=https://elsewhere.example/catalogs/hub"];
    const { code, err } = await runIn(sandbox(), args, { ...environment, HTTPS_PROXY: proxy.url });
    expect([code, proxy.asked], err).toEqual([expected, ["elsewhere.example:443"]]);
    if (expected === 4) expect(err).toContain("name a file with its authority in NODE_EXTRA_CA_CERTS");
  });

  test("that is a web page", async () => {
    const page = { "content-type": "text/html" };
    expect(await saidOfCatalogd((_, response) => response.writeHead(200, page).end("<html>"))).toBe(
      "catalogd at https://HOST answers with a web page, not with a catalog",
    );
  });

  test("that does not know the catalog", async () => {
    expect(await saidOfCatalogd((_, response) => response.writeHead(404).end("404"))).toBe(
      "catalogd at https://HOST has no /catalogs/hub/api/v1/all",
    );
  });
});

describe("a gRPC registry", () => {
  const saidOfGrpc = async (answer: GrpcAnswer, method = "ListBundles"): Promise<string> => {
    const { port } = await serving(CONTENT, { answers: { [method]: answer } });
    return plain(await sentenceAbout(sandbox(), `grpc://127.0.0.1:${port}`));
  };
  const ROW = bundleMessage(WINCH);

  test("whose stream never ends", async () => {
    expect(await saidOfGrpc(endless(packageName("winch")), "ListPackages")).toMatch(
      /^the gRPC registry HOST .*more than/,
    );
  });

  test("that closes the connection in the middle", async () => {
    expect(await saidOfGrpc(dropping(frame(ROW).subarray(0, 9)))).toMatch(/^the gRPC registry HOST /);
  });

  test("that sends something else", async () => {
    expect(await saidOfGrpc(dropping(Buffer.alloc(1000, 0xff)))).toMatch(/^the gRPC registry HOST /);
  });
});
