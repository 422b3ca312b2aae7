// Which certificates do the servers of the tests have? certificates/make.sh says what each is for.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the certificates. */
export const CERTIFICATES: string = resolve("test/e2e/certificates");

/** The authority that signed all of them. */
export const AUTHORITY: string = readFileSync(join(CERTIFICATES, "authority.pem"), "utf8");
