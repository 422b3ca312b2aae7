// What does a reflector need to be tested? A server that lists and watches as a test says, and objects that have only a name and a version.

import { expect } from "vitest";
import { Reflector, type ReflectorState } from "../../src/controller/reflector.ts";
import { Store, type Versioned } from "../../src/controller/store.ts";
import type { ApiServer, ListOptions, ListResult, WatchOptions } from "../../src/kube/api-server.ts";
import type { WatchEvent } from "../../src/kube/watch-events.ts";
import { cancelled, NetFailure } from "../../src/net/failure.ts";
import { parsedJson, textField } from "../../src/net/json-fields.ts";
import { ManualClock } from "./manual-clock.ts";

export const PATH = "/apis/example.com/v1/things";

export interface Thing extends Versioned {
  readonly text: string;
}

/** The text of an object. */
export function thing(name: string, resourceVersion: string): string {
  return JSON.stringify({ metadata: { name, resourceVersion } });
}

export function read(text: string): Thing | string {
  const metadata = (parsedJson(text) as { readonly metadata?: unknown } | undefined)?.metadata;
  const key = textField(metadata, "name");
  return key === undefined
    ? "it has no name"
    : { key, resourceVersion: textField(metadata, "resourceVersion") ?? "", text };
}

export type List = (options: ListOptions, take: (item: string) => void) => Promise<Partial<ListResult>>;

/** A watch that is open, as its server sees it. */
export interface OpenWatch {
  readonly options: WatchOptions;
  send(type: WatchEvent["type"], object: string): void;
  end(): void;
  fail(failure: NetFailure): void;
}

/** A list with these objects. */
export function listing(items: readonly string[], resourceVersion: string): List {
  return async (_, take) => {
    for (const item of items) take(item);
    return { resourceVersion };
  };
}

export function failing(kind: NetFailure["kind"], message = `it is ${kind}`, retryAfter?: number): List {
  return async () => {
    throw new NetFailure(kind, message, retryAfter === undefined ? {} : { retryAfter });
  };
}

/** A server that lists as it is said, one list after the other and the last again; watches are open until they are ended. */
export class FakeServer implements Pick<ApiServer, "list" | "watch"> {
  readonly lists: List[];
  readonly watches: OpenWatch[] = [];
  /** What was asked, in order: `list`, or the version that is watched from. */
  readonly asked: string[] = [];
  /** Watches are refused with it. */
  refusal: NetFailure | undefined;
  /** Watches that are accepted are at once ended. */
  endsAtOnce = false;

  constructor(...lists: readonly List[]) {
    this.lists = [...lists];
  }

  async list(path: string, options: ListOptions, take: (item: string) => void): Promise<ListResult> {
    expect(path).toBe(PATH);
    this.asked.push("list");
    if (options.signal?.aborted) throw cancelled();
    const list = (this.lists.length > 1 ? this.lists.shift() : this.lists[0]) as List;
    const result = await list(options, take);
    return { items: 0, isCutOff: false, kind: "", apiVersion: "", overlong: 0, resourceVersion: "", ...result };
  }

  watch(path: string, options: WatchOptions, take: (event: WatchEvent) => void): Promise<void> {
    expect(path).toBe(PATH);
    this.asked.push(options.resourceVersion);
    return new Promise((resolve, reject) => {
      if (this.refusal !== undefined) {
        reject(this.refusal);
        return;
      }
      options.onOpen?.();
      if (this.endsAtOnce) resolve();
      options.signal?.addEventListener("abort", () => reject(cancelled()));
      this.watches.push({ options, send: (type, object) => take({ type, object }), end: resolve, fail: reject });
    });
  }

  /** The watch that is open. */
  get open(): OpenWatch {
    return this.watches.at(-1) as OpenWatch;
  }
}

export interface Scene {
  readonly clock: ManualClock;
  readonly store: Store<Thing>;
  readonly reflector: Reflector<Thing>;
  readonly states: string[];
  readonly changes: string[];
  readonly skipped: string[];
  readonly stop: () => Promise<void>;
}

/** A reflector that has run until it waits; its backoff is not shortened. */
export async function scene(
  server: FakeServer,
  random = () => 0.999_999,
  more: { readonly lostAfter?: number } = {},
): Promise<Scene> {
  const clock = new ManualClock();
  const changes: string[] = [];
  const store = new Store<Thing>(({ key, item }) => changes.push(`${key}=${item?.resourceVersion ?? "removed"}`));
  const states: string[] = [];
  const skipped: string[] = [];
  const onState = (state: ReflectorState): void => {
    states.push(state.is === "failing" ? textOf(state) : state.is);
  };
  const onSkipped = (why: string): void => void skipped.push(why);
  const options = { path: PATH, server, store, read, onState, onSkipped, clock, random, ...more };
  const reflector = new Reflector(options);
  const controller = new AbortController();
  const running = reflector.run(controller.signal);
  await clock.pass(0);
  const stop = async (): Promise<void> => {
    controller.abort();
    await running;
  };
  return { clock, store, reflector, states, changes, skipped, stop };
}

export function names(store: Store<Thing>): string[] {
  return [...store.values()].map(({ key, resourceVersion }) => `${key}=${resourceVersion}`).sort();
}

function textOf({ failure, isSynced, isLost }: ReflectorState & { readonly is: "failing" }): string {
  return `${failure.message}${isSynced ? ", was synced" : ""}${isLost ? ", lost" : ""}`;
}
