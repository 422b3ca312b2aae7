import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { eventually } from "../../test/eventually.ts";
import { healthRoute } from "./health-checks.ts";
import { type Answer, type HttpServer, type HttpServerOptions, plainText, startHttpServer } from "./http-server.ts";

const servers: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const hello: HttpServerOptions["routes"] = { "/hello": { handle: () => plainText(200, "hello") } };

async function started(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const server = await startHttpServer({ address: "127.0.0.1:0", routes: hello, ...options });
  servers.push(server);
  return server;
}

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

function ask({ address }: HttpServer, path: string, { body, ...sent }: Sent = {}): Promise<Received> {
  const { hostname, port } = new URL(`http://${address}`);
  return new Promise((done, failed) => {
    const asked = request({ host: hostname.replace(/[[\]]/g, ""), port, path, agent: false, ...sent }, (response) => {
      void text(response).then((received) =>
        done({ status: response.statusCode, headers: response.headers, body: received }),
      );
    });
    asked.on("error", failed);
    asked.end(body);
  });
}

/** Everything that the server sends back until it closes the connection. */
function raw({ address }: HttpServer, bytes: string): Promise<string> {
  const socket = connect(Number(address.split(":").at(-1)), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(bytes);
  return text(socket).catch(() => "");
}

describe("answers", () => {
  test("have a type and are not stored", async () => {
    const { status, headers, body } = await ask(await started(), "/hello?x=1");
    expect([status, body]).toEqual([200, "hello\n"]);
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });

  test("what is not there is not found, also what every object has", async () => {
    const server = await started();
    for (const path of ["/", "/hello/", "/Hello", "/constructor", "/__proto__", "//evil/hello", "http://evil/hello"])
      expect((await ask(server, path)).status, path).toBe(404);
  });

  test("routes can be a function, and get the request", async () => {
    const server = await started({
      routes: (path) => ({
        methods: ["POST"],
        maxBody: 100,
        handle: ({ method, query, headers, body }) => ({
          status: 201,
          contentType: "application/json",
          body: JSON.stringify([method, path, query.get("a"), headers["x-b"], Buffer.from(body).toString()]),
        }),
      }),
    });
    const { status, headers, body } = await ask(server, "/p%41th?a=1%202", {
      method: "POST",
      headers: { "X-B": "2" },
      body: "text",
    });
    expect([status, headers["content-type"]]).toEqual([201, "application/json"]);
    expect(JSON.parse(body)).toEqual(["POST", "/p%41th", "1 2", "2", "text"]);
  });

  test("only GET and HEAD are allowed unless a route says otherwise", async () => {
    const server = await started();
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
      const { status, headers } = await ask(server, "/hello", { method });
      expect([status, headers.allow], method).toEqual([405, "GET"]);
    }
    const { status, headers, body } = await ask(server, "/hello", { method: "HEAD" });
    expect([status, headers["content-length"], body]).toEqual([200, "6", ""]);
  });

  test("a handler that fails says nothing about why", async () => {
    const errors: unknown[] = [];
    for (const handle of [
      () => {
        throw new Error("secret");
      },
      () => Promise.reject(new Error("secret")),
    ]) {
      const server = await started({ routes: { "/": { handle } }, onError: (error) => errors.push(error) });
      expect(await ask(server, "/")).toMatchObject({ status: 500, body: "internal error\n" });
    }
    expect(errors).toHaveLength(2);
  });

  test("nor does a table of routes that fails, nor an answer that cannot be sent", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const routes = (): never => {
      throw new Error("secret");
    };
    expect((await ask(await started({ routes, onError }), "/")).status).toBe(500);
    const broken = { "/": { handle: () => ({ status: 200, contentType: "a\nb", body: "" }) } };
    await expect(ask(await started({ routes: broken, onError }), "/")).rejects.toThrow("hang up");
    expect(errors).toHaveLength(2);
  });

  test("a client that goes away in the middle of a body is no error", async () => {
    const errors: unknown[] = [];
    const handle = () => plainText(200, "all of it");
    const routes = { "/": { methods: ["POST" as const], maxBody: 100, handle } };
    const server = await started({ routes, onError: (error) => errors.push(error) });
    const socket = connect(Number(server.address.split(":")[1]), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\nx");
    await new Promise((done) => socket.once("data", done));
    socket.resetAndDestroy();
    expect((await ask(server, "/", { method: "POST" })).status).toBe(200);
    await server.close();
    expect(errors).toEqual([]);
  });
});

