// Which path does an object have on an API server? The server says which kinds it serves, and how.

import { isList, isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import type { ApiClient } from "./api-client.ts";

/** A kind as the API server serves it. */
export interface ServedKind {
  /** The path of its group and version. */
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Its status is written separately. */
  readonly hasStatus: boolean;
}

/** Finds kinds on an API server; each group and version is asked for once. */
export class ServedKinds {
  readonly #client: ApiClient;
  readonly #resources = new Map<string, Promise<readonly JsonObject[]>>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** The kind of an object; throws if the API server does not serve it. */
  async of({ apiVersion, kind }: JsonObject): Promise<ServedKind> {
    const root = `${apiVersion}`.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let asked = this.#resources.get(root);
    if (asked === undefined) {
      asked = this.#client.get(root).then(({ resources }) => (isList(resources) ? resources.filter(isObject) : []));
      this.#resources.set(root, asked);
    }
    const resources = await asked;
    const found = resources.find(({ kind: served, name }) => served === kind && !`${name}`.includes("/"));
    if (found === undefined) throw new Error(`the API server does not serve ${apiVersion} ${kind}`);
    return {
      root,
      plural: `${found.name}`,
      namespaced: found.namespaced === true,
      hasStatus: resources.some(({ name }) => name === `${found.name}/status`),
    };
  }

  /** The path of an object. */
  async pathOf(object: JsonObject): Promise<string> {
    const { namespace, name } = partOf(object, "metadata");
    return `${listPath(await this.of(object), namespace as string | undefined)}/${name}`;
  }
}

/** The path of all objects of a kind, or of those of one namespace. */
export function listPath({ root, plural, namespaced }: ServedKind, namespace?: string): string {
  return namespaced && namespace !== undefined ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}
