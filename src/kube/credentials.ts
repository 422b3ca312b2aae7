// With which headers and certificates does a user of the kubeconfig identify itself? Tokens, token files, client
// certificates, passwords, credential plugins, OIDC; and as whom it acts.

import { validateHeaderValue } from "node:http";
import { NetFailure } from "../net/failure.ts";
import { fileText } from "../net/file-text.ts";
import { field, parsedJson, textField, textsField } from "../net/json-fields.ts";
import { quoted } from "../text/words.ts";
import { type ExecCredential, execCredential } from "./exec-plugin.ts";
import { type Entry, pathIn } from "./kubeconfig.ts";

/** What the user proves: at most one header, at most one certificate. */
export interface Credential {
  readonly authorization: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** After this time it is asked for again; undefined if it does not say. */
  readonly expires: number | undefined;
  /** What messages must not contain. */
  readonly secrets: readonly string[];
}

const CHECK_FILE = "check the path in the kubeconfig and the permissions of the file";

export const NO_CREDENTIAL: Credential = {
  authorization: undefined,
  certificate: undefined,
  key: undefined,
  expires: undefined,
  secrets: [],
};

/** A user of the kubeconfig, and what a credential plugin is given. */
export interface Identity {
  readonly name: string;
  readonly entry: Entry<unknown>;
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly environment: NodeJS.ProcessEnv;
}

/** A token file is read again after this many milliseconds: a kubelet renews it long before the token ends. */
const FILE_IS_FRESH = 10_000;

/** Reads files at each call: tokens and certificates are renewed on disk. */
export async function credentialOf(
  { name, entry, cluster, environment }: Identity,
  signal: AbortSignal,
  timeout: number | undefined,
): Promise<Credential> {
  const user = field(entry.written, "user");
  const { directory } = entry;
  const of = `of the user ${quoted(name)}`;
  const certificate = pemOf(user, "client-certificate", directory, of);
  const key = pemOf(user, "client-key", directory, of);
  if ((certificate === undefined) !== (key === undefined))
    throw new NetFailure("config", `the client certificate ${of} has no key, or the key has no certificate`, {
      help: "set both client-certificate and client-key",
    });
  const own = { ...NO_CREDENTIAL, certificate, key, secrets: key === undefined ? [] : [key] };

  // As in kubectl, a file counts before a token, and both before everything that would have to be asked for.
  const tokenFile = textField(user, "tokenFile");
  const token =
    tokenFile === undefined
      ? textField(user, "token")
      : fileText(pathIn(directory, tokenFile), `the token file ${of}`, CHECK_FILE).trim();
  if (tokenFile !== undefined && token !== undefined)
    return { ...withToken(own, token), expires: Date.now() + FILE_IS_FRESH };
  if (token !== undefined) return withToken(own, token);
  const username = textField(user, "username");
  if (username !== undefined) return withPassword(own, username, textField(user, "password") ?? "");
  const written = field(user, "exec");
  if (typeof written === "object" && written !== null)
    return withPlugin(
      own,
      await execCredential({ written, user: name, directory, cluster, environment }, signal, timeout),
    );
  const provider = field(user, "auth-provider");
  return typeof provider === "object" && provider !== null ? withProvider(own, provider, name) : own;
}

export function withToken(credential: Credential, token: string): Credential {
  return { ...credential, authorization: `Bearer ${token}`, secrets: [...credential.secrets, token] };
}

export function withPassword(credential: Credential, username: string, password: string): Credential {
  const encoded = Buffer.from(`${username}:${password}`).toString("base64");
  return { ...credential, authorization: `Basic ${encoded}`, secrets: [...credential.secrets, password, encoded] };
}

function withPlugin(own: Credential, { token, certificate, key, expires }: ExecCredential): Credential {
  const given = token === undefined ? own : withToken(own, token);
  if (certificate === undefined || key === undefined) return { ...given, expires };
  return { ...given, certificate, key, expires, secrets: [...given.secrets, key] };
}

