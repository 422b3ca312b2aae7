// Which token does a token server give, and who may have the credentials for it? The registry names the server: so credentials go
// only to hosts of its own domain, or to those that they are stored for.

import { isIP } from "node:net";
import { NetFailure } from "../net/failure.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import { hostOf } from "../net/proxy.ts";
import type { OpenResponse } from "../net/transport.ts";
import { quoted } from "../text/words.ts";
import type { Challenge } from "./challenge.ts";
import { type Guard, guardOf, requireAllowedHost } from "./forbidden-address.ts";
import type { Login } from "./login.ts";
import { collected } from "./verified.ts";

const MAX_RESPONSE = 256 * 1024;
const MAX_TOKEN = 64 * 1024;
const MAX_PARAMETER = 1024;

/** Token servers that are not in the domain of their registry. */
const KNOWN_PAIRS: Readonly<Record<string, string>> = { "registry-1.docker.io": "auth.docker.io" };

/** Under `co.uk` and its like are domains of everyone. */
const COUNTRY_DOMAIN = /^(?:ac|co|com|edu|gov|ne|net|or|org)\.[a-z]{2}$/;

/** A token server, as a challenge names it. */
export interface TokenServer {
  readonly url: URL;
  readonly service: string | undefined;
  readonly scope: string;
  /** Undefined if it is on the host of the registry. */
  readonly guard: Guard | undefined;
  /** May it have the credentials of the registry? */
  readonly isRelated: boolean;
}

/** Asks a token server; `form` is sent by POST. */
export type AskTokenServer = (
  server: TokenServer,
  request: { readonly url: URL; readonly form?: URLSearchParams; readonly headers?: Readonly<Record<string, string>> },
) => Promise<OpenResponse>;

/** May the credentials for a registry be sent to a token server on this host? */
export function isRelatedHost(registry: string, other: string): boolean {
  if (registry === other) return true;
  if (Object.hasOwn(KNOWN_PAIRS, registry) && KNOWN_PAIRS[registry] === other) return true;
  if (isIP(registry) !== 0 || isIP(other) !== 0) return false;
  const parent = registry.slice(registry.indexOf(".") + 1);
  // With one label, as `com`, the parent is no domain of the registry's.
  if (!registry.includes(".") || !parent.includes(".") || COUNTRY_DOMAIN.test(parent)) return false;
  return parent === other || parent.endsWith(`.${other}`) ? other.includes(".") : isChildOf(other, parent);
}

function isChildOf(host: string, parent: string): boolean {
  return host.endsWith(`.${parent}`) && !host.slice(0, -parent.length - 1).includes(".");
}

/**
 * The server of a Bearer challenge. `mayUseHttp` says whether a host may be asked by http. Throws if the registry names one that
 * is not asked.
 */
export function tokenServerOf(
  { parameters }: Challenge,
  registry: { readonly name: string; readonly url: URL; readonly scope: string },
  mayUseHttp: (url: URL) => boolean,
): TokenServer {
  const realm = parameters.get("realm") ?? "";
  const help = "check the name of the registry, and the configuration of the registry itself";
  const wrong = (what: string): NetFailure => new NetFailure("malformed", `${registry.name} ${what}`, { help });
  if (!URL.canParse(realm)) throw wrong("wants a token and does not say where from");
  const url = new URL(realm);
  url.username = "";
  url.password = "";
  url.hash = "";
  const wish = `wants a token from ${quoted(url.host === "" ? url.protocol : url.host)}`;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && mayUseHttp(url)))
    throw wrong(`${wish} by ${url.protocol.slice(0, 20).replace(/:$/, "")}, and only https is used`);
  const isSame = url.hostname === registry.url.hostname;
  const guard = isSame ? undefined : guardOf(registry.url, `${registry.name} ${wish}`, help);
  if (guard !== undefined) requireAllowedHost(url, guard);
  const service = parameters.get("service")?.slice(0, MAX_PARAMETER);
  const asked = parameters.get("scope") ?? "";
  // Only reading one repository is asked for, whatever the registry wants.
  const scope = /^repository:[a-z0-9._/:-]{1,300}:pull$/.test(asked) ? asked : registry.scope;
  return { url, service, scope, guard, isRelated: isRelatedHost(hostOf(registry.url), hostOf(url)) };
}

/** A token of the server; without a login an anonymous one. `undefined` if the server refuses. */
export async function askToken(
  server: TokenServer,
  login: Login | undefined,
  ask: AskTokenServer,
): Promise<string | undefined> {
  const { url, service, scope } = server;
  const name = `the token server ${url.host}`;
  const parameters = new URLSearchParams({ ...(service !== undefined && { service }), scope });
  const identity = login?.identityToken();
  const response = await (identity === undefined
    ? ask(server, {
        url: withQuery(url, parameters),
        ...(login !== undefined && { headers: { Authorization: login.basic() } }),
      })
    : ask(server, {
        url,
        form: new URLSearchParams({
          grant_type: "refresh_token",
          client_id: "plimsoll",
          refresh_token: identity,
          ...Object.fromEntries(parameters),
        }),
      }));
  try {
    // Some servers have nothing to ask with POST, and some answer wrong credentials with 400 or 403.
    if (response.status === 401 || response.status === 403 || response.status === 400) return undefined;
    const wrong = (what: string): NetFailure =>
      new NetFailure("malformed", `${name} ${what}`, { help: "try again, or check the configuration of the registry" });
    if (response.status !== 200)
      throw new NetFailure("server", `${name} answers with status ${response.status} instead of a token`, {
        status: response.status,
        help: "try again later",
      });
    const bytes = await collected(response.body, MAX_RESPONSE, () => wrong("answers with more than 256 KiB"));
    const answer = parsedJson(Buffer.from(bytes).toString());
    const token = textField(answer, "token") ?? textField(answer, "access_token");
    if (token === undefined)
      throw wrong(field(answer, "token") === undefined ? "gives no token" : "gives a token that is no text");
    // A token becomes a header: anything but visible ASCII would break out of it.
    if (token.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(token)) throw wrong("gives a token that cannot be sent");
    return token;
  } finally {
    response.end();
  }
}

function withQuery(url: URL, parameters: URLSearchParams): URL {
  const asked = new URL(url);
  for (const [name, value] of parameters) asked.searchParams.set(name, value);
  return asked;
}
