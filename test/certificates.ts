// Which certificates do the servers and clients of the tests have? certificates/make.sh says what each is for.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the certificates. */
export const CERTIFICATES: string = resolve("test/certificates");

/** A certificate, NAME.crt, or its key, NAME.key. */
export function certificate(name: string): string {
  return readFileSync(join(CERTIFICATES, name), "utf8");
}

/** The authority that signed all of them. */
export const AUTHORITY: string = certificate("authority.crt");

/** As a kubeconfig has it. */
export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
