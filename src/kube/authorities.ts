// Which certificate authorities are trusted where no cluster names its own? Those of Node and of the system, and those that
// the environment names.

import { existsSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { fileText } from "./credentials.ts";

/** Where Linux distributions have the authorities that kubectl trusts, too. */
const SYSTEM_AUTHORITIES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/** Node's own authorities, those of the system, and those that the environment names. */
export function systemAuthorities(environment: NodeJS.ProcessEnv): string[] {
  const system = environment.SSL_CERT_FILE || SYSTEM_AUTHORITIES.find((file) => existsSync(file));
  const files = [system, environment.NODE_EXTRA_CA_CERTS].filter((file) => file !== undefined && file !== "");
  return [...rootCertificates, ...files.map((file) => fileText(file as string, "the file of certificate authorities"))];
}
