// What is wrong with a Placement, in words, and what to do about it?

import { type Finding, finding } from "../../model/finding.ts";
import { printPath } from "../../model/place.ts";
import type { Fault, UnreadScoreName } from "../../placement/fault.ts";
import type { Mistake } from "../../placement/placement-result.ts";
import { counted, quoted, shortened } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";

/** A message, lower-case and without a full stop, and what to do. */
interface FaultText {
  readonly message: string;
  readonly hint?: string | undefined;
}

export function faultMessage(fault: Fault): string {
  return faultText(fault).message;
}

export const faultText: (fault: Fault) => FaultText = byKind({
  label: (fault) => ({ message: labelText(fault) }),
  "unknown-word": unknownWordText,
  "values-missing": (fault) => ({
    message: `${fault.operator} needs at least one value`,
    hint: "give values, or use Exists or DoesNotExist",
  }),
  "values-unwanted": (fault) => ({ message: `${fault.operator} takes no values`, hint: "leave values out" }),
  "unknown-field": (fault) => ({ message: `unknown field ${quoted(printPath(fault.path))}`, hint: fault.hint }),
  "long-name": (fault) => ({
    message: `the name has ${fault.length} characters, and its PlacementDecisions cannot carry more than ${fault.longest} in a label`,
    hint: "choose a shorter name",
  }),
  "negative-number": (fault) => ({
    message: `numberOfClusters is ${fault.value}, and cannot be negative`,
    hint: "leave it out to select every cluster that matches",
  }),
  expression: ({ predicate, index, line, column, message, hint }) => {
    const where = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
    return { message: `predicates[${predicate}].celExpressions[${index}], ${where}: ${message}`, hint };
  },
  "toleration-without-key": () => ({ message: "If the key is empty, operator must be Exists." }),
  "toleration-with-value": () => ({ message: "If the operator is Exists, the value should be empty." }),
  "group-size": groupSizeText,
  "score-rate-limit": (fault) => ({
    message: `scoreRateLimit is ${quoted(fault.value)}, which is not a time`,
    hint: "write a number and h, m or s, such as 30s",
  }),
  "max-skew": (fault) => ({ message: `maxSkew is ${fault.value}, and must be at least 1` }),
  "many-spread-constraints": (fault) => ({ message: `there are more than ${fault.limit} spreadConstraints` }),
  weight: (fault) => ({
    message: `a weight is from -${fault.limit} to ${fault.limit}, and this one is ${fault.value}`,
  }),
  "score-type": (fault) => ({
    message: `the type of a score is BuiltIn or AddOn, and this one is ${quoted(fault.value)}`,
  }),
  "no-score-coordinate": () => ({ message: "scoreCoordinate field is required" }),
  "no-add-on": () => ({ message: "addOn should not be empty" }),
  "broken-set": (fault) => {
    const { message, hint } = faultText(fault.fault);
    return { message: `the ManagedClusterSet ${quoted(fault.set)} cannot be used: ${message}`, hint };
  },
  "unread-set": (fault) => ({
    message: `${unreadSetText(fault)}, so it is unknown which clusters may be used`,
    hint: `${fault.isSupposed ? "correct what could not be read" : "fix it"}; until then the last decisions stay`,
  }),
  "unusable-set": (fault) => {
    const { name, why, meant } = fault.set;
    const what = why === "missing" ? "does not exist" : `is not bound to the namespace ${fault.namespace}`;
    return { message: `the ManagedClusterSet ${quoted(name)} ${what}`, hint: meant && `did you mean ${meant}?` };
  },
  "unread-cluster": ({ name, isSupposed, stays }) => {
    const then = stays ? "it keeps its place" : "there is no room for it within numberOfClusters";
    return {
      message: `the ManagedCluster ${quoted(name)}, which ${stays ? "is" : "was"} selected, ${unreadText(isSupposed)}; ${then}`,
      hint: isSupposed ? "correct what could not be read" : "correct it",
    };
  },
  "unread-score": ({ score, cluster, then }) => ({
    message: `the ${unreadScoreText(score)}; the cluster ${quoted(cluster)}${THEN[then]}`,
    hint: "correct it, or delete it",
  }),
  "expired-scores": (fault) => ({
    message: `AddOnPlacementScores ${fault.scores.join(" ")}${fault.more ? " …" : ""} expired`,
    hint: "they count as 0",
  }),
  "time-over": () => ({
    message: "the time limit was reached before all clusters were evaluated",
    hint: "raise the time limit",
  }),
  "cost-limit": (fault) => ({
    message: `the expressions cost more than ${fault.limit} for all clusters together`,
    hint: "make them cheaper, or raise the limit",
  }),
  "spread-too-long": () => ({
    message: "it takes too long to spread so many clusters over so many values",
    hint: "use fewer spreadConstraints, a topologyKey with fewer values, or a higher weight for Spread",
  }),
  "stopped-expressions": (fault) => ({
    message: `expressions were stopped at their cost limit for ${counted(fault.clusters, "cluster")}`,
    hint: "make them cheaper, or raise the limit",
  }),
  more: (fault) => ({ message: `and ${fault.count} more` }),
});

