// How are APIs, packages and versions said in words?

import type { ChannelEntry, Gvk } from "../../model/catalog.ts";
import { printVersion } from "../../semver/version.ts";

/** `Kind (group/version)`. */
export function apiText({ group, version, kind }: Gvk): string {
  return group === "" ? `${kind} (${version})` : `${kind} (${group}/${version})`;
}

/** A package and the versions of it that will do. */
export function packageText(name: string, versionRange: string): string {
  return versionRange === "" ? name : `${name} ${versionRange}`;
}

/** The name of an entry, with its version if the name does not end with it. */
export function entryTitle({ name, bundle }: ChannelEntry): string {
  if (bundle === undefined) return name;
  const version = printVersion(bundle.version);
  const says = name.endsWith(version) && !/[0-9]$/.test(name.slice(0, -version.length));
  return says || bundle.release !== undefined ? name : `${name} (${version})`;
}

/** A number of things. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
