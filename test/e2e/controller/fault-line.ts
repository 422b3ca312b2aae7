// What does a broken network do? A line between a client and a server that carries bytes without reading them, and that can be stalled:
// connections stay open, bytes are under way, and arrive when the line is healed, also if the client has given up meanwhile.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A running line. */
export interface Line {
  /** Its address, in place of that of the server. */
  readonly server: string;
  /** From now on bytes stay under way, in both directions. */
  stall(): void;
  /** Ends all connections, and accepts none. */
  cut(): void;
  /** The line works again; what was under way arrives. */
  heal(): void;
  stop(): Promise<void>;
}

/** Starts a line to a server. */
export async function startLine(target: string): Promise<Line> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  /** What arrives when the line is healed, in its order. */
  const underWay: (() => void)[] = [];
  let is: "working" | "stalled" | "cut" = "working";
  const later = (act: () => void): void => {
    if (is === "stalled") underWay.push(act);
    else act();
  };
  const opened = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => {});
    return socket.once("close", () => sockets.delete(socket));
  };
  const carry = (from: Socket, to: Socket): void => {
    from.on("data", (bytes: Buffer) => later(() => void to.write(bytes)));
  };
  const server = createServer((client) => {
    opened(client);
    if (is === "cut") {
      client.destroy();
      return;
    }
    later(() => {
      const upstream = opened(connect(Number(port), "127.0.0.1"));
      carry(client, upstream);
      carry(upstream, client);
      // A server does not learn at once that a client is gone: the request counts.
      client.on("close", () => is === "working" && upstream.destroy());
      upstream.on("close", () => later(() => client.destroy()));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall() {
      is = "stalled";
    },
    cut() {
      is = "cut";
      underWay.length = 0;
      for (const socket of sockets) socket.destroy();
    },
    heal() {
      is = "working";
      for (const act of underWay.splice(0)) act();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
