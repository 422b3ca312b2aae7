// Which responses are too slow? Those without an end may be.

import { expect, test } from "vitest";
import { atEnd } from "../../test/at-end.ts";
import { failureOf, scripted } from "../../test/kube/scripted-server.ts";
import { type Request, Transport } from "./transport.ts";

/** Reads a response that brings few bytes in minutes of this clock. */
async function readSlowly(more: Partial<Request>): Promise<number> {
  let now = 0;
  const server = await scripted(
    (_, response) => {
      response.writeHead(200);
      const next = (left: number): void =>
        void (left === 0 ? response.end() : response.write("few", () => setImmediate(next, left - 1)));
      next(5);
    },
    { plain: true },
  );
  const transport = new Transport();
  atEnd(() => transport.close());
  const request: Request = {
    ...{ url: new URL(server.url), accept: "*/*", timeout: undefined, idleLimit: 10_000 },
    ...{ peer: "the server", timeoutHelp: "", peerHelp: "", signal: new AbortController().signal },
    authorization: { headers: {}, tls: undefined, proxy: undefined, secrets: [] },
    now: () => (now += 40_000),
    ...more,
  };
  return transport.request(request, async ({ body }) => {
    let bytes = 0;
    for await (const piece of body) bytes += piece.length;
    return bytes;
  });
}

test("a response with an end", async () => {
  expect((await failureOf(readSlowly({}))).message).toBe("the server sent less than 1 KiB per second for 60 seconds");
});

test("a response without one", async () => {
  expect(await readSlowly({ endlessIdleLimit: 10_000 })).toBe(15);
});
