// What does an API server answer? One object, or a list in pages; read only, with retries and within limits.

import { setImmediate as nextTurn } from "node:timers/promises";
import { cancelled, NetFailure } from "../net/failure.ts";
import { parsedJson } from "../net/json-fields.ts";
import { mayPass, networkFailure } from "../net/network-failure.ts";
import { Passing, type Retrying, waitFor, withRetries } from "../net/retry.ts";
import { type Authorization, PIECE, type Response, Transport } from "../net/transport.ts";
import { askedServer, expectJson, expectStatus, type Question } from "./answer-failure.ts";
import type { Connection } from "./connection.ts";
import { BrokenList, type ListHead, ListSplitter } from "./list-items.ts";

export interface ApiServerOptions {
  /** Milliseconds for one request until its response is complete; 0 or undefined is no limit. */
  readonly requestTimeout?: number;
  readonly signal?: AbortSignal;
  /** Waits before another attempt. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onRetry?: (what: string) => void;
  /** Milliseconds without a byte after which a server is given up; there is always a limit. */
  readonly idleLimit?: number;
}

export interface ListOptions {
  readonly pageSize?: number;
  /** No more items are taken. */
  readonly maxItems?: number;
  /** Only objects that it selects, as in `kubectl get --selector`. */
  readonly labelSelector?: string;
  /** The list begins again: what was taken counts no more. */
  readonly onRestart?: () => void;
  /** Longer items are skipped and counted. */
  readonly maxItemBytes?: number;
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
}

const IDLE_LIMIT = 60_000;
const PAGE_SIZE = 500;
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
/** Bytes of items of a page that are held until the page is complete. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Bytes of one response, however they are compressed. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_RESTARTS = 3;
const MAX_EMPTY_PAGES = 100;
const JSON_TYPE = "application/json";

/** An API server, read with one connection's credentials. There is no other method than GET. */
export class ApiServer {
  readonly #connection: Connection;
  readonly #options: ApiServerOptions;
  readonly #transport = new Transport();
  readonly #closed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #retrying: Retrying;
  #hasAnswered = false;

  constructor(connection: Connection, options: ApiServerOptions = {}) {
    this.#connection = connection;
    this.#options = options;
    const { signal, wait = waitFor, onRetry = () => undefined } = options;
    this.#signal = signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
    this.#retrying = { signal: this.#signal, wait, onRetry };
  }

