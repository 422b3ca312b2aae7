// Why this one, in a few words? What stands behind an operator in a table: who asked or needs it, and what made it come
// before others.

import type { Package } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import type { Hold, Installed } from "../model/problem.ts";
import { edgeFrom } from "../rule/upgrade-edge.ts";
import { compareVersions, printVersion } from "../semver/version.ts";
import { type Candidates, lacksSource } from "./candidates.ts";
import type { Node } from "./catalog-index.ts";
import { sourceText } from "./explain/source-text.ts";
import { memberText } from "./explain/version-runs.ts";
import { propertiesOf, type Self } from "./member.ts";
import { isOnlyCandidate, type Need, shortNeeds } from "./needs.ts";
import { providable } from "./predicate-key.ts";
import type { PackageChange, PendingApproval } from "./resolution.ts";
import type { Solution } from "./solution.ts";
import { providersFor } from "./walk.ts";

/** What an operator of the answer becomes once a person approves, and of which packages. */
export interface Waiting {
  readonly change: PackageChange;
  readonly packages: readonly string[];
}

/** What waits for approval, by the name of the operator that is there until then. */
export function waitingIn(pending: readonly PendingApproval[]): ReadonlyMap<string, Waiting> {
  return new Map(
    pending.flatMap(({ changes, requests }) =>
      changes.flatMap((change): [string, Waiting][] => {
        const packages = [...new Set(requests.map((request) => request.package))];
        return change.from === undefined ? [] : [[change.from, { change, packages }]];
      }),
    ),
  );
}

/** "1.1.0 waits for approval"; the approval of others, where its own is not needed. */
function waitingText({ change, packages }: Waiting, { package: now, nodes }: Waited): string {
  const to = nodes.find(({ bundle }) => bundle.name === change.to)?.bundle;
  const version = to === undefined ? change.to : printVersion(to.version);
  const what = to === undefined || to.package === now ? version : `${to.package} ${version}`;
  return packages.includes(change.package)
    ? `${what} waits for approval`
    : `${what} waits for the approval of ${shortList(packages)}`;
}

/** The package of what waits, and what it can become. */
interface Waited {
  readonly package: string | undefined;
  readonly nodes: readonly Node[];
}

/** What may still become of an operator that stays. */
export interface Prospect {
  readonly waits: Waiting | undefined;
  /** Whether there is something newer for it is not known: that may be among what was not read. */
  readonly isUncertain: boolean;
}

/** Why an operator that runs stays as it is; `claims` are the requests that keep it up to date. */
export function stayReason(
  solution: Pick<Solution, "nothingFor" | "undecided" | "objectives">,
  { hold, package: owner }: Installed,
  claims: readonly Candidates[],
  { waits: waiting, isUncertain }: Prospect,
): string {
  const { nothingFor, undecided, objectives } = solution;
  const hasBetter = claims.some(({ nodes }) => nodes.length > 0);
  if (waiting !== undefined && (hold === undefined || hold.by === "approval"))
    return `stays: its update to ${waitingText(waiting, { package: owner, nodes: claims.flatMap(({ nodes }) => nodes) })}`;
  if (hold !== undefined && (hold.by !== "approval" || hasBetter)) return `stays: ${heldText(hold)}`;
  if (nothingFor.length > 0) return "stays: not everything is possible, and it is all or nothing";
  if (claims.length === 0) return "stays: no Subscription claims it";
  for (const { request, none, ...one } of claims)
    if (none !== undefined && lacksSource({ ...one, none })) return `stays: ${sourceText(request, none)}`;
  if (!hasBetter) return "stays: nothing newer to go to";
  if (claims.some((one) => undecided.has(one))) return "stays: the search ended before this was decided";
  if (isUncertain) return "stays: whether something newer is possible is not known";
  return objectives.some(({ name, proven }) => (name === "updates" || name === "candidates") && !proven)
    ? "stays: whether something newer is possible was not decided"
    : "stays: nothing newer is possible";
}

function heldText({ by, text }: Hold): string {
  if (by !== "condition") return text;
  return text === "" ? "it says that it is not upgradeable" : `it says that it is not upgradeable (${text})`;
}

