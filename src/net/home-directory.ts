// Where is the home directory of the user? A pod may run as a number without a name: then there is none, and nothing is read from it.

import { homedir } from "node:os";

/** The home directory; undefined for a user without HOME and without an entry in the list of users. */
export function homeDirectory(environment: NodeJS.ProcessEnv): string | undefined {
  return environment.HOME || environment.USERPROFILE || homeOfUser();
}

/** What the list of users says about the user of this process. */
function homeOfUser(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
