// Is a known copy of a catalog used only for the catalog that it is a copy of, where is a catalogd never asked, and when is it
// asked again?

import { describe, expect, test } from "vitest";
import { type Answer, scripted } from "../../test/kube/scripted-server.ts";
import { NEVER, NO_CREDENTIALS } from "../../test/oci/scripted-registry.ts";
import type { Response } from "../net/transport.ts";
import { type CatalogdServer, packCopy, readCatalogd, unpackCopy } from "./catalogd.ts";
import { directServer } from "./direct-catalogd.ts";
import type { RemoteSetting } from "./setting.ts";

const NEW = "Wed, 04 Nov 2026 10:00:00 GMT";
const OLD = "Tue, 03 Nov 2026 10:00:00 GMT";
const KNOWN = { lastModified: NEW, digest: "sha256:known", lines: Buffer.from("{}\n") };
const READING = { onBytes: (): void => {} };

/** A server that answers as catalogd does: a copy that is newer than its catalog is "not modified". */
function serving(content: string, modified: string): CatalogdServer & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    ...{ name: "catalogd", url: "https://catalogd.example/catalogs/hub/api/v1/all", about: "catalogd" },
    ...{ key: "catalogd", asked },
    request: async (headers, use) => {
      asked.push(headers["If-Modified-Since"]);
      const since = headers["If-Modified-Since"];
      const isKnown = since !== undefined && Date.parse(since) >= Date.parse(modified);
      return use(responseOf(isKnown ? 304 : 200, modified, isKnown ? "" : content));
    },
  };
}

function responseOf(status: number, modified: string, content: string): Response {
  const body = (async function* () {
    if (content !== "") yield Buffer.from(content);
  })();
  return { status, headers: { "last-modified": modified }, body };
}

describe("a copy of the cache", () => {
  test("is used if the server states the same time", async () => {
    const server = serving('{"a": 1}\n', NEW);
    expect(await readCatalogd(server, KNOWN, READING)).toBe(KNOWN);
    expect(server.asked).toEqual([NEW]);
  });

  test("of another cluster at the same address is not used, although it is newer", async () => {
    const server = serving('{"a": 1}\n', OLD);
    const copy = await readCatalogd(server, KNOWN, READING);
    expect(Buffer.from(copy.lines).toString()).toBe('{"a": 1}\n');
    expect(copy.lastModified).toBe(OLD);
    expect(server.asked).toEqual([NEW, undefined]);
  });

  test("is what was packed, and nothing else is a copy", () => {
    expect(unpackCopy(packCopy(KNOWN))).toEqual(KNOWN);
    for (const text of [
      "",
      "{}",
      '{"lastModified": 1, "digest": ""}\n',
      "null\n",
      '{"lastModified": "", "digest": ""}',
    ])
      expect(unpackCopy(Buffer.from(text))).toBeUndefined();
  });
});

test("nothing is no catalog: a server that was not asked about a copy has not the status 304", async () => {
  const server: CatalogdServer = {
    ...{ name: "catalogd", url: "https://catalogd.example/", key: "catalogd", about: "catalogd" },
    request: async (_, use) => use(responseOf(304, NEW, "")),
  };
  await expect(readCatalogd(server, undefined, READING)).rejects.toThrow("has not changed that it was not asked about");
});

test("more bytes than the limit are not taken", async () => {
  const server = serving('{"a": 1}\n', NEW);
  expect((await readCatalogd(server, undefined, { ...READING, maxBytes: 9 })).lines).toHaveLength(9);
  await expect(readCatalogd(server, undefined, { ...READING, maxBytes: 8 })).rejects.toThrow(
    "catalogd sends more than 8 bytes",
  );
});

const setting: RemoteSetting = {
  ...{ environment: {}, insecure: [], mirrors: [], assembledBy: "test", onProgress: () => {} },
  signal: NEVER,
  cache: undefined as never,
  registry: { environment: {}, credentials: NO_CREDENTIALS, insecure: [] },
};

