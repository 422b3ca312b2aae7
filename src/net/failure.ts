// Why could a server not be read or written? The kinds of failure, each with a sentence and what to do about it; none
// contains a credential.

export type FailureKind =
  | "not-configured"
  | "config"
  | "credentials"
  | "unreachable"
  | "certificate"
  | "timeout"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "expired"
  /** A write: what it is based on has changed. */
  | "conflict"
  /** A write: what it should create is there. */
  | "exists"
  /** A write: the server does not accept what it was sent. */
  | "invalid"
  | "throttled"
  | "server"
  | "malformed"
  /** A write that was withdrawn: the server has received nothing of it. */
  | "not-sent"
  | "cancelled";

/** What is known besides the message. */
export type FailureDetail = Pick<NetFailure, "status" | "help" | "words" | "retryAfter" | "isUnsent">;

/** The message is a sentence without a full stop that says what is wrong; `help` says what to do. */
export class NetFailure extends Error {
  readonly kind: FailureKind;
  /** The HTTP status, if the server answered. */
  readonly status?: number;
  readonly help?: string;
  /** What the server itself says. */
  readonly words?: string;
  /** Milliseconds that the server wants us to wait. */
  readonly retryAfter?: number;
  /** A write that was never handed to a connection, whatever the reason: the server has received nothing of it. */
  readonly isUnsent?: boolean;

  constructor(kind: FailureKind, message: string, more: FailureDetail = {}) {
    super(message);
    this.name = "NetFailure";
    this.kind = kind;
    if (more.status !== undefined) this.status = more.status;
    if (more.help !== undefined) this.help = more.help;
    if (more.words !== undefined) this.words = more.words;
    if (more.retryAfter !== undefined) this.retryAfter = more.retryAfter;
    if (more.isUnsent !== undefined) this.isUnsent = more.isUnsent;
  }
}

/** The failure of one of several things that are read. What ends the others, too, is thrown: a cancellation, and any other error. */
export function failureOfOne(error: unknown): NetFailure {
  if (!(error instanceof NetFailure) || error.kind === "cancelled") throw error;
  return error;
}

export function cancelled(what: "read" | "write" = "read"): NetFailure {
  return new NetFailure("cancelled", `the ${what} was cancelled`);
}
