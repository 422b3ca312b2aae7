// What is in the library? One call for each job, and what these calls take and return. It reads no files, no network and no
// clock, and runs in a browser. `plimsoll/cel` is the expression language, `plimsoll/node` reads files.

export { bundleBindings, bundleEnvironment } from "./constraint/bundle-environment.ts";
export { CRD_RULES } from "./crd/finding-codes.ts";
export { checkCrd } from "./job/check-crd.ts";
export { explain } from "./job/explain.ts";
export { lint } from "./job/lint.ts";
export { place } from "./job/place.ts";
export { plan } from "./job/plan.ts";
export { render } from "./job/render.ts";
export { resolve } from "./job/resolve.ts";
export { clusterReasonText, explanationText, findingText, fixText, warningText } from "./job/sentences.ts";
export { readCatalog, readObjects } from "./job/text-input.ts";
export { UsageError } from "./job/usage-error.ts";
export { compareVersions, inRange, satisfies } from "./job/versions.ts";
export { RULES } from "./model/finding.ts";
export { printPlace } from "./model/place.ts";
export { clusterBindings, placementEnvironment } from "./placement/cel/placement-environment.ts";
export { PlacementEngine } from "./placement/engine.ts";
export { debugReport } from "./placement/ocm/debug.ts";
export { answerDebugRequest } from "./placement/ocm/debug-request.ts";
export { eventsOf } from "./placement/placement-events.ts";
export { OCM_MODE } from "./placement/placement-mode.ts";
export { eventNote, statusCondition } from "./render/sentence/placement-status.ts";
export type * from "./types.ts";
