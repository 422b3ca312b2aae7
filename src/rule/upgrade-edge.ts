// Can an installed operator be updated to an entry of a channel? It stays, or follows an upgrade edge (OLM; seed
// 004): `kept ∨ target₁ ∨ target₂ ∨ …`, and `¬kept ∨ ¬targetᵢ` for each target (shape/stay-or-move.ts).

import type { ChannelEntry } from "../model/catalog.ts";
import type { Installed } from "../model/problem.ts";
import { inRange } from "../semver/blang-range.ts";
import { isHeld } from "./held-operator.ts";

/** The kinds of upgrade edges. */
export type EdgeKind = "replaces" | "skips" | "skipRange";

/** The upgrade edge from an installed operator to an entry; undefined if there is none, or if it is that operator. */
export function edgeFrom(installed: Pick<Installed, "name" | "version">, entry: ChannelEntry): EdgeKind | undefined {
  if (entry.name === installed.name) return undefined;
  if (entry.replaces === installed.name) return "replaces";
  if (entry.skips.includes(installed.name)) return "skips";
  const { skipRange } = entry;
  if (skipRange !== undefined && installed.version !== undefined && inRange(skipRange, installed.version))
    return "skipRange";
  return undefined;
}

/** Is there an upgrade edge from an installed operator to an entry? */
export function hasEdge(installed: Pick<Installed, "name" | "version">, entry: ChannelEntry): boolean {
  return edgeFrom(installed, entry) !== undefined;
}

/** Why an operator stays: it is held; no request claims it; its source is gone or was not read; nothing is newer. */
export type WhyStays = "held" | "unclaimed" | "no-source" | "no-update";

/** Why an operator must stay; undefined if it may move to a target of the requests that claim it. */
export function whyStays(
  installed: Pick<Installed, "hold">,
  claims: readonly { readonly targets: number; readonly lacksSource: boolean }[],
): WhyStays | undefined {
  if (isHeld(installed)) return "held";
  if (claims.some(({ targets }) => targets > 0)) return undefined;
  if (claims.length === 0) return "unclaimed";
  return claims.some(({ lacksSource }) => lacksSource) ? "no-source" : "no-update";
}
