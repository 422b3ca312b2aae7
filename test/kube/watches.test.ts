// Are the changes of a collection reported as the server sends them, and what is said if that ends?
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApiServerOptions, WatchOptions } from "../../src/kube/api-server.ts";
import type { WatchEvent } from "../../src/kube/watch-events.ts";
import type { FailureKind, NetFailure } from "../../src/net/failure.ts";
import { atEnd } from "../at-end.ts";
import {
  type Answer,
  api,
  failureOf,
  file,
  folder,
  json,
  kubeconfig,
  line,
  type ScriptedServer,
  scripted,
  status,
  thing,
  watching,
} from "./scripted-server.ts";

const PATH = "/apis/example.com/v1/things";
const FROM = { resourceVersion: "41", timeoutSeconds: 300 };

interface Watched {
  readonly events: readonly WatchEvent[];
  /** Undefined if the server has ended the watch. */
  readonly failure: NetFailure | undefined;
  readonly scriptedServer: ScriptedServer;
  readonly waits: readonly number[];
}

async function watched(
  answers: Answer | readonly Answer[],
  options: Partial<WatchOptions> = {},
  serverOptions: ApiServerOptions = {},
): Promise<Watched> {
  const scriptedServer = await scripted(answers);
  const { server, waits } = api(kubeconfig(scriptedServer.url), serverOptions);
  const events: WatchEvent[] = [];
  const work = server.watch(PATH, { ...FROM, ...options }, (event) => events.push(event));
  const failure = await work.then(
    () => undefined,
    () => failureOf(work),
  );
  return { events, failure, scriptedServer, waits };
}

test("changes until the server ends the watch", async () => {
  const texts = [line("ADDED", thing(1)), line("MODIFIED", thing(1)) + line("DELETED", thing(1))];
  const bookmark = { kind: "Thing", metadata: { resourceVersion: "50" } };
  let opened = 0;
  const { events, failure, scriptedServer } = await watched(watching([...texts, line("BOOKMARK", bookmark)]), {
    onOpen: () => opened++,
  });
  expect(failure).toBeUndefined();
  expect(events).toEqual([
    { type: "ADDED", object: JSON.stringify(thing(1)) },
    { type: "MODIFIED", object: JSON.stringify(thing(1)) },
    { type: "DELETED", object: JSON.stringify(thing(1)) },
    { type: "BOOKMARK", object: JSON.stringify(bookmark) },
  ]);
  expect(opened).toBe(1);
  expect(scriptedServer.requests).toMatchObject([
    {
      method: "GET",
      path: `${PATH}?watch=true&resourceVersion=41&allowWatchBookmarks=true&timeoutSeconds=300`,
      headers: { "accept-encoding": "identity", accept: "application/json" },
    },
  ]);
});

test("a character that comes in two pieces", async () => {
  const bytes = Buffer.from(line("ADDED", { name: "é😀" }));
  const middle = bytes.indexOf(0x9f);
  const { events } = await watched(watching([bytes.subarray(0, middle), bytes.subarray(middle)]));
  expect(events).toEqual([{ type: "ADDED", object: '{"name":"é😀"}' }]);
});

test("a watch that is ended is not begun again, and its connection is used again", async () => {
  const scriptedServer = await scripted([watching([]), json({ kind: "Thing" })]);
  const { server, waits } = api(kubeconfig(scriptedServer.url));
  await server.watch(PATH, FROM, () => undefined);
  await server.get("/a");
  expect({ connections: scriptedServer.connections, waits }).toEqual({ connections: 1, waits: [] });
});

const GONE = "too old resource version: 41 (99)";

function failed(code: number | undefined, message: string, more: object = {}): string {
  return line("ERROR", { kind: "Status", apiVersion: "v1", status: "Failure", message, code, ...more });
}

test.for<[string, Answer, FailureKind, string]>([
  ["410", status(410, GONE), "expired", `does not know the changes of ${PATH} that far back: ${GONE}`],
  [
    "410 inside",
    watching([failed(410, GONE)]),
    "expired",
    `does not know the changes of ${PATH} that far back: ${GONE}`,
  ],
  ["403", status(403, "no"), "forbidden", `forbids watching ${PATH}: no`],
  ["403 inside", watching([failed(403, "no")]), "forbidden", `forbids watching ${PATH}: no`],
  ["404", status(404, "no"), "not-found", `has no ${PATH}: no`],
  ["503", status(503, "no"), "server", `fails to watch ${PATH} with status 503: no`],
  ["500 inside", watching([failed(500, "etcd")]), "server", `fails to watch ${PATH} with status 500: etcd`],
  ["no code inside", watching([failed(undefined, "no")]), "server", `fails to watch ${PATH} with status 500: no`],
  ["200 inside", watching([failed(200, "no")]), "server", `fails to watch ${PATH} with status 500: no`],
  [
    "a secret inside",
    watching([failed(403, "Bearer abcdefgh12345")]),
    "forbidden",
    `forbids watching ${PATH}: Bearer [hidden]`,
  ],
])("%s", async ([, answer, kind, message]) => {
  const { failure, scriptedServer, waits } = await watched(answer);
  expect(failure).toMatchObject({ kind, message: `the API server ${scriptedServer.url} ${message}` });
  expect(scriptedServer.requests).toHaveLength(1);
  expect(waits).toEqual([]);
});

test("how long a server wants us to wait", async () => {
  expect((await watched(status(429, "no", { "retry-after": "3" }))).failure).toMatchObject({
    kind: "throttled",
    retryAfter: 3000,
  });
  const inside = watching([failed(429, "no", { details: { retryAfterSeconds: 4 } })]);
  expect((await watched(inside)).failure).toMatchObject({ kind: "throttled", retryAfter: 4000 });
});

