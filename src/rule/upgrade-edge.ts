// Can an installed operator be updated to an entry of a channel?

import type { ChannelEntry } from "../model/catalog.ts";
import type { Installed } from "../model/problem.ts";
import { inRange } from "../semver/blang-range.ts";
import { type Rule, rule } from "./rule.ts";

/** How an entry can be reached from an installed operator. */
export type EdgeKind = "replaces" | "skips" | "skipRange";

/** The edge that leads from an installed operator to an entry; nothing if none does, or if it is that operator. */
export function edgeFrom(installed: Pick<Installed, "name" | "version">, entry: ChannelEntry): EdgeKind | undefined {
  if (entry.name === installed.name) return undefined;
  if (entry.replaces === installed.name) return "replaces";
  if (entry.skips.includes(installed.name)) return "skips";
  const { skipRange } = entry;
  if (skipRange !== undefined && installed.version !== undefined && inRange(skipRange, installed.version))
    return "skipRange";
  return undefined;
}

/** Does an edge lead from an installed operator to an entry? */
export function hasEdge(installed: Pick<Installed, "name" | "version">, entry: ChannelEntry): boolean {
  return edgeFrom(installed, entry) !== undefined;
}

/**
 * An installed operator stays, or moves along an upgrade edge (OLM; seed 004):
 * `kept ∨ target₁ ∨ target₂ ∨ …`, and `¬kept ∨ ¬targetᵢ` for each target.
 */
export function upgradeEdgeRule(installed: Installed, targets: readonly string[]): Rule {
  const { name, place } = installed;
  const text =
    targets.length === 0
      ? `${name} stays: no entry of its channel replaces it, skips it or has its version in its skipRange`
      : `${name} stays, or is updated to ${targets.join(" or ")}`;
  return rule("upgrade-edge", name, text, place);
}
