// What does the placement controller do in the main thread, besides leading and writing? It writes nothing while OCM's own controller is
// alive, and answers questions about Placements over HTTP.

import type { Controller } from "../controller/controller-process.ts";
import type { ReadingThreadData } from "../controller/enter-reading-thread.ts";
import {
  type ConditionOptions,
  type ControllerSurroundings,
  LeadingController,
  type LeadingSetting,
} from "../controller/leading-controller.ts";
import type { Logger } from "../controller/log.ts";
import { Metrics } from "../controller/metrics.ts";
import { ApiServer } from "../kube/api-server.ts";
import type { ConnectionChoice } from "../kube/connection.ts";
import { isAllowed } from "./caller.ts";
import { debugRoutes } from "./debug-routes.ts";
import { type Rival, RivalWatch } from "./rival.ts";
import { CONTROLLER, type ReadingFunctions, type ReadingSetting, type ReviewFunctions } from "./threads.ts";

export interface PlacementControllerSetting extends ReadingSetting, LeadingSetting {
  /** The reading thread opens a connection of its own. */
  readonly connection: ConnectionChoice;
  /** Where OCM's own controller runs. */
  readonly ocmNamespace: string;
  /** `HOST:PORT`; undefined: not at all. */
  readonly debugAddress: string | undefined;
}

export interface PlacementControllerSurroundings extends ControllerSurroundings {
  /** The file of the reading thread; by default beside this one. */
  readonly thread?: URL;
}

/** Starts the reading thread. */
export function placementController(
  setting: PlacementControllerSetting,
  surroundings: PlacementControllerSurroundings,
): Controller {
  const { connection, clock, thread = new URL("./reading-thread-entry.js", import.meta.url) } = surroundings;
  const { compat, tieBreak, onExpiredScore, decisionScores, writesAtOnce, ocmNamespace, debugAddress } = setting;
  // For questions about callers of the debug address.
  const reviews = new ApiServer(connection);
  const metrics = new Metrics();
  const ocmDetected = metrics.gauge(
    "plimsoll_ocm_controller_detected",
    "1 while nothing is written because OCM's own controller is alive, or it cannot be found out whether it is.",
  );
  const leading = new LeadingController<ReadingFunctions>({
    ...surroundings,
    ...{ name: CONTROLLER, setting, thread },
    workerData: {
      connection: setting.connection,
      setting: { compat, tieBreak, onExpiredScore, decisionScores, writesAtOnce },
    } satisfies ReadingThreadData<ReadingSetting>,
    functions: { review: (review) => isAllowed(reviews, review) } satisfies ReviewFunctions,
    condition: ({ server, log, onChange }: ConditionOptions) =>
      new RivalWatch({
        ...{ server, namespace: ocmNamespace, clock },
        onChange: (rival) => {
          logRival(log, ocmNamespace, rival);
          ocmDetected.set(rival === undefined ? 0 : 1);
          onChange();
        },
      }),
  });
  const routes = debugRoutes(reviews, leading.reading, ({ message }) =>
    leading.log.warn("a caller of the debug address cannot be reviewed", { why: message }),
  );
  return {
    name: CONTROLLER,
    get isAlive() {
      return leading.isAlive;
    },
    get isSettled() {
      return leading.isSettled;
    },
    servers: [{ name: "debug", address: debugAddress, routes }],
    metrics: async () => metrics.render() + (await leading.metrics()),
    run: () => leading.run(),
    stop: async () => {
      await leading.stop();
      reviews.close();
    },
  };
}

function logRival(log: Logger, namespace: string, rival: Rival | undefined): void {
  if (rival === undefined) log.info("OCM's placement controller does not run", { namespace });
  else if (rival.is === "unknown")
    log.error("nothing is written: it cannot be found out whether OCM's placement controller runs", {
      namespace,
      why: rival.failure.message,
    });
  else
    log.warn("nothing is written: OCM's own placement controller is alive", {
      namespace,
      ...(rival.is === "lease" ? { lease: "placement-lock", holder: rival.holder } : { replicas: rival.replicas }),
      help: "stop it first: docs/moving-from-ocm.md",
    });
}
