// How is a catalogd asked that can be reached directly? By https, and by http only on this machine or if its host is named
// insecure. It needs no credentials, and redirects are not followed. An address that a cluster states must not lead to where other
// servers cannot be asked.

import { createHash } from "node:crypto";
import { NetFailure } from "../net/failure.ts";
import { type Asked, mayPass, networkFailure } from "../net/network-failure.ts";
import { hostOf, isLoopback, loginIn, proxyFor } from "../net/proxy.ts";
import { PASSING_STATUSES, Passing, retryAfterOf, withRetries } from "../net/retry.ts";
import { type Authorization, type Response, Transport } from "../net/transport.ts";
import { waitFor } from "../net/wait.ts";
import { type Guard, guardedLookup, guardOf, requireAllowedHost } from "../oci/forbidden-address.ts";
import { isInsecure, proxyServer, tlsFor } from "../oci/trust.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import { quoted } from "../text/words.ts";
import type { CatalogdServer } from "./catalogd.ts";
import { allDocuments } from "./open-catalogd.ts";
import { type RemoteSetting, waitedFor } from "./setting.ts";

const IDLE_LIMIT = 60_000;
const ACCEPT = "application/jsonl, application/json";

/**
 * The server of a URL; `statedBy` is the API server whose object states it. Throws a {@link NetFailure} if the URL may not be
 * asked.
 */
export function directServer(given: string, setting: RemoteSetting, statedBy?: string): CatalogdServer {
  if (!/^https?:/i.test(given) || !URL.canParse(given))
    throw new NetFailure("config", `${quoted(withoutUrlSecrets(given))} is not the URL of a catalogd`, {
      help: "write https://HOST/catalogs/NAME",
    });
  const href = allDocuments(given);
  const url = new URL(href);
  const name = `catalogd at ${url.origin}`;
  if (url.username !== "" || url.password !== "")
    throw new NetFailure("config", `the URL of ${name} has a user name or a password, which a catalogd does not take`, {
      help: "remove what is before the @",
    });
  const guard =
    statedBy === undefined ? undefined : guardOf(new URL(statedBy), `the cluster states ${name}`, ASK_OWNER);
  if (guard !== undefined) requireAllowedHost(url, guard);
  if (url.protocol === "http:" && !isInsecure(url, setting.insecure))
    throw new NetFailure("config", `${name} would be asked without TLS`, {
      help: `use https, or allow it with --insecure-registry ${url.host}`,
    });
  const shown = withoutUrlSecrets(href);
  return {
    ...{ name, url: shown, about: shown, key: keyOf(href, shown) },
    request: (headers, use) => ask({ url, name, guard }, headers, use, setting),
  };
}

/** Another value of the query may be another catalog: its digest tells them apart. */
function keyOf(href: string, shown: string): string {
  return href === shown ? href : `${shown} ${createHash("sha256").update(href).digest("hex")}`;
}

const ASK_OWNER = "check status.urls of the ClusterCatalog, and who can change it";

interface DirectServer {
  readonly url: URL;
  readonly name: string;
  readonly guard: Guard | undefined;
}

async function ask<Result>(
  { url, name: peer, guard }: DirectServer,
  headers: Readonly<Record<string, string>>,
  use: (response: Response) => Promise<Result>,
  setting: RemoteSetting,
): Promise<Result> {
  const asked: Asked = {
    peer,
    address: `the address ${url.origin}`,
    trust: "name a file with its authority in NODE_EXTRA_CA_CERTS",
    rename: "use one of its names in the URL",
    renew: "check the certificate",
  };
  const authorization = authorizationFor(url, setting);
  const request = {
    ...(guard !== undefined && { lookup: guardedLookup(guard, setting.registry.lookup) }),
    ...{ url, headers, accept: ACCEPT, authorization, signal: setting.signal, timeout: undefined },
    ...{ idleLimit: setting.registry.idleLimit ?? IDLE_LIMIT, now: setting.registry.now },
    ...{ peer, timeoutHelp: "try again" },
    peerHelp: "check that the address is that of a catalogd",
  };
  const transport = new Transport();
  let hasAnswered = false;
  const failureOf = (error: unknown): unknown => {
    if (error instanceof NetFailure || error instanceof Passing) return error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) return error;
    if (code.startsWith("Z_")) return new NetFailure("malformed", `${peer} sends damaged gzip`, { help: "try again" });
    const failure = networkFailure(error, asked, authorization.secrets);
    return mayPass(error, hasAnswered) ? new Passing(failure) : failure;
  };
  const attempt = async (): Promise<Result> => {
    try {
      return await waitedFor(peer, setting, () =>
        transport.request(request, (response) => {
          hasAnswered = true;
          expectLines(response, peer, url.pathname);
          return use(response);
        }),
      );
    } catch (error) {
      throw failureOf(error);
    }
  };
  const { wait = waitFor, onRetry = () => undefined } = setting.registry;
  try {
    return await withRetries(attempt, { signal: setting.signal, wait, onRetry });
  } finally {
    transport.close();
  }
}

function authorizationFor(url: URL, { environment, insecure, registry }: RemoteSetting): Authorization {
  const proxy = isLoopback(hostOf(url)) ? undefined : proxyFor(url, undefined, environment);
  const tls = url.protocol === "https:" ? tlsFor(url, insecure, registry) : undefined;
  const secrets = (proxy && loginIn(proxy))?.slice(1) ?? [];
  return { headers: {}, tls, proxy: proxy && proxyServer(proxy, environment), secrets };
}

/** Throws unless the response can be that of a catalogd; {@link Passing} if another attempt may get one. */
export function expectLines({ status, headers }: Response, peer: string, path: string): void {
  if (status === 304) return;
  if (status === 404)
    throw new NetFailure("not-found", `${peer} has no ${path}`, {
      status,
      help: "check the name of the catalog; catalogd serves https://HOST/catalogs/NAME/api/v1/all",
    });
  if (status !== 200) {
    const isPassing = PASSING_STATUSES.has(status);
    const isRedirect = status >= 300 && status < 400;
    const failure = new NetFailure(
      status === 401 || status === 403 ? "forbidden" : "server",
      `${peer} answers with status ${status}`,
      {
        status,
        help: isPassing
          ? "try again later"
          : isRedirect
            ? "redirects are not followed; use the address itself"
            : "check the address",
      },
    );
    throw isPassing ? new Passing(failure, retryAfterOf(headers["retry-after"])) : failure;
  }
  const [type = ""] = [headers["content-type"]].flat();
  if (/\bhtml\b/i.test(type))
    throw new NetFailure("malformed", `${peer} answers with a web page, not with a catalog`, {
      help: "check that the address is that of a catalogd; a proxy may want a login",
    });
}