describe("a failure that may pass", () => {
  const LINES = '{"a": 1}\n';
  const good: Answer = (_, response) => response.writeHead(200, { "content-type": "application/jsonl" }).end(LINES);
  const status =
    (code: number, headers = {}): Answer =>
    (_, response) =>
      response.writeHead(code, headers).end();
  const broken: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/jsonl", "content-length": 99 });
    response.write(LINES, () => response.destroy());
  };

  /** Reads the catalog of a server with these answers. */
  async function reading(answers: readonly Answer[]) {
    const { url, requests } = await scripted(answers);
    const waits: number[] = [];
    const arrived: number[] = [];
    let waitsFor = 0;
    const registry = {
      ...setting.registry,
      wait: async (time: number) => {
        waits.push(time);
        expect(waitsFor).toBe(0); // the pause is ours: the server is not waited for
      },
      onWait: () => {
        waitsFor++;
        return () => void waitsFor--;
      },
    };
    const server = directServer(`${url}/catalogs/hub`, { ...setting, registry });
    const onBytes = (bytes: number): void => void arrived.push(bytes);
    const copy = readCatalogd(server, undefined, { onBytes });
    return { copy, waits, arrived, requests };
  }

  test.for([
    ["too many requests", status(429, { "retry-after": "3" }), 3000],
    ["a server error", status(503), undefined],
    ["a connection that breaks off", broken, undefined],
  ] as const)("is not the end: %s", async ([, answer, wait]) => {
    const { copy, waits, arrived, requests } = await reading([answer, good]);
    expect(Buffer.from((await copy).lines).toString()).toBe(LINES);
    expect([waits.length, requests.length, arrived.at(-1)]).toEqual([1, 2, LINES.length]);
    if (wait !== undefined) expect(waits).toEqual([wait]);
  });

  test.for([
    ["always a server error", status(500), /answers with status 500 \(after 5 attempts\)$/, 5],
    ["always broken off", broken, /closed the connection \(after 5 attempts\)$/, 5],
    ["forbidden, which does not pass", status(403), /answers with status 403$/, 1],
  ] as const)("is given up: %s", async ([, answer, message, attempts]) => {
    const { copy, requests } = await reading([answer]);
    await expect(copy).rejects.toThrow(message);
    expect(requests).toHaveLength(attempts);
  });
});

describe("an address that a cluster states", () => {
  const CLUSTER = "https://api.example.com:6443";

  test.each([
    ["not a URL", /"not a URL" is not the URL of a catalogd/],
    ["", /"" is not the URL/],
    ["https://", /is not the URL/],
    ["file:///etc/passwd", /is not the URL/],
    ["x://a%2fb.olm.svc/catalogs/hub", /is not the URL/],
    ["https://169.254.169.254/latest", /which is a link-local address/],
    ["https://[::ffff:a9fe:a9fe]/latest", /which is a link-local address/],
    ["https://metadata.google.internal/x", /which is a metadata service/],
    ["https://localhost:8001/api", /which is this machine/],
    ["http://127.0.0.1:8001/api", /which is this machine/],
    ["https://me:hunter2-hunter2@catalogd.example/hub", /catalogd at https:\/\/catalogd\.example has a user name/],
    ["http://catalogd.example/hub", /would be asked without TLS/],
  ])("is not asked: %s", (url, message) => {
    let failure: unknown;
    try {
      directServer(url, setting, CLUSTER);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ name: "NetFailure", message: expect.stringMatching(message) });
    expect(JSON.stringify(failure)).not.toContain("hunter2");
  });

  test("is not asked if its name leads to this machine", async () => {
    const lookup = (_: string, __: unknown, done: (error: null, found: readonly unknown[]) => void): void =>
      done(null, [{ address: "127.0.0.1", family: 4 }]);
    const registry = { ...setting.registry, lookup: lookup as never };
    const server = directServer("https://catalogd.example:1/hub", { ...setting, registry }, CLUSTER);
    await expect(server.request({}, async () => "answered")).rejects.toThrow(
      'whose address "127.0.0.1" is that of this machine',
    );
  });

  test("may be on this machine if the API server is, or if the user gives it", () => {
    const url = "http://127.0.0.1:8001/catalogs/hub";
    expect(directServer(url, setting, "https://127.0.0.1:6443").url).toBe(`${url}/api/v1/all`);
    expect(directServer(url, setting).url).toBe(`${url}/api/v1/all`);
  });
});
