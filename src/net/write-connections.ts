// How are the connections made that writes are sent over? The agent gets them when they are complete, so that a write can be handed
// to one in the turn in which it is decided. And each can be reset: what waits in a buffer of the system is then never delivered.

import type { Agent, ClientRequest } from "node:http";
import { connect as connectTcp, type Socket, type TcpNetConnectOpts } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectTls, TLSSocket } from "node:tls";
import { connectedSocket } from "./connected-socket.ts";
import { withEither } from "./either-signal.ts";

/** The TCP connection below a TLS connection. */
const carriers = new WeakMap<Duplex, Socket>();

export interface Making {
  /** Undefined without TLS. */
  readonly tls: ConnectionOptions | undefined;
  /** Makes a connection to the server through a proxy; undefined is a direct one. */
  readonly tunnel: ((signal: AbortSignal) => Promise<Socket>) | undefined;
  /** Of the agent, not of one request: others use the connection after it. */
  readonly signal: AbortSignal;
  /** Milliseconds until it is complete. */
  readonly limit: number;
}

/** The agent gets complete connections only. */
export function completeConnections(agent: Agent, { tls, tunnel, signal, limit }: Making): void {
  const connect = async (options: TcpNetConnectOpts, ends: AbortSignal): Promise<Socket> => {
    const carrier =
      tunnel === undefined ? await connectedSocket(connectTcp(options), "connect", ends) : await tunnel(ends);
    if (tls === undefined) return carrier;
    const secure = await connectedSocket(connectTls({ ...tls, socket: carrier }), "secureConnect", ends);
    carriers.set(secure, carrier);
    return secure;
  };
  const connectInTime = (options: TcpNetConnectOpts): Promise<Socket> =>
    withEither(signal, AbortSignal.timeout(limit), async (ends) => {
      try {
        return await connect(options, ends);
      } catch (error) {
        throw ends.aborted ? Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" }) : error;
      }
    });
  agent.createConnection = (options: unknown, done?: (error: Error | null, stream: Duplex) => void) => {
    connectInTime(options as TcpNetConnectOpts).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined as unknown as Duplex;
  };
}

/**
 * Ends a request that was handed to its connection, so that nothing more of it is delivered. Inside of the TLS of an https proxy that
 * is not possible. It is done in the next turn: Node crashes if the TCP connection of TLS is closed while it works on what has
 * arrived. If that was the end of the response, the connection may be that of another request.
 */
export function resetConnection(sent: ClientRequest): void {
  setImmediate(() => {
    const { socket, destroyed } = sent;
    if (destroyed || socket === null) return;
    const carrier = carriers.get(socket) ?? socket;
    if (carrier instanceof TLSSocket) sent.destroy();
    else carrier.resetAndDestroy();
  });
}
