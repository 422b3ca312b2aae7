// What does a URL consist of?
import { opaque, type Type } from "../../type.ts";
import { Boxed, type Value } from "../../value/value.ts";
import { fromBytes } from "./byte-text.ts";
import { escapeBytes, isValidEncoding, unescapeBytes } from "./url-escape.ts";
import type { UrlParts } from "./url-parse.ts";

export const URL_TYPE: Type = opaque("kubernetes.URL");

/** An absolute URL or path. */
export class Url extends Boxed {
  readonly parts: UrlParts;
  constructor(parts: UrlParts) {
    super();
    this.parts = parts;
  }
  get type(): Type {
    return URL_TYPE;
  }
  override get weight(): number {
    return Object.values(this.parts).reduce((sum, part) => sum + (typeof part === "string" ? part.length : 0), 0);
  }
  equals(other: Value): boolean {
    return other instanceof Url && printUrl(other.parts) === printUrl(this.parts);
  }
  toString(): string {
    return fromBytes(printUrl(this.parts));
  }
}

const PORT = /:\d*$/;

/** The host without its port and without the brackets of an IPv6 address. */
export function hostname({ parts: { host } }: Url): string {
  const name = host.replace(PORT, "");
  return fromBytes(name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name);
}

/** The digits behind the host, or nothing. */
export function port({ parts: { host } }: Url): string {
  return PORT.exec(host)?.[0].slice(1) ?? "";
}

/** The path as it was written if that is a valid way to write it, else escaped. */
export function escapedPath({ path, rawPath }: UrlParts): string {
  if (rawPath !== "" && isValidEncoding(rawPath, "path")) return rawPath;
  return path === "*" ? "*" : escapeBytes(path, "path");
}

function escapedFragment({ fragment, rawFragment }: UrlParts): string {
  return rawFragment !== "" && isValidEncoding(rawFragment, "fragment")
    ? rawFragment
    : escapeBytes(fragment, "fragment");
}

function printUrl(parts: UrlParts): string {
  const { scheme, opaque: rest, query, emptyQuery, fragment } = parts;
  const start = scheme === "" ? "" : `${scheme}:`;
  const middle = rest === "" ? printHierarchy(parts, start === "") : rest;
  const end = emptyQuery || query !== "" ? `?${query}` : "";
  return start + middle + end + (fragment === "" ? "" : `#${escapedFragment(parts)}`);
}

/** Host and path. A path that would be taken for something else is marked as one. */
function printHierarchy(parts: UrlParts, isFirst: boolean): string {
  const { scheme, user, host, withoutHost } = parts;
  const path = escapedPath(parts);
  const hasAuthority =
    (scheme !== "" || host !== "" || user !== undefined) && !(withoutHost && host === "" && user === undefined);
  const slashes = hasAuthority && (host !== "" || parts.path !== "" || user !== undefined) ? "//" : "";
  const authority = hasAuthority ? slashes + (user ?? "") + escapeBytes(host, "host") : "";
  if (path !== "" && !path.startsWith("/") && host !== "") return `${authority}/${path}`;
  const firstSegment = path.split("/", 1)[0] as string;
  return isFirst && authority === "" && firstSegment.includes(":") ? `./${path}` : authority + path;
}

/** A query with more parameters than this has none, as in Go. */
const MAX_PARAMETERS = 10_000;

/** The parameters of the query by name, in the order of their first appearance; what is wrongly escaped is left out. */
export function queryParameters({ query }: UrlParts): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  const written = query.split("&", MAX_PARAMETERS + 1);
  if (written.length > MAX_PARAMETERS) return parameters;
  for (const parameter of written) {
    if (parameter === "" || parameter.includes(";")) continue;
    const equals = parameter.indexOf("=");
    const key = unescapeBytes(equals < 0 ? parameter : parameter.slice(0, equals), "query");
    const value = unescapeBytes(equals < 0 ? "" : parameter.slice(equals + 1), "query");
    if ("mistake" in key || "mistake" in value) continue;
    const name = fromBytes(key.text);
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [fromBytes(value.text)]);
    else values.push(fromBytes(value.text));
  }
  return parameters;
}
