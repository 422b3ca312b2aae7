// Which actions does a step take on the cluster, and in which order are they safe? Definitions come before what uses
// them, permissions before operators, operators before their objects; stored objects are migrated before their
// version is removed. In the cluster scope, ClusterExtensions are set to the new versions.

import { providedApis } from "../../constraint/provided-apis.ts";
import { addTo } from "../../model/grouped.ts";
import { canonicalText, compareText } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { sourceNamespaceOf } from "../../resolve/catalog-order.ts";
import { goneIn, isSubscribed } from "../../resolve/state-after.ts";
import type { Migration } from "../migration.ts";
import type { Action } from "../plan.ts";
import type { PlannedChange } from "../plan-draft.ts";
import { type Arrival, bundleActions, isPlain, STAGES, type StagedAction } from "./bundle-actions.ts";
import { extensionActions } from "./extension-actions.ts";
import { neededSubscription, plannedSubscription } from "./subscription-manifest.ts";

/**
 * The actions of a step after its migrations: those of all its changes together. The problem is the one before the
 * step.
 */
export function actionsOf(changes: readonly PlannedChange[], problem: Problem): readonly Action[] {
  const arrivals = changes.flatMap((change): readonly Arrival[] =>
    change.to === undefined ? [] : [{ change, to: change.to }],
  );
  const staged = [
    ...(problem.scope === "cluster"
      ? extensionActions(arrivals, problem)
      : arrivals.flatMap((one) => [...bundleActions(one, problem), ...subscriptionActions(one, problem)])),
    ...changes.filter(({ to }) => to === undefined).flatMap((change) => removalActions(change, problem)),
  ].sort(inOrder(operatorOrder(arrivals)));
  return createdOnce(staged.map(({ action }) => action));
}

/** By stage; `operators` are the names of the bundles in installation order. */
function inOrder(operators: readonly string[]): (a: StagedAction, b: StagedAction) => number {
  const ranks = new Map(operators.map((name, index) => [name, index]));
  const rankOf = ({ stage, action }: StagedAction): number =>
    stage === "operators" ? (ranks.get(action.bundle ?? "") ?? 0) : 0;
  return (a, b) =>
    STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage) ||
    rankOf(a) - rankOf(b) ||
    compareText(a.action.bundle ?? "", b.action.bundle ?? "") ||
    // A Subscription would reinstall its operator: it is removed first.
    (a.stage === "removal" ? compareText(b.action.kind, a.action.kind) : compareText(a.action.kind, b.action.kind)) ||
    compareText(a.action.name, b.action.name);
}

/** Two bundles of a joint step may contain the same definition: the second one updates it. */
function createdOnce(actions: readonly Action[]): readonly Action[] {
  const created = new Set<string>();
  return actions.map((action) => {
    const { verb, kind, name } = action;
    if (verb !== "create" || kind !== "CustomResourceDefinition") return action;
    if (created.has(name)) return { ...action, verb: "update" };
    created.add(name);
    return action;
  });
}

/** Every object is rewritten, then `status.storedVersions` is set. OLM does neither. */
export function migrationActions(migrations: readonly Migration[]): readonly Action[] {
  return migrations.flatMap(
    ({ definition: { definition, objects, isPartial }, bundle, removed, storage, left, loss }): readonly Action[] => {
      const { name, scope } = definition;
      const about = { kind: "CustomResourceDefinition", name, bundle };
      const [rewrite, patch] = [rewriteCommand(name), patchCommand(name, left)];
      return [
        {
          ...about,
          verb: "rewrite",
          detail: {
            kind: "stored-objects",
            allNamespaces: scope !== "Cluster",
            ...(objects !== undefined && !isPartial && { count: objects.length }),
            storage,
            removed,
            loss: loss.map(({ code, path, object }) => ({ code, path, ...(object !== undefined && { object }) })),
          },
          ...(rewrite !== undefined && { command: rewrite }),
        },
        {
          ...about,
          verb: "patch",
          detail: { kind: "stored-versions", versions: left },
          manifest: { status: { storedVersions: left } },
          ...(patch !== undefined && { command: patch }),
        },
      ];
    },
  );
}

/** The Subscription created with an operator, if it has none. */
function subscriptionActions({ change, to }: Arrival, problem: Problem): readonly StagedAction[] {
  const isGenerated = change.generatedSubscription !== undefined;
  // A Subscription claims the package, or an earlier step of the plan has created one.
  if (!isGenerated && problem.requests.some((one) => one.package === change.package && isSubscribed(one))) return [];
  const needed = neededSubscription(
    { ...change, to: { ...to, name: to.bundle.name } },
    problem.namespace,
    sourceNamespaceOf(to.catalog, problem),
  );
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
        detail: { kind: "subscription", package: one, channel, source },
        manifest: plannedSubscription(needed, isGenerated),
      },
    },
  ];
}

