// How are remote catalogs read in this run? The cache, credentials and mirrors of the user, and the flags.

import { NetFailure } from "../../net/failure.ts";
import { userCredentials } from "../../oci/credentials.ts";
import { registriesConf } from "../../oci/registries-conf.ts";
import type { RemoteSetting } from "../../remote/setting.ts";
import { userCache } from "../cache/user-cache.ts";
import { engineVersion } from "../engine-version.ts";
import { note } from "../question/usage-error.ts";
import type { Reading } from "./load-catalogs.ts";

export { fetchObjects } from "../../remote/bundle-objects.ts";
export { loadRemote } from "../../remote/load-remote.ts";
export { wayTo } from "../../remote/way.ts";

/** What all catalogs of a run share. */
export type RunSetting = Omit<RemoteSetting, "onProgress">;

/** The setting of a run. */
export function settingFor({ flags, terminal }: Reading): Promise<RunSetting> {
  return settingOf(flags, (what) => {
    if (!flags.quiet) note(what, terminal);
  });
}

/** The setting for some flags; `say` takes what is wrong with the user's files, and what is tried again. */
export async function settingOf(
  flags: Pick<Reading["flags"], "insecureRegistry" | "maxDocumentBytes">,
  say: (what: string) => void,
): Promise<RunSetting> {
  const insecure = flags.insecureRegistry ?? [];
  const environment = process.env;
  return {
    environment,
    signal: new AbortController().signal,
    cache: userCache(say),
    insecure,
    registry: { environment, credentials: userCredentials({ environment }), insecure, onRetry: say },
    mirrors: await userMirrors(say),
    assembledBy: `${engineVersion()} ${flags.maxDocumentBytes}`,
  };
}

/** Mirrors of registries.conf; a file that cannot be read is said, and has none. */
async function userMirrors(say: (message: string) => void): Promise<RemoteSetting["mirrors"]> {
  try {
    return await registriesConf({ environment: process.env });
  } catch (failure) {
    if (!(failure instanceof NetFailure)) throw failure;
    say(`${failure.message}; no mirrors of it are used${failure.help === undefined ? "" : ` (${failure.help})`}`);
    return [];
  }
}
