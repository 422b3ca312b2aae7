// Which cache does a command use? That of the user who runs it. What is wrong with it is a line on standard error.

import { homedir } from "node:os";
import { type Cache, openCache } from "../../cache/cache.ts";

/** The cache of this user; `onTrouble` takes what is wrong with it, each problem once. */
export function userCache(onTrouble: (message: string) => void): Cache {
  return openCache({ environment: process.env, home: homeDirectory(), onTrouble });
}

/** The home directory; empty if the user has none. */
function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    // A user without an entry in the list of users, and without HOME.
    return "";
  }
}
