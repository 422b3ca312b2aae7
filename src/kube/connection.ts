// Which API server is meant, and with which credentials is it asked? The flags and the environment, as kubectl reads them.

import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { systemAuthorities } from "../net/authorities.ts";
import { NetFailure } from "../net/failure.ts";
import { fileText } from "../net/file-text.ts";
import { field, listField, textField } from "../net/json-fields.ts";
import { loginIn, proxyFor } from "../net/proxy.ts";
import type { Authorization, TlsOptions } from "../net/transport.ts";
import type { ProxyServer } from "../net/tunnel.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import { listed, quoted } from "../text/words.ts";
import {
  type Credential,
  credentialOf,
  headerValue,
  type Identity,
  impersonationHeaders,
  NO_CREDENTIAL,
  pemOf,
  withPassword,
} from "./credentials.ts";
import { type Entry, type Kubeconfig, readKubeconfig } from "./kubeconfig.ts";

/** The flags. */
export interface ConnectionChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly as?: string;
  readonly asGroups: readonly string[];
}

/** One API server and one user of it. No secret is a field. */
export interface Connection {
  /** Undefined inside of a cluster. */
  readonly context: string | undefined;
  /** Its address, without a user name and a password. */
  readonly server: string;
  /** The namespace of the context. */
  readonly namespace: string | undefined;
  /** The credentials, asked for if there are none or if the server refused them. */
  authorize(signal: AbortSignal, options?: AuthorizeOptions): Promise<Authorization>;
}

export interface AuthorizeOptions {
  /** The authorization that the server refused. Several requests may report the same one: it is renewed once. */
  readonly refused?: Authorization;
  /** The longest wait for a credential plugin, in milliseconds. */
  readonly timeout?: number;
}

const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const CHECK_POD = "check the volume of the service account in this pod";

/** Throws a {@link NetFailure} of the kind `config` if the flags and files do not lead to an API server. */
export function openConnection(choice: ConnectionChoice, environment: NodeJS.ProcessEnv): Connection {
  const kubeconfig = readKubeconfig(choice.kubeconfig, environment);
  if (kubeconfig !== undefined) return fromKubeconfig(kubeconfig, choice, environment);
  const inside = choice.context === undefined ? inClusterConnection(choice, environment, SERVICE_ACCOUNT) : undefined;
  if (inside !== undefined) return inside;
  throw new NetFailure(
    "not-configured",
    "there is no kubeconfig: KUBECONFIG is not set, and ~/.kube/config does not exist",
    {
      help: "name a file with --kubeconfig",
    },
  );
}

function fromKubeconfig(kubeconfig: Kubeconfig, choice: ConnectionChoice, environment: NodeJS.ProcessEnv): Connection {
  const { name, entry: context } = chosenContext(kubeconfig, choice.context);
  const of = `of the context ${quoted(name)}`;
  const written = field(context.written, "context");
  const clusterName = textField(written, "cluster") ?? "";
  const cluster = kubeconfig.clusters.get(clusterName);
  if (cluster === undefined)
    throw new NetFailure(
      "config",
      `the cluster ${quoted(clusterName)} ${of} is not in ${shownFiles(kubeconfig)}, or has no server`,
      {
        help: "correct the context, or choose another one with --context",
      },
    );
  const userName = textField(written, "user");
  const user = userName === undefined ? undefined : kubeconfig.users.get(userName);
  if (userName !== undefined && user === undefined)
    throw new NetFailure("config", `the user ${quoted(userName)} ${of} is not in ${shownFiles(kubeconfig)}`, {
      help: "correct the context, or choose another one with --context",
    });
  const settings = clusterSettings(cluster, clusterName);
  const impersonation = impersonationHeaders(choice.as, choice.asGroups, field(user?.written, "user"));
  const identity: Identity | undefined =
    user === undefined || userName === undefined
      ? undefined
      : { name: userName, entry: user, cluster: pluginCluster(cluster, settings), environment };
  const { url } = settings;
  const login = credentialsIn(url);
  return connectionOf({
    context: name,
    url,
    namespace: textField(written, "namespace"),
    proxy: proxyFor(url, textField(field(cluster.written, "cluster"), "proxy-url"), environment),
    impersonation,
    tls: settings,
    environment,
    // As kubectl, nothing secret goes over a connection that others can read.
    credential: async (signal, timeout) => {
      if (url.protocol === "http:") return NO_CREDENTIAL;
      const credential = identity === undefined ? NO_CREDENTIAL : await credentialOf(identity, signal, timeout);
      return credential.authorization === undefined && login !== undefined
        ? withPassword(credential, ...login)
        : credential;
    },
  });
}

