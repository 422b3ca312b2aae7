// Which Subscriptions would bring this about? Manifests for the packages that were named on the command line and for the
// operators that come with them.

import { neededSubscription, subscriptionManifest } from "../../plan/actions/subscription-manifest.ts";
import { printYaml } from "../kit/yaml.ts";
import type { ShownResolutions } from "./shown.ts";

/** The manifests as YAML documents; an empty text if no Subscription is missing. */
export function subscriptionManifests({ resolutions }: ShownResolutions): string {
  const needed = resolutions.flatMap(({ operators, namespace }) =>
    operators.flatMap(
      ({ from, name, ...operator }) =>
        neededSubscription({ ...operator, to: from && { ...from, name } }, namespace) ?? [],
    ),
  );
  return needed.map((subscription) => printYaml(subscriptionManifest(subscription))).join("---\n");
}
