// Is a connection through a proxy given up when it is not waited for any more?

import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { atEnd } from "../../test/at-end.ts";
import { failureOf, listening, scripted } from "../../test/kube/scripted-server.ts";
import { Transport } from "./transport.ts";
import { tunnelThrough } from "./tunnel.ts";

const NEVER = new AbortController().signal;

/** A proxy; `answer` is given what connects to it. It can be closed only after all its connections. */
async function proxyWith(answer: (socket: Socket) => void): Promise<{ readonly url: URL; closed(): Promise<void> }> {
  const proxy = createServer((socket) => answer(socket.on("error", () => undefined)));
  const port = await listening(proxy);
  const closed = (): Promise<void> => new Promise((resolve) => proxy.close(() => resolve()));
  return { url: new URL(`http://127.0.0.1:${port}`), closed };
}

test("a tunnel that was given up before it was begun", async () => {
  const { url, closed } = await proxyWith((socket) => socket.resume());
  const failure = await failureOf(
    tunnelThrough({ url, secureContext: undefined }, "server.invalid", 443, AbortSignal.abort()),
  );
  expect(failure.kind).toBe("unreachable");
  await closed();
});

test("a tunnel of a later request, if an earlier one was cancelled", async () => {
  const server = await scripted((_, response) => response.writeHead(200, { connection: "close" }).end("yes"), {
    plain: true,
  });
  let connections = 0;
  const { url: proxy, closed } = await proxyWith((socket) => {
    socket.once("data", () => {
      if (++connections > 1) return;
      const behind = connect(server.port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
      socket.pipe(behind).pipe(socket);
    });
  });
  const transport = new Transport();
  atEnd(() => transport.close());
  const ask = (signal: AbortSignal): Promise<number> =>
    transport.request(
      {
        ...{ url: new URL(server.url), accept: "*/*", signal, timeout: undefined, idleLimit: 100 },
        ...{ peer: "the server", timeoutHelp: "", peerHelp: "" },
        authorization: { headers: {}, tls: undefined, proxy: { url: proxy, secureContext: undefined }, secrets: [] },
      },
      async ({ status, body }) => {
        for await (const _ of body);
        return status;
      },
    );
  const first = new AbortController();
  expect(await ask(first.signal)).toBe(200);
  first.abort();
  expect((await failureOf(ask(NEVER))).kind).toBe("timeout");
  await closed();
});