/** Why a request was given this one. */
export function requestReason(
  candidates: Candidates,
  node: Node,
  channel: string,
  waiting: Waiting | undefined,
): string {
  const { nodes, installed, request } = candidates;
  const rank = nodes.indexOf(node);
  const better =
    waiting === undefined
      ? betterText(nodes.slice(0, rank))
      : waitingText(waiting, { package: node.bundle.package, nodes });
  if (installed !== undefined) {
    const from = installed.version === undefined ? installed.name : printVersion(installed.version);
    const edge = edgeText(installed, node, channel);
    return rank === 0
      ? `the farthest that channel ${channel} leads from ${from}${edge}`
      : `the best that is possible from ${from}${edge}; ${better}`;
  }
  if (request.startingCSV === node.bundle.name) return "asked for; the one that startingCSV names";
  return `asked for; ${rank === 0 ? firstText(candidates, node, channel) : `the best that is possible; ${better}`}`;
}

/** What would have been better: "2.0.0 is not", "2.1.0 and 3 more are not". */
function betterText([best, ...more]: readonly Node[]): string {
  if (best === undefined) return "";
  const version = printVersion(best.bundle.version);
  return more.length === 0 ? `${version} is not` : `${version} and ${more.length} more are not`;
}

/** Why the first candidate is the first. */
function firstText(candidates: Candidates, node: Node, channel: string): string {
  const { nodes, channels, request } = candidates;
  const matching = request.range === undefined ? "" : ` that matches ${request.range.text}`;
  if (nodes.length === 1) return `the only version in channel ${channel}${matching}`;
  const owner = ownerOf(node);
  const isPreferred = channel === (request.channel ?? owner?.defaultChannel);
  const rivals = nodes.filter((one) => channels.get(one) === channel);
  const isNewest = rivals.every(({ bundle }) => compareVersions(bundle.version, node.bundle.version) <= 0);
  return isPreferred && isNewest
    ? `the newest in channel ${channel}${matching}`
    : `the first choice of channel ${channel}${matching}`;
}

function ownerOf({ bundle, index }: Node): Package | undefined {
  return index.catalog.packages.get(bundle.package);
}

/** How the channel leads there. */
function edgeText(installed: Installed, node: Node, channel: string): string {
  const entry = ownerOf(node)?.channels.get(channel)?.entries.get(node.bundle.name);
  const edge = entry === undefined ? undefined : edgeFrom(installed, entry);
  return edge === undefined ? "" : ` (${edge})`;
}

/** Why a bundle is there that nobody asked for; `needs` are all that it serves. */
export function dependencyReason(solution: Solution, needs: readonly Need[]): string {
  if (needs.length === 0) return "it repairs what was broken";
  const required = needs.filter(({ leaf }) => !leaf.requirement.optional);
  const own = required.length > 0 ? required : needs;
  const names = [...new Set(own.map(({ requirer }) => memberText(requirer)))].sort(compareText);
  const only = own.some((need) => isOnlyCandidate(solution, need)) ? "; the only candidate" : "";
  return `${required.length > 0 ? "needed" : "wished for"} by ${shortList(names)} ${shortNeeds(own)}${only}`;
}

function shortList(names: readonly string[]): string {
  const rest = names.length > 2 ? ` and ${names.length - 2} more` : "";
  return `${names.slice(0, 2).join(rest === "" ? " and " : ", ")}${rest}`;
}

/** An `all` may be met by several operators together; whoever reads it as one operator should be told. */
export function togetherReason({ round, members }: Solution, member: Self): string | undefined {
  for (const { constraint, optional } of round.encoding.universe.requirementsOf(propertiesOf(member)).requirements) {
    if (optional || constraint.kind !== "all" || constraint.scope !== "solution") continue;
    const names = new Set<string>();
    for (const leaf of providable(constraint)) {
      const provider = providersFor(round, leaf, member).find((one) => one === "fixed" || members.has(one));
      if (provider !== undefined) names.add(provider === "fixed" ? "the cluster" : memberText(provider));
    }
    if (names.size > 1) return `all that it requires is met by ${[...names].join(" and ")} together`;
  }
  return undefined;
}
