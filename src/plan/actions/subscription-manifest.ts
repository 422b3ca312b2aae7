// How is a Subscription written that an operator needs, so that it is kept up to date?

import { type JsonObject, own, partOf } from "../../model/json.ts";
import type { RequestRef } from "../../model/operator-ref.ts";
import { GENERATED_ANNOTATION } from "../../model/subscription.ts";
import type { GeneratedSubscription, Origin } from "../../resolve/resolution.ts";

/** The Subscription that an operator lacks; nothing if somebody has already asked for it, or it stays as it is. */
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

/** What is known of an operator that may lack a Subscription. */
export interface WantedOperator {
  readonly package: string;
  /** The bundle that comes; nothing where it stays or goes. */
  readonly to?: (Pick<Origin, "catalog" | "channel"> & { readonly name: string }) | undefined;
  readonly request?: Pick<RequestRef, "place"> | undefined;
  readonly generatedSubscription?: GeneratedSubscription | undefined;
}

/** The Subscription as an object, in the fewest words. */
export function subscriptionManifest(subscription: GeneratedSubscription): JsonObject {
  const { name, namespace, package: one, channel, source, sourceNamespace, startingCSV } = subscription;
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name, namespace },
    spec: { channel, name: one, source, sourceNamespace, startingCSV },
  };
}

/** What the annotation of origin says where nobody has given the InstallPlan a name. */
const SOME_PLAN = "plimsoll";

/** The Subscription as a plan makes it; a generated one says where it comes from. */
export function plannedSubscription(subscription: GeneratedSubscription, isGenerated: boolean): JsonObject {
  const manifest = subscriptionManifest(subscription);
  const annotations = isGenerated && { annotations: { [GENERATED_ANNOTATION]: SOME_PLAN } };
  return {
    ...manifest,
    metadata: { ...partOf(manifest, "metadata"), ...annotations },
    spec: { ...partOf(manifest, "spec"), installPlanApproval: "Automatic" },
  };
}

/** The same Subscription; if it is a generated one, it names the InstallPlan that brings it. */
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
 * The same Subscription for somebody who creates it himself. OLM looks for the InstallPlan that the annotation of origin
 * names, and does nothing in the namespace while there is none.
 */
export function withoutOrigin(manifest: JsonObject): JsonObject {
  const { annotations: _, ...metadata } = partOf(manifest, "metadata");
  const { [GENERATED_ANNOTATION]: origin, ...others } = partOf(partOf(manifest, "metadata"), "annotations");
  if (origin === undefined) return manifest;
  return { ...manifest, metadata: { ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) } };
}
