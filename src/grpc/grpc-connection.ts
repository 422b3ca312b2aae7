// How does a call of a gRPC server get its messages? Over one connection of HTTP/2, several calls at a time, within limits of
// time and of size.

import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { Socket } from "node:net";
import { getHeapStatistics } from "node:v8";
import { cancelled, NetFailure } from "../net/failure.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";
import { type Asked, networkFailure } from "../net/network-failure.ts";
import { TOO_SLOW, TransferRate } from "../net/transfer-rate.ts";
import { userAgent } from "../net/user-agent.ts";
import { quoted, timeText } from "../text/words.ts";
import { askedRegistry, checkAddress, hostAndPort, notHttp2, openSocket, type RegistryAddress } from "./grpc-socket.ts";
import { type FrameLimits, MessageFrames, type Received } from "./message-frames.ts";
import { WireFault } from "./protobuf.ts";
import { CallRefused, type CallStatus, statusFailure, statusIn } from "./status.ts";

export interface ConnectionOptions {
  /** Cancels it. */
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds without a byte of a response; 60 seconds by default. */
  readonly idleLimit?: number;
  /** The clock of the limit of slow transfers, in milliseconds. */
  readonly now?: () => number;
  /** Milliseconds until all is done; 15 minutes by default. */
  readonly timeout?: number;
  readonly limits?: Partial<FrameLimits>;
  /** Is given the number of bytes that have just come. */
  readonly onBytes?: (bytes: number) => void;
}

/** Calls a method of `api.Registry`, and passes on each message of its response. Throws {@link CallRefused} for a status. */
export type Call = (method: string, request: Uint8Array, take: (message: Buffer) => void) => Promise<void>;

const IDLE_LIMIT = 60_000;
const WHOLE_LIMIT = 15 * 60_000;
const MEBIBYTE = 1024 * 1024;
/** All messages are in memory at the same time, and documents are made of them. */
const MAX_BYTES = Math.min(2048 * MEBIBYTE, Math.floor(getHeapStatistics().heap_size_limit / 4 / MEBIBYTE) * MEBIBYTE);
const LIMITS: FrameLimits = { messageBytes: 64 * MEBIBYTE, messages: 1_000_000, bytes: MAX_BYTES };

const TRY_AGAIN = "try again, or look at the logs of its pod";

/** What a server may send before it must wait for us. The default of 64 KiB would make a distant server slow. */
const WINDOW = 4 * MEBIBYTE;

/** Connects, passes the calls to `use`, and closes the connection when that ends. Throws a {@link NetFailure}. */
export async function withConnection<Result>(
  address: RegistryAddress,
  options: ConnectionOptions,
  use: (call: Call) => Promise<Result>,
): Promise<Result> {
  const asked = askedRegistry(address);
  const ends = new Ends(asked, options);
  let socket: Socket | undefined;
  let session: ClientHttp2Session | undefined;
  try {
    socket = await ends.race(openSocket(address, options.environment, ends.signal));
    ends.progress();
    if (socket.destroyed) throw closedAtOnce(asked, address);
    session = openSession(address, socket);
    watch(session, asked, address, ends);
    return await ends.race(use(callsOver(session, asked, ends, options)));
  } catch (error) {
    if (error instanceof WireFault) throw wireFailure(error, asked);
    throw error instanceof CallRefused ? statusFailure(error, asked.peer) : error;
  } finally {
    ends.clear();
    if (session === undefined) socket?.destroy();
    else session.destroy();
  }
}

function openSession(address: RegistryAddress, socket: Socket): ClientHttp2Session {
  const session = connect(`${address.tls ? "https" : "http"}://${hostAndPort(address)}`, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: WINDOW },
  });
  session.once("connect", () => session.setLocalWindowSize(WINDOW));
  return session;
}

/** The connection's own failure is that of all its calls: an error comes before the close, and both after the ends of streams. */
function watch(session: ClientHttp2Session, asked: Asked, address: RegistryAddress, ends: Ends): void {
  let speaksHttp2 = false;
  session.once("remoteSettings", () => {
    speaksHttp2 = true;
  });
  session.on("error", (error: NodeJS.ErrnoException) => {
    const isHttp2 = error.code?.startsWith("ERR_HTTP2_") === true;
    if (isHttp2) ends.fail(speaksHttp2 ? brokenHttp2(error, asked) : notHttp2(asked, address));
    else ends.fail(networkFailure(error, asked, []));
  });
  session.on("close", () => ends.fail(speaksHttp2 ? closed(asked) : closedAtOnce(asked, address)));
}

/** Ends all calls when it takes too long, when it is cancelled, and when the connection fails. */
class Ends {
  readonly #controller = new AbortController();
  readonly #failed: Promise<never>;
  readonly #tooLong: (what: string) => void;
  readonly #now: (() => number) | undefined;
  /** Of all responses, once the first one comes. */
  #rate: TransferRate | undefined;
  readonly #idle: NodeJS.Timeout;
  readonly #whole: NodeJS.Timeout;
  readonly #caller: AbortSignal;
  readonly #onAbort = (): void => this.fail(cancelled());

