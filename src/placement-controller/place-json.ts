// What does `place -o json` say of one Placement of the hub, as it is now?

import { KINDS } from "../input/objects/kind-table.ts";
import { printPlace } from "../model/place.ts";
import { clustersDecided } from "../placement/compare/changes-since.ts";
import type { PlacementEngine } from "../placement/engine.ts";
import { missingSets } from "../placement/missing-input.ts";
import type { PlacementMode } from "../placement/placement-mode.ts";
import type { ClusterReport, PlacementDecisions } from "../placement/placement-result.ts";
import { placementExplanation } from "../render/placement/report.ts";
import { placementReportText } from "../render/placement/report-text.ts";
import { unreadableText } from "../render/sentence/placement-status.ts";
import type { HubMirror } from "./hub-mirror.ts";
import type { PlaceAnswer, PlaceRequest } from "./threads.ts";

/** How it is placed, as far as the answer shows that. */
export interface Placing {
  readonly mode: PlacementMode;
  readonly tieBreak: "name" | "hash" | undefined;
}

/** The JSON, or why there is none; undefined if the hub has no such Placement. */
export function placeJson(mirror: HubMirror, placing: Placing, request: PlaceRequest): PlaceAnswer | undefined {
  mirror.apply();
  const incomplete = whyIncomplete(mirror);
  if (incomplete !== undefined) return { incomplete };
  const { engine, stores } = mirror;
  const { namespace, name, cluster, seesCluster } = request;
  const key = `${namespace}/${name}`;
  const result = engine.result(key);
  if (result === undefined) {
    const unreadable = whyUnreadable(mirror, key);
    return unreadable === undefined ? undefined : { unreadable };
  }
  const inNamespace = <Model extends { readonly namespace: string }>(
    items: Iterable<{ readonly model: Model | undefined }>,
  ) => [...items].flatMap(({ model }) => (model?.namespace === namespace ? [model] : []));
  const decided = clustersDecided(inNamespace(stores.placementDecisions.values()));
  const lackingSets = missingSets({
    ...NO_OBJECTS,
    managedClusterSets: [...stores.managedClusterSets.values()].flatMap(({ model }) => model ?? []),
    managedClusterSetBindings: inNamespace(stores.managedClusterSetBindings.values()),
  });
  const explained = cluster === undefined ? undefined : explanation(engine, key, { cluster, seesCluster });
  const shown = {
    placements: [
      {
        result,
        decisions: engine.decisions(key) as PlacementDecisions,
        clusters: cluster === undefined ? engine.eachReport(key) : explained === undefined ? [] : [explained],
        decided: decided.get(key),
        lackingSets: lackingSets.get(namespace),
      },
    ],
    mode: placing.mode,
    tieBreak: placing.tieBreak ?? "name",
    now: mirror.now(),
    at: printPlace,
    spot: () => undefined,
    scores: [...stores.addOnPlacementScores.values()].flatMap(({ model }) => model ?? []),
  };
  const text =
    cluster === undefined
      ? [...placementReportText(shown)].join("")
      : `${JSON.stringify(placementExplanation(shown, cluster), undefined, 2)}\n`;
  return { text };
}

/**
 * The report on a cluster, with every check if it is a candidate: an expression can read everything of a cluster, and must not reveal one of
 * other sets to the author of the Placement. Of those, it says only what the decisions say.
 */
function explanation(
  engine: PlacementEngine,
  key: string,
  { cluster, seesCluster }: { readonly cluster: string; readonly seesCluster: boolean },
): ClusterReport | undefined {
  if (seesCluster || engine.isCandidate(key, cluster))
    return engine.report(key, cluster, { allChecks: true, trace: true });
  const report = engine.report(key, cluster);
  return report?.selected === true ? report : undefined;
}

/** Why a Placement of the hub cannot be read; undefined if there is none, or it can. */
export function whyUnreadable({ stores }: HubMirror, key: string): string | undefined {
  const placement = stores.placements.get(key);
  if (placement === undefined || placement.model !== undefined) return undefined;
  return unreadableText("Placement", placement.name, placement.findings);
}

/** Why no Placement can be answered yet; undefined if everything that can be read was read, Placements included. */
export function whyIncomplete(mirror: HubMirror): string | undefined {
  const lost = new Map(mirror.unread.map(({ kind, failure }) => [kind, failure]));
  const unreadable = lost.get("placements");
  if (unreadable !== undefined) return `Placements cannot be read: ${unreadable.message}`;
  if (mirror.isSettled) return undefined;
  const kinds = mirror.unsynced.flatMap((list) => {
    const failure = mirror.failureOf(list);
    return lost.has(list) ? [] : [`${KINDS[list].kind}${failure === undefined ? "" : ` (${failure.message})`}`];
  });
  return `some kinds are not read yet: ${kinds.join(", ")}`;
}

const NO_OBJECTS = { managedClusters: [], placements: [], placementDecisions: [], addOnPlacementScores: [] };
