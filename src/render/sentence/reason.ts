// Why this operator, at this version, in a few words that fit into a table?

import type { OperatorRef } from "../../model/operator-ref.ts";
import type { Demanded, Listed, ShortDemand } from "../../resolve/needs.ts";
import type {
  AwaitedUpdate,
  BetterChoice,
  ChoiceReason,
  DependencyReason,
  Reason,
  StayReason,
} from "../../resolve/reason.ts";
import type { ResolvedOperator } from "../../resolve/resolution.ts";
import { shortened } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";
import { byVersion } from "./names.ts";
import { sourceText } from "./source.ts";

/** An operator of an answer, or one that a plan brings. */
type Explained = Pick<ResolvedOperator, "package" | "reason">;

/** "requested; the newest in channel stable", "stays: no Subscription claims it". */
export function reasonText(operator: Explained): string {
  const { kind } = operator.reason;
  const isAsked = kind === "starting-csv" || kind === "best-possible" || kind === "first-choice";
  return `${isAsked ? "requested; " : ""}${merelyReason(operator)}`;
}

/** The same, without "requested": "the newest in channel stable". */
export function merelyReason({ package: owner, reason }: Explained): string {
  const { together } = reason;
  const why = ownReason(reason, owner);
  if (together === undefined) return why;
  const names = together.map((one) => (one === "cluster" ? "the cluster" : byVersion(one)));
  return `${why}; all that it requires is met by ${names.join(" and ")} together`;
}

function ownReason(reason: Reason, owner: string): string {
  switch (reason.kind) {
    case "update":
    case "starting-csv":
    case "best-possible":
    case "first-choice":
      return choiceText(reason, owner);
    case "repair":
    case "needed":
      return dependencyText(reason);
    default:
      return `stays: ${stayText(reason, owner)}`;
  }
}

const stayText: (reason: StayReason, owner: string) => string = byKind({
  waits: (reason, owner) => `its update to ${awaitedText(reason.update, owner)}`,
  held: heldText,
  "all-or-nothing": () => "not everything is possible, and it is all or nothing",
  unclaimed: ({ scope }) => `no ${scope === "cluster" ? "ClusterExtension" : "Subscription"} claims it`,
  "no-source": (reason) => sourceText(reason.none, reason.request),
  newest: () => "no update is available",
  "olmv1-error": () => "OLM v1 reports an error",
  "search-ended": () => "the search ended before this was decided",
  unread: () => "whether something newer is possible is not known",
  unproven: () => "whether something newer is possible was not decided",
  "nothing-newer-possible": () => "nothing newer is possible",
});

function heldText({ by, text }: Extract<StayReason, { readonly kind: "held" }>): string {
  if (by !== "condition") return text;
  return text === ""
    ? "its OperatorCondition has Upgradeable=False"
    : `its OperatorCondition has Upgradeable=False (${text})`;
}

/** "1.1.0 waits for approval"; the approval of others, where its own is not needed. */
function awaitedText({ to, approvalOf }: AwaitedUpdate, owner: string): string {
  const version = to.version ?? to.name;
  const what = to.version === undefined || to.package === owner ? version : `${to.package} ${version}`;
  return approvalOf === undefined
    ? `${what} waits for approval`
    : `${what} waits for the approval of ${listText(approvalOf)}`;
}

const OLDER = {
  excluded: "because its ClusterExtension excludes that version",
  olmv1: "but OLM v1 chooses it",
} as const;

const choiceText: (reason: ChoiceReason, owner: string) => string = byKind({
  update: ({ from, channel, older, isNotNewest, edge, better }, owner) => {
    const how = edge === undefined ? "" : ` (${edge})`;
    if (better !== undefined) return `best version possible from ${from}${how}; ${betterText(better, owner)}`;
    if (older !== undefined) return `older than ${from}, ${OLDER[older]}`;
    return isNotNewest
      ? `first choice from ${from} in channel ${channel}${how}; newer ones are deprecated, or in a catalog that comes later`
      : `newest reachable from ${from} in channel ${channel}${how}`;
  },
  "starting-csv": () => "the one that startingCSV names",
  "best-possible": (reason, owner) => `best version possible; ${betterText(reason.better, owner)}`,
  "first-choice": ({ rank, channel, range }) => {
    const what = { only: "the only version in", newest: "the newest in", first: "the first choice of" }[rank];
    return `${what} channel ${channel}${range === undefined ? "" : ` that matches ${range}`}`;
  },
});

/** "2.0.0 is not possible", "2.1.0 and 3 more are not possible". */
function betterText(better: BetterChoice, owner: string): string {
  if (better.kind === "waits") return awaitedText(better.update, owner);
  const { version, more } = better;
  return more === 0 ? `${version} is not possible` : `${version} and ${more} more are not possible`;
}

function dependencyText(reason: DependencyReason): string {
  if (reason.kind === "repair") return "it repairs what was broken";
  const { isOptional, by, demanded, isOnlyCandidate } = reason;
  const names = listText<OperatorRef>(by, byVersion);
  const only = isOnlyCandidate ? "; the only candidate" : "";
  return `${isOptional ? "wished for" : "needed"} by ${names} ${demandedText(demanded)}${only}`;
}

/** "for APIs Etcd and Backup", "in range >=1.0.0". */
function demandedText({ apis, others }: Demanded): string {
  const named = listText(apis, (api) => shortened(api, MAX_LENGTH), "API");
  const parts = [
    ...(others.first.length === 0 ? [] : [listText(others, shortText, "demand")]),
    ...(apis.first.length === 0 ? [] : [`for ${apis.first.length === 1 ? "API" : "APIs"} ${named}`]),
  ];
  return parts.join(" and ");
}

const shortText: (demand: ShortDemand) => string = byKind({
  package: (demand) =>
    demand.range === ">=0.0.0" || demand.range === "*"
      ? "at any version"
      : `in range ${shortened(demand.range, MAX_LENGTH)}`,
  label: (demand) => `for its label ${shortened(demand.label, MAX_LENGTH)}`,
  property: (demand) => `for its property ${shortened(demand.name, MAX_LENGTH)}`,
  cel: () => "for a CEL rule",
  compound: () => "for a compound rule",
});

/** "Etcd", "Etcd and Backup", "Etcd, Backup and 2 more APIs". */
function listText<Item>({ first, more }: Listed<Item>, text: (item: Item) => string = String, noun?: string): string {
  const names = first.map(text);
  if (more === 0) return names.join(" and ");
  const nouns = noun === undefined ? "" : ` ${noun}${more === 1 ? "" : "s"}`;
  return `${names.join(", ")} and ${more} more${nouns}`;
}

/** Texts of authors are no longer than this in a table. */
const MAX_LENGTH = 60;
