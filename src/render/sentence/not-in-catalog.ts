// Which message reports a package, bundle or channel that the catalogs do not have?

import type { Missing } from "../../catalog/missing.ts";
import { quoted } from "../../text/words.ts";

/** What is wrong with an argument and what to do, in one sentence. */
export function missingText(missing: Missing): string {
  if (missing.reason === "ambiguous") {
    const { argument, shared, instead } = missing;
    const why =
      shared === "name" ? "bundles of different packages have this name" : "several bundles have this version";
    return `${quote(argument)} is ambiguous, because ${why}; say which one: ${list(instead)}`;
  }
  if (missing.what === "part") {
    const { package: owner, part, name, known } = missing;
    const has = known.length === 0 ? "" : `; it has ${list(known)}`;
    return `package ${owner} has no ${part} ${quote(name)}${has}${meantText(missing)}`;
  }
  return `there is no package or bundle ${quote(missing.name)}${whereText(missing.catalogs)}${meantText(missing)}`;
}

function whereText(catalogs: readonly string[]): string {
  if (catalogs.length === 0) return "; there is no catalog";
  return ` in ${catalogs.length === 1 ? "catalog" : "the catalogs"} ${list(catalogs)}`;
}

function meantText({ instead: [meant] }: Missing): string {
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** More names than this are not listed. */
const MAX_LISTED = 8;

function list(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).join(", ");
  return names.length <= MAX_LISTED ? shown : `${shown} and ${names.length - MAX_LISTED} more`;
}

/** What the user wrote, no longer than a message can hold. */
function quote(text: string): string {
  return quoted(text, 118);
}
