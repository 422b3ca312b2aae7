// What does the status of a call mean? The codes of gRPC as failures, with the server's own words.

import { type FailureKind, NetFailure } from "../net/failure.ts";
import { withoutSecrets } from "../net/hide-secrets.ts";

/** How a call ended, by its trailers. */
export interface CallStatus {
  readonly code: number;
  /** On one line, and without what looks like a credential. */
  readonly words: string;
}

/** The status of a call that the server refused. */
export class CallRefused extends Error {
  readonly method: string;
  readonly status: CallStatus;

  constructor(method: string, status: CallStatus) {
    super(status.words);
    this.method = method;
    this.status = status;
  }
}

const NAMES = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;
type Name = (typeof NAMES)[number];

const CHECK_LOGS = "look at the logs of the registry's pod";

/** Codes that mean the same as a status of HTTP; all others are a fault of the server. */
const MEANINGS: Partial<Record<Name, readonly [kind: FailureKind, help: string]>> = {
  DEADLINE_EXCEEDED: ["timeout", "try again later"],
  NOT_FOUND: ["not-found", "check the address: the server may be another one than a registry"],
  PERMISSION_DENIED: ["forbidden", "check who may read the registry"],
  RESOURCE_EXHAUSTED: ["throttled", "try again later"],
  UNIMPLEMENTED: ["not-found", "check the address: this is a gRPC server, but not one of `opm serve`"],
  UNAUTHENTICATED: [
    "unauthorized",
    "read the catalog in another way: credentials for gRPC registries are not supported",
  ],
  UNAVAILABLE: ["server", "try again later, or look at the logs of the registry's pod"],
};

/** The status in headers or trailers; undefined if they have none. */
export function statusIn(headers: Readonly<Record<string, unknown>>): CallStatus | undefined {
  const code = headers["grpc-status"];
  if (code === undefined) return undefined;
  const words = headers["grpc-message"];
  return {
    // What is not a number is UNKNOWN, as gRPC's own clients read it.
    code: typeof code === "string" && /^\d{1,9}$/.test(code) ? Number(code) : 2,
    words: typeof words === "string" ? withoutSecrets(decoded(words)) : "",
  };
}

/** Words are percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the server says that what was asked for does not exist. `opm serve` says so in words only. */
export function isNotFound({ status: { code, words } }: CallRefused): boolean {
  return code === NAMES.indexOf("NOT_FOUND") || (code === NAMES.indexOf("UNKNOWN") && /\bnot found\b/.test(words));
}

export function statusFailure({ method, status: { code, words } }: CallRefused, peer: string): NetFailure {
  const name = NAMES[code] ?? `code ${code}`;
  const [kind, help] = MEANINGS[name as Name] ?? ["server", CHECK_LOGS];
  const said = words === "" ? name : `${name}, ${words}`;
  const message =
    name === "UNIMPLEMENTED"
      ? `${peer} is not an operator registry: it does not know api.Registry/${method}`
      : `${peer} fails to answer ${method}: ${said}`;
  return new NetFailure(kind, message, { help, ...(words !== "" && { words }) });
}