function shownFiles({ files }: Kubeconfig): string {
  return files.length === 1
    ? `the kubeconfig ${quoted(files[0] as string)}`
    : `the ${files.length} files of KUBECONFIG`;
}

function chosenContext(
  kubeconfig: Kubeconfig,
  asked: string | undefined,
): { readonly name: string; readonly entry: Entry<unknown> } {
  const name = asked ?? kubeconfig.currentContext;
  const names = [...kubeconfig.contexts.keys()].sort();
  const choices =
    names.length === 0
      ? "it has no contexts"
      : `contexts: ${listed(
          names.map((one) => quoted(one)),
          10,
        )}`;
  if (name === undefined)
    throw new NetFailure("config", `${shownFiles(kubeconfig)} has no current context`, {
      help: `choose one with --context; ${choices}`,
    });
  const entry = kubeconfig.contexts.get(name);
  if (entry !== undefined) return { name, entry };
  const near = didYouMean(name, names);
  const what = asked === undefined ? "names the current context" : "has no context";
  throw new NetFailure(
    "config",
    `${shownFiles(kubeconfig)} ${what} ${quoted(name)}${asked === undefined ? ", which it does not have or which has no cluster" : ""}`,
    { help: near === undefined ? choices : `did you mean ${quoted(near)}? ${choices}` },
  );
}

/** What a cluster of the kubeconfig says about its server. */
interface ClusterSettings {
  readonly url: URL;
  readonly authority: (() => string) | undefined;
  readonly insecure: boolean;
  readonly serverName: string | undefined;
}

function clusterSettings(
  { read, written, directory }: Entry<{ readonly server: string }>,
  name: string,
): ClusterSettings {
  const cluster = field(written, "cluster");
  const of = `of the cluster ${quoted(name)}`;
  const insecure = field(cluster, "insecure-skip-tls-verify") === true;
  const hasAuthority =
    textField(cluster, "certificate-authority") !== undefined ||
    textField(cluster, "certificate-authority-data") !== undefined;
  if (insecure && hasAuthority)
    throw new NetFailure("config", `the settings ${of} have a certificate-authority and insecure-skip-tls-verify`, {
      help: "remove one of them",
    });
  const authority = (): string => pemOf(cluster, "certificate-authority", directory, of) as string;
  // A file that cannot be read is known before the first request.
  if (hasAuthority) authority();
  const hasScheme = read.server.includes("://");
  const text = hasScheme ? read.server : `${insecure || hasAuthority ? "https" : "http"}://${read.server}`;
  return {
    url: serverUrl(text, of),
    authority: hasAuthority ? authority : undefined,
    insecure,
    serverName: textField(cluster, "tls-server-name"),
  };
}

function serverUrl(text: string, of: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new NetFailure("config", `the server ${of} is not an address: ${quoted(withoutUrlSecrets(text))}`, {
      help: "write https://HOST:PORT",
    });
  // As kubectl, without a query: paths are added to it, and messages show it.
  url.search = "";
  url.hash = "";
  return url;
}

/** A user name and a password in the address of the server. */
function credentialsIn(url: URL): readonly [string, string] | undefined {
  const login = loginIn(url);
  url.username = "";
  url.password = "";
  return login;
}

/** The extension of a cluster that is passed to plugins. */
const PLUGIN_EXTENSION = "client.authentication.k8s.io/exec";

/** What `provideClusterInfo` passes to a credential plugin. */
function pluginCluster(
  entry: Entry<unknown>,
  { url, authority, insecure, serverName }: ClusterSettings,
): Readonly<Record<string, unknown>> {
  const cluster = field(entry.written, "cluster");
  const extension = listField(cluster, "extensions").find((item) => textField(item, "name") === PLUGIN_EXTENSION);
  const proxy = textField(cluster, "proxy-url");
  return {
    server: shownServer(url),
    ...(serverName === undefined ? {} : { "tls-server-name": serverName }),
    ...(insecure ? { "insecure-skip-tls-verify": true } : {}),
    ...(authority === undefined
      ? {}
      : { "certificate-authority-data": Buffer.from(authority(), "latin1").toString("base64") }),
    ...(proxy === undefined ? {} : { "proxy-url": proxy }),
    config: field(extension, "extension") ?? null,
  };
}

/**
 * The connection of a pod to its own cluster; undefined outside of one. client-node reads the process's environment, and
 * its token at most once a minute.
 */
