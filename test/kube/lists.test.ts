// Are lists complete and in order, whatever the server and the network do?
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ListOptions, ListResult } from "../../src/kube/api-server.ts";
import { atEnd } from "../at-end.ts";
import {
  type Answer,
  api,
  failureOf,
  json,
  kubeconfig,
  type ScriptedServer,
  scripted,
  status,
  thing,
  things,
} from "./scripted-server.ts";

const PATH = "/apis/example.com/v1/things";

async function listed(
  answers: readonly Answer[],
  options: ListOptions = {},
): Promise<ListResult & { names: string[]; waits: number[]; scriptedServer: ScriptedServer }> {
  const scriptedServer = await scripted(answers);
  const { server, waits } = api(kubeconfig(scriptedServer.url));
  let names: string[] = [];
  const onRestart = (): void => {
    names = [];
  };
  const result = await server.list(PATH, { onRestart, ...options }, (item) =>
    names.push(JSON.parse(item).metadata.name),
  );
  return { ...result, names, waits, scriptedServer };
}

/** The beginning of a list, and then the end of the connection. */
const cut: Answer = (_, response) => {
  const text = JSON.stringify(things([thing(1), thing(2)], "next"));
  response.writeHead(200, { "content-type": "application/json", "content-length": String(text.length) });
  response.write(text.slice(0, text.length - 30), () => response.socket?.destroy());
};

const NAMES = ["thing-1", "thing-2", "thing-3"];

test("pages", async () => {
  const { names, scriptedServer, ...result } = await listed(
    [json(things([thing(1), thing(2)], "a=b&c", "41")), json(things([thing(3)], "", "42"))],
    {
      pageSize: 2,
      labelSelector: "!olm.copiedFrom",
    },
  );
  expect(names).toEqual(NAMES);
  expect(result).toMatchObject({
    items: 3,
    isCutOff: false,
    kind: "ThingList",
    apiVersion: "example.com/v1",
    overlong: 0,
    resourceVersion: "42",
  });
  expect(scriptedServer.requests.map(({ path }) => path)).toEqual([
    `${PATH}?limit=2&labelSelector=%21olm.copiedFrom`,
    `${PATH}?limit=2&continue=a%3Db%26c&labelSelector=%21olm.copiedFrom`,
  ]);
  expect(scriptedServer.connections).toBe(1);
});

test("pages without items that never end", async () => {
  const pages = Array.from({ length: 102 }, (_, page) => json(things([], `page-${page}`)));
  await expect(listed(pages)).rejects.toThrow("empty pages without an end");
});

test("a page that says that it is followed by itself", async () => {
  await expect(listed([json(things([thing(1)], "again"))])).rejects.toThrow("the same page again and again");
});

test("many pages over one connection leave no listeners on it", async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", onWarning);
  atEnd(() => process.off("warning", onWarning));
  const pages = Array.from({ length: 30 }, (_, page) => json(things([thing(page)], `page-${page}`)));
  const { items, scriptedServer } = await listed([...pages, json(things([]))]);
  expect({ items, connections: scriptedServer.connections }).toEqual({ items: 30, connections: 1 });
  expect(warnings).toEqual([]);
});

test("a list without a version; one that is cancelled by its reader", async () => {
  expect((await listed([json(things([], "", ""))])).resourceVersion).toBe("");
  const controller = new AbortController();
  const { url, requests } = await scripted(json(things([thing(1)], "next")));
  const { server } = api(kubeconfig(url));
  const { signal } = controller;
  expect((await failureOf(server.list(PATH, { signal }, () => controller.abort()))).kind).toBe("cancelled");
  expect(requests).toHaveLength(1);
  await server.list(PATH, { maxItems: 1 }, () => undefined);
});

test("no items", async () => {
  expect(await listed([json(things([]))])).toMatchObject({ items: 0, isCutOff: false, names: [] });
});

