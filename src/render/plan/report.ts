// How is a plan reported to programs? As the `Plan` and `PlanList` of docs/cli.md.

import type { JsonObject } from "../../model/json.ts";
import type { Action, OperatorChange, Orphan, Plan, Step, Target } from "../../plan/plan.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import { REPORT_VERSION } from "../output-formats.ts";
import {
  explanationReport,
  generatedReport,
  openReport,
  requestReport,
  scopeReport,
  warningReport,
} from "../resolve/report.ts";
import { catalogText } from "../resolve/shown.ts";
import { actionText } from "../sentence/action.ts";
import { sentence } from "../sentence/constraint.ts";
import { byName } from "../sentence/names.ts";
import { breachText, changeReasonText } from "../sentence/plan.ts";
import { type ShownPlans, stepId } from "./shown.ts";

export function planReport(shown: ShownPlans): JsonObject {
  const [only] = shown.plans;
  const input = inputFindingsReport(shown.inputFindings);
  if (!shown.isList && only !== undefined) return { ...oneReport(only, shown), ...input };
  return {
    apiVersion: REPORT_VERSION,
    kind: "PlanList",
    items: shown.plans.map((plan) => oneReport(plan, shown)),
    warnings: shown.warnings.map((warning) => warningReport(warning, shown)),
    ...input,
  };
}

function oneReport(plan: Plan, shown: ShownPlans): JsonObject {
  return {
    apiVersion: REPORT_VERSION,
    kind: "Plan",
    ...scopeReport(plan),
    generations: plan.generations.map(({ number, steps }) => ({
      number,
      steps: steps.map((step, index) => ({ id: stepId(number, index + 1), ...stepReport(step) })),
    })),
    outcome: plan.last.outcome,
    end: plan.end,
    ...openReport(plan.last, shown),
    orphans: plan.orphans.map(orphanReport),
    warnings: plan.warnings.map((warning) => warningReport(warning, shown)),
    target: plan.target === undefined ? null : targetReport(plan.target, shown),
    proven: plan.proven,
  };
}

function stepReport({ changes, because, migrations, actions = [] }: Step): JsonObject {
  return {
    packages: changes.map(({ package: name }) => name),
    joint: changes.length > 1,
    changes: changes.map(changeReport),
    because: because.map(({ package: name, breach }) => ({ package: name, text: breachText(breach, byName) })),
    actions: [...migrations, ...actions].map(actionReport),
  };
}

function changeReport(change: OperatorChange): JsonObject {
  const { from, to, alsoFrom, request, generatedSubscription } = change;
  return {
    package: change.package,
    from: from?.name ?? null,
    to: to?.name ?? null,
    fromVersion: from?.version ?? null,
    toVersion: to?.version ?? null,
    ...(alsoFrom.length > 0 && { alsoFrom: alsoFrom.map(({ name }) => name) }),
    channel: to?.channel ?? null,
    catalog: to === undefined ? null : catalogText(to),
    ...requestReport(request),
    generatedSubscription: generatedSubscription === undefined ? null : generatedReport(generatedSubscription),
    requiredBy: change.requiredBy.map(({ name }) => name),
    reason: changeReasonText(change),
  };
}

/** Complete manifests are only in `-o installplan`; a patch is not printed elsewhere, so it is included. */
function actionReport(action: Action): JsonObject {
  const { verb, kind, name, namespace, bundle, manifest, command } = action;
  return {
    verb,
    kind,
    name,
    namespace: namespace ?? null,
    bundle: bundle ?? null,
    text: actionText(action),
    ...(command !== undefined && { command }),
    ...(verb === "patch" && manifest !== undefined && { manifest }),
  };
}

function orphanReport({ package: owner, name, requests, inUse, neededBy }: Orphan): JsonObject {
  const objects = inUse.map(({ group, kind, count }) => ({ group, kind, count }));
  const subscriptions = requests.map(({ id }) => id);
  return {
    package: owner,
    bundle: name,
    subscriptions,
    ...(objects.length > 0 && { objects }),
    ...(neededBy !== undefined && {
      neededBy: {
        bundle: neededBy.operator.name,
        through: sentence(neededBy.demand),
        optional: neededBy.isOptional,
      },
    }),
  };
}

function targetReport({ request, isReached, explanation }: Target, shown: ShownPlans): JsonObject {
  return {
    wish: printNamedRequest(request),
    reached: isReached,
    explanation: explanation === undefined ? null : explanationReport(explanation, shown),
  };
}