/** The Subscriptions of the operator are removed, then the operator itself. */
function removalActions({ from }: PlannedChange, { namespace, requests }: Problem): readonly StagedAction[] {
  if (from === undefined) return [];
  const removal = (kind: RemovedKind, name: string): StagedAction => {
    const command = removalCommand(kind, name, namespace);
    return {
      stage: "removal",
      action: {
        verb: "delete",
        kind,
        name,
        namespace,
        detail: { kind: "removal", operator: from.name },
        ...(command !== undefined && { command }),
      },
    };
  };
  return [
    ...requests
      .filter((one) => one.installed === from.name && isSubscribed(one))
      .map((one) => removal("Subscription", one.name)),
    removal("ClusterServiceVersion", from.name),
  ];
}

/**
 * The names of the bundles: those that give up an API before those that take it, since two operators that provide the
 * same API do not run at the same time; otherwise by name.
 */
function operatorOrder(arrivals: readonly Arrival[]): readonly string[] {
  const left = new Map(givers(arrivals));
  const order: string[] = [];
  while (left.size > 0) {
    const next = [...left.keys()].find((name) => isFree(name, left)) ?? firstInCycle(left);
    left.delete(next);
    order.push(next);
  }
  return order;
}

/** By bundle name: the bundles it has to wait for. */
type Givers = ReadonlyMap<string, readonly string[]>;

function givers(arrivals: readonly Arrival[]): Givers {
  const givingUp = new Map<string, string[]>();
  for (const { change, to } of arrivals) {
    const kept = new Set(providedApis(to.bundle.properties));
    const had = new Set(goneIn(change).flatMap(({ properties }) => providedApis(properties)));
    for (const api of had) if (!kept.has(api)) addTo(givingUp, api, to.bundle.name);
  }
  return new Map(
    arrivals
      .map(({ to: { bundle } }): [string, readonly string[]] => [
        bundle.name,
        [...new Set(providedApis(bundle.properties).flatMap((api) => givingUp.get(api) ?? []))].sort(compareText),
      ])
      .sort(([a], [b]) => compareText(a, b)),
  );
}

function isFree(name: string, left: Givers): boolean {
  return (left.get(name) ?? []).every((giver) => !left.has(giver));
}

/** If every bundle waits for another one, there is a cycle: the first of it by name. */
function firstInCycle(left: Givers): string {
  const waitsFor = (name: string): string => (left.get(name) ?? []).find((giver) => left.has(giver)) as string;
  const visited = new Set<string>();
  let name = [...left.keys()][0] as string;
  while (!visited.has(name)) {
    visited.add(name);
    name = waitsFor(name);
  }
  const cycle = [name];
  for (let next = waitsFor(name); next !== name; next = waitsFor(next)) cycle.push(next);
  return cycle.sort(compareText)[0] as string;
}

/** Rewrites every object of a kind; the name of a CustomResourceDefinition is the plural and group of its kind. */
export function rewriteCommand(definition: string): string | undefined {
  return isPlain(definition) ? `kubectl get ${definition} -A -o json | kubectl replace -f -` : undefined;
}

/** Sets the stored versions. */
export function patchCommand(definition: string, storedVersions: readonly string[]): string | undefined {
  if (![definition, ...storedVersions].every(isPlain)) return undefined;
  const patch = canonicalText({ status: { storedVersions } });
  return `kubectl patch customresourcedefinitions.apiextensions.k8s.io ${definition} --subresource=status --type=merge -p '${patch}'`;
}

/** What is removed with an operator. */
export type RemovedKind = keyof typeof RESOURCES;

/** Full resource names: other systems have Subscriptions, too. */
const RESOURCES = {
  Subscription: "subscriptions.operators.coreos.com",
  ClusterServiceVersion: "clusterserviceversions.operators.coreos.com",
} as const;

/** Removes an object. */
export function removalCommand(kind: RemovedKind, name: string, namespace: string): string | undefined {
  return [name, namespace].every(isPlain) ? `kubectl delete ${RESOURCES[kind]} ${name} -n ${namespace}` : undefined;
}

/** The action, with kubectl called as for the cluster of the plan: a pasted command must not change another one. */
export function withKubectl(action: Action, kubectl: string): Action {
  if (action.command === undefined) return action;
  const calls = action.command.split(" | ").map((call) => call.replace(/^kubectl/, () => kubectl));
  return { ...action, command: calls.join(" | ") };
}
