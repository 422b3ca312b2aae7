// Where are the configuration files of container engines?

import { homedir } from "node:os";
import { join } from "node:path";

/** Whose files are read; injected, so that a test reads no files of the machine. */
export interface ConfigPlace {
  readonly environment: NodeJS.ProcessEnv;
  /** The user's home directory; by default that of the environment. */
  readonly home?: string;
  /** The directory of the system's configuration; `/etc` by default. */
  readonly system?: string;
}

export function homeOf({ home, environment }: ConfigPlace): string {
  return home ?? (environment.HOME || environment.USERPROFILE || homedir());
}

/** The directory `containers` of the user's configuration. */
export function userContainers(place: ConfigPlace): string {
  return join(place.environment.XDG_CONFIG_HOME || join(homeOf(place), ".config"), "containers");
}

/** A path in the system's configuration. */
export function systemPath({ system = "/etc" }: ConfigPlace, ...parts: readonly string[]): string {
  return join(system, ...parts);
}
