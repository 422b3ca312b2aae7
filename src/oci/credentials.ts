// Which logins does a user have? Those of podman and docker, in the order in which podman reads them, and pull secrets.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { NetFailure } from "../net/failure.ts";
import { fileText } from "../net/file-text.ts";
import { quoted } from "../text/words.ts";
import { type AuthFile, readAuthFile } from "./auth-file.ts";
import { type ConfigPlace, homePath, userContainers } from "./config-paths.ts";
import { helperLogin } from "./credential-helper.ts";
import type { Credentials, Login } from "./login.ts";

/** The logins of the user's files. They are read when the first login is asked for. */
export function userCredentials(place: ConfigPlace): Credentials {
  let files: readonly AuthFile[] | undefined;
  return credentialsIn(() => {
    files ??= authFiles(place);
    return files;
  }, place.environment);
}

/**
 * The logins of pull secrets: the text of `.dockerconfigjson`, or of `.dockercfg`, with a name for messages, such as
 * `the pull secret ns/name`. Throws if one is broken. Helpers that a secret names are not run.
 */
export function pullSecretCredentials(
  secrets: readonly { readonly text: string; readonly name: string; readonly isLegacy?: boolean }[],
): Credentials {
  const files = secrets.map(({ text, name, isLegacy }) => readAuthFile(text, name, isLegacy));
  return {
    login: async (registry, repository) => {
      for (const file of files) {
        const login = file.login(registry, repository);
        if (login !== undefined) return login;
      }
      return undefined;
    },
  };
}

/** REGISTRY_AUTH_FILE alone if it is set, otherwise those that exist. */
function authFiles(place: ConfigPlace): readonly AuthFile[] {
  const { environment } = place;
  const named = environment.REGISTRY_AUTH_FILE;
  if (named) return [authFile(named, "correct REGISTRY_AUTH_FILE, or unset it")];
  const { XDG_RUNTIME_DIR: runtime, DOCKER_CONFIG: docker } = environment;
  const paths = [
    ...(runtime ? [join(runtime, "containers", "auth.json")] : []),
    ...userContainers(place, "auth.json"),
    ...(docker ? [docker] : homePath(place, ".docker")).map((directory) => join(directory, "config.json")),
  ];
  const legacy = homePath(place, ".dockercfg");
  const permissions = "check its permissions";
  return [
    ...paths.filter((path) => existsSync(path)).map((path) => authFile(path, permissions)),
    ...legacy.filter((path) => existsSync(path)).map((path) => authFile(path, permissions, true)),
  ];
}

function authFile(path: string, help: string, isLegacy = false): AuthFile {
  const text = fileText(path, "the file of registry credentials", help);
  return readAuthFile(text, `the file ${quoted(path)}`, isLegacy);
}

/** In each file: the helper of the registry, then the stored login, then the helper for everything. */
function credentialsIn(files: () => readonly AuthFile[], environment: NodeJS.ProcessEnv): Credentials {
  const printed = new Map<string, Promise<Login | undefined>>();
  /** A helper is run once for each server. */
  const helped = (name: string, origin: string, server: string, signal: AbortSignal): Promise<Login | undefined> => {
    const key = `${name} ${server}`;
    const known = printed.get(key);
    if (known !== undefined) return known;
    const login = helperLogin({ name, origin, environment }, server, signal);
    printed.set(key, login);
    login.catch(() => printed.delete(key));
    return login;
  };
  return {
    login: async (registry, repository, signal) => {
      let failed: NetFailure | undefined;
      for (const file of files()) {
        const ask = async (name: string | undefined): Promise<Login | undefined> => {
          for (const server of name === undefined ? [] : serversOf(registry)) {
            const login = await helped(name as string, file.origin, server, signal);
            if (login !== undefined) return login;
          }
          return undefined;
        };
        try {
          const login =
            (await ask(file.helper(registry, repository))) ??
            file.login(registry, repository) ??
            (await ask(file.store));
          if (login !== undefined) return login;
        } catch (error) {
          // Another file may have the login.
          if (!(error instanceof NetFailure && error.kind === "credentials")) throw error;
          failed ??= error;
        }
      }
      if (failed !== undefined) throw failed;
      return undefined;
    },
  };
}

/** Under which names a helper may know a registry. docker and podman have different ones for Docker Hub. */
function serversOf(registry: string): readonly string[] {
  return registry === "docker.io" ? ["https://index.docker.io/v1/", "docker.io"] : [registry];
}
