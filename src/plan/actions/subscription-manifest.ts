// What does the Subscription look like that an operator needs to be updated?

import { type JsonObject, own, partOf } from "../../model/json.ts";
import type { RequestRef } from "../../model/operator-ref.ts";
import { GENERATED_ANNOTATION } from "../../model/subscription.ts";
import type { GeneratedSubscription, Origin } from "../../resolve/resolution.ts";

/** The Subscription that has to be created for an operator; undefined if one requests it already, or if it stays. */
export function neededSubscription(
  { package: one, to, request, generatedSubscription }: WantedOperator,
  namespace: string,
  sourceNamespace: string | undefined = to?.catalog.namespace,
): GeneratedSubscription | undefined {
  if (generatedSubscription !== undefined) return generatedSubscription;
  if (to === undefined || request === undefined || request.place !== undefined) return undefined;
  return {
    name: one,
    namespace,
    package: one,
    channel: to.channel,
    source: to.catalog.name,
    sourceNamespace: sourceNamespace ?? namespace,
    startingCSV: to.name,
  };
}

/** What is known about an operator that may lack a Subscription. */
export interface WantedOperator {
  readonly package: string;
  /** The bundle to install; undefined if it stays or is removed. */
  readonly to?: (Pick<Origin, "catalog" | "channel"> & { readonly name: string }) | undefined;
  readonly request?: Pick<RequestRef, "place"> | undefined;
  readonly generatedSubscription?: GeneratedSubscription | undefined;
}

/** The Subscription as a minimal object. */
export function subscriptionManifest(subscription: GeneratedSubscription): JsonObject {
  const { name, namespace, package: one, channel, source, sourceNamespace, startingCSV } = subscription;
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name, namespace },
    spec: { channel, name: one, source, sourceNamespace, startingCSV },
  };
}

/** The value of the origin annotation if the InstallPlan has no name. */
const SOME_PLAN = "plimsoll";

/** The Subscription as created by a plan; a generated one is annotated with its origin. */
export function plannedSubscription(subscription: GeneratedSubscription, isGenerated: boolean): JsonObject {
  const manifest = subscriptionManifest(subscription);
  const annotations = isGenerated && { annotations: { [GENERATED_ANNOTATION]: SOME_PLAN } };
  return {
    ...manifest,
    metadata: { ...partOf(manifest, "metadata"), ...annotations },
    spec: { ...partOf(manifest, "spec"), installPlanApproval: "Automatic" },
  };
}

/** The same Subscription; a generated one names the InstallPlan that creates it. */
export function withOrigin(manifest: JsonObject, installPlan: string): JsonObject {
  const metadata = partOf(manifest, "metadata");
  const annotations = partOf(metadata, "annotations");
  if (own(annotations, GENERATED_ANNOTATION) === undefined) return manifest;
  return {
    ...manifest,
    metadata: { ...metadata, annotations: { ...annotations, [GENERATED_ANNOTATION]: installPlan } },
  };
}

/**
 * The same Subscription for manual creation. OLM looks for the InstallPlan that the origin annotation names, and does
 * nothing in the namespace while it does not exist.
 */
export function withoutOrigin(manifest: JsonObject): JsonObject {
  const { annotations: _, ...metadata } = partOf(manifest, "metadata");
  const { [GENERATED_ANNOTATION]: origin, ...others } = partOf(partOf(manifest, "metadata"), "annotations");
  if (origin === undefined) return manifest;
  return { ...manifest, metadata: { ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) } };
}
