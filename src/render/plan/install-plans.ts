// How would OLM write down the steps of a plan? One InstallPlan for each, with every object that it makes.

import { canonicalText, compareText, type JsonObject, own } from "../../model/json.ts";
import { withOrigin } from "../../plan/actions/subscription-manifest.ts";
import type { Action, ActionDetail, BundleRef, OperatorChange } from "../../plan/plan.ts";
import { safeText } from "../kit/safe-text.ts";
import { printYaml } from "../kit/yaml.ts";
import { actionText } from "../sentence/action.ts";
import type { ShownPlans } from "./shown.ts";
import { installPlanName, isOfNamespace, type PlacedStep, placedSteps } from "./subscriptions.ts";

/**
 * The InstallPlans as YAML documents, in the order in which they are carried out. Removals are not part of an InstallPlan:
 * they are written as comments at their position in the order.
 */
export function installPlanManifests({ plans }: Pick<ShownPlans, "plans">): string {
  const counts = new Map<string, number>();
  let text = "";
  for (const placed of placedSteps(plans.filter(isOfNamespace))) {
    const { namespace } = placed.plan;
    if (placed.step.changes.some(({ to }) => to !== undefined)) {
      const count = (counts.get(namespace) ?? placed.plan.installPlans) + 1;
      counts.set(namespace, count);
      text += `${text === "" ? "" : "---\n"}${printYaml(installPlan(placed, count))}`;
    }
    for (const action of placed.step.actions ?? [])
      if (action.verb === "delete")
        text += manualLines(action)
          .map((line) => `# ${safeText(line)}\n`)
          .join("");
  }
  return text;
}

function installPlan(placed: PlacedStep, count: number): JsonObject {
  const { plan, generation, number, step } = placed;
  const { namespace } = plan;
  const { migrations, actions = [] } = step;
  const name = installPlanName(placed);
  const arrivals = step.changes.flatMap((change) => (change.to === undefined ? [] : [{ change, to: change.to }]));
  const sources = new Map(arrivals.map(({ to }) => [to.name, to]));
  const before = migrations.flatMap(manualLines);
  const lookups = arrivals.flatMap(({ change, to }) => {
    const content = contentOf(to, actions);
    return content === undefined ? [] : [bundleLookup(change, to, content, namespace)];
  });
  const isUnapproved = arrivals.some(({ change: { request } }) => request?.isManual);
  const isManual = isUnapproved || arrivals.some(({ change: { request } }) => request?.isApproved);
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "InstallPlan",
    metadata: {
      name,
      namespace,
      labels: { "plimsoll.dev/plan-generation": String(generation), "plimsoll.dev/step": String(number) },
      ...(before.length > 0 && { annotations: { "plimsoll.dev/before": before.join("\n") } }),
    },
    spec: {
      approval: isManual ? "Manual" : "Automatic",
      approved: !isUnapproved,
      clusterServiceVersionNames: arrivals.map(({ to }) => to.name).sort(compareText),
      generation: count,
    },
    status: {
      phase: "Installing",
      catalogSources: [...new Set(arrivals.map(({ to }) => to.catalog.name))].sort(compareText),
      ...(lookups.length > 0 && { bundleLookups: lookups }),
      plan: actions.flatMap((action) => planStep(action, sources, name, namespace) ?? []),
    },
  };
}

/** What no InstallPlan does, followed by how to do it manually. */
function manualLines(action: Action): readonly string[] {
  const [text, { command }] = [actionText(action), action];
  return command === undefined ? [text] : [text, `  ${command}`];
}

type Content = Extract<ActionDetail, { readonly kind: "content" }>;

/** What has to be unpacked of a bundle; only an image can be. */
function contentOf({ name }: BundleRef, actions: readonly Action[]): Content | undefined {
  for (const { bundle, detail } of actions)
    if (bundle === name && detail.kind === "content" && detail.image !== "") return detail;
  return undefined;
}

/** What OLM does about an object; nothing for what it does not do, or cannot do before it has unpacked an image. */
function planStep(
  { kind, name, bundle, manifest }: Action,
  sources: ReadonlyMap<string, BundleRef>,
  installPlan: string,
  namespace: string,
): JsonObject | undefined {
  const source = bundle === undefined ? undefined : sources.get(bundle);
  if (manifest === undefined || source === undefined) return undefined;
  const apiVersion = own(manifest, "apiVersion");
  const version = typeof apiVersion === "string" ? apiVersion : "";
  const object = kind === "Subscription" ? withOrigin(manifest, installPlan) : manifest;
  return {
    resolving: source.name,
    resource: {
      group: version.slice(0, Math.max(0, version.indexOf("/"))),
      kind,
      manifest: canonicalText(object),
      name,
      sourceName: source.catalog.name,
      sourceNamespace: source.sourceNamespace ?? namespace,
      version: version.slice(version.indexOf("/") + 1),
    },
    status: "Unknown",
  };
}

/** A bundle whose content is in its image (OLM case E08). */
function bundleLookup(
  { from }: OperatorChange,
  { name, catalog, sourceNamespace }: BundleRef,
  { image, properties = "" }: Content,
  namespace: string,
): JsonObject {
  return {
    catalogSourceRef: { name: catalog.name, namespace: sourceNamespace ?? namespace },
    conditions: [
      {
        type: "BundleLookupNotPersisted",
        status: "True",
        reason: "BundleNotUnpacked",
        message: "the content of the bundle is not part of this plan yet",
      },
      {
        type: "BundleLookupPending",
        status: "True",
        reason: "JobNotStarted",
        message: "the image of the bundle is not unpacked yet",
      },
    ],
    identifier: name,
    path: image,
    properties,
    replaces: from?.name ?? "",
  };
}
