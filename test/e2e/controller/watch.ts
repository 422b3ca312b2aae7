// How does a test follow a collection without the code under test? By a list and a watch of its own, which goes on after the
// server was away, and lists again, with a gap, when the server has forgotten what happened in between.

import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";
import { AUTHORITY } from "../../certificates.ts";

/** Where a collection is, and what is done with its events. */
export interface Watched {
  readonly server: string;
  readonly token: string;
  readonly path: string;
  readonly onEvent: (type: "ADDED" | "MODIFIED" | "DELETED", object: JsonObject) => void;
  /** All objects at once: at the beginning, and after a gap. */
  readonly onList: (objects: readonly JsonObject[]) => void;
}

/** A running watch. */
export interface Watch {
  /** Resolves after the first list. */
  readonly listed: Promise<void>;
  stop(): void;
}

const PAUSE_MS = 100;
const OK = 200;
const GONE = 410;

/** Follows a collection until it is stopped. */
export function startWatch({ server, token, path, onEvent, onList }: Watched): Watch {
  const agent = new Agent({ keepAlive: true, ca: AUTHORITY });
  const stopping = new AbortController();
  let version: string | undefined;

  const ask = (query: string, onLine: (line: string) => void): Promise<number> =>
    new Promise((done, failed) => {
      const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
      const options = { agent, headers, signal: stopping.signal };
      const sent = request(`${server}${path}?${query}`, options, (answer) => {
        let rest = "";
        answer.setEncoding("utf8").on("data", (text: string) => {
          const lines = (rest + text).split("\n");
          rest = lines.pop() ?? "";
          if (answer.statusCode === OK) for (const line of lines) onLine(line);
        });
        answer.on("error", failed);
        answer.on("end", () => {
          if (rest !== "" && answer.statusCode === OK) onLine(rest);
          done(answer.statusCode ?? 0);
        });
      });
      sent.on("error", failed);
      sent.end();
    });

  const list = async (): Promise<string> => {
    const parts: string[] = [];
    const status = await ask("", (line) => parts.push(line));
    if (status !== OK) throw new Error(`the list of ${path} has status ${status}`);
    const { items, metadata } = JSON.parse(parts.join("\n")) as JsonObject;
    onList(isList(items) ? items.filter(isObject) : []);
    return `${(metadata as JsonObject).resourceVersion}`;
  };

  const take = (line: string): void => {
    const { type, object } = JSON.parse(line) as { readonly type?: string; readonly object?: JsonObject };
    if (object === undefined) return;
    if (type === "ERROR") {
      if (object.code === GONE) version = undefined;
      return;
    }
    version = `${partOf(object, "metadata").resourceVersion}`;
    if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") onEvent(type, object);
  };

  /** Follows the collection from a resourceVersion until the server ends the watch. */
  const follow = async (resourceVersion: string): Promise<void> => {
    const query = new URLSearchParams({ watch: "1", allowWatchBookmarks: "true", resourceVersion });
    if ((await ask(query.toString(), take)) === GONE) version = undefined;
  };

  let isListed: () => void = () => {};
  const listed = new Promise<void>((done) => {
    isListed = done;
  });
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        version ??= await list();
        isListed();
        await follow(version);
      } catch {
        // The server is away: again.
      }
      if (!stopping.signal.aborted) await sleep(PAUSE_MS);
    }
  };
  void run();
  return {
    listed,
    stop() {
      stopping.abort();
      agent.destroy();
    },
  };
}