describe("limits", () => {
  const maxBody = 1024 * 1024;
  const post = {
    methods: ["POST" as const],
    handle: ({ body }: { body: Uint8Array }) => plainText(200, `${body.length}`),
  };
  const length = { "/": { ...post, maxBody }, "/none": post };

  test("a body is cut after one byte too many", async () => {
    const server = await started({ routes: length });
    const sizes = [0, maxBody, maxBody + 1, maxBody + 5000];
    const bodies = sizes.map((size) => ask(server, "/", { method: "POST", body: new Uint8Array(size) }));
    expect((await Promise.all(bodies)).map(({ body }) => Number(body))).toEqual([0, maxBody, maxBody + 1, maxBody + 1]);
    expect((await ask(server, "/none", { method: "POST", body: new Uint8Array(10) })).body).toBe("1\n");
  });

  test("headers have a size", async () => {
    expect((await ask(await started(), "/hello", { headers: { "X-Long": "x".repeat(20_000) } })).status).toBe(431);
  });

  test("a request that does not arrive is ended", async () => {
    const server = await started({ routes: length, timeLimit: 50 });
    expect(await raw(server, "")).toContain("408");
    expect(await raw(server, "GET /hello HTTP/1.1\r\nHost: local")).toContain("408");
    const [head] = (await raw(server, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx")).split(
      "\r\n",
    );
    expect(head).toMatch(/ (?:408|503) /);
  });

  test("a handler has a time limit", async () => {
    const clock = new ManualClock();
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((done) => {
      begun = done;
    });
    const handle = () => {
      begun();
      return new Promise<never>(() => undefined);
    };
    const answer = ask(await started({ clock, routes: { "/": { handle } } }), "/");
    await hasBegun;
    await clock.pass(10_000);
    expect((await answer).status).toBe(503);
    expect(clock.waiting).toBe(0);
  });

  test.for([1, 64])("a client that does not read is ended: with %d requests", async (count) => {
    // No buffer of the system has room for all answers.
    const body = new Uint8Array((64 * 1024 * 1024) / count);
    let hasBegun: () => void = () => undefined;
    const begun = new Promise<void>((done) => {
      hasBegun = done;
    });
    const handle = () => {
      hasBegun();
      return { status: 200, contentType: "application/octet-stream", body };
    };
    // Closing waits until no connection is left; by this clock it ends none itself.
    const server = await started({ timeLimit: 1000, clock: new ManualClock(), routes: { "/": { handle } } });
    const socket = connect(Number(server.address.split(":")[1]), "127.0.0.1").pause();
    socket.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(count));
    await begun;
    await server.close();
    socket.destroy();
  });

  test("of several requests, so many are handled at the same time, and those that wait too long are not handled at all", async () => {
    const clock = new ManualClock();
    const answers: ((answer: Answer) => void)[] = [];
    const slow = { handle: () => new Promise<Answer>((done) => answers.push(done)) };
    const server = await started({ clock, timeLimit: 3000, atOnce: 2, routes: { "/slow": slow } });
    const all = [1, 2, 3, 4].map(() => ask(server, "/slow"));
    await eventually(() => expect(clock.waiting).toBe(4));
    expect(answers).toHaveLength(2);
    answers[0]?.(plainText(200, "done"));
    await eventually(() => expect(answers).toHaveLength(3));
    await clock.pass(3000);
    answers[1]?.(plainText(200, "late"));
    answers[2]?.(plainText(200, "late"));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 503, 503, 503]);
    const again = ask(server, "/slow");
    await eventually(() => expect(answers).toHaveLength(4));
    answers[3]?.(plainText(200, "done"));
    expect((await again).status).toBe(200);
  });

  test("what is not HTTP gets a 400", async () => {
    expect(await raw(await started(), "hello\r\n\r\n")).toContain("400 Bad Request");
  });
});

