// What in the reference of an image may be a secret? Nothing of it is quoted, and an image is never named with it.

import { loginEnd } from "./url-secrets.ts";

/** Why a text names no image, and what to write instead. */
export interface ReferenceFault {
  readonly fault: string;
  readonly hint?: string;
}

const NOT_DIGEST = { fault: "what follows the @ is not a digest", hint: "write @sha256: and 64 hexadecimal digits" };
const LOGIN = {
  fault: "it has a user name before the host",
  hint: "credentials are not part of a reference: log in with podman login HOST",
};

/** What is wrong with the text behind `oci://`, if a part of it may be a secret. */
export function imageSecretFault(text: string): ReferenceFault | undefined {
  const at = loginEnd(text);
  if (at !== -1) {
    const isAfterName = text.slice(0, at).includes("/") && !text.slice(at).includes("/");
    return isAfterName ? NOT_DIGEST : LOGIN;
  }
  const [mark] = /[?#]/.exec(text) ?? [];
  if (mark === undefined) return undefined;
  return { fault: `the name of an image has no ${mark}`, hint: "remove it, and what follows it" };
}

/** A fault and what to do, as one sentence. */
export function faultText({ fault, hint }: ReferenceFault): string {
  return hint === undefined ? fault : `${fault}; ${hint}`;
}
