// At which path does an API server have the objects of a kind?

import type { ServedApi } from "./discovery.ts";

type Named = Pick<ServedApi, "group" | "version" | "plural">;

/** The path of the list, of all namespaces or of one. */
export function listPath({ group, version, plural }: Named, namespace?: string): string {
  const root = group === "" ? ["api"] : ["apis", group];
  const inside = namespace === undefined ? [] : ["namespaces", namespace];
  return `/${[...root, version, ...inside, plural].map(encodeURIComponent).join("/")}`;
}

/** The path of one object. */
export function objectPath(api: Named, namespace: string | undefined, name: string): string {
  return `${listPath(api, namespace)}/${encodeURIComponent(name)}`;
}
