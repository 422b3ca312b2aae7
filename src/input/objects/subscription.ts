// How is a Subscription read?

import { finding } from "../../model/finding.ts";
import { textUnder } from "../../model/labels.ts";
import { inside } from "../../model/place.ts";
import { type Approval, PRIORITY_ANNOTATION, type Subscription } from "../../model/subscription.ts";
import { anything, each, object, objectWith, text } from "../shape.ts";
import { optionalTexts, textFields, textMapOf, textOf } from "./fields.ts";
import { type GivenObject, identityOf, type ObjectKind, shapeWithSpec, specOf, statusOf } from "./object-kind.ts";

/** OLM's Subscription. */
export const SUBSCRIPTION: ObjectKind<Subscription> = {
  kind: "Subscription",
  group: "operators.coreos.com",
  versions: ["v1alpha1"],
  namespaced: true,
  shape: shapeWithSpec({
    spec: objectWith(["name", "source", "sourceNamespace"], {
      ...each(text, "name", "channel", "source", "sourceNamespace", "startingCSV", "installPlanApproval"),
      config: anything,
    }),
    status: object({
      ...each(text, "installedCSV", "currentCSV", "state", "reason"),
      ...each(anything, "catalogHealth", "conditions", "installPlanGeneration", "installPlanRef", "installplan"),
      lastUpdated: anything,
    }),
  }),
  build(given) {
    const spec = specOf(given);
    return {
      ...identityOf(given),
      annotations: textMapOf(given.metadata, "annotations"),
      priority: priorityOf(given),
      package: textOf(spec, "name") ?? "",
      ...textFields(spec, "source", "sourceNamespace"),
      ...optionalTexts(spec, "channel", "startingCSV"),
      approval: approvalOf(given),
      ...optionalTexts(statusOf(given), "installedCSV", "currentCSV", "state"),
    };
  },
};

/** Only exactly `Manual` makes updates wait, as in OLM; any other word is probably a mistake. */
function approvalOf(given: GivenObject): Approval {
  const written = textOf(specOf(given), "installPlanApproval") ?? "Automatic";
  if (written === "Manual" || written === "Automatic") return written;
  const found = finding("PL009", inside(given.place, "spec", "installPlanApproval"), {
    message: `spec.installPlanApproval is ${JSON.stringify(written)}, which is neither Automatic nor Manual`,
    help: "as it is, updates do not wait for approval; write Manual if they are to",
  });
  given.report({ ...found, severity: "warning" });
  return "Automatic";
}

/** The priority of the annotation; one that is not an integer is reported and ignored. */
export function priorityOf(given: GivenObject): number {
  const written = textUnder(textMapOf(given.metadata, "annotations"), PRIORITY_ANNOTATION);
  if (written === undefined) return 0;
  const priority = /^[-+]?[0-9]+$/.test(written) ? Number(written) : Number.NaN;
  // Adding 0 turns -0 into 0.
  if (Number.isSafeInteger(priority)) return priority + 0;
  given.report(
    finding("PL009", inside(given.place, "metadata", "annotations", PRIORITY_ANNOTATION), {
      message: `the annotation ${PRIORITY_ANNOTATION} must be a whole number, but is ${JSON.stringify(written)}`,
      help: "as it is, the priority is 0",
    }),
  );
  return 0;
}
