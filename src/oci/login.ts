// What proves to a registry who asks? A user name and a password, or an identity token; neither is a field, so that nothing prints
// them by accident.

import { NetFailure } from "../net/failure.ts";

export interface Login {
  /** Where it is stored, for messages: `the file "/home/me/.docker/config.json"`. */
  readonly origin: string;
  /** The value of an Authorization header. */
  basic(): string;
  /** What a token server takes instead of a password. */
  identityToken(): string | undefined;
  /** What messages must not contain. */
  secrets(): readonly string[];
}

/** Where logins are found. */
export interface Credentials {
  /**
   * The login for a repository, or for a host alone; undefined if there is none. `registry` is as images are named: `docker.io`.
   * Throws a failure of the kind `config` if a file is broken, of the kind `credentials` if a program that has them fails.
   */
  login(registry: string, repository: string | undefined, signal: AbortSignal): Promise<Login | undefined>;
}

/** The user name of an identity token, as credential helpers write it. */
export const IDENTITY_USER = "<token>";

export function loginOf(origin: string, user: string, password: string, identityToken?: string): Login {
  const encoded = Buffer.from(`${user}:${password}`).toString("base64");
  // A colon would move the border between the two.
  if (user.includes(":"))
    throw new NetFailure("config", `a user name in ${origin} has a colon`, { help: "log in again" });
  const isIdentity = identityToken !== undefined || user === IDENTITY_USER;
  const identity = isIdentity ? (identityToken ?? password) : undefined;
  return {
    origin,
    basic: () => `Basic ${encoded}`,
    identityToken: () => identity,
    secrets: () => [password, encoded, ...(identity === undefined ? [] : [identity])].filter((text) => text !== ""),
  };
}

/** The first login that one of them has. */
export function combinedCredentials(all: readonly Credentials[]): Credentials {
  return {
    login: async (registry, repository, signal) => {
      for (const one of all) {
        const login = await one.login(registry, repository, signal);
        if (login !== undefined) return login;
      }
      return undefined;
    },
  };
}
