// Which message reports a package, bundle or channel that the catalogs do not have, or a text that cannot be explained?

import type { Missing } from "../../catalog/missing.ts";
import type { UnknownSubject } from "../../resolve/explain/read-subject.ts";
import { listed, quoted } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";

/** How many names a sentence lists, and how long the text of a user may be in it. */
const MAX_LISTED = 8;
const MAX_QUOTED = 118;

/** Where the names are that there are. */
const LIST_PACKAGES = "plimsoll show --catalog PATH lists the packages";

/** What is wrong with an argument and what to do, in one sentence. */
export function missingText(missing: Missing): string {
  if (missing.reason === "ambiguous") {
    const { argument, shared, instead } = missing;
    const why =
      shared === "name" ? "bundles of different packages have this name" : "several bundles have this version";
    return `${quoted(argument, MAX_QUOTED)} is ambiguous, because ${why}; say which one: ${listed(instead, MAX_LISTED)}`;
  }
  if (missing.what === "part") {
    const { package: owner, part, name, known } = missing;
    const has = known.length === 0 ? "" : `; it has ${listed(known, MAX_LISTED)}`;
    return `package ${owner} has no ${part} ${quoted(name, MAX_QUOTED)}${has}${meantText(missing)}`;
  }
  const { name, catalogs, instead } = missing;
  const list = catalogs.length === 0 || instead.length > 0 ? "" : `; ${LIST_PACKAGES}`;
  return `there is no package or bundle ${quoted(name, MAX_QUOTED)}${whereText(catalogs)}${list}${meantText(missing)}`;
}

function whereText(catalogs: readonly string[]): string {
  if (catalogs.length === 0) return "; there is no catalog";
  return ` in ${catalogs.length === 1 ? "catalog" : "the catalogs"} ${listed(catalogs, MAX_LISTED)}`;
}

function meantText({ instead: [meant] }: Missing): string {
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

export const unknownSubjectText: (unknown: UnknownSubject) => string = byKind({
  "no-package": (unknown) => `${quoted(unknown.text, MAX_QUOTED)} names no package: write PACKAGE or PACKAGE@VERSION`,
  "no-version": (unknown) => `${quoted(unknown.text, MAX_QUOTED)} names no version: write PACKAGE or PACKAGE@VERSION`,
  "not-a-package": (unknown) =>
    `${quoted(unknown.text, MAX_QUOTED)} is not a package: write PACKAGE or PACKAGE@VERSION`,
  missing: (unknown) => {
    const { unavailable, missing } = unknown;
    if (
      unavailable.length > 0 &&
      missing.reason === "unknown" &&
      missing.what !== "part" &&
      missing.catalogs.length === 0
    )
      return `nothing could be read from ${unavailable.length === 1 ? "catalog" : "the catalogs"} ${listed(unavailable, MAX_LISTED)}, so nothing is known about ${quoted(missing.name, MAX_QUOTED)}`;
    const more =
      unavailable.length === 0 ? "" : ` (the content of catalog ${listed(unavailable, MAX_LISTED)} is unknown)`;
    return `${missingText(missing)}${more}`;
  },
  "unknown-version": ({ package: owner, version, known, meant }) => {
    const has = known.length === 0 ? "" : `; it has ${listed(known, MAX_LISTED)}`;
    const nearest = meant === undefined ? "" : `; did you mean ${owner}@${meant}?`;
    return `package ${owner} has no version ${quoted(version, MAX_QUOTED)}${has}${nearest}`;
  },
});
