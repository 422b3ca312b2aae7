// Which logins does a configuration file of docker or podman have? The content of the file is in no message.

import { NetFailure } from "../net/failure.ts";
import { field, textField } from "../net/json-fields.ts";
import { quoted } from "../text/words.ts";
import { type Login, loginOf } from "./login.ts";

/** A file, or the pull secret of a cluster. Values are read when they are needed. */
export interface AuthFile {
  /** For messages: `the file "/home/me/.docker/config.json"`. */
  readonly origin: string;
  /** The stored login; undefined if there is none. */
  login(registry: string, repository: string | undefined): Login | undefined;
  /** The name of the credential helper for the repository alone. */
  helper(registry: string, repository: string | undefined): string | undefined;
  /** The name of the credential helper for everything. */
  readonly store: string | undefined;
}

const MAX_ENTRIES = 10_000;

/** Reads `auths`, `credHelpers` and `credsStore`; `isLegacy`: the file is `auths` alone. Throws a failure without content. */
export function readAuthFile(text: string, origin: string, isLegacy = false): AuthFile {
  const value = parsed(text, origin);
  const auths = isLegacy ? value : (field(value, "auths") ?? {});
  const helpers = field(value, "credHelpers") ?? {};
  for (const [name, entries] of [
    ["auths", auths],
    ["credHelpers", helpers],
  ] as const)
    if (!isObject(entries)) throw broken(`${origin} has ${name} that are not a map of registries`);
  return {
    origin,
    login: (registry, repository) => {
      for (const key of matchingKeys(auths, registry, repository)) {
        const login = entryLogin(field(auths, key), key, origin);
        if (login !== undefined) return login;
      }
      return undefined;
    },
    helper: (registry, repository) => {
      const [key] = matchingKeys(helpers, registry, repository);
      return key === undefined ? undefined : textField(helpers, key);
    },
    store: isLegacy ? undefined : textField(value, "credsStore"),
  };
}

function broken(message: string): NetFailure {
  return new NetFailure("config", message, { help: "correct or remove it, and log in again" });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string, origin: string): object {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    // Of Node's message only the position: the rest quotes the text.
    const position = /at position (\d{1,9})/.exec((error as Error).message)?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
    throw broken(`${origin} is not JSON${line === undefined ? "" : `: line ${line}`}`);
  }
  if (!isObject(value)) throw broken(`${origin} is not a JSON object`);
  return value;
}

/** The login of an entry; undefined if it is empty, as docker writes it for what a helper has. */
function entryLogin(entry: unknown, key: string, origin: string): Login | undefined {
  const identityToken = textField(entry, "identitytoken");
  const auth = textField(entry, "auth");
  const named: readonly [string, string] | undefined =
    auth === undefined ? namedLogin(entry) : decodedLogin(auth, key, origin);
  if (named === undefined && identityToken === undefined) return undefined;
  const [user, password] = named ?? ["", ""];
  return loginOf(origin, user, password, identityToken);
}

function namedLogin(entry: unknown): readonly [string, string] | undefined {
  const user = textField(entry, "username");
  return user === undefined ? undefined : [user, textField(entry, "password") ?? ""];
}

function decodedLogin(auth: string, key: string, origin: string): readonly [string, string] {
  // docker has written zeros at the end.
  const text = Buffer.from(auth, "base64").toString().replace(/\0+$/, "");
  const colon = text.indexOf(":");
  if (colon < 1) throw broken(`the auth of ${quoted(hostOfKey(key))} in ${origin} is not a user name and a password`);
  return [text.slice(0, colon), text.slice(colon + 1)];
}

const DOCKER_HUB = new Set(["docker.io", "index.docker.io", "registry-1.docker.io"]);

/** A key without its scheme, and without the paths that docker writes: `https://index.docker.io/v1/` is `docker.io`. */
function normalised(key: string): string {
  const bare = key.replace(/^https?:\/\//i, "");
  const [host = "", ...path] = bare.split("/").filter((part) => part !== "");
  const name = DOCKER_HUB.has(host.toLowerCase()) ? "docker.io" : host.toLowerCase();
  return bare.length < key.length || /^v[12]$/.test(path.join("/")) ? name : [name, ...path].join("/");
}

function hostOfKey(key: string): string {
  return normalised(key).replace(/^.*@/, "");
}

/** The keys that apply, the most exact first: the longest path, then the host, then hosts with wildcards. */
function matchingKeys(entries: object, registry: string, repository: string | undefined): readonly string[] {
  const matches = Object.keys(entries)
    .slice(0, MAX_ENTRIES)
    .map((key) => ({ key, name: normalised(key) }))
    .filter(({ name }) => applies(name, registry, repository ?? ""))
    .sort((a, b) => b.name.length - a.name.length);
  return [...matches.filter(({ name }) => !isWild(name)), ...matches.filter(({ name }) => isWild(name))].map(
    ({ key }) => key,
  );
}

function isWild(name: string): boolean {
  return /[*?]/.test(name);
}

/**
 * As Kubernetes reads pull secrets: the port as it is written, which may be none, then the host label by label; and
 * `*.example.com/images` is what is below that path.
 */
function applies(name: string, registry: string, repository: string): boolean {
  const [host = "", ...path] = name.split("/");
  const directory = path.join("/");
  if (directory !== "" && repository !== directory && !repository.startsWith(`${directory}/`)) return false;
  if (!isWild(host)) return host === registry;
  const [asked, stored] = [splitHost(registry), splitHost(host)];
  if (asked.port !== stored.port || asked.labels.length !== stored.labels.length) return false;
  return stored.labels.every((label, index) => matchesLabel(label, asked.labels[index] ?? ""));
}

/** The labels of a host, and what is behind its colon; an IPv6 address is one label. */
function splitHost(host: string): { readonly labels: readonly string[]; readonly port: string | undefined } {
  const [, name = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(host) ?? [];
  return { labels: name.split("."), port };
}

/** `*` is any text, `?` any character. Only the last `*` is ever tried again: no pattern takes exponential time. */
function matchesLabel(pattern: string, label: string): boolean {
  let [at, from] = [0, 0];
  let star: { readonly at: number; from: number } | undefined;
  while (from < label.length) {
    if (pattern[at] === "*") {
      star = { at, from };
      at++;
    } else if (pattern[at] === "?" || pattern[at] === label[from]) {
      at++;
      from++;
    } else if (star !== undefined) {
      star.from++;
      at = star.at + 1;
      from = star.from;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
