// Which version of an object does the server have? Asked as a list: that needs no other right than following the collection.

import type { ApiServer } from "../kube/api-server.ts";
import { listPath } from "../kube/path.ts";
import { isList, isObject, type Json, own, partOf } from "../model/json.ts";
import { NetFailure } from "../net/failure.ts";
import { parsedJson } from "../net/json-fields.ts";
import type { WrittenList } from "./decision-writes.ts";
import { apiOf } from "./watched-kinds.ts";

/** In milliseconds. Short, because a worker of the queue waits for it. */
const TIMEOUT = 2000;

/** The resourceVersion of an object; undefined if there is none. It is asked for once. */
export async function readVersion(
  server: Pick<ApiServer, "getOnce">,
  list: WrittenList,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<string | undefined> {
  const path = listPath(apiOf(list), namespace);
  const query = new URLSearchParams({ fieldSelector: `metadata.name=${name}` });
  const answer = parsedJson(await server.getOnce(`${path}?${query}`, TIMEOUT)) as Json;
  const items = isObject(answer) ? own(answer, "items") : undefined;
  if (!isList(items)) throw new NetFailure("malformed", `the API server answers the list of ${path} without items`);
  const [object] = items.filter(isObject);
  const version = own(partOf(object ?? {}, "metadata"), "resourceVersion");
  return typeof version === "string" ? version : undefined;
}
