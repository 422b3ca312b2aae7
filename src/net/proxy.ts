// Through which proxy is a server reached? A cluster's own `proxy-url`, or the environment as Go reads it:
// HTTPS_PROXY, HTTP_PROXY and NO_PROXY, upper case first.

import { BlockList, isIP } from "node:net";
import { NetFailure } from "./failure.ts";

const SCHEMES = ["http:", "https:", "socks5:", "socks5h:"];

/** The proxy for a server, or undefined. */
export function proxyFor(server: URL, written: string | undefined, environment: NodeJS.ProcessEnv): URL | undefined {
  if (written !== undefined) return proxyUrl(written, "proxy-url of the cluster");
  const name = server.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = environment[name] || environment[name.toLowerCase()];
  if (!value || isLoopback(hostOf(server)) || isExcepted(server, environment.NO_PROXY || environment.no_proxy || ""))
    return undefined;
  return proxyUrl(value.includes("://") ? value : `http://${value}`, name);
}

function proxyUrl(text: string, origin: string): URL {
  // Node before version 22 has no `URL.parse`.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SCHEMES.includes(url.protocol) || url.hostname === "")
    throw new NetFailure("config", `the ${origin} is not the address of a proxy`, {
      help: "write http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT",
    });
  return url;
}

/** The host of a URL, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  if (url.protocol.startsWith("socks")) return 1080;
  return url.protocol === "https:" ? 443 : 80;
}

/** The user name and the password in an address, decoded; undefined without a user name. */
export function loginIn({ username, password }: URL): readonly [string, string] | undefined {
  return username === "" ? undefined : [decoded(username), decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A proxy for messages: without its password. */
export function shownProxy(proxy: URL): string {
  return `${proxy.protocol}//${proxy.host}`;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

function family(host: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(host);
  return version === 0 ? undefined : version === 4 ? "ipv4" : "ipv6";
}

/** Is it this machine, by its address or by the name `localhost`? */
export function isLoopback(host: string): boolean {
  const type = family(host);
  return type === undefined ? host === "localhost" : LOOPBACK.check(host, type);
}

/** NO_PROXY: `*`, addresses, networks, and names that also mean what ends with them; each may have a port. */
function isExcepted(server: URL, list: string): boolean {
  const host = hostOf(server).toLowerCase();
  const port = String(portOf(server));
  return list
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== "")
    .some((item) => item === "*" || matches(item, host, port));
}

function matches(item: string, host: string, port: string): boolean {
  const network = /^([0-9a-f:.]+)\/(\d{1,3})$/.exec(item);
  if (network !== null) return inNetwork(network[1] as string, Number(network[2]), host);
  const [, name = item, itsPort] = (isIP(item) === 0 ? /^\[?(.*?)\]?(?::(\d+))?$/.exec(item) : null) ?? [];
  if (itsPort !== undefined && itsPort !== port) return false;
  if (isIP(name) !== 0) return family(name) === family(host) && inNetwork(name, isIP(name) === 4 ? 32 : 128, host);
  // `.example.com` means what ends with it, `example.com` also the name itself.
  const suffix = name.replace(/^\*(?=\.)/, "");
  return suffix.startsWith(".") ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function inNetwork(address: string, bits: number, host: string): boolean {
  const type = family(address);
  if (type === undefined || family(host) !== type || bits > (type === "ipv4" ? 32 : 128)) return false;
  const network = new BlockList();
  network.addSubnet(address, bits, type);
  return network.check(host, type);
}
