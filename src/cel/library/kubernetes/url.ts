// Which functions does Kubernetes provide for URLs?
import { quoted } from "../../../text/words.ts";
import { globalFunction, type Library, memberFunction, type Overload, type Running } from "../../library.ts";
import { BOOL, listOf, mapOf, STRING } from "../../type.ts";
import { CelMap, type MapKey } from "../../value/boxes.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { readOnce } from "../literal-argument.ts";
import { fromBytes } from "./byte-text.ts";
import { parseRequestUri, parseUrl, UrlMistake } from "./url-parse.ts";
import { escapedPath, hostname, port, queryParameters, URL_TYPE, Url } from "./url-value.ts";

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
