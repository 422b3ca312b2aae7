// What are the parts of a URL, as Go reads it?
import { readAddress } from "./address.ts";
import { goQuote, toBytes } from "./byte-text.ts";
import { escapeBytes, unescapeBytes } from "./url-escape.ts";

/** The parts of a URL, as texts of bytes; what is absent is empty. */
export interface UrlParts {
  readonly scheme: string;
  /** What follows the scheme when that is not a path: `a@b.c` in `mailto:a@b.c`. */
  readonly opaque: string;
  /** Name and password, escaped again, with their @; undefined when there are none. */
  readonly user: string | undefined;
  readonly host: string;
  readonly path: string;
  /** How the path was written, where that is not how it would be escaped. */
  readonly rawPath: string;
  readonly query: string;
  /** Does it end with a question mark? */
  readonly emptyQuery: boolean;
  readonly fragment: string;
  readonly rawFragment: string;
  /** Is there a scheme and a path, but no place for a host: `file:/a`? */
  readonly withoutHost: boolean;
}

/** Why a text is not a URL, in the words of Go. */
export class UrlMistake {
  readonly bytes: string;
  readonly reason: string;
  constructor(bytes: string, reason: string) {
    this.bytes = bytes;
    this.reason = reason;
  }
  /** The whole message of Go, with the whole text. */
  get message(): string {
    return `parse ${goQuote(this.bytes)}: ${this.reason}`;
  }
}

const NOTHING: UrlParts = {
  scheme: "",
  opaque: "",
  user: undefined,
  host: "",
  path: "",
  rawPath: "",
  query: "",
  emptyQuery: false,
  fragment: "",
  rawFragment: "",
  withoutHost: false,
};

/** The parts of an absolute URL or path of a request, where # has no meaning. */
export function parseRequestUri(text: string): UrlParts | UrlMistake {
  const bytes = toBytes(text);
  const parts = parse(bytes, true);
  return typeof parts === "string" ? new UrlMistake(bytes, parts) : parts;
}

