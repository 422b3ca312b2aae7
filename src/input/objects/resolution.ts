// How is a Resolution read? Defensively: its status may be of another version, or edited by hand. A field of the wrong type is
// reported and counts as not given; the rest is used.

import { kindKey } from "../../model/catalog.ts";
import type { CustomResource } from "../../model/custom-resource.ts";
import { finding, type Report } from "../../model/finding.ts";
import { isObject, type JsonObject, own, partOf } from "../../model/json.ts";
import { inside, printPath } from "../../model/place.ts";
import type { Briefly, ReadStatus, ResolutionAdvice } from "../../model/resolution-advice.ts";
import {
  type AdvisedApproval,
  type AdvisedChange,
  type AdvisedHold,
  type AdvisedRefusal,
  RESOLUTION_GROUP,
  RESOLUTION_VERSION,
  type ResolutionSpec,
  type ResolutionStatus,
} from "../../model/resolution-object.ts";
import { boolean, count, each, fits, fittingPart, integer, list, object, oneOf, type Shape, text } from "../shape.ts";
import { conditionsOf, isTrue, numberOf, optionalTexts, partsOf, textFields, textOf, textsOf } from "./fields.ts";
import { CONDITIONS } from "./object-kind.ts";

export const RESOLUTION_KIND = "Resolution";
/** How documents of the kind are found. */
export const RESOLUTION_KEY: string = kindKey({ group: RESOLUTION_GROUP, kind: RESOLUTION_KIND });

const CHANGES = list(object(each(text, "package", "from", "to")));

/** What is read of a Resolution. Nothing of the status is required: a controller of another version may not write it. */
const SHAPE: Shape = object({
  metadata: object({ ...each(text, "name", "namespace"), generation: integer }),
  spec: object({ mode: oneOf("Advise", "Off") }),
  status: object({
    observedGeneration: integer,
    outcome: oneOf("Resolved", "Partial", "Unsatisfiable", "Undecided"),
    ...each(text, "summary", "reason"),
    counts: object(each(count, "operators", "updates", "heldBack", "unsatisfied", "pendingApproval")),
    heldBack: list(object({ ...each(text, "package", "bundle", "summary"), available: list(text) })),
    unsatisfied: list(
      object({
        ...each(text, "package", "subscription", "clusterExtension", "kept", "summary"),
        undecided: boolean,
      }),
    ),
    pendingApproval: list(object({ changes: CHANGES, ...each(list(text), "subscriptions", "awaiting") })),
    warnings: list(object(each(text, "code", "message"))),
    cut: list(text),
    conditions: CONDITIONS,
  }),
});

/** What a Resolution says; `namespace` is that of objects that state none. */
export function readResolution(resource: CustomResource, namespace: string, report: Report): ResolutionAdvice {
  const { object: value, place, name } = resource;
  if (resource.version !== RESOLUTION_VERSION)
    report(
      finding("PL008", inside(place, "apiVersion"), {
        message: `${JSON.stringify(resource.version)} is not a known version of ${RESOLUTION_KIND}`,
        help: `it is read as ${RESOLUTION_GROUP}/${RESOLUTION_VERSION}`,
      }),
    );
  const unread = new Set<string>();
  fits(value, SHAPE, place, (found) => {
    // A status is not written by people: a field that resembles a known one is one of another version.
    if (found.severity !== "error") return;
    unread.add(printPath(found.place.path ?? []) || "other fields");
    report(found);
  });
  const read = fittingPart(value, SHAPE) as JsonObject;
  return {
    ...{ place, name, namespace: resource.namespace || namespace },
    generation: numberOf(partOf(read, "metadata"), "generation"),
    mode: modeOf(partOf(read, "spec"), unread),
    status: isObject(own(read, "status")) ? statusOf(partOf(read, "status")) : undefined,
    unread: [...unread],
  };
}

/** The mode; without one, that of the API server. */
function modeOf(spec: JsonObject, unread: ReadonlySet<string>): ResolutionSpec["mode"] | undefined {
  const mode = textOf(spec, "mode") as ResolutionSpec["mode"] | undefined;
  return mode ?? (unread.has("spec") || unread.has("spec.mode") ? undefined : "Advise");
}

function statusOf(status: JsonObject): ReadStatus {
  const counts = partOf(status, "counts");
  return {
    observedGeneration: numberOf(status, "observedGeneration"),
    outcome: textOf(status, "outcome") as ResolutionStatus["outcome"],
    summary: textOf(status, "summary"),
    reason: textOf(status, "reason"),
    counts: {
      ...countOf(counts, "operators"),
      ...countOf(counts, "updates"),
      ...countOf(counts, "heldBack"),
      ...countOf(counts, "unsatisfied"),
      ...countOf(counts, "pendingApproval"),
    },
    heldBack: partsOf(status, "heldBack").map(holdOf),
    unsatisfied: partsOf(status, "unsatisfied").map(refusalOf),
    pendingApproval: partsOf(status, "pendingApproval").map(approvalOf),
    warnings: partsOf(status, "warnings").map((warning) => textFields(warning, "code", "message")),
    cut: textsOf(status, "cut"),
    conditions: conditionsOf(status, "conditions"),
  };
}

function countOf<Key extends string>(counts: JsonObject, key: Key): { readonly [One in Key]?: number } {
  const value = numberOf(counts, key);
  return (value === undefined ? {} : { [key]: value }) as { readonly [One in Key]?: number };
}

function holdOf(hold: JsonObject): Briefly<AdvisedHold> {
  return { ...textFields(hold, "package", "bundle", "summary"), available: textsOf(hold, "available") };
}

function refusalOf(refusal: JsonObject): Briefly<AdvisedRefusal> {
  return {
    ...textFields(refusal, "package", "summary"),
    ...optionalTexts(refusal, "subscription", "clusterExtension", "kept"),
    undecided: isTrue(refusal, "undecided"),
  };
}

function approvalOf(approval: JsonObject): AdvisedApproval {
  return {
    subscriptions: textsOf(approval, "subscriptions"),
    changes: partsOf(approval, "changes").map(changeOf),
    awaiting: textsOf(approval, "awaiting"),
  };
}

function changeOf(change: JsonObject): AdvisedChange {
  return { ...textFields(change, "package", "to"), from: textOf(change, "from") };
}
