// What does a URL consist of, and which functions does Kubernetes provide for URLs?
import { quoted } from "../../../text/words.ts";
import { globalFunction, type Library, memberFunction, type Overload, type Running } from "../../library.ts";
import { BOOL, listOf, mapOf, opaque, STRING, type Type } from "../../type.ts";
import { CelMap, type MapKey } from "../../value/boxes.ts";
import { Boxed, CelError, type Result, type Value } from "../../value/value.ts";
import { readOnce } from "../literal-argument.ts";
import { fromBytes } from "./byte-text.ts";
import { escapeBytes, isValidEncoding, unescapeBytes } from "./url-escape.ts";
import { parseRequestUri, parseUrl, UrlMistake, type UrlParts } from "./url-parse.ts";

const URL_TYPE: Type = opaque("kubernetes.URL");

/** An absolute URL or path. */
class Url extends Boxed {
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
function hostname({ parts: { host } }: Url): string {
  const name = host.replace(PORT, "");
  return fromBytes(name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name);
}

/** The digits behind the host, or nothing. */
function port({ parts: { host } }: Url): string {
  return PORT.exec(host)?.[0].slice(1) ?? "";
}

/** The path as it was written if that is a valid way to write it, else escaped. */
function escapedPath({ path, rawPath }: UrlParts): string {
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
function queryParameters({ query }: UrlParts): ReadonlyMap<string, readonly string[]> {
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

/** The beginning of a reason is enough; it can quote half of the URL. */
const MAX_REASON_LENGTH = 200;

/** A URL must be valid in a request, but is parsed as one that may have a fragment. */
function url(text: string): Result {
  const request = parseRequestUri(text);
  const parts = request instanceof UrlMistake ? request : parseUrl(text);
  if (!(parts instanceof UrlMistake)) return new Url(parts);
  const reason = fromBytes(parts.reason.slice(0, MAX_REASON_LENGTH));
  return new CelError(`${quoted(text)} is not an absolute URL or path: ${reason}`);
}

/** A part of a URL. Characters beyond what a call costs are counted as memory. */
function part(name: string, id: string, read: (url: Url) => string): Overload {
  return memberFunction(name, id, [URL_TYPE], STRING, (from: Url, running: Running) => {
    const text = read(from);
    running.allocate(text.length);
    return text;
  });
}

const isUrl = (text: string): boolean => !(parseRequestUri(text) instanceof UrlMistake);

function query({ parts }: Url, running: Running): Result {
  const entries = new Map<MapKey, readonly [Value, Value]>();
  running.allocate(parts.query.length);
  for (const [name, values] of queryParameters(parts)) entries.set(name, [name, values]);
  return new CelMap(entries);
}

const FUNCTIONS: readonly Overload[] = [
  globalFunction("url", "string_to_url", [STRING], URL_TYPE, url, { prepare: readOnce(url) }),
  globalFunction("isURL", "is_url_string", [STRING], BOOL, isUrl),
  part("getScheme", "url_get_scheme", ({ parts }) => parts.scheme),
  part("getHost", "url_get_host", ({ parts }) => fromBytes(parts.host)),
  part("getHostname", "url_get_hostname", hostname),
  part("getPort", "url_get_port", port),
  part("getEscapedPath", "url_get_escaped_path", ({ parts }) => fromBytes(escapedPath(parts))),
  memberFunction("getQuery", "url_get_query", [URL_TYPE], mapOf(STRING, listOf(STRING)), query),
];

/** Kubernetes' library of URLs. */
export const urlLibrary: Library = { name: "kubernetes.urls", functions: FUNCTIONS };
