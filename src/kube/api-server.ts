// What does an API server answer? One object, a list in pages, the changes of a collection; with retries and within limits. And
// does it accept a write? That is tried once: only who decided it knows whether it is still right.

import { setMaxListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { canonicalText, type Json } from "../model/json.ts";
import { withEither } from "../net/either-signal.ts";
import { cancelled, NetFailure } from "../net/failure.ts";
import { parsedJson } from "../net/json-fields.ts";
import { mayPass, networkFailure } from "../net/network-failure.ts";
import { Passing, type Retrying, withRetries } from "../net/retry.ts";
import {
  type Authorization,
  PIECE,
  type Request,
  type Response,
  Transport,
  type TransportOptions,
  type Write,
} from "../net/transport.ts";
import { waitFor } from "../net/wait.ts";
import { askedServer, expectJson, expectStatus, type Question, type Verb, watchFailure } from "./answer-failure.ts";
import type { Connection } from "./connection.ts";
import { BrokenList, type ListHead, ListSplitter } from "./list-items.ts";
import { BrokenWatch, type WatchEvent, WatchSplitter } from "./watch-events.ts";

export interface ApiServerOptions extends TransportOptions {
  /** Milliseconds for one request until its response is complete; 0 or undefined is no limit. */
  readonly requestTimeout?: number;
  readonly signal?: AbortSignal;
  /** Waits before another attempt. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onRetry?: (what: string) => void;
  /** Milliseconds without a byte after which a server is given up; there is always a limit. */
  readonly idleLimit?: number;
}

/** Which objects of a collection are meant; all that do not differ from it. */
export interface Selectors {
  /** As in `kubectl get --selector`. */
  readonly labelSelector?: string;
  /** As in `kubectl get --field-selector`. */
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selectors {
  readonly pageSize?: number;
  /** No more items are taken. */
  readonly maxItems?: number;
  /** The list begins again: what was taken counts no more. */
  readonly onRestart?: () => void;
  /** Longer items are skipped and counted. */
  readonly maxItemBytes?: number;
  /** Cancels it. */
  readonly signal?: AbortSignal;
}

export interface ListResult {
  readonly items: number;
  /** There are more than `maxItems`. */
  readonly isCutOff: boolean;
  /** Of the list, such as `ManagedClusterList`. */
  readonly kind: string;
  readonly apiVersion: string;
  /** Items that were skipped because they are longer than `maxItemBytes`. */
  readonly overlong: number;
  /** Of the collection: a watch from here reports what has changed since the list. Empty if the server says none. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends Selectors {
  /** That of a list, of a change or of a bookmark: what comes after it is reported. */
  readonly resourceVersion: string;
  /** The server ends the watch after so many seconds. */
  readonly timeoutSeconds: number;
  /** The server has accepted the watch. */
  readonly onOpen?: () => void;
  /** Cancels it. */
  readonly signal?: AbortSignal;
  /** A longer event ends the watch. */
  readonly maxEventBytes?: number;
  /** Milliseconds without a byte after which the connection is dead: a server sends a bookmark about once a minute. */
  readonly idleLimit?: number;
}

export interface WriteRequest extends Pick<Write, "method" | "mayStillSend"> {
  readonly path: string;
  /** Any JSON; that of a PATCH is a merge patch (RFC 7386). */
  readonly body: unknown;
  /** Milliseconds until the response is complete. After them the request has ended, in one way or the other. */
  readonly timeout: number;
}

const IDLE_LIMIT = 60_000;
const WATCH_IDLE_LIMIT = 150_000;
const PAGE_SIZE = 500;
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
/** Bytes of items of a page that are held until the page is complete. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Bytes of one response, however they are compressed. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_RESTARTS = 3;
const MAX_EMPTY_PAGES = 100;
const JSON_TYPE = "application/json";

/** An API server, asked with one connection's credentials. Everything but `write` is a GET. */
export class ApiServer {
  readonly #connection: Connection;
  readonly #options: ApiServerOptions;
  readonly #transport: Transport;
  readonly #closed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #retrying: Retrying;
  #hasAnswered = false;

  constructor(connection: Connection, options: ApiServerOptions = {}) {
    this.#connection = connection;
    this.#options = options;
    this.#transport = new Transport(options);
    const { signal, wait = waitFor, onRetry = () => undefined } = options;
    this.#signal = signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
    // There are as many as requests at the same time; none is left behind.
    setMaxListeners(0, this.#signal);
    this.#retrying = { signal: this.#signal, wait, onRetry };
  }

  /** The body of a response, at most 64 MiB of JSON. */
  get(path: string, accept: string = JSON_TYPE): Promise<string> {
    return withRetries(
      () => this.#ask(path, (response) => this.#jsonText(response, path), { ...JSON_ASKED, accept }),
      this.#retrying,
    );
  }

  /** The same, tried once and within so many milliseconds. */
  getOnce(path: string, timeout: number): Promise<string> {
    const sending = { timeout, timeoutHelp: "try again" };
    return withoutRetry(this.#ask(path, (response) => this.#jsonText(response, path), { ...JSON_ASKED, sending }));
  }

  /**
   * Creates, updates, patches or deletes an object, and returns what the server answers, which is JSON. It is not tried again, except
   * with renewed credentials if they were refused. Without an answer, it is unknown whether the server has done it, unless the
   * failure is `isUnsent`.
   */
  async write({ method, path, body, timeout, mayStillSend = () => true }: WriteRequest): Promise<string> {
    const type = method === "PATCH" ? "application/merge-patch+json" : JSON_TYPE;
    let isSent = false;
    const write: Write = {
      // What the server has sent goes back with every digit: JSON.stringify knows no integers beyond 2^53.
      ...{ method, type, body: canonicalText((body ?? {}) as Json) },
      mayStillSend: () => {
        isSent = mayStillSend();
        return isSent;
      },
    };
    const asked: Asked = {
      ...{ ...JSON_ASKED, verb: WRITE_VERBS[method] },
      sending: { write, timeout, timeoutHelp: "try again" },
    };
    try {
      return await withoutRetry(this.#ask(path, (response) => this.#jsonText(response, path), asked));
    } catch (error) {
      if (isSent || !(error instanceof NetFailure)) throw error;
      throw new NetFailure(error.kind, error.message, { ...error, isUnsent: true });
    }
  }

  /**
   * Passes the changes of a collection to `take`, until the server ends the watch. It is not begun again: only the reader knows how far
   * it has come. If the server does not know the changes that far back, the failure is `expired`.
   */
  async watch(path: string, options: WatchOptions, take: (event: WatchEvent) => void): Promise<void> {
    const { resourceVersion, timeoutSeconds, onOpen, maxEventBytes = MAX_OBJECT_BYTES } = options;
    const query = new URLSearchParams({
      watch: "true",
      resourceVersion,
      allowWatchBookmarks: "true",
      timeoutSeconds: String(timeoutSeconds),
    });
    select(query, options);
    const use = async ({ body }: Response, question: Question): Promise<void> => {
      onOpen?.();
      const splitter = new WatchSplitter((event) => {
        if (event.type === "ERROR") throw new Passing(watchFailure(event.object, question));
        take(event);
      }, maxEventBytes);
      for await (const piece of body) splitter.push(piece);
      splitter.end();
    };
    const sending = {
      timeout: undefined,
      endlessIdleLimit: options.idleLimit ?? WATCH_IDLE_LIMIT,
      // Compressed events could wait in the server for others.
      isExact: true,
    };
    await withEither(this.#signal, options.signal, (signal) =>
      withoutRetry(this.#ask(`${path}?${query}`, use, { ...JSON_ASKED, verb: "watch", sending, signal })),
    );
  }

  /** Passes the response to `use`, whatever it contains: it comes from a service behind the API server. */
  read<Result>(
    path: string,
    headers: Readonly<Record<string, string>>,
    use: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const asked = {
      verb: "get" as const,
      accept: "*/*",
      headers,
      expect: (response: Response, question: Question) => expectStatus(response, question, [200, 304]),
    };
    return withRetries(() => this.#ask(path, use, asked), this.#retrying);
  }

  /** Passes the text of each item of a list to `take`, page by page. */
  list(path: string, options: ListOptions, take: (item: string) => void): Promise<ListResult> {
    return withEither(this.#signal, options.signal, (signal) => this.#list(path, { ...options, signal }, take));
  }

  /** Ends what is under way, and closes the connections. */
  close(): void {
    this.#closed.abort();
    this.#transport.close();
  }

  async #list(path: string, options: CancellableList, take: (item: string) => void): Promise<ListResult> {
    for (let restarts = 0; ; restarts++) {
      try {
        return await this.#listOnce(path, options, take);
      } catch (error) {
        const failure = error instanceof Interrupted ? error.failure : error;
        const isTransient = error instanceof Interrupted || (error instanceof NetFailure && error.kind === "expired");
        if (!isTransient || restarts === MAX_RESTARTS) throw failure;
        options.onRestart?.();
        this.#retrying.onRetry(`${(failure as NetFailure).message}; the list begins again`);
      }
    }
  }

  async #listOnce(path: string, options: CancellableList, take: (item: string) => void): Promise<ListResult> {
    const { maxItems = Number.POSITIVE_INFINITY, maxItemBytes = MAX_OBJECT_BYTES, signal } = options;
    let pageSize = Math.max(1, options.pageSize ?? PAGE_SIZE);
    let items = 0;
    let overlong = 0;
    let emptyPages = 0;
    const counted = (item: string): void => {
      if (items < maxItems) take(item);
      items++;
    };
    for (let token = ""; ; ) {
      const before = items + overlong;
      const limit = Math.max(1, Math.min(pageSize, maxItems - items));
      const query = new URLSearchParams({ limit: String(limit) });
      if (token !== "") query.set("continue", token);
      select(query, options);
      const page = await this.#page(`${path}?${query}`, { limit, maxItemBytes, signal }, counted);
      if ("tooLarge" in page) {
        pageSize = page.tooLarge;
        continue;
      }
      // A page may be empty although the list goes on, but not for ever.
      emptyPages = items + overlong + page.overlong === before ? emptyPages + 1 : 0;
      if (emptyPages > MAX_EMPTY_PAGES) throw this.#malformed(path, "empty pages without an end");
      overlong += page.overlong;
      if (page.continueToken !== "" && page.continueToken === token)
        throw this.#malformed(path, "the same page again and again");
      token = page.continueToken;
      if (token === "" || items >= maxItems) {
        const isCutOff = items > maxItems || token !== "";
        const { kind, apiVersion, resourceVersion } = page;
        return { items: Math.min(items, maxItems), isCutOff, kind, apiVersion, overlong, resourceVersion };
      }
    }
  }

  /**
   * One page. Its items are held until it is complete, so that a page that breaks off can be requested again. A page with
   * too many bytes is requested in smaller ones. If the server ignores the limit, its items are passed on as they
   * arrive, and if that breaks off, the list begins again.
   */
  async #page(
    path: string,
    { limit, maxItemBytes, signal }: PageLimits,
    take: (item: string) => void,
  ): Promise<(ListHead & { readonly overlong: number }) | { readonly tooLarge: number }> {
    let hasDelivered = false;
    const attempt = async ({ body }: Response): Promise<Page> => {
      let held: string[] = [];
      let heldLength = 0;
      let received = 0;
      const splitter = new ListSplitter((item) => {
        held.push(item);
        heldLength += item.length;
        received++;
      }, maxItemBytes);
      let bytes = 0;
      for await (const piece of body) {
        bytes += piece.length;
        if (bytes > MAX_RESPONSE_BYTES) throw this.#malformed(path, "more than 2 GiB");
        splitter.push(piece);
        if (heldLength <= MAX_HELD_BYTES || held.length === 1) continue;
        if (received <= limit && !hasDelivered) return { tooLarge: Math.max(1, Math.floor(received / 2)) };
        hasDelivered = true;
        await deliver(held, take, signal);
        held = [];
        heldLength = 0;
      }
      return { ...splitter.end(), overlong: splitter.overlong, held };
    };
    const page = await withRetries(
      async () => {
        try {
          return await this.#ask(path, attempt, { ...JSON_ASKED, signal });
        } catch (error) {
          if (error instanceof Passing && hasDelivered) throw new Interrupted(error.failure);
          throw error;
        }
      },
      { ...this.#retrying, signal },
    );
    if ("held" in page) await deliver(page.held, take, signal);
    return page;
  }

  /** The body of a response, which must be JSON. */
  async #jsonText({ body }: Response, path: string): Promise<string> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of body) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_OBJECT_BYTES) throw this.#malformed(path, "more than 64 MiB");
    }
    const text = Buffer.concat(pieces).toString();
    if (parsedJson(text) === undefined) throw new Passing(this.#malformed(path, "something that is not JSON"));
    return text;
  }

  /** One request. Refused credentials are renewed once. Throws {@link Passing} if another attempt may succeed. */
  async #ask<Result>(path: string, use: Use<Result>, asked: Asked): Promise<Result> {
    const authorization = await this.#authorize(asked);
    try {
      return await this.#send(path, authorization, use, asked);
    } catch (error) {
      if (!(error instanceof NetFailure && error.kind === "unauthorized")) throw error;
      const renewed = await this.#authorize(asked, authorization);
      const isSame = renewed.headers.Authorization === authorization.headers.Authorization;
      if (isSame && renewed.tls === authorization.tls) throw error;
      return await this.#send(path, renewed, use, asked);
    }
  }

  async #authorize(asked: Asked, refused?: Authorization): Promise<Authorization> {
    const { sending = {}, signal = this.#signal } = asked;
    if (signal.aborted) throw cancelledWork(asked);
    const timeout = sending.timeout ?? this.#options.requestTimeout ?? 0;
    // Not cancelled with one request: others may wait for the same credentials.
    return this.#connection.authorize(this.#signal, {
      ...(refused === undefined ? {} : { refused }),
      ...(timeout > 0 ? { timeout } : {}),
    });
  }

  async #send<Result>(path: string, authorization: Authorization, use: Use<Result>, asked: Asked): Promise<Result> {
    const { accept, headers, expect, verb, sending, signal = this.#signal } = asked;
    const { server, context } = this.#connection;
    const { requestTimeout = 0, idleLimit = IDLE_LIMIT } = this.#options;
    const { secrets } = authorization;
    const question: Question = { ...askedServer(server, context), verb, path: withoutQuery(path), secrets };
    const request: Request = {
      url: new URL(server + path),
      accept,
      headers,
      authorization,
      signal,
      timeout: requestTimeout > 0 ? requestTimeout : undefined,
      idleLimit,
      peer: question.peer,
      timeoutHelp: "try again, or allow more time with --request-timeout",
      peerHelp: "check that the address is that of an API server",
      ...sending,
    };
    try {
      return await this.#transport.request(request, async (response) => {
        this.#hasAnswered = true;
        await expect(response, question);
        return use(response, question);
      });
    } catch (error) {
      throw this.#failureOf(error, question, asked);
    }
  }

  /** What went wrong, as a failure for good or a passing one. An error of `take` stays what it is. */
  #failureOf(error: unknown, question: Question, asked: Asked): unknown {
    if (error instanceof NetFailure || error instanceof Passing) return error;
    if ((asked.signal ?? this.#signal).aborted) return cancelledWork(asked);
    const { peer, path } = question;
    if (error instanceof BrokenList)
      return new Passing(new NetFailure("malformed", `${peer} answers ${path} incompletely: ${error.message}`));
    if (error instanceof BrokenWatch)
      return new NetFailure("malformed", `${peer} reports changes of ${path} that cannot be read: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) return error;
    if (code.startsWith("Z_")) return new Passing(this.#malformed(path, "damaged gzip"));
    const failure = networkFailure(error, question, question.secrets);
    return mayPass(error, this.#hasAnswered) ? new Passing(failure) : failure;
  }

  #malformed(path: string, what: string): NetFailure {
    return new NetFailure(
      "malformed",
      `the API server ${this.#connection.server} answers ${withoutQuery(path)} with ${what}`,
      {
        help: "check that the address is that of an API server",
      },
    );
  }
}

/** What a request has besides its path, and which responses are answers. */
interface Asked {
  readonly verb: Verb;
  readonly accept: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expect: (response: Response, question: Question) => Promise<void>;
  /** What is not as for most requests. */
  readonly sending?: Partial<Pick<Request, "write" | "timeout" | "timeoutHelp" | "endlessIdleLimit" | "isExact">>;
  /** Cancels it; by default with the server. */
  readonly signal?: AbortSignal;
}

type Use<Result> = (response: Response, question: Question) => Promise<Result>;

const JSON_ASKED: Asked = { verb: "get", accept: JSON_TYPE, headers: {}, expect: expectJson };

const WRITE_VERBS = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" } as const;

type CancellableList = ListOptions & { readonly signal: AbortSignal };

interface PageLimits {
  readonly limit: number;
  readonly maxItemBytes: number;
  readonly signal: AbortSignal;
}

type Page =
  | (ListHead & { readonly overlong: number; readonly held: readonly string[] })
  | { readonly tooLarge: number };

/** A page broke off after some of its items had been passed on. */
class Interrupted extends Error {
  readonly failure: NetFailure;

  constructor(failure: NetFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A continue token in a path is noise. */
function withoutQuery(path: string): string {
  return path.replace(/\?.*$/s, "");
}

function cancelledWork({ sending }: Asked): NetFailure {
  return cancelled(sending?.write === undefined ? "read" : "write");
}

/** A failure that may pass is one for good: what was asked is not asked again here. */
async function withoutRetry<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Passing ? error.failure : error;
  }
}

/** Passes items on. Other work gets its turn between them. */
async function deliver(items: readonly string[], take: (item: string) => void, signal: AbortSignal): Promise<void> {
  let length = 0;
  for (const item of items) {
    if (signal.aborted) throw cancelled();
    take(item);
    length += item.length;
    if (length < PIECE) continue;
    length = 0;
    await nextTurn();
  }
}

function select(query: URLSearchParams, { labelSelector, fieldSelector }: Selectors): void {
  if (labelSelector !== undefined) query.set("labelSelector", labelSelector);
  if (fieldSelector !== undefined) query.set("fieldSelector", fieldSelector);
}