export function inClusterConnection(
  choice: ConnectionChoice,
  environment: NodeJS.ProcessEnv,
  directory: string,
): Connection | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port || !existsSync(`${directory}/token`)) return undefined;
  const url = serverUrl(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, "of KUBERNETES_SERVICE_HOST");
  const user = { tokenFile: `${directory}/token` };
  const entry: Entry<unknown> = { read: undefined, written: { user }, directory };
  const namespaceFile = `${directory}/namespace`;
  const identity: Identity = { name: "of this pod", entry, cluster: {}, environment };
  return connectionOf({
    context: undefined,
    url,
    namespace: existsSync(namespaceFile)
      ? fileText(namespaceFile, "the namespace of this pod", CHECK_POD).trim()
      : undefined,
    proxy: proxyFor(url, undefined, environment),
    impersonation: impersonationHeaders(choice.as, choice.asGroups, undefined),
    tls: {
      url,
      authority: () => fileText(`${directory}/ca.crt`, "the certificate authority of this pod", CHECK_POD),
      insecure: false,
      serverName: undefined,
    },
    environment,
    credential: (signal, timeout) => credentialOf(identity, signal, timeout),
  });
}

interface ConnectionParts {
  readonly context: string | undefined;
  readonly url: URL;
  readonly namespace: string | undefined;
  readonly proxy: URL | undefined;
  readonly impersonation: Readonly<Record<string, string | string[]>>;
  readonly tls: ClusterSettings;
  readonly environment: NodeJS.ProcessEnv;
  credential(signal: AbortSignal, timeout: number | undefined): Promise<Credential>;
}

/** A server for messages. */
function shownServer(url: URL): string {
  return url.href.replace(/\/$/, "");
}

function connectionOf(parts: ConnectionParts): Connection {
  const { context, url, namespace } = parts;
  let current: { readonly credential: Credential; readonly authorization: Authorization } | undefined;
  let underWay: Promise<Authorization> | undefined;
  const renewed = async (signal: AbortSignal, timeout: number | undefined): Promise<Authorization> => {
    const credential = await parts.credential(signal, timeout);
    const authorization = authorizationOf(parts, credential, current);
    current = { credential, authorization };
    return authorization;
  };
  return {
    context,
    server: shownServer(url),
    namespace,
    authorize: async (signal, { refused, timeout } = {}) => {
      if (current !== undefined && current.authorization !== refused && isValid(current.credential))
        return current.authorization;
      // Requests at the same time wait for one plugin.
      underWay ??= renewed(signal, timeout).finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}

function isValid({ expires }: Credential): boolean {
  return expires === undefined || expires > Date.now();
}

/** An unchanged certificate keeps its TLS options, so that connections are kept. */
function authorizationOf(
  { impersonation, proxy, url, tls, environment }: ConnectionParts,
  credential: Credential,
  before: { readonly credential: Credential; readonly authorization: Authorization } | undefined,
): Authorization {
  const { authorization, certificate, key, secrets } = credential;
  const isSame = before?.credential.certificate === certificate && before?.credential.key === key;
  const options =
    isSame && before?.authorization.tls !== undefined
      ? before.authorization.tls
      : url.protocol === "https:"
        ? tlsOptions(tls, certificate, key, environment)
        : undefined;
  return {
    headers: {
      ...(authorization === undefined ? {} : { Authorization: headerValue(authorization) }),
      ...impersonation,
    },
    tls: options,
    proxy: before === undefined ? proxyOf(proxy, tls, environment) : before.authorization.proxy,
    secrets: [...secrets, ...(proxy === undefined ? [] : (loginIn(proxy) ?? []).slice(1))],
  };
}

/**
 * A proxy that is reached by https has a certificate, too. Go accepts one of the cluster's authority; proxies of a company
 * have one of an authority that the system trusts. It is checked even if that of the server is not, since the proxy gets a
 * password.
 */
function proxyOf(
  url: URL | undefined,
  { authority }: ClusterSettings,
  environment: NodeJS.ProcessEnv,
): ProxyServer | undefined {
  if (url === undefined || url.protocol !== "https:") return url && { url, secureContext: undefined };
  const ca = [...systemAuthorities(environment), ...(authority === undefined ? [] : [authority()])];
  return { url, secureContext: createSecureContext({ ca, minVersion: "TLSv1.2" }) };
}

function tlsOptions(
  { authority, insecure, serverName }: ClusterSettings,
  certificate: string | undefined,
  key: string | undefined,
  environment: NodeJS.ProcessEnv,
): TlsOptions {
  const ca = insecure ? [] : authority === undefined ? [...systemAuthorities(environment)] : [authority()];
  try {
    const own = certificate === undefined || key === undefined ? {} : { cert: certificate, key };
    const secureContext = createSecureContext({ ...own, ca, minVersion: "TLSv1.2" });
    return { secureContext, rejectUnauthorized: !insecure, serverName };
  } catch {
    // OpenSSL's own words quote nothing useful, and could quote the key.
    throw new NetFailure("credentials", "the client certificate and its key do not fit, or cannot be read", {
      help: "renew the credentials of the context",
    });
  }
}
