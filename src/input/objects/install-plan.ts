// How is an InstallPlan read?

import type { InstallPlan } from "../../model/install-plan.ts";
import { partOf } from "../../model/json.ts";
import { anything, boolean, each, int32, list, object, oneOf, text } from "../shape.ts";
import { isTrue, numberOf, optionalTexts, partsOf, textFields, textOf, textsOf } from "./fields.ts";
import { identityOf, type ObjectKind, objectShape, specOf, statusOf } from "./object-kind.ts";

/** OLM's InstallPlan, without the manifests of its steps. */
export const INSTALL_PLAN: ObjectKind<InstallPlan> = {
  kind: "InstallPlan",
  group: "operators.coreos.com",
  versions: ["v1alpha1"],
  namespaced: true,
  shape: objectShape({
    spec: object({
      generation: int32,
      approval: oneOf("Automatic", "Manual", ""),
      approved: boolean,
      clusterServiceVersionNames: list(text),
      source: anything,
      sourceNamespace: anything,
    }),
    status: object({
      phase: text,
      message: text,
      plan: list(
        object({
          resolving: text,
          status: text,
          optional: anything,
          resource: object({
            ...each(text, "group", "version", "kind", "name"),
            ...each(anything, "manifest", "sourceName", "sourceNamespace"),
          }),
        }),
      ),
      ...each(anything, "attenuatedServiceAccountRef", "bundleLookups", "catalogSources", "conditions", "startTime"),
    }),
  }),
  build(given) {
    const spec = specOf(given);
    const status = statusOf(given);
    return {
      ...identityOf(given),
      generation: numberOf(spec, "generation") ?? 0,
      approval: textOf(spec, "approval") === "Manual" ? "Manual" : "Automatic",
      approved: isTrue(spec, "approved"),
      ...optionalTexts(status, "phase", "message"),
      clusterServiceVersionNames: textsOf(spec, "clusterServiceVersionNames"),
      steps: partsOf(status, "plan").map((step) => ({
        ...textFields(step, "resolving", "status"),
        ...textFields(partOf(step, "resource"), "group", "version", "kind", "name"),
      })),
    };
  },
};
