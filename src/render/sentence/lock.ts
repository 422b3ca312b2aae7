// What is not as it was locked? A sentence without a full stop.

import type {
  CatalogDifference,
  ChangeDifference,
  InputDifference,
  InputKind,
  LockDifference,
} from "../../model/lock.ts";
import { scopeName, scopesText, scopeText } from "./names.ts";

export function differenceText(difference: LockDifference): string {
  const { subject } = difference;
  switch (difference.kind) {
    case "engine":
      return `plimsoll was ${difference.was} and is ${subject}`;
    case "namespace":
      return `nothing was asked about ${scopesText(difference.namespaces)}`;
    case "unlocked":
      return `the lock knows nothing of ${scopeText(subject)}`;
    case "state": {
      const { generation, missing, extra } = difference;
      const parts = [...missing.map((name) => `${name} does not run`), ...extra.map((name) => `${name} runs`)];
      return `what runs in ${scopeText(subject)} is what runs before no generation of the lock; the nearest is generation ${generation}, but ${parts.join(", ")}`;
    }
    case "change":
      return changeText(difference);
    case "steps": {
      const { generation, was, is } = difference;
      return `the steps of generation ${generation} of ${scopeText(subject)} are others: locked ${stepsText(was)}; now ${stepsText(is)}`;
    }
    case "end":
      return `the plan of ${scopeText(subject)} ends for another reason: locked ${difference.was}; now ${difference.is}`;
    case "package":
    case "bundle":
      return catalogText(difference);
    default:
      return inputText(difference);
  }
}

function catalogText({ kind, subject, catalog, became, channel }: CatalogDifference): string {
  if (became === "gone") return `${kind} ${subject} is no longer in catalog ${catalog}`;
  if (became === "new") return `${kind} ${subject} is new in catalog ${catalog}`;
  if (kind === "bundle")
    return `bundle ${subject} (or what leads to it in channel ${channel}) is not the same in catalog ${catalog}`;
  const what = "its channels, what is said about it, or bundles that the plan does not use";
  return `package ${subject} is not the same in catalog ${catalog}: ${what}`;
}

type Way = ChangeDifference["was"];

function changeText({ subject, namespace, generation, was, is }: ChangeDifference): string {
  const withSource = was !== undefined && is !== undefined && wayText(was, false) === wayText(is, false);
  const who = subject === "" ? "an operator of no known package" : subject;
  return `${who} takes another path in generation ${generation} of ${scopeText(namespace)}: locked ${wayText(was, withSource)}; now ${wayText(is, withSource)}`;
}

function wayText(change: Way, withSource: boolean): string {
  if (change === undefined) return "it stays";
  const { from, to, channel, catalog } = change;
  if (to === undefined) return `${from ?? "nothing"} is removed`;
  const way = from === undefined ? `${to} is installed` : `${from} → ${to}`;
  return withSource ? `${way} (channel ${channel ?? "unknown"} of catalog ${catalog ?? "unknown"})` : way;
}

/** `a, then b with c`. */
function stepsText(steps: readonly (readonly string[])[]): string {
  return steps.length === 0 ? "none" : steps.map((packages) => packages.join(" with ")).join(", then ");
}

function inputText({ kind, subject, was, is, hold, cameWithPlan }: InputDifference): string {
  const noun = NOUNS[kind](subject);
  if (cameWithPlan) return `${noun}, which came with a dependency, is gone`;
  if (is === undefined) return `${noun} is gone${valueText(was)}`;
  if (was === undefined) return `${noun} is new${valueText(is)}`;
  if (hold !== undefined) return `${noun} is ${hold.isNew ? "now" : "no longer"} ${hold.text}`;
  const isOther = was.value !== is.value;
  if (kind === "catalog") {
    const parts = [
      ...(was.digest === is.digest ? [] : ["has other content"]),
      ...(isOther ? [`had ${was.value ?? "no priority"} and has ${is.value ?? "none"}`] : []),
    ];
    return `${noun} ${parts.join(", and ")}`;
  }
  if (!isOther) return `${noun} is not the same as it was${valueText(was)}`;
  return `${noun} was ${was.value ?? "nothing"} and is ${is.value ?? "nothing"}`;
}

function valueText(input: InputDifference["was"]): string {
  return input?.value === undefined || input.kind === "catalog" ? "" : `: ${input.value}`;
}

const NOUNS: Readonly<Record<InputKind, (subject: string) => string>> = {
  catalog: (name) => `catalog ${name}`,
  unavailable: (name) => `the unavailable catalog ${name}`,
  constraint: (number) =>
    /^\d+$/.test(number)
      ? `the administrator's constraint ${number}`
      : `what is wrong with the runtime constraints (${number})`,
  fact: (type) => `the cluster's ${type}`,
  request: (id) => `the request ${id}`,
  claim: (id) => `the operator of the request ${id}`,
  installed: (name) => `the operator ${name}`,
  elsewhere: (name) =>
    name.startsWith("/")
      ? `the operator ${name.slice(1)} of a ClusterExtension`
      : `the operator ${name} of another namespace`,
  definition: (name) => `the CustomResourceDefinition ${name}`,
  orphan: (api) => `the API ${api} without an operator`,
  targets: (namespace) => `what operators of ${scopeName(namespace)} work for`,
  removed: (name) => `the removal of ${name}`,
  option: (name) => `the option ${name}`,
  target: (name) => `the target for ${name}`,
};
