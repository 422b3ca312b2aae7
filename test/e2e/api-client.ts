// How does a test talk to an API server? By requests of its own, so that it does not depend on the code under test.

import { Agent, request } from "node:https";
import type { JsonObject } from "../../src/model/json.ts";
import { AUTHORITY } from "../certificates.ts";

/** An answer of the API server. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** A client of one user, with kept-alive connections. */
export interface ApiClient {
  call(method: string, path: string, body?: JsonObject): Promise<ApiAnswer>;
  /** The object at a path, as one of the media types in `accept`; throws if there is none. */
  get(path: string, accept?: string): Promise<JsonObject>;
  /** The text at a path, which is no JSON; throws if there is none. */
  text(path: string): Promise<string>;
  /** The status of an answer of any content; 0 if there is no answer. */
  status(path: string): Promise<number>;
  close(): void;
}

/** How much a client may ask at the same time. */
const MAX_CONNECTIONS = 16;
/** A server that starts may accept a connection and not answer. */
const STATUS_MS = 20_000;

/** What a request has besides its method and path. */
interface Details {
  readonly body?: JsonObject | undefined;
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal;
}

/** JSON with every digit of a bigint. */
function jsonText(body: JsonObject): string {
  const text = JSON.stringify(body, (_, value) => (typeof value === "bigint" ? `bigint ${value}` : value));
  return text.replace(/"bigint (-?\d+)"/g, "$1");
}

/** A client with a bearer token. */
export function openClient({ server, token }: { readonly server: string; readonly token: string }): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, ca: AUTHORITY });
  const send = (
    method: string,
    path: string,
    { body, accept = "application/json", signal }: Details = {},
  ): Promise<{ readonly status: number; readonly text: string }> =>
    new Promise((done, failed) => {
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const headers = { authorization: `Bearer ${token}`, "content-type": type, accept };
      const sent = request(`${server}${path}`, { method, agent, headers, ...(signal && { signal }) }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", failed);
        answer.on("end", () => done({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }));
      });
      sent.on("error", failed);
      sent.end(body === undefined ? undefined : jsonText(body));
    });
  const call = async (method: string, path: string, details: Details): Promise<ApiAnswer> => {
    const { status, text } = await send(method, path, details);
    return { status, body: JSON.parse(text) as JsonObject };
  };
  return {
    call: (method, path, body) => call(method, path, { body }),
    async get(path, accept) {
      const { status, body } = await call("GET", path, { accept });
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.message}`);
      return body;
    },
    async text(path) {
      const { status, text } = await send("GET", path, { accept: "text/plain" });
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
      return text;
    },
    status: (path) =>
      send("GET", path, { signal: AbortSignal.timeout(STATUS_MS) }).then(
        ({ status }) => status,
        () => 0,
      ),
    close: () => agent.destroy(),
  };
}
