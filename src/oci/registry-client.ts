// How does a registry answer a request? Its scheme, its redirects and its wish for credentials are dealt with here; what comes back
// is a response with the status 200.

import type { LookupFunction } from "node:net";
import { cancelled, NetFailure } from "../net/failure.ts";
import { type Asked, mayPass, networkFailure } from "../net/network-failure.ts";
import { loginIn, proxyFor } from "../net/proxy.ts";
import { Passing, type Retrying, withRetries } from "../net/retry.ts";
import { type OpenResponse, type TlsOptions, Transport } from "../net/transport.ts";
import type { ProxyServer } from "../net/tunnel.ts";
import { waitFor } from "../net/wait.ts";
import { listed, quoted } from "../text/words.ts";
import { answerFailure, type Wanted } from "./answer-failure.ts";
import { type Challenge, readChallenges } from "./challenge.ts";
import type { ConfigPlace } from "./config-paths.ts";
import { type Guard, guardedLookup } from "./forbidden-address.ts";
import type { Credentials, Login } from "./login.ts";
import { MAX_REDIRECTS, redirected } from "./redirect.ts";
import { apiHost } from "./reference.ts";
import { type AskTokenServer, askToken, type TokenServer, tokenServerOf } from "./token.ts";
import { isInsecure, proxyServer, tlsFor } from "./trust.ts";

export interface RegistryOptions extends ConfigPlace {
  readonly credentials: Credentials;
  /** Registries whose certificate is not verified and which may speak http: `HOST` or `HOST:PORT`. */
  readonly insecure: readonly string[];
  readonly onRetry?: (what: string) => void;
  /** Something is waited for, such as `the registry quay.io`, until the result is called. */
  readonly onWait?: (what: string) => () => void;
  /** Milliseconds without a byte after which a server is given up. */
  readonly idleLimit?: number;
  /** The clock of the limit of slow transfers, in milliseconds. */
  readonly now?: () => number;
  /** Milliseconds for what is small, a manifest or a token, until it is complete. */
  readonly requestTimeout?: number;
  /** Waits before another attempt. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Finds the addresses of hosts; by default that of the system. */
  readonly lookup?: LookupFunction;
}

const IDLE_LIMIT = 60_000;
const REQUEST_TIMEOUT = 120_000;

/** What is asked. */
export interface Ask extends Wanted {
  /** Below the registry: `/v2/…`. */
  readonly path: string;
  readonly accept: string;
  /** It may take as long as it comes. */
  readonly isLarge?: boolean;
}

/** Where a request goes, and with which header. */
interface Target {
  readonly url: URL;
  readonly authorization: string | undefined;
  /** For messages. */
  readonly peer: string;
  /** Undefined for the registry itself. */
  readonly guard: Guard | undefined;
}

/** One repository of a registry, asked with its credentials. */
export class RegistryClient {
  /** `the registry quay.io`. */
  readonly name: string;
  /** `quay.io`. */
  readonly registry: string;
  readonly #repository: string;
  readonly #options: RegistryOptions;
  /** By their origins. */
  readonly #transports = new Map<string, Transport>();
  readonly #tls = new Map<string, TlsOptions>();
  readonly #proxies = new Map<string, ProxyServer | undefined>();
  readonly #secrets = new Set<string>();
  /** The scheme that the registry speaks, once it has answered. */
  #scheme: "https:" | "http:" | undefined;
  /** The header that the registry accepted, or gave a token for. */
  #authorization: string | undefined;

  constructor(registry: string, repository: string, options: RegistryOptions) {
    this.name = `the registry ${registry}`;
    this.registry = registry;
    this.#repository = repository;
    this.#options = options;
  }

