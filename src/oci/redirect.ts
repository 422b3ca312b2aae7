// Where does a redirect lead, and is it followed? Registries send clients to other hosts for blobs; none may send them out of
// https, or to where other servers cannot be asked.

import { NetFailure } from "../net/failure.ts";
import { quoted } from "../text/words.ts";
import { type Guard, guardOf, requireAllowedHost } from "./forbidden-address.ts";

export const MAX_REDIRECTS = 5;
const MAX_LOCATION = 8 * 1024;
const HELP = "if this is the registry you mean, ask its operators where it redirects to; a mirror can be used instead";

export interface Hop {
  readonly url: URL;
  /** Undefined if it stays on the host. */
  readonly guard: Guard | undefined;
}

/**
 * The next address. `peer` is the server that redirects, for messages; `registry` is the address at which it all began.
 * Throws if the redirect is not followed.
 */
export function redirected(peer: string, registry: URL, from: URL, location: string | undefined): Hop {
  const wrong = (what: string): NetFailure => new NetFailure("malformed", `${peer} ${what}`, { help: HELP });
  if (location === undefined || location === "") throw wrong("redirects without an address");
  if (location.length > MAX_LOCATION) throw wrong("redirects to an address of more than 8 KiB");
  if (!URL.canParse(location, from)) throw wrong("redirects to something that is not an address");
  const url = new URL(location, from);
  url.username = "";
  url.password = "";
  url.hash = "";
  const wish = `redirects to ${quoted(url.host === "" ? url.protocol : url.host)}`;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && from.protocol === "http:"))
    throw wrong(`${wish} by ${url.protocol.slice(0, 20).replace(/:$/, "")}, and only https is followed`);
  if (url.hostname === registry.hostname) return { url, guard: undefined };
  const guard = guardOf(registry, `${peer} ${wish}`, HELP);
  requireAllowedHost(url, guard);
  return { url, guard };
}
