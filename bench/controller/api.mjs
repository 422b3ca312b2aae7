// How does the bench talk to the API server, independent of the code that it measures? Requests on kept connections, many at a time,
// and watches, whose events have the time at which they arrived.
import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

const CONNECTIONS = 32;
const ATTEMPTS = 60;
const AGAIN_MS = 1000;
/** Longer than any phase; the API server would end a watch after half an hour. */
const WATCH_SECONDS = 4 * 3600;

/** A client of the API server. */
export function openApi({ server, token, authority }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca: authority });
  const authorization = `Bearer ${token}`;

  /** The text of an answer; an object that is not there is not an error. The cache of the API server may be behind. */
  async function call(method, path, body) {
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await send(method, path, body);
      if (status < 300 || status === 404) return text;
      if (status !== 504 || attempt === ATTEMPTS) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
      await sleep(AGAIN_MS);
    }
  }

  function send(method, path, body) {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = { authorization, "content-type": type, accept: "application/json" };
    return new Promise((done, failed) => {
      const sent = request(`${server}${path}`, { method, agent, headers }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("error", failed);
        answer.on("end", () => done({ status: answer.statusCode, text: Buffer.concat(parts).toString() }));
      });
      sent.on("error", failed);
      sent.end(body && JSON.stringify(body));
    });
  }

  /** All objects of a collection, in pages; the resourceVersion of the last page. */
  async function list(path, onItem) {
    let token = "";
    let version = "";
    do {
      const query = `limit=500${token && `&continue=${encodeURIComponent(token)}`}`;
      const { items, metadata } = JSON.parse(await call("GET", `${path}?${query}`));
      for (const item of items) onItem(item);
      token = metadata.continue ?? "";
      version = metadata.resourceVersion;
    } while (token !== "");
    return version;
  }

  /** Calls `onObject` with every object of a collection, and then with every change: (object, isDeleted, arrival). */
  async function follow(path, onObject) {
    const resourceVersion = await list(path, (item) => onObject(item, false, performance.now()));
    const headers = { authorization, accept: "application/json" };
    const query = `watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=${WATCH_SECONDS}`;
    let isClosed = false;
    let rest = "";
    const watching = request(`${server}${path}?${query}`, { headers, ca: authority }, (answer) => {
      answer.setEncoding("utf8");
      answer.on("data", (text) => {
        const arrival = performance.now();
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines) {
          const { type, object } = JSON.parse(line);
          if (type === "ERROR") throw new Error(`the watch of ${path} failed: ${object.message}`);
          onObject(object, type === "DELETED", arrival);
        }
      });
      answer.on("end", () => {
        if (!isClosed) throw new Error(`the watch of ${path} ended`);
      });
      answer.on("error", () => {});
    });
    watching.on("error", (error) => {
      if (!isClosed) throw error;
    });
    watching.end();
    return () => {
      isClosed = true;
      watching.destroy();
    };
  }

  return { call, list, follow, close: () => agent.destroy() };
}

/** Does something for every item, many at a time. */
export async function forEachAtOnce(items, work) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}
