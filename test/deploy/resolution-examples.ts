// What does a Resolution look like that has every field, and one that has only those it must have? The types say which fields there
// are: where one is missing or too much here, these files do not compile.

import type { JsonObject } from "../../src/model/json.ts";
import type {
  AdvisedApproval,
  AdvisedChange,
  AdvisedHold,
  AdvisedOperator,
  AdvisedPlan,
  AdvisedRefusal,
  ResolutionCounts,
  ResolutionSpec,
  ResolutionStatus,
} from "../../src/model/resolution-object.ts";

/** A value with all optional fields, and at least one item in each list. */
type Complete<Value> = Value extends readonly (infer Item)[]
  ? readonly [Complete<Item>, ...Complete<Item>[]]
  : Value extends object
    ? { readonly [Key in keyof Value]-?: Complete<Exclude<Value[Key], undefined>> }
    : Value;

/** An object without any optional field. */
type Least<Value> = { readonly [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key] };

export const COMPLETE_SPEC: Complete<ResolutionSpec> = {
  mode: "Advise",
  approval: "Manual",
  hold: ["winch", "rail-link"],
  allOrNothing: true,
};

const CHANGE: Complete<AdvisedChange> = { package: "lading", from: "lading.v1.9.0", to: "lading.v2.0.0" };

export const COMPLETE_STATUS: Complete<ResolutionStatus> = {
  observedGeneration: 3,
  observedInputs: "sha256:6a535e3879fa4510d9220b7f6e159b0ab557e213672c865739d62c84d4993c85",
  outcome: "Partial",
  summary: "1 to update, 1 kept; 1 held back; 1 request without an operator",
  reason: "no version of buoy can be installed: its catalog partner does not exist",
  counts: { operators: 2, updates: 1, heldBack: 1, unsatisfied: 1, pendingApproval: 1 },
  operators: [
    {
      package: "lading",
      bundle: "lading.v1.9.1",
      version: "1.9.1",
      channel: "stable",
      catalog: "olm/harbour",
      action: "update",
      replaces: "lading.v1.9.0",
      subscription: "cargo/lading",
      clusterExtension: "lading",
      generatedSubscription: "lading-stable-harbour-olm",
      requiredBy: ["customs-broker.v1.4.0"],
      reason: "requested; best version possible; 2.0.0 is not possible",
    },
  ],
  heldBack: [
    {
      package: "lading",
      bundle: "lading.v1.9.1",
      available: ["lading.v2.1.0", "lading.v2.0.0"],
      summary: "lading cannot be updated to 2.0.0.",
      why: ["1. customs-broker 1.4.0 runs and stays: its channel has nothing newer."],
      whatWouldHelp: [
        "remove the installed customs-broker 1.4.0",
        "  plimsoll resolve --live -n cargo --remove customs-broker",
      ],
    },
  ],
  unsatisfied: [
    {
      package: "buoy",
      subscription: "cargo/buoy",
      clusterExtension: "buoy",
      undecided: false,
      kept: "buoy.v0.9.0",
      summary: "No version of buoy can be installed.",
      why: ["The catalog partner does not exist."],
      whatWouldHelp: ["create the CatalogSource partner"],
    },
  ],
  pendingApproval: [{ subscriptions: ["cargo/lading"], changes: [CHANGE], awaiting: ["customs-broker"] }],
  plan: { generations: 2, next: [{ joint: true, changes: [CHANGE] }] },
  warnings: [{ code: "rarely-met", message: "hardly any bundle meets the runtime constraint" }],
  cut: ["why of 3 operators that are held back"],
  conditions: [
    {
      type: "Resolved",
      status: "False",
      reason: "Unsatisfied",
      message: "1 request without an operator",
      lastTransitionTime: "2026-10-05T08:00:00Z",
      observedGeneration: 3,
    },
  ],
};

const LEAST_CHANGE: Least<AdvisedChange> = { package: "lading", to: "lading.v2.0.0" };

/** Each kind of object, by the list or field of the status that has it. */
export const LEAST_STATUS: {
  readonly counts: Least<ResolutionCounts>;
  readonly operators: readonly [Least<AdvisedOperator>];
  readonly heldBack: readonly [Least<AdvisedHold>];
  readonly unsatisfied: readonly [Least<AdvisedRefusal>];
  readonly pendingApproval: readonly [Least<AdvisedApproval>];
  readonly plan: Least<AdvisedPlan>;
  readonly warnings: readonly [Least<NonNullable<ResolutionStatus["warnings"]>[number]>];
} = {
  counts: { operators: 1, updates: 0, heldBack: 1, unsatisfied: 1, pendingApproval: 1 },
  operators: [{ package: "lading", bundle: "lading.v1.9.0", action: "keep", reason: "" }],
  heldBack: [{ package: "lading", bundle: "lading.v1.9.0", available: [], summary: "", why: [] }],
  unsatisfied: [{ package: "buoy", undecided: true, summary: "", why: [] }],
  pendingApproval: [{ subscriptions: [], changes: [LEAST_CHANGE] }],
  plan: { generations: 0, next: [{ joint: false, changes: [LEAST_CHANGE] }] },
  warnings: [{ code: "", message: "" }],
};

type TextsOf<Text extends string | undefined> = Readonly<Record<NonNullable<Text>, true>>;

/** The texts that a field may have, by the path of the field. */
export const CHOICES: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  "spec.approval": { FromSubscriptions: true, Manual: true } satisfies TextsOf<ResolutionSpec["approval"]>,
  "status.outcome": {
    Resolved: true,
    Partial: true,
    Unsatisfiable: true,
    Undecided: true,
  } satisfies TextsOf<ResolutionStatus["outcome"]>,
  "status.operators[].action": { install: true, update: true, keep: true } satisfies TextsOf<AdvisedOperator["action"]>,
  // Kubernetes' own.
  "status.conditions[].status": { True: true, False: true, Unknown: true },
};

/** The modes are not an enum of the schema but rules of it. */
export const MODES: readonly string[] = Object.keys({ Advise: true, Off: true } satisfies TextsOf<
  ResolutionSpec["mode"]
>);

/** A Resolution as a document. */
export function resolutionObject(parts: JsonObject = {}, name = "plimsoll"): JsonObject {
  return { apiVersion: "plimsoll.dev/v1alpha1", kind: "Resolution", metadata: { name, namespace: "cargo" }, ...parts };
}