  /** The body of a response, at most 64 MiB of JSON. */
  get(path: string, accept: string = JSON_TYPE): Promise<string> {
    return withRetries(
      () =>
        this.#ask(path, accept, async ({ body }) => {
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
        }),
      this.#retrying,
    );
  }

  /** Passes the response to `use`, whatever it contains: it comes from a service behind the API server. */
  read<Result>(
    path: string,
    headers: Readonly<Record<string, string>>,
    use: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const asked = {
      headers,
      expect: (response: Response, question: Question) => expectStatus(response, question, [200, 304]),
    };
    return withRetries(() => this.#ask(path, "*/*", use, asked), this.#retrying);
  }

  /** Passes the text of each item of a list to `take`, page by page. */
  async list(path: string, options: ListOptions, take: (item: string) => void): Promise<ListResult> {
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

  /** Ends what is under way, and closes the connections. */
  close(): void {
    this.#closed.abort();
    this.#transport.close();
  }

  async #listOnce(path: string, options: ListOptions, take: (item: string) => void): Promise<ListResult> {
    const { maxItems = Number.POSITIVE_INFINITY, maxItemBytes = MAX_OBJECT_BYTES, labelSelector } = options;
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
      if (labelSelector !== undefined) query.set("labelSelector", labelSelector);
      const page = await this.#page(`${path}?${query}`, { limit, maxItemBytes }, counted);
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
        return { items: Math.min(items, maxItems), isCutOff, kind: page.kind, apiVersion: page.apiVersion, overlong };
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
    { limit, maxItemBytes }: { readonly limit: number; readonly maxItemBytes: number },
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
        await this.#deliver(held, take);
        held = [];
        heldLength = 0;
      }
      return { ...splitter.end(), overlong: splitter.overlong, held };
    };
    const page = await withRetries(async () => {
      try {
        return await this.#ask(path, JSON_TYPE, attempt);
      } catch (error) {
        if (error instanceof Passing && hasDelivered) throw new Interrupted(error.failure);
        throw error;
      }
    }, this.#retrying);
    if ("held" in page) await this.#deliver(page.held, take);
    return page;
  }

  /** Other work gets its turn between the items. */
  async #deliver(items: readonly string[], take: (item: string) => void): Promise<void> {
    let length = 0;
    for (const item of items) {
      if (this.#signal.aborted) throw cancelled();
      take(item);
      length += item.length;
      if (length < PIECE) continue;
      length = 0;
      await nextTurn();
    }
  }

  /** One request. Refused credentials are renewed once. Throws {@link Passing} if another attempt may succeed. */
  async #ask<Result>(
    path: string,
    accept: string,
    use: (response: Response) => Promise<Result>,
    asked: Asked = JSON_ASKED,
  ): Promise<Result> {
    const authorization = await this.#authorize();
    try {
      return await this.#send(path, accept, authorization, use, asked);
    } catch (error) {
      if (!(error instanceof NetFailure && error.kind === "unauthorized")) throw error;
      const renewed = await this.#authorize(authorization);
      const isSame = renewed.headers.Authorization === authorization.headers.Authorization;
      if (isSame && renewed.tls === authorization.tls) throw error;
      return await this.#send(path, accept, renewed, use, asked);
    }
  }

  async #authorize(refused?: Authorization): Promise<Authorization> {
    if (this.#signal.aborted) throw cancelled();
    const { requestTimeout = 0 } = this.#options;
    return this.#connection.authorize(this.#signal, {
      ...(refused === undefined ? {} : { refused }),
      ...(requestTimeout > 0 ? { timeout: requestTimeout } : {}),
    });
  }

  async #send<Result>(
    path: string,
    accept: string,
    authorization: Authorization,
    use: (response: Response) => Promise<Result>,
    { headers, expect }: Asked,
  ): Promise<Result> {
    const { server, context } = this.#connection;
    const { requestTimeout = 0, idleLimit = IDLE_LIMIT } = this.#options;
    const { secrets } = authorization;
    const question: Question = { ...askedServer(server, context), path: withoutQuery(path), secrets };
    const request = {
      url: new URL(server + path),
      accept,
      headers,
      authorization,
      signal: this.#signal,
      timeout: requestTimeout > 0 ? requestTimeout : undefined,
      idleLimit,
      peer: question.peer,
      timeoutHelp: "try again, or allow more time with --request-timeout",
      peerHelp: "check that the address is that of an API server",
    };
    try {
      return await this.#transport.request(request, async (response) => {
        this.#hasAnswered = true;
        await expect(response, question);
        return use(response);
      });
    } catch (error) {
      throw this.#failureOf(error, question);
    }
  }

  /** What went wrong, as a failure for good or a passing one. An error of `take` stays what it is. */
  #failureOf(error: unknown, question: Question): unknown {
    if (error instanceof NetFailure || error instanceof Passing) return error;
    if (this.#signal.aborted) return cancelled();
    if (error instanceof BrokenList) {
      const { peer, path } = question;
      return new Passing(new NetFailure("malformed", `${peer} answers ${path} incompletely: ${error.message}`));
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) return error;
    if (code.startsWith("Z_")) return new Passing(this.#malformed(question.path, "damaged gzip"));
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
  readonly headers: Readonly<Record<string, string>>;
  readonly expect: (response: Response, question: Question) => Promise<void>;
}

const JSON_ASKED: Asked = { headers: {}, expect: expectJson };

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
