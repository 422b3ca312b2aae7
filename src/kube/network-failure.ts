// Why was there no answer? The errors of DNS, TCP and TLS as sentences.

import type { PeerCertificate } from "node:tls";
import { enumerated, quoted } from "../text/words.ts";
import { KubeFailure } from "./failure.ts";
import { withoutSecrets } from "./hide-secrets.ts";

/** The server and the context that messages name. */
export interface Asked {
  readonly server: string;
  readonly context: string | undefined;
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

function where({ context }: Asked): string {
  return context === undefined ? "the cluster" : `the cluster of the context ${quoted(context)}`;
}

/** The failure for an error of a connection. */
export function networkFailure(error: unknown, asked: Asked, secrets: readonly string[]): KubeFailure {
  if (error instanceof KubeFailure) return error;
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  const server = `the API server ${asked.server}`;
  const certificate = certificateReason(error as TlsError);
  if (certificate !== undefined)
    return new KubeFailure("certificate", `the certificate of ${server} is not accepted: ${certificate.reason}`, {
      help: certificate.help(asked),
    });
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return tlsFailure(error as TlsError, code, asked);
  if (code.startsWith("HPE_"))
    return new KubeFailure("malformed", `${server} does not answer with HTTP`, {
      help: `check the server's address in ${where(asked)}`,
    });
  const reason = connectionReason(code) ?? withoutSecrets(message || code || "unknown error", secrets);
  return new KubeFailure("unreachable", `${server} does not answer: ${reason}`, {
    help: `check the server's address in ${where(asked)}, and the network`,
  });
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
      help: (asked) => `set certificate-authority of ${where(asked)} to the authority that signed it`,
    };
  switch (code) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        reason: wrongName(error),
        help: (asked) => `use one of its names as the server of ${where(asked)}, or set tls-server-name`,
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
        help: (asked) => `check the certificate of the server and certificate-authority of ${where(asked)}`,
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

function tlsFailure(error: TlsError, code: string, asked: Asked): KubeFailure {
  const server = `the API server ${asked.server}`;
  const detail = `${code} ${error.reason ?? ""} ${error.message}`.toLowerCase();
  if (/wrong.version|http.request|unknown.protocol|packet.length|record.layer/.test(detail))
    return new KubeFailure("unreachable", `${server} does not speak TLS`, {
      help: `check the server's address in ${where(asked)}: the port may be that of http`,
    });
  if (/certificate|unknown.ca|bad.cert/.test(detail))
    return new KubeFailure("unauthorized", `${server} does not accept the client certificate`, {
      help: asked.context === undefined ? "renew it" : `renew the credentials of the context ${quoted(asked.context)}`,
    });
  return new KubeFailure("unreachable", `${server} ends the TLS handshake`, {
    help: `check the server's address in ${where(asked)}`,
  });
}

/** Is it worth trying again? Not if the server has never answered and the reason lasts. */
export function mayPass(error: unknown, hasAnswered: boolean): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return connectionReason(code) !== undefined && (hasAnswered || !LASTING.has(code));
}
