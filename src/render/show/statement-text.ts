// How are entries and deprecations described in words?

import type { Deprecation } from "../../catalog/deprecation.ts";
import type { ChannelEntry } from "../../model/catalog.ts";
import { printVersion } from "../../semver/version.ts";

/** The name of an entry, with its version if the name does not end with it. */
export function entryTitle({ name, bundle }: ChannelEntry): string {
  if (bundle === undefined) return name;
  const version = printVersion(bundle.version);
  const says = name.endsWith(version) && !/[0-9]$/.test(name.slice(0, -version.length));
  return says || bundle.release !== undefined ? name : `${name} (${version})`;
}

/** Why a bundle should no longer be used; nothing if it may be. */
export function deprecationMessage(deprecation: Deprecation | undefined): string | undefined {
  if (deprecation === undefined) return undefined;
  return deprecation.kind === "stated"
    ? deprecation.message
    : "marked olm.deprecated: it only holds the upgrade graph together";
}

/** A deprecation as text, even if it has no message. */
export function deprecationText(message: string | undefined): string | undefined {
  return message === "" ? "yes, without a reason" : message;
}
