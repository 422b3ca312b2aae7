// How are remote catalogs read in this run? The cache, credentials and mirrors of the user, and the flags.

import { homedir } from "node:os";
import { openCache } from "../../cache/cache.ts";
import { registriesConf } from "../../oci/registries-conf.ts";
import type { RemoteSetting } from "../../remote/setting.ts";
import { note } from "../question/usage-error.ts";
import type { ReadingOptions } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { engineVersion } from "../version/version.ts";
import type { SourceFlags } from "./options.ts";

/** The setting of a run, once for all catalogs. */
export function settingFor(flags: SourceFlags & ReadingOptions, terminal: Terminal): Omit<RemoteSetting, "onProgress"> {
  throw new Error("not yet");
}