/** The parts of any URL. */
export function parseUrl(text: string): UrlParts | UrlMistake {
  const bytes = toBytes(text);
  const hash = bytes.indexOf("#");
  const before = hash < 0 ? bytes : bytes.slice(0, hash);
  const parts = parse(before, false);
  if (typeof parts === "string") return new UrlMistake(before, parts);
  const raw = hash < 0 ? "" : bytes.slice(hash + 1);
  const fragment = unescapeBytes(raw, "fragment");
  if ("mistake" in fragment) return new UrlMistake(bytes, fragment.mistake);
  const rawFragment = escapeBytes(fragment.text, "fragment") === raw ? "" : raw;
  return { ...parts, fragment: fragment.text, rawFragment };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const CONTROL = /[\0-\x1f\x7f]/;
const SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;

function parse(bytes: string, isRequest: boolean): UrlParts | string {
  if (CONTROL.test(bytes)) return "net/url: invalid control character in URL";
  if (bytes === "" && isRequest) return "empty url";
  if (bytes === "*") return { ...NOTHING, path: "*" };
  if (bytes.startsWith(":")) return "missing protocol scheme";
  const [prefix = "", writtenScheme = ""] = SCHEME.exec(bytes) ?? [];
  const scheme = writtenScheme.toLowerCase();
  const afterScheme = bytes.slice(prefix.length);
  const mark = afterScheme.indexOf("?");
  const beforeQuery = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  const query = mark < 0 ? "" : afterScheme.slice(mark + 1);
  const common = { ...NOTHING, scheme, query, emptyQuery: mark >= 0 && query === "" };
  if (!beforeQuery.startsWith("/")) {
    if (scheme !== "") return { ...common, opaque: beforeQuery };
    if (isRequest) return "invalid URI for request";
    const slash = beforeQuery.indexOf("/");
    if ((slash < 0 ? beforeQuery : beforeQuery.slice(0, slash)).includes(":")) {
      return "first path segment in URL cannot contain colon";
    }
  }
  const hasAuthority =
    beforeQuery.startsWith("//") && (scheme !== "" || (!isRequest && !beforeQuery.startsWith("///")));
  if (!hasAuthority) {
    return withPath({ ...common, withoutHost: scheme !== "" && beforeQuery.startsWith("/") }, beforeQuery);
  }
  const slash = beforeQuery.indexOf("/", 2);
  const authority = parseAuthority(scheme, beforeQuery.slice(2, slash < 0 ? undefined : slash));
  if (typeof authority === "string") return authority;
  return withPath({ ...common, ...authority }, slash < 0 ? "" : beforeQuery.slice(slash));
}

function withPath(parts: UrlParts, raw: string): UrlParts | string {
  const path = unescapeBytes(raw, "path");
  if ("mistake" in path) return path.mistake;
  return { ...parts, path: path.text, rawPath: escapeBytes(path.text, "path") === raw ? "" : raw };
}

interface Authority {
  readonly user: string | undefined;
  readonly host: string;
}

const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

function parseAuthority(scheme: string, authority: string): Authority | string {
  const at = authority.lastIndexOf("@");
  const host = parseHost(scheme, authority.slice(at + 1));
  if ("mistake" in host) return host.mistake;
  if (at < 0) return { user: undefined, host: host.text };
  const user = authority.slice(0, at);
  if (!USER.test(user)) return "net/url: invalid userinfo";
  const colon = user.indexOf(":");
  const name = unescapeBytes(colon < 0 ? user : user.slice(0, colon), "user");
  if ("mistake" in name) return name.mistake;
  if (colon < 0) return { user: `${escapeBytes(name.text, "user")}@`, host: host.text };
  const password = unescapeBytes(user.slice(colon + 1), "user");
  if ("mistake" in password) return password.mistake;
  return { user: `${escapeBytes(name.text, "user")}:${escapeBytes(password.text, "user")}@`, host: host.text };
}

const OPTIONAL_PORT = /^(?::\d*)?$/;

function parseHost(scheme: string, host: string): ReturnType<typeof unescapeBytes> {
  const bracket = host.lastIndexOf("[");
  if (bracket > 0) return { mistake: "invalid IP-literal" };
  if (bracket === 0) return parseLiteral(host);
  const first = host.indexOf(":");
  if (first >= 0) {
    const isWeb = scheme === "http" || scheme === "https";
    const port = host.slice(isWeb ? first : host.lastIndexOf(":"));
    if (!OPTIONAL_PORT.test(port)) return { mistake: `invalid port ${goQuote(port)} after host` };
  }
  return unescapeBytes(host, "host");
}

/** An IPv6 address in brackets, with a zone behind %25 if it has one. */
function parseLiteral(host: string): ReturnType<typeof unescapeBytes> {
  const end = host.lastIndexOf("]");
  if (end < 0) return { mistake: "missing ']' in host" };
  const port = host.slice(end + 1);
  if (!OPTIONAL_PORT.test(port)) return { mistake: `invalid port ${goQuote(port)} after host` };
  const written = host.slice(1, end);
  const zoneAt = written.indexOf("%25");
  const address = unescapeBytes(zoneAt < 0 ? written : written.slice(0, zoneAt), "host");
  if ("mistake" in address) return address;
  const zone = unescapeBytes(zoneAt < 0 ? "" : written.slice(zoneAt), "zone");
  if ("mistake" in zone) return zone;
  const literal = address.text + zone.text;
  const family = literalFamily(literal);
  if (family === undefined) return { mistake: `invalid host: ParseAddr(${goQuote(literal)}): unable to parse IP` };
  return family === 4 ? { mistake: "invalid IP-literal" } : { text: `[${literal}]${port}` };
}

function literalFamily(literal: string): 4 | 6 | undefined {
  const percent = literal.indexOf("%");
  const address = readAddress(percent < 0 ? literal : literal.slice(0, percent));
  const hasZone = percent >= 0;
  if (hasZone && (address?.family === 4 || percent === literal.length - 1)) return undefined;
  return address?.family;
}
