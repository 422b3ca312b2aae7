// How is an explanation reported to programs? As the `Explanation` of docs/cli.md.

import type { JsonObject } from "../../model/json.ts";
import type { Loss, NeedingOperator } from "../../resolve/explain/who-needs.ts";
import type { ResolvedOperator } from "../../resolve/resolution.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import {
  approvalReport,
  brokenReport,
  explanationReport,
  fixReport,
  requestReport,
  scopeReport,
  unsatisfiedReport,
  warningReport,
} from "../resolve/report.ts";
import { alsoMetTexts, throughText } from "../sentence/needs.ts";
import { preferredText } from "../sentence/preferred.ts";
import { reasonText } from "../sentence/reason.ts";
import { adviceOf, type ShownExplanation } from "./shown.ts";
import { summaryOf } from "./summary.ts";

export function subjectReport(shown: ShownExplanation): JsonObject {
  const { answer, warnings } = shown;
  const { subject, notNewer, preferred, loss } = answer;
  const { version } = subject;
  return {
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "Explanation",
    ...scopeReport(answer),
    subject: version === undefined ? subject.package : `${subject.package}@${version}`,
    verdict: answer.verdict,
    undecided: answer.undecided,
    summary: summaryOf(shown),
    operators: answer.operators.map(operatorReport),
    available: answer.available.map(({ name }) => name),
    explanation: {
      ...explanationReport(answer.explanation, shown),
      fixes: adviceOf(shown).map((one) => fixReport(one, one.command)),
    },
    notNewer: notNewer === undefined ? null : explanationReport(notNewer, shown),
    preferred:
      preferred === undefined ? null : { objective: preferred.objective ?? null, text: preferredText(preferred) },
    unsatisfied: answer.unsatisfied.map((item) => unsatisfiedReport(item, (one) => explanationReport(one, shown))),
    pendingApproval: answer.pending.map(approvalReport),
    whoNeeds: answer.whoNeeds.map(needingReport),
    ...(loss !== undefined && { withoutIt: lossReport(loss) }),
    warnings: warnings.map((one) => warningReport(one, shown)),
    ...inputFindingsReport(shown.inputFindings),
  };
}

function operatorReport(operator: ResolvedOperator): JsonObject {
  const { package: owner, name, version, action, request } = operator;
  return {
    package: owner,
    bundle: name,
    version: version ?? null,
    action,
    ...requestReport(request),
    reason: reasonText(operator),
  };
}

/** The library bounds the depth of these trees, so recursion is safe. */
function needingReport(one: NeedingOperator): JsonObject {
  return {
    package: one.package ?? null,
    bundle: one.name,
    version: one.version ?? null,
    ...(one.namespace !== undefined && { namespace: one.namespace }),
    through: throughText(one),
    optional: one.isOptional,
    subscription: one.request?.id ?? null,
    repeated: one.isRepeated,
    ...(one.alsoMetBy.length > 0 && { alsoMetBy: alsoMetTexts(one) }),
    neededBy: one.neededBy.map(needingReport),
  };
}

function lossReport({ broken, requests, changed }: Loss): JsonObject {
  return {
    broken: broken.map(brokenReport),
    unsatisfied: requests.map(({ id }) => id),
    changed: changed.map(({ before, after }) => ({ from: before.name, to: after?.name ?? null })),
  };
}