test("refused credentials are renewed before the watch, never inside of it", async () => {
  const directory = folder();
  writeFileSync(join(directory, "token"), "old");
  const renews: Answer = (request, response) => {
    writeFileSync(join(directory, "token"), "new");
    status(401, "Unauthorized")(request, response);
  };
  const answers = [renews, watching([line("ADDED", thing(1)), failed(401, "Unauthorized")])];
  const { url, requests } = await scripted(answers);
  const path = file(kubeconfig(url, { user: { tokenFile: "token" } }), join(directory, "config"));
  const { server } = api(undefined, {}, { kubeconfig: path });
  const events: WatchEvent[] = [];
  const failure = await failureOf(server.watch(PATH, FROM, (event) => events.push(event)));
  // Another watch from the same version would report the first change again.
  expect(failure.kind).toBe("unauthorized");
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  expect(events).toHaveLength(1);
});

const ADDED = line("ADDED", thing(1));

test.for<[string, string, string]>([
  ["what is not JSON", "garbage\n", "one of them is not an event in JSON"],
  ["an unknown type", line("REPLACED", thing(1)), "one of them has an unknown type"],
  ["an object that is none", line("ADDED", 7), "one of them is not an event in JSON"],
  ["a half of an event at the end", ADDED.slice(0, 40), "one of them is not an event in JSON"],
  ["a long line", line("ADDED", "x".repeat(2000)), "one of them is longer than 1000 bytes"],
])("%s", async ([, text, message]) => {
  const { failure, events, scriptedServer } = await watched(watching([ADDED, text]), { maxEventBytes: 1000 });
  expect(failure).toMatchObject({
    kind: "malformed",
    message: `the API server ${scriptedServer.url} reports changes of ${PATH} that cannot be read: ${message}`,
  });
  expect(events).toHaveLength(1);
});

test("a line without an end", async () => {
  const endless: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = (): void => void (response.destroyed || response.write("x".repeat(100), more));
    more();
  };
  expect((await watched(endless, { maxEventBytes: 10_000 })).failure?.kind).toBe("malformed");
});

test("a login page", async () => {
  const page: Answer = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("log in");
  expect((await watched(page)).failure?.kind).toBe("malformed");
});

test("a connection that breaks", async () => {
  const breaks: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(ADDED, () => setImmediate(() => response.socket?.destroy()));
  };
  const { failure, events, waits } = await watched(breaks);
  expect(failure?.kind).toBe("unreachable");
  expect(events).toHaveLength(1);
  expect(waits).toEqual([]);
});

test("a dead connection; the limit of a watch begins with its response", async () => {
  const { failure, scriptedServer } = await watched(watching([ADDED], { isLeftOpen: true }), { idleLimit: 60 });
  expect(failure).toMatchObject({
    kind: "timeout",
    message: `the API server ${scriptedServer.url} sent nothing for 60 ms`,
  });
  const silent = await watched(() => undefined, {}, { idleLimit: 70 });
  expect(silent.failure?.message).toContain("sent nothing for 70 ms");
});

test("the limit of time of requests is none of a watch", async () => {
  const slow: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    setTimeout(() => response.end(ADDED), 150);
  };
  const { events, failure } = await watched(slow, {}, { requestTimeout: 100 });
  expect({ events: events.length, failure }).toEqual({ events: 1, failure: undefined });
});

test("cancelled by its reader, and closed", async () => {
  const { url } = await scripted([watching([ADDED], { isLeftOpen: true })]);
  const { server } = api(kubeconfig(url));
  const controller = new AbortController();
  const cancelled = server.watch(PATH, { ...FROM, signal: controller.signal }, () => controller.abort());
  expect((await failureOf(cancelled)).kind).toBe("cancelled");
  expect((await failureOf(server.watch(PATH, FROM, () => server.close()))).kind).toBe("cancelled");
});

test("watches do not use up the connections of other requests", async () => {
  const { url } = await scripted((request, response) =>
    (request.url?.includes("watch=") ? watching([ADDED], { isLeftOpen: true }) : json({ kind: "Thing" }))(
      request,
      response,
    ),
  );
  const { server } = api(kubeconfig(url));
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", onWarning);
  atEnd(() => process.off("warning", onWarning));
  const controller = new AbortController();
  const ended: Promise<NetFailure>[] = [];
  const begun = Array.from(
    { length: 15 },
    () =>
      new Promise<void>((resolve) => {
        ended.push(failureOf(server.watch(PATH, { ...FROM, signal: controller.signal }, () => resolve())));
      }),
  );
  await Promise.all(begun);
  await server.get("/a");
  controller.abort();
  expect((await Promise.all(ended)).map(({ kind }) => kind)).toEqual(begun.map(() => "cancelled"));
  expect(warnings).toEqual([]);
});

test("other work has its turn between many changes", async () => {
  const lines = line("ADDED", thing(1, { text: "x".repeat(1000) })).repeat(5000);
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  let most = 0;
  let before = -1;
  let inTurn = 0;
  const scriptedServer = await scripted(watching([lines]));
  setImmediate(turn);
  await api(kubeconfig(scriptedServer.url)).server.watch(PATH, FROM, () => {
    inTurn = before === turns ? inTurn + 1 : 1;
    before = turns;
    most = Math.max(most, inTurn);
  });
  isOver = true;
  // 64 KiB of them.
  expect(most).toBeLessThan(70);
});
