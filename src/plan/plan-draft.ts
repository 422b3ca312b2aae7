// What is a plan made of while it is built? The same changes and steps, with live bundles, operators and states.

import { given } from "../model/json.ts";
import type { OperatorRef } from "../model/operator-ref.ts";
import type { Problem, Request } from "../model/problem.ts";
import { knownSourceNamespace, sharesName } from "../resolve/catalog-order.ts";
import { catalogRef, refOf, requestRef } from "../resolve/member.ts";
import type { AppliedChange, ChosenBundle } from "../resolve/state-after.ts";
import { printVersion } from "../semver/version.ts";
import { actionsOf, migrationActions, withKubectl } from "./actions/actions-of.ts";
import type { Migration } from "./migration.ts";
import { orderedChanges } from "./ordered-changes.ts";
import type {
  Action,
  Because,
  BundleRef,
  ChangeReason,
  Generation,
  OperatorChange,
  Plan,
  PlanOptions,
  PlanOutcome,
  Step,
} from "./plan.ts";

/** An {@link OperatorChange} under construction. */
export interface PlannedChange extends AppliedChange {
  readonly package: string;
  readonly request: Request | undefined;
  readonly requiredBy: readonly OperatorRef[];
  readonly reason: ChangeReason;
}

/** A {@link Step} under construction. */
export interface PlannedStep {
  readonly changes: readonly PlannedChange[];
  readonly because: readonly Because[];
  /** The namespace before the step. */
  readonly problem: Problem;
  /** The migrations before it, by definition name. */
  readonly migrations: readonly Migration[];
}

/** A {@link Plan} with the states before and after it. */
export interface FoundPlan extends PlanOutcome {
  readonly generations: readonly Generation<PlannedStep>[];
  readonly before: Problem;
  readonly after: Problem;
}

/** The plans of some namespaces as values. */
export function planValues(
  plans: readonly FoundPlan[],
  options: Pick<PlanOptions, "actions" | "kubectl">,
): readonly Plan[] {
  const ordered = orderedChanges(plans);
  return plans.map(({ before, after, generations, ...outcome }) => ({
    ...outcome,
    generations: generations.map(({ number, steps }) => ({
      number,
      steps: steps.map((step) => stepValue(step, before, ordered, options)),
    })),
    before: before.installed.map(refOf),
    after: after.installed.map(refOf),
    gone: before.gone.map(refOf),
    installPlans: before.installPlans ?? 0,
  }));
}

function stepValue(
  { changes, because, problem, migrations }: PlannedStep,
  before: Problem,
  ordered: ReadonlySet<PlannedChange>,
  { actions, kubectl = "kubectl" }: Pick<PlanOptions, "actions" | "kubectl">,
): Step {
  const onCluster = (action: Action): Action => withKubectl(action, kubectl);
  return {
    changes: changes.map((change) => ({
      ...changeValue(change, before),
      ...(ordered.has(change) && { isOrdered: true }),
    })),
    because,
    migrations: migrationActions(migrations).map(onCluster),
    ...(actions !== undefined && {
      actions: actionsOf(changes, problem)
        .map(onCluster)
        .map((action) => (actions === "whole" ? action : shortened(action))),
    }),
  };
}

function changeValue(change: PlannedChange, before: Problem): OperatorChange {
  const { package: owner, from, alsoFrom, to, request, ...rest } = change;
  const moved = { from: from && refOf(from), alsoFrom: alsoFrom.map(refOf), to: to && bundleRef(to, before) };
  return given({ package: owner, ...moved, request: request && requestRef(request), ...rest });
}

function bundleRef({ bundle, catalog, channel }: ChosenBundle, before: Problem): BundleRef {
  const { name, package: owner, version } = bundle;
  const isNameShared = sharesName(catalog, before.catalogs) || undefined;
  const from = { catalog: catalogRef(catalog), isNameShared, channel };
  const sourceNamespace = knownSourceNamespace(catalog, before);
  return given({ name, package: owner, version: printVersion(version), ...from, sourceNamespace });
}

/** Without the manifest, unless it is a patch. */
function shortened(whole: Action): Action {
  if (whole.verb === "patch") return whole;
  const { manifest: _, ...action } = whole;
  if (action.detail.kind !== "content") return action;
  const { properties: __, ...detail } = action.detail;
  return { ...action, detail };
}
