// How do the versions of a package in bundle directories upgrade? Either each ClusterServiceVersion names what it
// replaces, or the order of versions decides: the two community repositories choose by `updateGraph` in the `ci.yaml`
// of a package. The three modes are those of operator-registry (pkg/registry/bundlegraphloader.go, v1.73.0).

import { finding, type Report } from "../../model/finding.ts";
import { type JsonObject, own, typeName } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import type { Version } from "../../semver/version.ts";
import { quoted } from "../../text/words.ts";
import type { EntryDraft } from "../catalog/read-package.ts";
import type { DerivedBundle } from "./derive-bundle.ts";

/**
 * `replaces`: the edges of the ClusterServiceVersions. `semver`: each version replaces the next lower one of its channel.
 * `semver-skippatch`: the same, but the highest patch of a minor version skips the lower ones.
 */
export type UpdateGraph = "replaces" | "semver" | "semver-skippatch";

const MODES: readonly UpdateGraph[] = ["replaces", "semver", "semver-skippatch"];

/** The mode in a `ci.yaml`; undefined, with a finding, if it is not one of the three. */
export function readUpdateGraph(settings: JsonObject, place: Place, report: Report): UpdateGraph | undefined {
  const value = own(settings, "updateGraph");
  if (value === undefined || value === null) return undefined;
  const mode = MODES.find((known) => value === known || value === `${known}-mode`);
  if (mode !== undefined) return mode;
  const message = `updateGraph ${typeof value === "string" ? quoted(value) : typeName(value)} is not a known mode`;
  const help = `write one of ${MODES.map((known) => `${known}-mode`).join(", ")}; as it is, the bundles decide`;
  report(finding("PL012", inside(place, "updateGraph"), { message, help }));
  return undefined;
}

/** The fields of a bundle that decide its position in the graph. */
export type GraphMember = Pick<DerivedBundle, "version" | "entry">;

/** Without a `ci.yaml`: a package in which no bundle names another is ordered by version. */
export function modeOf(members: readonly GraphMember[]): UpdateGraph {
  return members.some(({ entry }) => entry.replaces !== undefined || entry.skips !== undefined) ? "replaces" : "semver";
}

/**
 * The entries of a channel that is ordered by version. `replaces` and `skips` of the bundles are ignored, `skipRange`
 * is not. A bundle whose version cannot be read is left out.
 */
export function versionEntries(newestFirst: readonly GraphMember[], mode: "semver" | "semver-skippatch"): EntryDraft[] {
  const ordered: (GraphMember & { readonly version: Version })[] = [];
  const seen = new Set<string>();
  for (const { version, entry } of newestFirst) {
    if (version === undefined || seen.has(entry.name)) continue;
    seen.add(entry.name);
    ordered.push({ version, entry });
  }
  return ordered.map(({ version, entry }, index) => {
    const lower = ordered.slice(index + 1);
    const higher = ordered[index - 1];
    const isSameMinor = (other: Version) => other.major === version.major && other.minor === version.minor;
    const { name, skipRange, csv } = entry;
    const base = { name, ...(skipRange !== undefined && { skipRange }), ...(csv !== undefined && { csv }) };
    if (mode === "semver") return { ...base, ...(lower[0] && { replaces: lower[0].entry.name }) };
    // A lower patch stays an entry, which is skipped, so that an installed one still has an upgrade edge.
    if (higher !== undefined && isSameMinor(higher.version)) return base;
    const skips = lower.filter((other) => isSameMinor(other.version)).map((other) => other.entry.name);
    const replaced = lower.find((other) => !isSameMinor(other.version));
    return {
      ...base,
      ...(replaced && { replaces: replaced.entry.name }),
      ...(skips.length > 0 && { skips }),
    };
  });
}
