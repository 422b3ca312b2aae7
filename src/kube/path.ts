// At which path does an API server have the objects of a kind?

import type { ServedApi } from "./discovery.ts";

type Named = Pick<ServedApi, "group" | "version" | "plural">;

/** The path of the list, of all namespaces or of one. */
export function listPath({ group, version, plural }: Named, namespace?: string): string {
  const root = group === "" ? ["api"] : ["apis", group];
  const inside = namespace === undefined ? [] : ["namespaces", namespace];
  return `/${[...root, version, ...inside, plural].map(segment).join("/")}`;
}

/** The path of one object. */
export function objectPath(api: Named, namespace: string | undefined, name: string): string {
  return `${listPath(api, namespace)}/${segment(name)}`;
}

/** A name as one segment of a path. It is never `.` or `..`, which a URL would resolve, and half of a character is replaced. */
export function segment(name: string): string {
  const text = encodeURIComponent(Buffer.from(name).toString());
  return /^\.{1,2}$/.test(text) ? text.replaceAll(".", "%252E") : text;
}