test("no more items than wanted", async () => {
  const more = await listed([json(things([thing(1), thing(2)], "next"))], { maxItems: 2 });
  expect(more).toMatchObject({ items: 2, isCutOff: true, names: ["thing-1", "thing-2"] });
  expect(more.scriptedServer.requests[0]?.path).toBe(`${PATH}?limit=2`);
  expect(await listed([json(things([thing(1), thing(2)]))], { maxItems: 2 })).toMatchObject({
    items: 2,
    isCutOff: false,
  });
  // A server that ignores the limit.
  const all = await listed([json(things([thing(1), thing(2), thing(3)]))], { maxItems: 2 });
  expect(all).toMatchObject({ items: 2, isCutOff: true, names: ["thing-1", "thing-2"] });
});

test("gzip", async () => {
  const packed: Answer = (request, response) => {
    expect(request.headers["accept-encoding"]).toBe("gzip");
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(gzipSync(JSON.stringify(things([thing(1), thing(2, { text: "x".repeat(1_000_000) }), thing(3)]))));
  };
  expect((await listed([packed])).names).toEqual(NAMES);
});

test("pages in gzip come over one connection, too", async () => {
  const packed = (items: readonly unknown[], next = ""): Answer => {
    const bytes = gzipSync(JSON.stringify(things(items, next)));
    return (_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      // As API servers send it: in chunks, the last of which has the end of the gzip only.
      response.write(bytes.subarray(0, -8));
      setImmediate(() => response.end(bytes.subarray(-8)));
    };
  };
  const large = thing(1, { text: Array.from({ length: 20_000 }, (_, index) => index * 7919).join() });
  const pages = Array.from({ length: 12 }, (_, page) => packed([large], `page-${page}`));
  const { items, scriptedServer } = await listed([...pages, packed([])]);
  expect({ items, connections: scriptedServer.connections }).toEqual({ items: 12, connections: 1 });
});

test("half of a gzip, then all of it", async () => {
  const packed = gzipSync(JSON.stringify(things(NAMES.map((_, index) => thing(index + 1)))));
  const half: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(packed.subarray(0, packed.length / 2));
  };
  const whole: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(packed);
  };
  expect((await listed([half, whole])).names).toEqual(NAMES);
});

test("an overlong item is skipped", async () => {
  const result = await listed([json(things([thing(1), thing(2, { text: "x".repeat(5000) }), thing(3)]))], {
    maxItemBytes: 1000,
  });
  expect(result).toMatchObject({ names: ["thing-1", "thing-3"], overlong: 1 });
});

test("429 with Retry-After, which is no more than 30 seconds", async () => {
  const answers = [
    status(429, "slow down", { "retry-after": "7" }),
    status(429, "slower", { "retry-after": "9999" }),
    json(things([thing(1)])),
  ];
  expect(await listed(answers)).toMatchObject({ names: ["thing-1"], waits: [7000, 30_000] });
});

test.for([500, 502, 503, 504])("%i, then an answer", async (code) => {
  const { names, waits } = await listed([status(code, "oh"), status(code, "oh"), json(things([thing(1)]))]);
  expect(names).toEqual(["thing-1"]);
  expect(waits).toHaveLength(2);
  expect(waits[0]).toBeGreaterThanOrEqual(250);
  expect(waits[0]).toBeLessThanOrEqual(500);
  expect(waits[1]).toBeGreaterThanOrEqual(500);
  expect(waits[1]).toBeLessThanOrEqual(1000);
});

test("an expired token in the middle: the list begins again", async () => {
  const { names, items, scriptedServer } = await listed([
    json(things([thing(7), thing(8)], "old")),
    status(410, "The provided continue parameter is too old"),
    json(things([thing(1), thing(2)], "new")),
    json(things([thing(3)])),
  ]);
  expect(names).toEqual(NAMES);
  expect(items).toBe(3);
  expect(scriptedServer.requests[2]?.path).toBe(`${PATH}?limit=500`);
});

test("a token that always expires", async () => {
  const page = json(things([thing(1)], "old"));
  const gone = status(410, "too old");
  const { url, requests } = await scripted([page, gone, page, gone, page, gone, page, gone, page, gone]);
  const failure = await failureOf(api(kubeconfig(url)).server.list(PATH, {}, () => undefined));
  expect(failure).toMatchObject({ kind: "expired", status: 410 });
  expect(requests).toHaveLength(8);
});

