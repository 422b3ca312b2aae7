// Which cache does a command use? That of the user who runs it. What is wrong with it is a line on standard error.

import { type Cache, openCache } from "../../cache/cache.ts";
import { homeDirectory } from "../../net/home-directory.ts";

/** The cache of this user; `onTrouble` takes what is wrong with it, each problem once. */
export function userCache(onTrouble: (message: string) => void): Cache {
  return openCache({ environment: process.env, home: homeDirectory(process.env) ?? "", onTrouble });
}