describe("addresses", () => {
  test("the real port is known", async () => {
    expect((await started()).address).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
    expect((await started({ address: ":0" })).address).toMatch(/^:[1-9]\d*$/);
  });

  test.for([
    "",
    "8080",
    "localhost",
    "localhost:",
    "localhost:x",
    "localhost:65536",
    "::1:80",
    "http://a:80",
    "a b:80",
    "a:-1",
  ])("%j is none", async (address) => {
    await expect(startHttpServer({ address, routes: {} })).rejects.toThrow("is not HOST:PORT");
  });

  test("one that is taken is refused", async () => {
    const { address } = await started();
    await expect(startHttpServer({ address, routes: {} })).rejects.toThrow("EADDRINUSE");
  });

  test("on a loopback address only requests to this machine's own names are answered", async () => {
    const server = await started();
    const status = async (host: string): Promise<unknown> =>
      (await ask(server, "/hello", { headers: { Host: host } })).status;
    for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.2:8080", "[::1]:8080", "[::1]"])
      expect(await status(host), host).toBe(200);
    for (const host of [
      "evil.example",
      "localhost.evil.example",
      "127.0.0.1.evil.example:80",
      "localhost:x",
      "127.0.0.evil",
      "[localhost]",
      "10.0.0.1",
    ])
      expect(await status(host), host).toBe(403);
    expect(await raw(server, "GET /hello HTTP/1.0\r\n\r\n")).toContain("403");
  });

  test("so it is on a loopback address that is not the usual one", async () => {
    const server = await started({ address: "127.0.0.2:0" });
    expect((await ask(server, "/hello")).status).toBe(200);
    expect((await ask(server, "/hello", { headers: { Host: "evil.example" } })).status).toBe(403);
  });

  test("on other addresses every Host is answered: pods are asked by their addresses", async () => {
    const { address } = await started({ address: "0.0.0.0:0" });
    const local = { address: address.replace("0.0.0.0", "127.0.0.1"), close: async () => undefined };
    expect((await ask(local, "/hello", { headers: { Host: "10.0.0.7:8080" } })).status).toBe(200);
  });
});

describe("closing", () => {
  test("lets what is under way end, and ends it after a second", async () => {
    const clock = new ManualClock();
    const begun: string[] = [];
    let finish: () => void = () => undefined;
    let bothBegun: () => void = () => undefined;
    const haveBegun = new Promise<void>((done) => {
      bothBegun = done;
    });
    const server = await startHttpServer({
      address: "127.0.0.1:0",
      clock,
      routes: (path) => ({
        handle: () => {
          if (begun.push(path) === 2) bothBegun();
          return new Promise((done) => {
            if (path === "/ends") finish = () => done(plainText(200, "ended"));
          });
        },
      }),
    });
    const ends = ask(server, "/ends");
    const hangs = ask(server, "/hangs").catch(() => "ended by the server");
    await haveBegun;
    const closed = server.close();
    finish();
    expect((await ends).body).toBe("ended\n");
    await clock.pass(1000);
    await closed;
    expect(await hangs).toBe("ended by the server");
    await expect(ask(server, "/")).rejects.toThrow("ECONNREFUSED");
  });
});

describe("health", () => {
  const checks = { ping: () => true, caches: () => false, broken: (): boolean => JSON.parse("{") };
  const routes = {
    "/livez": healthRoute("livez", { ping: () => true }),
    "/readyz": healthRoute("readyz", checks),
  };

  test("is ok if all checks pass", async () => {
    const server = await started({ routes });
    expect(await ask(server, "/livez")).toMatchObject({ status: 200, body: "ok\n" });
    expect((await ask(server, "/livez?verbose")).body).toBe("[+]ping ok\nlivez check passed\n");
  });

  test("names the checks that fail, and those that throw", async () => {
    const server = await started({ routes });
    expect(await ask(server, "/readyz")).toMatchObject({
      status: 503,
      body: "[-]caches failed\n[-]broken failed\nreadyz check failed\n",
    });
    expect((await ask(server, "/readyz?verbose")).body).toBe(
      "[+]ping ok\n[-]caches failed\n[-]broken failed\nreadyz check failed\n",
    );
  });
});
