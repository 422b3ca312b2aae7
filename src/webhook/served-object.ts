// What is the object at a path of the API server, with every digit, so that it can be sent back?

import { TextFault } from "../input/json-text.ts";
import { exactJson } from "../input/json-value.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { NetFailure } from "../net/failure.ts";

/** Milliseconds for one request. */
export const REQUEST_LIMIT = 10_000;
const MAX_DEPTH = 64;

export async function servedObject(server: Pick<ApiServer, "getOnce">, path: string): Promise<JsonObject> {
  const text = await server.getOnce(path, REQUEST_LIMIT);
  try {
    const value = exactJson(text, MAX_DEPTH);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
  }
  throw new NetFailure("malformed", `the API server answers ${path} with something that is not an object`);
}
