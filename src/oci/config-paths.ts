// Where are the configuration files of container engines?

import { join } from "node:path";
import { homeDirectory } from "../net/home-directory.ts";

/** Whose files are read; injected, so that a test reads no files of the machine. */
export interface ConfigPlace {
  readonly environment: NodeJS.ProcessEnv;
  /** The user's home directory; by default that of the environment. */
  readonly home?: string;
  /** The directory of the system's configuration; `/etc` by default. */
  readonly system?: string;
}

/** A path in the home directory; none if there is no home directory. */
export function homePath({ home, environment }: ConfigPlace, name: string): readonly string[] {
  const directory = home ?? homeDirectory(environment);
  return directory === undefined ? [] : [join(directory, name)];
}

/** A path in the directory `containers` of the user's configuration; none if the user has no configuration. */
export function userContainers(place: ConfigPlace, name: string): readonly string[] {
  const { XDG_CONFIG_HOME: named } = place.environment;
  const configurations = named ? [named] : homePath(place, ".config");
  return configurations.map((directory) => join(directory, "containers", name));
}

/** A path in the system's configuration. */
export function systemPath({ system = "/etc" }: ConfigPlace, ...parts: readonly string[]): string {
  return join(system, ...parts);
}
