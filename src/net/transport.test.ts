// Which responses are too slow? Those without an end may be. And which connections are kept?

import { createSecureContext } from "node:tls";
import { describe, expect, test } from "vitest";
import { atEnd } from "../../test/at-end.ts";
import { AUTHORITY } from "../../test/certificates.ts";
import { eventually } from "../../test/eventually.ts";
import { failureOf, scripted } from "../../test/kube/scripted-server.ts";
import { type Request, type TlsOptions, Transport } from "./transport.ts";

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

describe.for(["reads", "writes"] as const)("when certificates are renewed, connections for %s", (kind) => {
  /** Asks a server for answers that it gives when it is told to, and says which connections it has. */
  async function asking() {
    const answers: (() => void)[] = [];
    const open = new Set<number | undefined>();
    const used: (number | undefined)[] = [];
    const server = await scripted(({ socket }, response) => {
      const { remotePort } = socket;
      used.push(remotePort);
      if (!open.has(remotePort)) socket.once("close", () => open.delete(remotePort));
      open.add(remotePort);
      answers.push(() => response.end("done"));
    });
    const transport = new Transport();
    atEnd(() => transport.close());
    const ask = async (tls: TlsOptions): Promise<string> =>
      transport.request(
        {
          ...{ url: new URL(server.url), accept: "*/*", timeout: undefined, idleLimit: 10_000 },
          ...{ peer: "the server", timeoutHelp: "", peerHelp: "", signal: new AbortController().signal },
          authorization: { headers: {}, tls, proxy: undefined, secrets: [] },
          ...(kind === "writes" && { write: { method: "POST", type: "text/plain", body: "text" } }),
        },
        async ({ body }) => {
          const pieces: Uint8Array[] = [];
          for await (const piece of body) pieces.push(piece);
          return Buffer.concat(pieces).toString();
        },
      );
    /** A request that the server has received; the result answers it. */
    const asked = async (tls: TlsOptions) => {
      const count = answers.length;
      const answered = ask(tls);
      answered.catch(() => undefined);
      await eventually(() => expect(answers.length).toBe(count + 1));
      return {
        answered,
        answer: (): Promise<string> => {
          answers[count]?.();
          return answered;
        },
      };
    };
    return { transport, asked, open, used };
  }

  const certificates = (): TlsOptions => ({
    secureContext: createSecureContext({ ca: AUTHORITY }),
    rejectUnauthorized: true,
    serverName: undefined,
  });

  test("with the earlier ones are closed, at once if they are idle", async () => {
    const { asked, open, used } = await asking();
    const [old, renewed] = [certificates(), certificates()];
    for (const tls of [old, old, renewed, renewed]) expect(await (await asked(tls)).answer()).toBe("done");
    expect([used[1], used[3]]).toEqual([used[0], used[2]]);
    await eventually(() => expect([...open]).toEqual([used[2]]));
  });

  test("are closed after what they are used for", async () => {
    const { asked, open, used } = await asking();
    const slow = await asked(certificates());
    const renewed = certificates();
    await (await asked(renewed)).answer();
    expect([...open]).toEqual(used);
    expect(await slow.answer()).toBe("done");
    await eventually(() => expect([...open]).toEqual([used[1]]));
  });

  test("end with the transport, all of them", async () => {
    const { transport, asked, open } = await asking();
    const all = [await asked(certificates()), await asked(certificates()), await asked(certificates())];
    transport.close();
    for (const { answered } of all) await expect(answered).rejects.toThrow();
    await eventually(() => expect(open.size).toBe(0));
  });
});

test("requests that wait for a connection leave nothing behind on it", async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", onWarning);
  atEnd(() => process.off("warning", onWarning));
  const server = await scripted((_, response) => setImmediate(() => response.end("done")), { plain: true });
  const transport = new Transport();
  atEnd(() => transport.close());
  const ask = (): Promise<number> =>
    transport.request(
      {
        ...{ url: new URL(server.url), accept: "*/*", timeout: undefined, idleLimit: 10_000 },
        ...{ peer: "the server", timeoutHelp: "", peerHelp: "", signal: new AbortController().signal },
        authorization: { headers: {}, tls: undefined, proxy: undefined, secrets: [] },
      },
      async ({ body }) => {
        let bytes = 0;
        for await (const piece of body) bytes += piece.length;
        return bytes;
      },
    );
  // Far more than connections: each serves more than the 10 requests after which Node warns.
  const bytes = await Promise.all(Array.from({ length: 300 }, ask));
  expect(bytes.every((count) => count === 4)).toBe(true);
  expect(warnings).toEqual([]);
});
