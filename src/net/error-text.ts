// What does a server say in a response that is not what was asked for? The beginning of its body.

import type { Response } from "./transport.ts";

const MAX_BODY = 64 * 1024;

/** The first bytes of a body, as text. */
export async function errorText({ body }: Pick<Response, "body">): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece.slice());
      bytes += piece.length;
      if (bytes > MAX_BODY) break;
    }
  } catch {
    // The status says more than the way that its text ended.
  }
  return Buffer.concat(pieces).toString();
}