  close(): void {
    for (const transport of this.#transports.values()) transport.close();
    this.#transports.clear();
  }

  /** How failures that may pass are dealt with. */
  retrying(signal: AbortSignal): Retrying {
    const { wait = waitFor, onRetry = () => undefined } = this.#options;
    return { signal, wait, onRetry };
  }

  /** A response with the status 200, requested again while that may help. It must be ended. */
  open(ask: Ask, signal: AbortSignal): Promise<OpenResponse> {
    return withRetries(() => this.openOnce(ask, signal), this.retrying(signal));
  }

  /** The same without other attempts; throws {@link Passing} if one may succeed. */
  async openOnce(ask: Ask, signal: AbortSignal): Promise<OpenResponse> {
    const before = this.#authorization;
    const first = await this.#follow(ask, before, signal);
    if (!first.isRefused) return this.#expectOk(first, ask);
    first.response.end();
    const challenges = readChallenges(first.response.headers["www-authenticate"]);
    const answer = await this.#answer(challenges, first.url, signal);
    if (answer.authorization === undefined) throw this.#refused(ask, answer);
    const second = await this.#follow(ask, answer.authorization, signal);
    if (second.isRefused) {
      second.response.end();
      throw this.#refused(ask, answer);
    }
    this.#authorization = answer.authorization;
    return this.#expectOk(second, ask);
  }

  /** What went wrong while a response was read, as a failure for good or a passing one. Other errors stay what they are. */
  failureOf(error: unknown, signal: AbortSignal, peer: string = this.name): unknown {
    if (error instanceof NetFailure || error instanceof Passing) return error;
    if (signal.aborted) return cancelled();
    if ((error as NodeJS.ErrnoException).code === undefined) return error;
    const failure = networkFailure(error, this.#asked(peer), [...this.#secrets]);
    return mayPass(error, this.#scheme !== undefined) ? new Passing(failure) : failure;
  }

  async #expectOk({ response, peer }: Followed, ask: Ask): Promise<OpenResponse> {
    if (response.status === 200) return response;
    const by = { peer, ...(peer === this.name && { registry: this.registry }) };
    const failure = await answerFailure(response, by, ask, [...this.#secrets]);
    response.end();
    throw failure;
  }

  /** The response at the end of all redirects. Credentials stay on the host and port of the registry. */
  async #follow(ask: Ask, authorization: string | undefined, signal: AbortSignal): Promise<Followed> {
    let followed = await this.#begin(ask, authorization, signal);
    const { url: start } = followed;
    for (let count = 0; isRedirect(followed.response.status); count++) {
      const { response, url, peer } = followed;
      response.end();
      if (count === MAX_REDIRECTS)
        throw new NetFailure("malformed", `${peer} redirects again and again, the last time from ${quoted(url.host)}`, {
          help: "check that the host is a registry",
        });
      const { url: next, guard } = redirected(peer, start, url, response.headers.location);
      const isOutside = next.origin !== start.origin;
      if (isOutside) authorization = undefined;
      const nextPeer = isOutside ? `the host ${next.host}, to which ${this.name} redirects,` : this.name;
      const target: Target = { url: next, authorization, peer: nextPeer, guard };
      const following = await this.#send(target, ask, signal);
      followed = { response: following, url: next, peer: nextPeer, isRefused: following.status === 401 && !isOutside };
    }
    return followed;
  }

  /** The registry's own response. Where http is allowed, it is used if there is no TLS. */
  async #begin(ask: Ask, authorization: string | undefined, signal: AbortSignal): Promise<Followed> {
    const attempt = async (scheme: "https:" | "http:"): Promise<Followed> => {
      const url = new URL(`${scheme}//${apiHost(this.registry)}${ask.path}`);
      const response = await this.#send({ url, authorization, peer: this.name, guard: undefined }, ask, signal);
      this.#scheme = scheme;
      return { response, url, peer: this.name, isRefused: response.status === 401 };
    };
    const https = new URL(`https://${apiHost(this.registry)}`);
    if (this.#scheme !== undefined || !isInsecure(https, this.#options.insecure))
      return attempt(this.#scheme ?? "https:");
    try {
      return await attempt("https:");
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      try {
        return await attempt("http:");
      } catch (second) {
        throw isUnreachable(second) ? error : second;
      }
    }
  }

  async #send(
    target: Target,
    { accept, isLarge, form }: Pick<Ask, "accept" | "isLarge"> & { readonly form?: URLSearchParams },
    signal: AbortSignal,
  ): Promise<OpenResponse> {
    const { url, authorization, peer, guard } = target;
    const { idleLimit = IDLE_LIMIT, requestTimeout = REQUEST_TIMEOUT, now, lookup, onWait } = this.#options;
    const usedLookup = guard === undefined ? lookup : guardedLookup(guard, lookup);
    const endWait = onWait?.(peer);
    try {
      const response = await this.#transport(url).open({
        url,
        ...(form && { form }),
        accept,
        isExact: true,
        ...(usedLookup && { lookup: usedLookup }),
        authorization: {
          headers: authorization === undefined ? {} : { Authorization: authorization },
          tls: url.protocol === "https:" ? this.#tlsOf(url) : undefined,
          proxy: this.#proxyOf(url),
          secrets: [...this.#secrets],
        },
        signal,
        timeout: isLarge ? undefined : requestTimeout,
        idleLimit,
        now,
        peer,
        timeoutHelp: "try again; check the network, or use a mirror",
        peerHelp: "check that the host is a registry",
      });
      const end = (): void => {
        endWait?.();
        response.end();
      };
      return { ...response, end };
    } catch (error) {
      endWait?.();
      throw this.failureOf(error, signal, peer);
    }
  }

  /** Credentials for what the registry asks for. */
  async #answer(challenges: readonly Challenge[], url: URL, signal: AbortSignal): Promise<Answer> {
    const bearer = challenges.find(({ scheme }) => scheme === "bearer");
    const isBasic = challenges.some(({ scheme }) => scheme === "basic");
    if (bearer === undefined && !isBasic) return { unknown: challenges.map(({ scheme }) => scheme) };
    const own = await this.#login(this.registry, this.#repository, signal);
    if (bearer === undefined) return { ...own, authorization: own.login?.basic() };
    const server = tokenServerOf(
      bearer,
      { name: this.name, url, scope: `repository:${this.#repository}:pull` },
      (realm) => isInsecure(realm, this.#options.insecure),
    );
    const used = server.isRelated ? own : await this.#loginElsewhere(own, server, signal);
    const token = await askToken(server, used.login, this.#askTokenServer(signal));
    if (token !== undefined) this.#secrets.add(token);
    const more = server.isRelated ? used : { ...used, elsewhere: server.url.host };
    return { ...more, authorization: token === undefined ? undefined : `Bearer ${token}` };
  }

  /**
   * The login that is stored for a token server in another domain. Its token is given to the registry: so it is asked for only if
   * there is a login for the registry, too. Otherwise any registry could name Docker Hub, and get a token of the user's for it.
   */
  async #loginElsewhere(own: Answer, { url }: TokenServer, signal: AbortSignal): Promise<Answer> {
    return own.login === undefined ? own : this.#login(url.host, undefined, signal);
  }

  /** A program that fails to give the login is a reason only if the registry then refuses: most images need none. */
  async #login(registry: string, repository: string | undefined, signal: AbortSignal): Promise<Answer> {
    try {
      const login = await this.#options.credentials.login(registry, repository, signal);
      for (const secret of login?.secrets() ?? []) this.#secrets.add(secret);
      return { login };
    } catch (error) {
      if (error instanceof NetFailure && error.kind === "credentials") return { failed: error };
      throw error;
    }
  }

  #askTokenServer(signal: AbortSignal): AskTokenServer {
    return async ({ guard }: TokenServer, { url, form, headers }) => {
      const peer = `the token server ${url.host}`;
      const target: Target = { url, authorization: headers?.Authorization, peer, guard };
      const response = await this.#send(target, { accept: "application/json", ...(form && { form }) }, signal);
      if (response.status !== 429 && response.status < 500) return response;
      const failure = await answerFailure(response, { peer }, { what: "token", missing: "" }, [...this.#secrets]);
      response.end();
      throw failure;
    };
  }

  /** The registry wants credentials, and those that there are, or none, are not enough. */
  #refused({ what }: Ask, { login, failed, elsewhere, unknown }: Answer): NetFailure {
    if (failed !== undefined) return failed;
    const unauthorized = (message: string, help: string): NetFailure =>
      new NetFailure("unauthorized", `${this.name} ${message}`, { status: 401, help });
    if (unknown !== undefined)
      return unauthorized(
        `wants credentials for the ${what} in a way that is not supported: ${listed(unknown.map((one) => quoted(one, 20))) || "it does not say how"}`,
        "use a registry or mirror with Basic or Bearer authentication",
      );
    if (login !== undefined)
      return unauthorized(
        `does not accept the credentials of ${login.origin} for the ${what}`,
        `log in again: podman login ${elsewhere ?? this.registry}`,
      );
    if (elsewhere !== undefined)
      return unauthorized(
        `wants credentials for the ${what} on another host, ${elsewhere}, and those for ${this.registry} were not sent there`,
        `if you trust both, log in to ${this.registry} and to ${elsewhere}: credentials that are stored for ${elsewhere} are used then`,
      );
    return unauthorized(
      `wants credentials for the ${what}, and there are none for it`,
      `log in with podman login ${this.registry}, or check the name: registries also refuse images that do not exist`,
    );
  }

  #transport({ origin }: URL): Transport {
    const known = this.#transports.get(origin);
    if (known !== undefined) return known;
    const transport = new Transport();
    this.#transports.set(origin, transport);
    return transport;
  }

