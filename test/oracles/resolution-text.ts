// Are two answers the same? An answer as text, in which catalogs, bundles, operators and requests are names, and from which
// places in files are left out.

import type { Resolution } from "../../src/resolve/resolution.ts";

/** The whole answer, except for the fields that are left out. */
export function resolutionText(resolution: Resolution, leftOut: readonly (keyof Resolution)[] = []): string {
  // The content of causes is in facts and text; the keys of properties have the order of the file.
  const silent = new Set<string>(["place", "causes", "derivation", ...leftOut]);
  return JSON.stringify(resolution, (key, value: unknown) => {
    if (silent.has(key)) return undefined;
    return NAMED.has(key) ? nameOf(value) : typeof value === "bigint" ? String(value) : value;
  });
}

const NAMED: ReadonlySet<string> = new Set(["catalog", "bundle", "installed", "request"]);

/** The name of a thing that has one; everything else as it is. */
function nameOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "name" in value ? value.name : value;
}