  constructor({ peer }: Asked, { signal, idleLimit = IDLE_LIMIT, timeout = WHOLE_LIMIT, now }: ConnectionOptions) {
    this.#failed = new Promise((_, reject) => {
      this.signal.addEventListener("abort", () => reject(this.signal.reason), { once: true });
    });
    this.#failed.catch(() => undefined);
    this.#now = now;
    this.#tooLong = (what) => this.fail(new NetFailure("timeout", `${peer} ${what}`, { help: TRY_AGAIN }));
    this.#idle = setTimeout(() => this.#tooLong(`sent nothing for ${timeText(idleLimit)}`), idleLimit);
    this.#whole = setTimeout(() => this.#tooLong(`did not list its bundles within ${timeText(timeout)}`), timeout);
    this.#caller = signal;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  fail(failure: unknown): void {
    this.#controller.abort(failure);
  }

  /** Something has arrived. */
  progress(): void {
    this.#idle.refresh();
  }

  /** So many bytes of responses have arrived. */
  received(bytes: number): void {
    this.progress();
    this.#rate ??= new TransferRate(this.#now);
    if (!this.#rate.add(bytes)) this.#tooLong(TOO_SLOW);
  }

  race<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return Promise.race([this.#failed, work]);
  }

  clear(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#whole);
    this.#caller.removeEventListener("abort", this.#onAbort);
    // What is still being connected is given up.
    this.fail(cancelled());
  }
}

function callsOver(session: ClientHttp2Session, asked: Asked, ends: Ends, options: ConnectionOptions): Call {
  const limits = { ...LIMITS, ...options.limits };
  const received: Received = { messages: 0, bytes: 0 };
  return (method, request, take) =>
    new Promise((resolve, reject) => {
      if (session.closed || session.destroyed) {
        reject(closed(asked));
        return;
      }
      const stream = session.request(headersOf(method));
      let frames: MessageFrames | undefined;
      let status: CallStatus | undefined;
      const fail = (failure: unknown): void => {
        frames = undefined;
        reject(failure);
        stream.close(constants.NGHTTP2_CANCEL);
      };
      stream.on("response", (headers, flags) => {
        ends.progress();
        // Only the headers of a response without messages have the status: before messages, it says nothing about their end.
        if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) status = statusIn(headers);
        const failure = status === undefined ? responseFailure(headers, method, asked) : undefined;
        if (failure !== undefined) fail(failure);
        else frames = new MessageFrames(limits, received, String(headers["grpc-encoding"] ?? ""), take);
      });
      stream.on("data", (chunk: Buffer) => {
        ends.received(chunk.length);
        options.onBytes?.(chunk.length);
        try {
          frames?.push(chunk);
        } catch (error) {
          fail(error);
        }
      });
      stream.on("trailers", (headers) => {
        status = statusIn(headers);
      });
      // A stream that is reset has its code when it closes.
      stream.on("error", () => undefined);
      stream.on("close", () => {
        if (status !== undefined && status.code !== 0) reject(new CallRefused(method, status));
        else if (status !== undefined && frames?.isWhole !== false) resolve();
        // Otherwise the connection is lost, and the session says why.
        else if (!session.destroyed) reject(closedEarly(stream, method, asked));
      });
      stream.end(framed(request));
    });
}

function headersOf(method: string): OutgoingHttpHeaders {
  return {
    [constants.HTTP2_HEADER_METHOD]: "POST",
    [constants.HTTP2_HEADER_PATH]: `/api.Registry/${method}`,
    "content-type": "application/grpc",
    "grpc-accept-encoding": "identity,gzip",
    te: "trailers",
    "user-agent": userAgent(),
  };
}

/** A message that is not compressed. */
function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Why a response is not one of gRPC; undefined if it is. */
function responseFailure(headers: IncomingHttpHeaders, method: string, { peer }: Asked): NetFailure | undefined {
  const status = Number(headers[constants.HTTP2_HEADER_STATUS]);
  const type = headers["content-type"] ?? "";
  if (status === 200 && /^application\/grpc(?:\+proto)?(?:;|$)/i.test(type)) return undefined;
  const shown = status === 200 ? quoted(withoutSecrets(type), 60) : `status ${status}`;
  return new NetFailure("malformed", `${peer} is no gRPC server: it answers ${method} with ${shown}`, {
    status,
    help: "check the address: a registry usually listens on port 50051; a proxy may be in between",
  });
}

function closed({ peer }: Asked): NetFailure {
  return new NetFailure("unreachable", `${peer} closed the connection before it had listed its bundles`, {
    help: TRY_AGAIN,
  });
}

function closedAtOnce({ peer }: Asked, address: RegistryAddress): NetFailure {
  return new NetFailure("unreachable", `${peer} closed the connection without an answer`, {
    help: checkAddress(address),
  });
}

function closedEarly(stream: ClientHttp2Stream, method: string, { peer }: Asked): NetFailure {
  const { rstCode = 0 } = stream;
  const how = rstCode === 0 ? "ends" : `resets (${ERROR_CODES[rstCode] ?? `code ${rstCode}`})`;
  return new NetFailure("server", `${peer} ${how} its response to ${method} before it is complete`, {
    help: TRY_AGAIN,
  });
}

/** The error codes of HTTP/2, by number. */
const ERROR_CODES = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
];

function brokenHttp2(error: Error, { peer }: Asked): NetFailure {
  const reason = withoutSecrets(error.message.toLowerCase());
  return new NetFailure("server", `${peer} breaks the connection of HTTP/2: ${reason}`, { help: TRY_AGAIN });
}

function wireFailure(fault: WireFault, { peer }: Asked): NetFailure {
  return new NetFailure("malformed", `${peer} ${fault.message}`, {
    help: "check that it is a registry of `opm serve`, or read the catalog in another way",
  });
}
