// How is a resolution reported to programs? As the `Resolution` and `ResolutionList` of docs/cli.md.

import type { JsonObject } from "../../model/json.ts";
import type { RequestRef } from "../../model/operator-ref.ts";
import { CLUSTER_SCOPE } from "../../model/problem.ts";
import type {
  Explanation,
  Fix,
  GeneratedSubscription,
  PendingApproval,
  Resolution,
  ResolvedOperator,
  Unsatisfied,
} from "../../resolve/resolution.ts";
import type { Warning } from "../../resolve/warning.ts";
import type { BrokenRule } from "../../rule/rules.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import { REPORT_VERSION } from "../output-formats.ts";
import { bodyText } from "../sentence/explanation-body.ts";
import { factSubject, factTexts } from "../sentence/fact.ts";
import { fixText } from "../sentence/fix.ts";
import { byName } from "../sentence/names.ts";
import { reasonText } from "../sentence/reason.ts";
import { brokenSubject, brokenText, detailText, one } from "../sentence/rule.ts";
import { warningText } from "../sentence/warning.ts";
import { catalogText, type ShownResolutions } from "./shown.ts";

export function resolutionReport(shown: ShownResolutions): JsonObject {
  const [only] = shown.resolutions;
  const input = inputFindingsReport(shown.inputFindings);
  if (!shown.isList && only !== undefined) return { ...oneReport(only, shown), ...input };
  return {
    apiVersion: REPORT_VERSION,
    kind: "ResolutionList",
    items: shown.resolutions.map((resolution) => oneReport(resolution, shown)),
    warnings: shown.warnings.map((warning) => warningReport(warning, shown)),
    ...input,
  };
}

function oneReport(resolution: Resolution, shown: ShownResolutions): JsonObject {
  const { withoutRuntimeConstraints } = resolution;
  return {
    apiVersion: REPORT_VERSION,
    kind: "Resolution",
    ...scopeReport(resolution),
    outcome: resolution.outcome,
    operators: resolution.operators.map(operatorReport),
    ...openReport(resolution, shown),
    warnings: resolution.warnings.map((warning) => warningReport(warning, shown)),
    objectives: resolution.objectives.map(({ name, value, proven }) => ({ name, value, proven })),
    proven: resolution.proven,
    statistics: { ...resolution.statistics },
    ...(withoutRuntimeConstraints !== undefined && {
      withoutRuntimeConstraints: oneReport(withoutRuntimeConstraints, shown),
    }),
  };
}

/** What is refused, pending or broken. */
export function openReport(
  resolution: Omit<Resolution, "warnings">,
  shown: Pick<ShownResolutions, "at" | "command">,
): JsonObject {
  const explained = (explanation: Explanation): JsonObject => explanationReport(explanation, shown);
  return {
    heldBack: resolution.heldBack.map(({ package: name, name: bundle, available, head, explanation }) => ({
      package: name,
      bundle,
      available: available.map((one) => one.name),
      ...(head !== undefined && { head: { channel: head.channel, bundle: head.bundle.name } }),
      ...(explanation !== undefined && { explanation: explained(explanation) }),
    })),
    unsatisfied: resolution.unsatisfied.map((item) => unsatisfiedReport(item, explained)),
    pendingApproval: resolution.pendingApproval.map(approvalReport),
    broken: resolution.broken.map(brokenReport),
    optionalNotMet: resolution.optionalNotMet.map(({ operator: { name }, detail }) => ({
      bundle: name,
      text: detailText(detail, one(name)),
      message: detail.constraint.message ?? null,
    })),
  };
}

/** The namespace of an answer; the cluster scope has none. */
export function scopeReport({ namespace }: Pick<Resolution, "namespace">): JsonObject {
  return namespace === CLUSTER_SCOPE ? { scope: "cluster", namespace: null } : { namespace };
}

/** The object that requests an operator. */
export function requestReport(request: RequestRef | undefined): JsonObject {
  return request?.extension === undefined
    ? { subscription: request?.id ?? null }
    : { subscription: null, clusterExtension: request.id };
}

function operatorReport(operator: ResolvedOperator): JsonObject {
  const { from, action, installed, request, generatedSubscription } = operator;
  return {
    package: operator.package,
    bundle: operator.name,
    version: operator.version ?? null,
    channel: from?.channel ?? null,
    catalog: from === undefined ? null : catalogText(from),
    action,
    replaces: action === "update" ? (installed?.name ?? null) : null,
    ...requestReport(request),
    generatedSubscription: generatedSubscription === undefined ? null : generatedReport(generatedSubscription),
    requiredBy: operator.requiredBy,
    reason: reasonText(operator),
  };
}

/** The Subscription that is generated for a dependency. */
export function generatedReport(subscription: GeneratedSubscription): JsonObject {
  const { name, namespace, package: one, channel, source, sourceNamespace, startingCSV } = subscription;
  return { name, namespace, package: one, channel, source, sourceNamespace, startingCSV };
}

export function unsatisfiedReport(
  { request, undecided, kept, explanation }: Unsatisfied,
  explained: (explanation: Explanation) => JsonObject,
): JsonObject {
  return {
    ...requestReport(request),
    package: request.package,
    undecided,
    kept: kept ?? null,
    ...(explanation !== undefined && { explanation: explained(explanation) }),
  };
}

export function approvalReport({ requests, changes, awaiting }: PendingApproval): JsonObject {
  return {
    subscriptions: requests.map(({ id }) => id),
    changes: changes.map(({ package: name, from, to }) => ({ package: name, from: from?.name ?? null, to: to.name })),
    awaiting,
  };
}

export function explanationReport(
  explanation: Explanation,
  { at, command }: Pick<ShownResolutions, "at" | "command">,
): JsonObject {
  const { facts, fixes } = explanation;
  const texts = factTexts(explanation);
  return {
    text: bodyText(explanation),
    facts: facts.map((fact, index) => ({
      rule: fact.rule,
      text: texts[index] ?? "",
      subject: factSubject(fact),
      ...(fact.place !== undefined && { at: at(fact.place) }),
    })),
    fixes: fixes.map((fix) => fixReport({ ...fix, text: fixText(fix) }, command(fix))),
  };
}

export function fixReport(
  { text, because }: Pick<Fix, "because"> & { readonly text: string },
  command: string,
): JsonObject {
  return { text, command, ...(because !== undefined && { because: factTexts(because) }) };
}

export function brokenReport(rule: BrokenRule): JsonObject {
  return { subject: brokenSubject(rule), text: brokenText(rule) };
}

export function warningReport(warning: Warning, { at }: Pick<ShownResolutions, "at">): JsonObject {
  const { code, place } = warning;
  return { code, message: warningText(warning, byName), at: place === undefined ? null : at(place) };
}
