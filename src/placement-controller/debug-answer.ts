// What does the mirror answer to OCM's debug endpoint?

import { ObjectsReader } from "../input/objects/read-objects.ts";
import { clusterItem } from "../live/cluster-item.ts";
import type { Placement } from "../model/placement.ts";
import {
  answerDebugRequest,
  type DebugAnswer,
  type DebugRequest,
  type DebugSources,
} from "../placement/ocm/debug-request.ts";
import { faultMessage } from "../render/sentence/placement-fault.ts";
import type { HubMirror } from "./hub-mirror.ts";
import { whyIncomplete, whyUnreadable } from "./place-json.ts";
import { apiOf } from "./watched-kinds.ts";

/** The answer, for the hub as it is now. */
export function debugAnswer(
  request: DebugRequest,
  mirror: HubMirror,
  { mode, review }: Pick<DebugSources, "mode" | "review">,
): Promise<DebugAnswer> {
  mirror.apply();
  return answerDebugRequest(request, {
    engine: mirror.engine,
    ...{ mode, faultMessage, review },
    read: placementIn,
    unreadable: (key) => whyUnreadable(mirror, key),
    incomplete: () => whyIncomplete(mirror),
    onAffected: (affected) => mirror.affect(affected),
  });
}

/** The Placement of a JSON text; or why there is none. */
function placementIn(text: string): Placement | string {
  const item = clusterItem(text, apiOf("placements"));
  if (typeof item === "string") return item;
  const faults: string[] = [];
  const reader = new ObjectsReader((finding) => {
    if (finding.severity === "error") faults.push(finding.message);
  });
  reader.add(item.object, item.place);
  const [placement] = reader.finish().placements;
  return placement ?? faults.join("; ");
}
