// How does a test get a registry with TLS and a user? A front on 127.0.0.1, in the thread of the test, that checks the credentials
// and passes requests on to crane. Images are pushed to crane itself, at `backend`.
//
// It asks for the password with every request (basic), or for a token that its token server gives for one repository (token).

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { certificate } from "../certificates.ts";
import { type Registry, startRegistry } from "./registry.ts";

/** What a test wants of its registry. */
export interface SecureRegistryOptions {
  readonly user: string;
  readonly password: string;
  /** How it asks for credentials: `basic` if it is not given. */
  readonly by?: "basic" | "token";
  /** The token server also gives tokens without a password, as public registries do. */
  readonly isPublic?: boolean;
  /** Its certificate, of the folder `test/certificates`. */
  readonly certificate?: "server" | "elsewhere" | "expired";
}

/** A request that the registry has seen. Credentials are not kept. */
export interface RegistryRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The first word of the Authorization header; empty if there is none. */
  readonly scheme: string;
}

/** A running registry with a user. */
export interface SecureRegistry extends Registry {
  /** The address of the registry behind it, which speaks plain HTTP and knows no user. */
  readonly backend: string;
  /** All requests until now, in their order. */
  readonly seen: readonly RegistryRequest[];
}

/** Starts a registry without images. */
export async function startSecureRegistry(options: SecureRegistryOptions): Promise<SecureRegistry> {
  const { address: backend, stop } = await startRegistry();
  const seen: RegistryRequest[] = [];
  const admits = options.by === "token" ? tokenCheck(options) : basicCheck(options);
  const name = options.certificate ?? "server";
  const keys = { cert: certificate(`${name}.crt`), key: certificate(`${name}.key`) };
  const server = createServer(keys, (asked, answer) => {
    const { method = "", url = "", headers } = asked;
    seen.push({ method, url, scheme: headers.authorization?.split(" ")[0] ?? "" });
    if (admits(asked, answer)) forward(asked, answer, backend);
  });
  server.on("tlsClientError", () => {}); // a client that does not trust the certificate
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...{ address: `127.0.0.1:${(server.address() as AddressInfo).port}`, backend, seen },
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await stop();
    },
  };
}

/** Whether a request is passed on; otherwise it gets an answer. */
type Check = (asked: IncomingMessage, answer: ServerResponse) => boolean;

function basicCheck(options: SecureRegistryOptions): Check {
  return (asked, answer) => {
    if (hasPassword(asked, options)) return true;
    refuse(answer, 'Basic realm="plimsoll test registry"');
    return false;
  };
}

/** The path of the token server, which has the same address. */
const TOKEN_PATH = "/token";
const SERVICE = "plimsoll-test-registry";

function tokenCheck(options: SecureRegistryOptions): Check {
  /** Each token, and the scope that it was given for. */
  const tokens = new Map<string, string>();
  const giveToken = (asked: IncomingMessage, answer: ServerResponse, scope: string): void => {
    const isAnonymous = asked.headers.authorization === undefined;
    if (hasPassword(asked, options) || (isAnonymous && options.isPublic)) {
      const token = randomBytes(24).toString("hex");
      tokens.set(token, scope);
      answer.writeHead(200, { "content-type": "application/json" });
      answer.end(JSON.stringify({ token, expires_in: 300 }));
    } else refuse(answer);
  };
  return (asked, answer) => {
    const { pathname, searchParams } = new URL(asked.url ?? "", "https://127.0.0.1");
    if (pathname === TOKEN_PATH) {
      giveToken(asked, answer, searchParams.get("scope") ?? "");
      return false;
    }
    const [, repository] = /^\/v2\/(.+)\/(?:manifests|blobs|tags)\//.exec(pathname) ?? [];
    const scope = repository === undefined ? "" : `repository:${repository}:pull`;
    const given = tokens.get(/^Bearer (\w+)$/.exec(asked.headers.authorization ?? "")?.[1] ?? "");
    if (given !== undefined && (scope === "" || given === scope)) return true;
    const realm = `https://${asked.headers.host}${TOKEN_PATH}`;
    refuse(answer, `Bearer realm="${realm}",service="${SERVICE}"${scope && `,scope="${scope}"`}`);
    return false;
  };
}

function hasPassword({ headers }: IncomingMessage, { user, password }: SecureRegistryOptions): boolean {
  return headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** Answers 401 as a registry writes it. */
function refuse(answer: ServerResponse, challenge?: string): void {
  answer.writeHead(401, {
    "content-type": "application/json",
    ...(challenge !== undefined && { "www-authenticate": challenge }),
  });
  answer.end(JSON.stringify({ errors: [{ code: "UNAUTHORIZED", message: "authentication required" }] }));
}

function forward(asked: IncomingMessage, answer: ServerResponse, backend: string): void {
  const { authorization: _, host: __, connection: ___, ...headers } = asked.headers;
  const { method, url } = asked;
  const sent = request(`http://${backend}${url}`, { method, headers }, (received) => {
    answer.writeHead(received.statusCode ?? 502, received.headers);
    received.pipe(answer);
  });
  sent.on("error", () => answer.destroy());
  answer.on("close", () => sent.destroy());
  asked.pipe(sent);
}
