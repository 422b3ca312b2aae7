// Why was there no answer? The errors of DNS, TCP and TLS as sentences.

import type { PeerCertificate } from "node:tls";
import { enumerated, quoted } from "../text/words.ts";
import { NetFailure } from "./failure.ts";
import { withoutSecrets } from "./hide-secrets.ts";

/** What messages name, and where a person changes how it is reached. */
export interface Asked {
  /** The server: `the API server https://…`. */
  readonly peer: string;
  /** Where its address comes from: `check ${address}`. */
  readonly address: string;
  /** How an authority becomes trusted. */
  readonly trust: string;
  /** How another name of its certificate is accepted. */
  readonly rename: string;
  /** How it may be asked without TLS; undefined if it never may. */
  readonly plain?: string;
  /** How credentials are renewed. */
  readonly renew: string;
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "there is no host of this name",
  EAI_AGAIN: "the name of the host cannot be looked up",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  EADDRNOTAVAIL: "the address is not available",
  EHOSTDOWN: "the host is down",
  ETIMEDOUT: "the connection timed out",
  ECONNRESET: "the connection was closed",
  ECONNABORTED: "the connection was closed",
  EPIPE: "the connection was closed",
};

const CLOSED = new Set(["ECONNRESET", "ECONNABORTED", "EPIPE"]);

/** Errors that will not go away in seconds. */
const LASTING = new Set(["ECONNREFUSED", "ENOTFOUND", "EADDRNOTAVAIL"]);

const UNKNOWN_AUTHORITY = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_UNTRUSTED",
  "INVALID_CA",
]);

/** The failure for an error of a connection. */
export function networkFailure(error: unknown, asked: Asked, secrets: readonly string[]): NetFailure {
  if (error instanceof NetFailure) return error;
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  const { peer } = asked;
  const certificate = certificateReason(error as TlsError);
  if (certificate !== undefined)
    return new NetFailure("certificate", `the certificate of ${peer} is not accepted: ${certificate.reason}`, {
      help: certificate.help(asked),
    });
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return tlsFailure(error as TlsError, code, asked);
  if (code.startsWith("HPE_"))
    return new NetFailure("malformed", `${peer} does not answer with HTTP`, {
      help: `check ${asked.address}`,
    });
  const help = `check ${asked.address}, and the network`;
  // It may have sent a part of its answer.
  if (CLOSED.has(code)) return new NetFailure("unreachable", `${peer} closed the connection`, { help });
  const reason = connectionReason(code) ?? withoutSecrets(message || code || "unknown error", secrets);
  return new NetFailure("unreachable", `${peer} does not answer: ${reason}`, { help });
}

/** Why there is no connection; undefined if the error is another one. */
export function connectionReason(code: string): string | undefined {
  return Object.hasOwn(UNREACHABLE, code) ? UNREACHABLE[code] : undefined;
}

interface TlsError extends NodeJS.ErrnoException {
  readonly host?: string;
  readonly cert?: PeerCertificate;
  readonly reason?: string;
}

interface CertificateReason {
  readonly reason: string;
  readonly help: (asked: Asked) => string;
}

/** Why a certificate is not accepted; undefined if the error is another one. */
export function certificateReason(error: TlsError): CertificateReason | undefined {
  const { code = "" } = error;
  if (UNKNOWN_AUTHORITY.has(code))
    return {
      reason: "it is signed by an unknown authority",
      help: (asked) => asked.trust,
    };
  switch (code) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        reason: wrongName(error),
        help: (asked) => asked.rename,
      };
    case "CERT_HAS_EXPIRED":
      return { reason: "it has expired", help: () => "renew the certificate of the server, or check the clock" };
    case "CERT_NOT_YET_VALID":
      return { reason: "it is not yet valid", help: () => "check the clock of this machine and of the server" };
    case "CERT_REVOKED":
    case "CERT_SIGNATURE_FAILURE":
    case "CERT_CHAIN_TOO_LONG":
    case "CERT_REJECTED":
    case "PATH_LENGTH_EXCEEDED":
    case "INVALID_PURPOSE":
      return {
        reason: code.toLowerCase().replaceAll("_", " "),
        help: (asked) => `check the certificate of the server; ${asked.trust}`,
      };
    default:
      return undefined;
  }
}

function wrongName({ host, cert }: TlsError): string {
  const names = (cert?.subjectaltname ?? "")
    .split(", ")
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ""))
    .filter((name) => name !== "");
  const its =
    names.length === 0 ? "it has no names" : `it is for ${enumerated(names.slice(0, 10).map((name) => quoted(name)))}`;
  return `${its}, not for ${quoted(host ?? "")}`;
}

function tlsFailure(error: TlsError, code: string, asked: Asked): NetFailure {
  const { peer } = asked;
  const detail = `${code} ${error.reason ?? ""} ${error.message}`.toLowerCase();
  if (/wrong.version|http.request|unknown.protocol|packet.length|record.layer/.test(detail))
    return new NetFailure("unreachable", `${peer} does not speak TLS`, {
      help: asked.plain ?? `check ${asked.address}: the port may be that of http`,
    });
  if (/certificate|unknown.ca|bad.cert/.test(detail))
    return new NetFailure("unauthorized", `${peer} does not accept the client certificate`, {
      help: asked.renew,
    });
  return new NetFailure("unreachable", `${peer} ends the TLS handshake`, {
    help: `check ${asked.address}`,
  });
}

/** Is it worth trying again? Not if the server has never answered and the reason lasts. */
export function mayPass(error: unknown, hasAnswered: boolean): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return connectionReason(code) !== undefined && (hasAnswered || !LASTING.has(code));
}
