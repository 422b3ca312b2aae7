// What does a program get to know about Resolutions? The items of a StatusReport; what is unknown is null.

import type { Condition } from "../../model/condition.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { adviceCounts, doubtsOf, type ReadStatus, type ResolutionAdvice } from "../../model/resolution-advice.ts";
import type { AdvisedChange } from "../../model/resolution-object.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import type { ShownFinding } from "../finding/finding-text.ts";
import { REPORT_VERSION } from "../output-formats.ts";
import { doubtText, phrase, whyText } from "../sentence/advice.ts";

/** The whole report. */
export function statusReport(resolutions: readonly ResolutionAdvice[], findings: readonly ShownFinding[]): JsonObject {
  return {
    apiVersion: REPORT_VERSION,
    kind: "StatusReport",
    items: resolutions.map(itemReport),
    ...inputFindingsReport(findings),
  };
}

/** What has happened to a Resolution. */
export type StatusChange = "added" | "changed" | "deleted";

/** One change, for `--watch`. */
export function changeReport(change: StatusChange, resolution: ResolutionAdvice): JsonObject {
  return { apiVersion: REPORT_VERSION, kind: "StatusChange", change, item: itemReport(resolution) };
}

function itemReport(resolution: ResolutionAdvice): JsonObject {
  const { namespace, name, mode, generation } = resolution;
  // What was advised before it was turned off does not count.
  const status = mode === "Off" ? undefined : resolution.status;
  return {
    ...{ namespace, name, mode: mode ?? null, outcome: status?.outcome ?? null },
    counts: status === undefined ? null : countsReport(status),
    why: whyText(resolution),
    doubts: doubtsOf(resolution).map((doubt) => ({ kind: doubt.kind, text: phrase(doubtText(doubt)) })),
    heldBack: (status?.heldBack ?? []).map(({ package: owner, bundle, available, summary }) => ({
      ...{ package: owner, bundle, available, summary },
    })),
    unsatisfied: (status?.unsatisfied ?? []).map((one) => ({
      ...{
        package: one.package,
        subscription: one.subscription ?? null,
        clusterExtension: one.clusterExtension ?? null,
      },
      ...{ undecided: one.undecided, kept: one.kept ?? null, summary: one.summary },
    })),
    pendingApproval: (status?.pendingApproval ?? []).map(({ subscriptions, changes, awaiting = [] }) => ({
      ...{ subscriptions, changes: changes.map(changeOf), awaiting },
    })),
    warnings: (status?.warnings ?? []).map(({ code, message }) => ({ code, message })),
    cut: status?.cut ?? [],
    generation: generation ?? null,
    observedGeneration: resolution.status?.observedGeneration ?? null,
    conditions: (resolution.status?.conditions ?? []).map(conditionReport),
  };
}

/** The counts of the status, and how many of the requests are refused. */
function countsReport(status: ReadStatus): Json {
  const { operators, updates, heldBack, unsatisfied, pendingApproval } = status.counts;
  return {
    operators: operators ?? null,
    updates: updates ?? null,
    heldBack: heldBack ?? null,
    unsatisfied: unsatisfied ?? null,
    refused: adviceCounts(status).refused ?? null,
    pendingApproval: pendingApproval ?? null,
  };
}

function changeOf({ package: owner, from, to }: AdvisedChange): Json {
  return { package: owner, from: from ?? null, to };
}

function conditionReport({ type, status, reason, message, lastTransitionTime }: Condition): Json {
  return {
    ...{ type, status, reason: reason ?? null, message: message ?? null },
    lastTransitionTime: lastTransitionTime ?? null,
  };
}