/** A token that ends within this many milliseconds is not used any more. */
const SLACK = 10_000;

/**
 * The token of an OIDC login. It is not renewed: providers may accept a refresh token only once, and kubectl, which
 * writes the new one into the kubeconfig, would be logged out by a program that only reads. (client-node's renewal
 * fails in any case: it passes a text where openid-client wants a URL.)
 */
function withProvider(own: Credential, provider: unknown, user: string): Credential {
  const name = textField(provider, "name") ?? "";
  if (name !== "oidc")
    throw new NetFailure("config", `the auth provider ${quoted(name)} of the user ${quoted(user)} is not supported`, {
      help: "use a credential plugin (exec), as kubectl requires since version 1.26",
    });
  const token = textField(field(provider, "config"), "id-token");
  const help = "run a kubectl command with this context, which renews the token, or log in again";
  if (token === undefined)
    throw new NetFailure("credentials", `the user ${quoted(user)} has no id-token of its OIDC provider`, { help });
  const expires = expiryOf(token);
  if (expires !== undefined && expires < Date.now() + SLACK)
    throw new NetFailure("credentials", `the id-token of the user ${quoted(user)} has expired`, { help });
  return withToken(own, token);
}

/** When a JSON Web Token ends, in milliseconds of the epoch; undefined if it does not say. */
function expiryOf(token: string): number | undefined {
  const payload = token.split(".")[1];
  if (payload === undefined) return undefined;
  const seconds = field(parsedJson(Buffer.from(payload, "base64url").toString()), "exp");
  return typeof seconds === "number" ? seconds * 1000 : undefined;
}

/** A certificate or key: `NAME-data` in base64, which counts before the file `NAME`, as in kubectl. */
export function pemOf(entry: unknown, name: string, directory: string, of: string): string | undefined {
  const data = textField(entry, `${name}-data`);
  const file = textField(entry, name);
  if (data === undefined && file === undefined) return undefined;
  const pem =
    data !== undefined
      ? Buffer.from(data, "base64").toString("latin1")
      : fileText(pathIn(directory, file as string), `the ${name} ${of}`, CHECK_FILE);
  if (!pem.includes("-----BEGIN "))
    throw new NetFailure("config", `the ${name} ${of} is not PEM`, {
      help: data === undefined ? "check the file" : `${name}-data is a PEM file in base64`,
    });
  return pem;
}

/** As whom the requests are made: the flags, then `as`, `as-groups`, `as-uid` and `as-user-extra` of the user. */
export function impersonationHeaders(
  as: string | undefined,
  asGroups: readonly string[],
  user: unknown,
): Readonly<Record<string, string | string[]>> {
  const name = as ?? textField(user, "as");
  const groups = asGroups.length > 0 ? asGroups : textsField(user, "as-groups");
  if (name === undefined) {
    if (groups.length === 0) return {};
    throw new NetFailure("config", "a group to act as is given without a user", {
      help: "name the user with --as; a user that does not exist is enough",
    });
  }
  const headers: Record<string, string | string[]> = { "Impersonate-User": headerValue(name) };
  if (groups.length > 0) headers["Impersonate-Group"] = groups.map(headerValue);
  const uid = textField(user, "as-uid");
  if (uid !== undefined) headers["Impersonate-Uid"] = headerValue(uid);
  const extra = field(user, "as-user-extra");
  for (const key of Object.keys(Object(extra) as object))
    headers[`Impersonate-Extra-${headerKey(key)}`] = textsField(extra, key).map(headerValue);
  return headers;
}

/** A part of the name of a header: what it cannot contain is escaped, as in kubectl. */
function headerKey(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).replaceAll("(", "%28").replaceAll(")", "%29");
}

/** Bytes of UTF-8, as Go sends them. */
export function headerValue(text: string): string {
  const value = Buffer.from(text).toString("latin1");
  try {
    validateHeaderValue("value", value);
  } catch {
    throw new NetFailure("config", "the user or the credentials have characters that a request cannot contain", {
      help: "remove line ends and control characters",
    });
  }
  return value;
}
