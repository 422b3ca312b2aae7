// What is done to the cluster in a step, and in which order is that safe? Definitions come before what uses them, permissions
// before those who need them, operators before what they look after; stored objects are moved before their version goes.

import { lossText } from "../../crd/rewrite-loss.ts";
import { named, namedAll } from "../../crd/upgrade/observation.ts";
import { compareText } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { isSubscribed } from "../../resolve/carried-out.ts";
import { sourceNamespaceOf } from "../../resolve/source-namespace.ts";
import type { Migration } from "../migration.ts";
import type { Action, OperatorChange } from "../plan.ts";
import { type Arrival, bundleActions, objectText, STAGES, type StagedAction } from "./bundle-actions.ts";
import { patchCommand, type RemovedKind, removalCommand, rewriteCommand } from "./commands.ts";
import { operatorOrder } from "./operator-order.ts";
import { neededSubscription, plannedSubscription } from "./subscription-manifest.ts";

/** What a step depends on beside its changes. */
export interface StepSurroundings {
  /** The namespace before the step. */
  readonly problem: Problem;
  /** What has to be done to custom kinds before, by the name of their definition. */
  readonly migrations: readonly Migration[];
}

/** The actions of a step: those of all its changes together. */
export function actionsOf(changes: readonly OperatorChange[], around: StepSurroundings): readonly Action[] {
  const { problem, migrations } = around;
  const arrivals = changes.flatMap((change): readonly Arrival[] =>
    change.to === undefined ? [] : [{ change, to: change.to }],
  );
  const staged = [
    ...arrivals.flatMap((arrival) => [...bundleActions(arrival, problem), ...subscriptionActions(arrival, problem)]),
    ...changes.filter(({ to }) => to === undefined).flatMap((change) => removalActions(change, problem)),
  ].sort(inOrder(operatorOrder(arrivals)));
  return [...migrationActions(migrations), ...createdOnce(staged.map(({ action }) => action))];
}

/** Stage by stage; `operators` are the names of the bundles as their operators take their places. */
function inOrder(operators: readonly string[]): (a: StagedAction, b: StagedAction) => number {
  const ranks = new Map(operators.map((name, index) => [name, index]));
  const rankOf = ({ stage, action }: StagedAction): number =>
    stage === "operators" ? (ranks.get(action.name) ?? 0) : 0;
  return (a, b) =>
    STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage) ||
    rankOf(a) - rankOf(b) ||
    compareText(a.action.bundle ?? "", b.action.bundle ?? "") ||
    // A Subscription would bring its operator back: it goes first.
    (a.stage === "removal" ? compareText(b.action.kind, a.action.kind) : compareText(a.action.kind, b.action.kind)) ||
    compareText(a.action.name, b.action.name);
}

/** Two bundles of a joint step may bring the same definition: it is there when the second comes. */
function createdOnce(actions: readonly Action[]): readonly Action[] {
  const created = new Set<string>();
  return actions.map((action) => {
    const { verb, kind, name, bundle = "" } = action;
    if (verb !== "create" || kind !== "CustomResourceDefinition") return action;
    if (created.has(name)) return { ...action, verb: "update", text: objectText("update", kind, name, bundle) };
    created.add(name);
    return action;
  });
}

/** Every object is written again, then the cluster is told. Nobody else does either. */
function migrationActions(migrations: readonly Migration[]): readonly Action[] {
  return migrations.flatMap(
    ({ definition: { definition, objects, isPartial }, bundle, removed, storage, left, loss }) => {
      const { name, scope } = definition;
      const about = { kind: "CustomResourceDefinition", name, namespace: undefined, bundle };
      const all = `every object of ${named(name)}${scope === "Cluster" ? "" : " in all namespaces"}`;
      const count = objects === undefined || isPartial ? "" : ` (${objects.length})`;
      return [
        {
          ...about,
          verb: "rewrite",
          text: `write ${all}${count} again before ${named(bundle)} comes, unchanged, so that it is stored in ${named(storage)} and no longer in ${namedAll(removed)}${loss.length === 0 ? "" : `; where an object has it, this loses ${lossText(loss)}`}`,
          manifest: undefined,
          command: rewriteCommand(name),
        },
        {
          ...about,
          verb: "patch",
          text: `set status.storedVersions of ${named(name)} to [${left.map(named).join(", ")}] before ${named(bundle)} comes`,
          manifest: { status: { storedVersions: left } },
          command: patchCommand(name, left),
        },
      ];
    },
  );
}

/** The Subscription that comes with an operator, if it lacks one. */
function subscriptionActions({ change, to }: Arrival, problem: Problem): readonly StagedAction[] {
  const isGenerated = change.generatedSubscription !== undefined;
  if (!isGenerated && hasSubscription({ change, to }, problem)) return [];
  const needed = neededSubscription(change, problem.namespace, sourceNamespaceOf(to.catalog, problem));
  if (needed === undefined) return [];
  const { name, namespace, package: one, channel, source } = needed;
  return [
    {
      stage: "subscriptions",
      action: {
        verb: "create",
        kind: "Subscription",
        name,
        namespace,
        bundle: to.bundle.name,
        text: `create Subscription ${named(name)} for package ${named(one)}, channel ${named(channel)} of catalog ${named(source)}`,
        manifest: plannedSubscription(needed, isGenerated),
      },
    },
  ];
}

/** Does a Subscription keep the package up to date, or has an earlier step of the plan brought one? */
function hasSubscription({ change }: Arrival, { requests }: Problem): boolean {
  return requests.some((request) => request.package === change.package && isSubscribed(request));
}

/** What keeps the operator up to date goes, then the operator itself. */
function removalActions({ from }: OperatorChange, { namespace, requests }: Problem): readonly StagedAction[] {
  if (from === undefined) return [];
  const removal = (kind: RemovedKind, name: string, text: string): StagedAction => ({
    stage: "removal",
    action: {
      verb: "delete",
      kind,
      name,
      namespace,
      bundle: undefined,
      text: `delete ${kind} ${named(namespace)}/${named(name)}${text}`,
      manifest: undefined,
      command: removalCommand(kind, name, namespace),
    },
  });
  return [
    ...requests
      .filter((one) => one.installed === from.name && isSubscribed(one))
      .map((one) => removal("Subscription", one.name, ` of ${named(from.name)}`)),
    removal("ClusterServiceVersion", from.name, "; its CustomResourceDefinitions and their objects stay"),
  ];
}
