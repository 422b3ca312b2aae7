// What does the server of a catalog do? A line with a fixed address in front of it: it leads to one registry after the other, or hangs, or
// answers garbage, or refuses connections.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Where connections lead. */
type Behaviour = "hangs" | "garbage" | "refuses" | { readonly port: number };

export interface CatalogLine {
  /** HOST:PORT, as in `spec.address` of a CatalogSource. */
  readonly address: string;
  /** Ends all connections; new ones are led to a registry, or have the fault. */
  become(behaviour: Behaviour): void;
  /** How many connections came since then. */
  readonly asked: number;
  stop(): Promise<void>;
}

const GARBAGE_BYTES = 4096;

/** Starts a line that leads nowhere yet. */
export async function startCatalogLine(): Promise<CatalogLine> {
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = "refuses";
  let asked = 0;
  const opened = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => {});
    return socket.once("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    asked++;
    opened(client);
    if (behaviour === "refuses") client.destroy();
    else if (behaviour === "garbage") client.end(randomBytes(GARBAGE_BYTES));
    else if (behaviour === "hangs") client.resume();
    else {
      const upstream = opened(connect(behaviour.port, "127.0.0.1"));
      client.pipe(upstream).pipe(client);
      client.on("close", () => upstream.destroy());
      upstream.on("close", () => client.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    become(next) {
      behaviour = next;
      asked = 0;
      endAll();
    },
    async stop() {
      endAll();
      server.close();
      await once(server, "close");
    },
  };
}
