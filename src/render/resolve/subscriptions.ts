// Which Subscriptions would bring this about? Manifests for the packages that were named on the command line and for the
// operators that come with them.

import type { JsonObject } from "../../model/json.ts";
import type { GeneratedSubscription, Resolution, ResolvedOperator } from "../../resolve/resolution.ts";
import { printYaml } from "../yaml.ts";
import type { ShownResolutions } from "./shown.ts";

/** The manifests as YAML documents; an empty text where no Subscription is missing. */
export function subscriptionManifests({ resolutions }: ShownResolutions): string {
  const manifests = resolutions.flatMap((resolution) =>
    resolution.operators.flatMap((operator) => neededSubscription(operator, resolution) ?? []),
  );
  return manifests.map((subscription) => printYaml(manifestOf(subscription))).join("---\n");
}

/** The Subscription that an operator lacks; nothing if somebody has already asked for it, or it stays as it is. */
function neededSubscription(
  { name, package: one, from, request, generatedSubscription }: ResolvedOperator,
  { namespace }: Resolution,
): GeneratedSubscription | undefined {
  if (generatedSubscription !== undefined) return generatedSubscription;
  if (from === undefined || request === undefined || request.place !== undefined) return undefined;
  return {
    name: one,
    namespace,
    package: one,
    channel: from.channel,
    source: from.catalog.name,
    sourceNamespace: from.catalog.namespace ?? namespace,
    startingCSV: name,
  };
}

function manifestOf(subscription: GeneratedSubscription): JsonObject {
  const { name, namespace, package: one, channel, source, sourceNamespace, startingCSV } = subscription;
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name, namespace },
    spec: { channel, name: one, source, sourceNamespace, startingCSV },
  };
}