type Of<Kind> = Extract<Fault, { readonly kind: Kind }>;

function labelText({ field, value, why = "it is empty" }: Of<"label">): string {
  const isName = field === "name" || field === "groupName";
  return `the ${field} ${quoted(value)} ${isName ? "cannot be used as a label value" : "is not valid in a label"}: ${why}`;
}

/** OCM's words for prioritizers, ours for the rest. */
function unknownWordText({ field, value, known, meant }: Of<"unknown-word">): FaultText {
  const message =
    field === "mode"
      ? `incorrect prioritizer policy mode: ${shortened(value, 100)}`
      : field === "builtIn"
        ? `incorrect builtin prioritizer: ${shortened(value, 100)}`
        : `the ${field} ${quoted(value)} is not known`;
  if (meant !== undefined) return { message, hint: `did you mean ${meant}?` };
  const isEither = field === "mode" || field === "selectorType";
  return { message, hint: isEither ? `it is ${known.join(" or ")}` : `it is one of ${known.join(", ")}` };
}

function groupSizeText({ value, isReadable }: Of<"group-size">): FaultText {
  const wrong = isReadable
    ? "which is neither a number from 1 nor a share from 1% to 100%"
    : "which is neither a number nor a percentage";
  return {
    message: `clustersPerDecisionGroup is ${typeof value === "number" ? value : quoted(value)}, ${wrong}`,
    hint: /^[1-9][0-9]*$/.test(String(value))
      ? "write the number without quotes"
      : "write a number such as 10, or a share such as 25%",
  };
}

function unreadSetText({ object, name, isSupposed }: Of<"unread-set">): string {
  if (object === "ManagedCluster" || (name === undefined && !isSupposed)) return `no ${object} could be read`;
  if (name === undefined) return `a ${object} of the namespace may be in what could not be read`;
  return `the ${object} ${quoted(name)} ${unreadText(isSupposed)}`;
}

/** The message about an object that could not be read. */
export function unreadText(isSupposed: boolean): string {
  return isSupposed ? "is missing, and may be in what could not be read" : "could not be read";
}

/** "AddOnPlacementScore c1/default could not be read". */
export function unreadScoreText({ cluster, name }: UnreadScoreName): string {
  return `AddOnPlacementScore ${cluster}/${name} ${unreadText(false)}`;
}

const THEN: Readonly<Record<Of<"unread-score">["then"], string>> = {
  stays: ", which is selected, keeps its place",
  "no-room": " was selected, and there is no room for it within numberOfClusters",
  withheld: " is not newly selected",
};

export function placementFinding(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { fault, place }: Mistake,
): Finding {
  const { message, hint } = faultText(fault);
  return finding("PL013", place, {
    message: `Placement ${namespace}/${name}: ${message}`,
    ...(hint !== undefined && { help: hint }),
  });
}
