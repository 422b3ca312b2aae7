// What do the conditions of a Resolution say? Six of them, whose types never change; the texts are one line each, but for errors of the
// runtime constraints, which have one each.

import { NO_ANSWER, type ResolutionStatus } from "../../model/resolution-object.ts";
import { counted, listed } from "../../text/words.ts";

/** A catalog that an answer cannot rely on. */
export interface DoubtfulSource {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly why: string;
  readonly hasContent: boolean;
}

/** What the conditions are about. */
export interface AdviceState {
  readonly status: Pick<ResolutionStatus, "outcome" | "summary" | "reason" | "counts" | "warnings">;
  readonly constraintErrors: readonly string[];
  /** Undefined if no answer has used them, as the catalogs. */
  readonly constraints: number | undefined;
  /** Where the runtime constraints are, or would be. */
  readonly configMap: { readonly namespace: string; readonly name: string };
  readonly doubtfulCatalogs: readonly DoubtfulSource[];
  readonly catalogs: number | undefined;
  /** It is about the ClusterExtensions, instead of a namespace. */
  readonly isOfClusterScope?: boolean | undefined;
  /** A bug of Plimsoll, or that there was no answer in time. */
  readonly bug?: string | undefined;
  /** Kinds that cannot be read, each with the reason. */
  readonly lostKinds: readonly { readonly kind: string; readonly why: string }[];
  /** API groups of which it is not known what they serve. */
  readonly unreadGroups: readonly string[];
}

/** A condition before it is known when it last changed. */
export interface PlainCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

export function adviceConditions(state: AdviceState): readonly PlainCondition[] {
  return [
    resolved(state),
    upToDate(state),
    {
      type: "Progressing",
      status: "False",
      reason: "Advise",
      message: "Mode Advise: Plimsoll changes nothing; OLM acts by its own rules.",
    },
    degraded(state),
    constraintsValid(state),
    catalogsReady(state),
  ];
}

/** Nothing is resolved while the mode is Off. */
export function offConditions(): readonly PlainCondition[] {
  const message = "spec.mode is Off.";
  const unknown = (type: string): PlainCondition => ({ type, status: "Unknown", reason: "Off", message });
  return [
    ...["Resolved", "UpToDate"].map(unknown),
    { type: "Progressing", status: "False", reason: "Off", message },
    { type: "Degraded", status: "False", reason: "Off", message },
    ...["ConstraintsValid", "CatalogsReady"].map(unknown),
  ];
}

const RESOLVED = { Resolved: "True", Partial: "False", Unsatisfiable: "False", Undecided: "Unknown" } as const;

function resolved({ status: { outcome = "Undecided", summary = "", reason } }: AdviceState): PlainCondition {
  const status = RESOLVED[outcome];
  const message = outcome === "Resolved" || reason === undefined ? `${summary}.` : `${summary}: ${reason}`;
  return { type: "Resolved", status, reason: outcome, message };
}

function upToDate({ status: { outcome, counts, reason = "", warnings = [] } }: AdviceState): PlainCondition {
  const type = "UpToDate";
  const { updates = 0, heldBack = 0, unsatisfied = 0, pendingApproval = 0 } = counts ?? {};
  if (outcome === "Undecided") return { type, status: "Unknown", reason: outcome, message: reason };
  const broken = warnings.filter(({ code }) => code === "already-broken").length;
  const open: readonly (readonly [number, string, string])[] = [
    [broken, "Broken", `${counted(broken, "requirement")} of installed operators not met (see warnings)`],
    [unsatisfied, "Unsatisfied", `${counted(unsatisfied, "request")} without an operator`],
    [heldBack, "HeldBack", `${counted(heldBack, "operator")} held back`],
    [pendingApproval, "ApprovalRequired", `${counted(pendingApproval, "change")} to be approved`],
    [updates, "ChangesAdvised", `${counted(updates, "change")} advised`],
  ];
  const found = open.filter(([count]) => count > 0);
  const [first] = found;
  if (first === undefined)
    return {
      type,
      status: "True",
      reason: "UpToDate",
      message: "Nothing better is possible with the catalogs that were read.",
    };
  return { type, status: "False", reason: first[1], message: `${found.map(([, , text]) => text).join("; ")}.` };
}

function degraded(state: AdviceState): PlainCondition {
  const { bug, lostKinds, unreadGroups, constraintErrors, doubtfulCatalogs, status } = state;
  const type = "Degraded";
  if (bug !== undefined) {
    const [first = ""] = bug.split("\n");
    return { type, status: "True", reason: NO_ANSWER, message: `Plimsoll has no answer: ${first}` };
  }
  const unread = [
    ...lostKinds.map(({ kind, why }) => `${kind} objects cannot be read: ${why}`),
    ...unreadGroups.map((group) => `APIs of the group ${group} are not known: its server does not answer`),
  ];
  if (unread.length > 0) return { type, status: "True", reason: "KindsNotRead", message: unread.join("; ") };
  if (constraintErrors.length > 0)
    return { type, status: "True", reason: "ConstraintsInvalid", message: "See the condition ConstraintsValid." };
  if (status.outcome === "Undecided" && doubtfulCatalogs.length > 0)
    return { type, status: "True", reason: "CatalogsNotRead", message: "See the condition CatalogsReady." };
  return {
    type,
    status: "False",
    reason: "AllRead",
    message: "Every kind of object that the answer depends on was read.",
  };
}

function constraintsValid({ constraintErrors, constraints, configMap }: AdviceState): PlainCondition {
  const type = "ConstraintsValid";
  if (constraintErrors.length > 0)
    return {
      type,
      status: "False",
      reason: "Invalid",
      message: `Nothing is newly installed or updated until this is repaired: ${constraintErrors.join("; ")}`,
    };
  if (constraints === undefined) return notLookedAt(type);
  const place = `ConfigMap ${configMap.namespace}/${configMap.name}`;
  const message =
    constraints === 0
      ? "There are no runtime constraints."
      : `${counted(constraints, "runtime constraint")} in ${place}.`;
  return { type, status: "True", reason: constraints === 0 ? "None" : "Valid", message };
}

function notLookedAt(type: string): PlainCondition {
  return { type, status: "Unknown", reason: NO_ANSWER, message: "It is not known, because no answer was computed." };
}

function catalogsReady({ doubtfulCatalogs, catalogs, isOfClusterScope }: AdviceState): PlainCondition {
  const type = "CatalogsReady";
  if (catalogs === undefined) return notLookedAt(type);
  if (doubtfulCatalogs.length === 0) {
    const none = `No catalog is available to ${isOfClusterScope ? "ClusterExtensions" : "this namespace"}.`;
    return {
      type,
      status: "True",
      reason: catalogs === 0 ? "None" : "Ready",
      message: catalogs === 0 ? none : `${counted(catalogs, "catalog")} read.`,
    };
  }
  const texts = doubtfulCatalogs.map(({ name, namespace, why, hasContent }) => {
    const whole = namespace === undefined ? name : `${namespace}/${name}`;
    return `${whole}: ${why}${hasContent ? " (its last known content is used)" : ""}`;
  });
  const isUsable = doubtfulCatalogs.every(({ hasContent }) => hasContent);
  return { type, status: "False", reason: isUsable ? "Outdated" : "NotRead", message: listed(texts) };
}