test("a connection that is cut in the middle of a page: no item comes twice", async () => {
  expect(
    (await listed([cut, cut, json(things([thing(1), thing(2)], "next")), cut, json(things([thing(3)]))])).names,
  ).toEqual(NAMES);
});

test("half a list without a length, then all of it", async () => {
  const half: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json", connection: "close" });
    response.end('{"kind":"ThingList","apiVersion":"v1","items":[{"metadata":{"name":"thing-9"}},');
  };
  expect((await listed([half, json(things([thing(1)]))])).names).toEqual(["thing-1"]);
});

test("a connection that is always cut", async () => {
  const { url, requests } = await scripted(cut);
  const taken: string[] = [];
  const failure = await failureOf(api(kubeconfig(url)).server.list(PATH, {}, (item) => taken.push(item)));
  expect(failure.kind).toBe("unreachable");
  expect(failure.message).toBe(`the API server ${url} closed the connection (after 5 attempts)`);
  expect(requests).toHaveLength(5);
  expect(taken).toEqual([]);
});

const LARGE = { text: "x".repeat(4_500_000) };

test("a page with too many bytes is requested in smaller ones", async () => {
  const all = [1, 2, 3, 4, 5, 6].map((number) => thing(number, LARGE));
  const paged: Answer = (request, response) => {
    const query = new URL(request.url ?? "", "http://x").searchParams;
    const start = Number(query.get("continue") ?? 0);
    const end = start + Number(query.get("limit"));
    json(things(all.slice(start, end), end < all.length ? String(end) : ""))(request, response);
  };
  const { names, scriptedServer } = await listed([paged], { pageSize: 6 });
  expect(names).toEqual(all.map((one) => (one.metadata as { name: string }).name));
  expect(scriptedServer.requests.map(({ path }) => path.replace(PATH, ""))).toEqual([
    "?limit=6",
    "?limit=2",
    "?limit=2&continue=2",
    "?limit=2&continue=4",
  ]);
});

test("a server that ignores the limit: items are passed on, and the list begins again if it breaks off", async () => {
  const all = JSON.stringify(things([1, 2, 3, 4, 5, 6].map((number) => thing(number, LARGE))));
  const broken: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": String(all.length) });
    response.write(all.slice(0, all.length - 100), () => response.socket?.destroy());
  };
  let restarts = 0;
  const whole: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(all);
  };
  const scriptedServer = await scripted([broken, whole]);
  let names: string[] = [];
  await api(kubeconfig(scriptedServer.url)).server.list(
    PATH,
    {
      pageSize: 2,
      onRestart: () => {
        restarts++;
        names = [];
      },
    },
    (item) => names.push(JSON.parse(item).metadata.name),
  );
  expect(names).toEqual([1, 2, 3, 4, 5, 6].map((number) => `thing-${number}`));
  expect(restarts).toBe(1);
});

test("other work gets its turn while a large list is read", async () => {
  const items = Array.from({ length: 400 }, (_, index) => thing(index, { text: "y".repeat(20_000) }));
  const { url } = await scripted(json(things(items)));
  const { server } = api(kubeconfig(url));
  let turns = 0;
  let turn = setImmediate(function next() {
    turns++;
    turn = setImmediate(next);
  });
  let taken = 0;
  let turnsWhileTaking = 0;
  await server.list(PATH, {}, () => {
    if (taken++ === 0) turnsWhileTaking = turns;
  });
  clearImmediate(turn);
  expect(taken).toBe(400);
  expect(turnsWhileTaking).toBeGreaterThan(10);
  expect(turns - turnsWhileTaking).toBeGreaterThan(10);
});

test("what take throws is thrown", async () => {
  const { url } = await scripted(json(things([thing(1)])));
  const listing = api(kubeconfig(url)).server.list(PATH, {}, () => {
    throw new RangeError("mine");
  });
  await expect(listing).rejects.toThrow(RangeError);
});
