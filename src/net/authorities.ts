// Which certificate authorities are trusted where nothing else is configured? Those of Node and of the system, and those that
// the environment names.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { fileText } from "./file-text.ts";

/** Where Linux distributions have the authorities that kubectl trusts, too. */
const SYSTEM_AUTHORITIES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/** Node's own authorities, those of the system, and those that the environment names. */
export function systemAuthorities(environment: NodeJS.ProcessEnv): readonly string[] {
  const system = SYSTEM_AUTHORITIES.find((file) => existsSync(file));
  const own = namedAuthorities("SSL_CERT_FILE", environment);
  return [
    ...rootCertificates,
    ...(own.length > 0 || system === undefined
      ? own
      : [fileText(system, "the file of certificate authorities", "check its permissions")]),
    ...namedAuthorities("NODE_EXTRA_CA_CERTS", environment),
  ];
}

/** By the digests of their authorities. */
const contexts = new Map<string, SecureContext>();

/**
 * TLS with these authorities. Equal ones share it: with those of a system it takes 40 ms to make, and every host of every image of
 * every bundle needs it.
 */
export function trusting(authorities: readonly string[]): SecureContext {
  const hash = createHash("sha256");
  for (const authority of authorities) hash.update(`${authority}\n`);
  const key = hash.digest("hex");
  const known = contexts.get(key);
  if (known !== undefined) return known;
  const made = createSecureContext({ ca: [...authorities], minVersion: "TLSv1.2" });
  contexts.set(key, made);
  return made;
}

/** Those of the file that a variable names, if it is set. */
function namedAuthorities(variable: string, environment: NodeJS.ProcessEnv): readonly string[] {
  const file = environment[variable];
  return file ? [fileText(file, `the file of ${variable}`, `correct ${variable}, or unset it`)] : [];
}
