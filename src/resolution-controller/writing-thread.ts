// What does the resolution controller do in the main thread? It leads and writes as every controller does; nothing more.

import type { ReadingThreadData } from "../controller/enter-reading-thread.ts";
import {
  type ControllerSurroundings,
  LeadingController,
  type LeadingSetting,
} from "../controller/leading-controller.ts";
import { CONTROLLER, type ReadingFunctions, type ReadingSetting } from "./threads.ts";

export type ResolutionControllerSetting = ReadingSetting & LeadingSetting;

export interface ResolutionControllerSurroundings extends ControllerSurroundings {
  /** The file of the reading thread; by default beside this one. */
  readonly thread?: URL;
}

/** Starts the reading thread, which starts the engine workers. */
export function resolutionController(
  setting: ResolutionControllerSetting,
  surroundings: ResolutionControllerSurroundings,
): LeadingController<ReadingFunctions> {
  const thread = surroundings.thread ?? new URL("./resolution-reading-entry.js", import.meta.url);
  const { connection, version, namespace, writesAtOnce } = setting;
  const { configMap, resolveWorkers, insecureRegistry, catalogPeriod } = setting;
  const reading: ReadingSetting = {
    ...{ connection, version, namespace, writesAtOnce },
    ...{ configMap, resolveWorkers, insecureRegistry, catalogPeriod },
  };
  return new LeadingController<ReadingFunctions>({
    ...surroundings,
    ...{ name: CONTROLLER, setting, thread },
    workerData: { connection, setting: reading } satisfies ReadingThreadData<ReadingSetting>,
  });
}
