// How can an installed operator change?

import type { Installed } from "../model/problem.ts";
import { whyStays } from "../rule/upgrade-edge.ts";
import { type Candidates, lacksSource } from "./candidates.ts";
import type { StayOrMoveCause, StaysCause } from "./explain/cause.ts";

/** It stays, or is updated to a candidate of the requests that claim it. */
export function stayOrMoveOf(installed: Installed, claims: readonly Candidates[]): StayOrMoveCause | StaysCause {
  const targets = [...new Set(claims.flatMap(({ nodes }) => nodes))];
  const why = whyStays(
    installed,
    claims.map((one) => ({ targets: one.nodes.length, lacksSource: lacksSource(one) })),
  );
  if (why !== undefined)
    return { kind: "stays", installed, why, targets, ...(why === "no-source" && { open: claims.find(lacksSource) }) };
  const channels = new Set(claims.flatMap((one) => [...one.channels.values()]));
  return { kind: "stay-or-move", installed, channels: [...channels], targets };
}