  #tlsOf(url: URL): TlsOptions {
    const known = this.#tls.get(url.origin);
    if (known !== undefined) return known;
    const names = url.host === apiHost(this.registry) ? [this.registry] : [];
    const made = tlsFor(url, this.#options.insecure, this.#options, names);
    this.#tls.set(url.origin, made);
    return made;
  }

  #proxyOf(url: URL): ProxyServer | undefined {
    if (this.#proxies.has(url.origin)) return this.#proxies.get(url.origin);
    const { environment } = this.#options;
    const proxy = proxyFor(url, undefined, environment);
    for (const secret of (proxy && loginIn(proxy))?.slice(1) ?? []) this.#secrets.add(secret);
    const made = proxy && proxyServer(proxy, environment);
    this.#proxies.set(url.origin, made);
    return made;
  }

  #asked(peer: string): Asked {
    const place = `certs.d/${this.registry}`;
    return {
      peer,
      address: "the name of the registry",
      plain: `allow it with --insecure-registry ${this.registry}, or use the port of https`,
      trust: `put the authority that signed it into ~/.config/containers/${place}/ca.crt, or name its file in SSL_CERT_FILE`,
      rename: "use one of its names as the registry",
      renew: "use a registry that asks for no client certificate",
    };
  }
}

interface Followed {
  readonly response: OpenResponse;
  readonly url: URL;
  readonly peer: string;
  /** Does the registry itself want credentials, or other ones? */
  readonly isRefused: boolean;
}

/** What there is for a challenge. */
interface Answer {
  readonly authorization?: string | undefined;
  readonly login?: Login | undefined;
  /** Why the login could not be found. */
  readonly failed?: NetFailure;
  /** The host of a token server in another domain. */
  readonly elsewhere?: string;
  /** The schemes, if none of them is known. */
  readonly unknown?: readonly string[];
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function isUnreachable(error: unknown): boolean {
  const failure = error instanceof Passing ? error.failure : error;
  return failure instanceof NetFailure && failure.kind === "unreachable";
}
