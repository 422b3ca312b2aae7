// Why could an API server not be read? The kinds of failure, each with a sentence and what to do about it; none contains a
// credential.

export type FailureKind =
  | "config"
  | "credentials"
  | "unreachable"
  | "certificate"
  | "timeout"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "expired"
  | "throttled"
  | "server"
  | "malformed"
  | "cancelled";

/** The message is a sentence without a full stop that says what is wrong; `help` says what to do. */
export class KubeFailure extends Error {
  readonly kind: FailureKind;
  /** The HTTP status, if the server answered. */
  readonly status?: number;
  readonly help?: string;

  constructor(kind: FailureKind, message: string, more: { readonly status?: number; readonly help?: string } = {}) {
    super(message);
    this.name = "KubeFailure";
    this.kind = kind;
    if (more.status !== undefined) this.status = more.status;
    if (more.help !== undefined) this.help = more.help;
  }
}

export function cancelled(): KubeFailure {
  return new KubeFailure("cancelled", "the read was cancelled");
}
