// What would other runtime constraints change? All of it in one line, as a webhook warns; and part by part.

import type { OpenRequest, SummarisedBundle } from "../../resolve/blast-radius/answer-summary.ts";
import type { BlastRadius, ViolatingOperator } from "../../resolve/blast-radius/blast-radius.ts";
import type { ChangedPackage, ComparedStanding, Effect } from "../../resolve/blast-radius/changed-packages.ts";
import type { BundleGroup, ConstraintEffect, PackageShare } from "../../resolve/blast-radius/hidden-bundles.ts";
import { andMore, counted, enumerated, shortened } from "../../text/words.ts";
import { safeText } from "../kit/safe-text.ts";
import { operatorText, withMessages } from "./constraint.ts";
import { byVersion, qualified } from "./names.ts";
import { detailText, one } from "./rule.ts";

/** An API server may cut a warning that is longer. */
const MAX_BYTES = 256;

/** Up to this many names of a kind are in the line, each at most this long: they come from the input. */
const MAX_NAMES = 3;
const MAX_NAME = 80;

/**
 * All of it on one line, without a full stop: "hides 412 of 7561 bundles, holds back 2 operators (ops/etcd, ops/kafka), refuses
 * 1 Subscription (dev/argo)". Names give way where there is no room for them.
 */
export function blastRadiusText(radius: BlastRadius, maxBytes: number = MAX_BYTES): string {
  let text = "";
  for (let names = MAX_NAMES; names >= 0; names--) {
    text = safeText(lineText(radius, names));
    if (bytesOf(text) <= maxBytes) return text;
  }
  return cutAt(text, maxBytes);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The beginning of a longer text, in whole characters. */
function cutAt(text: string, maxBytes: number): string {
  let room = maxBytes - bytesOf("…");
  let start = "";
  for (const character of text) {
    room -= bytesOf(character);
    if (room < 0) break;
    start += character;
  }
  return `${start}…`;
}

function lineText(radius: BlastRadius, names: number): string {
  const { isReadable, isComplete, compared, namespaces } = radius;
  const effects = effectsOf(radius).map((effect) => effectText(effect, names));
  const found = effects.length === 0 ? "" : `${isComplete ? "" : "at least: "}${effects.join(", ")}`;
  const nothing = isComplete ? "hides no bundle and changes no answer" : "nothing found so far";
  const late = isComplete ? "" : `; ${compared} of ${counted(namespaces, "namespace")} compared in time`;
  if (isReadable) return `${found === "" ? nothing : found}${late}`;
  return `cannot be read, so nothing could be installed or updated${found === "" ? "" : `; ${found}`}${late}`;
}

/** Something that would happen, and to which operators or requests. */
interface Happening {
  readonly text: string;
  readonly names: readonly string[];
}

function effectText({ text, names }: Happening, most: number): string {
  const shown = names.slice(0, most).map((name) => shortened(name, MAX_NAME));
  return shown.length === 0 ? text : `${text} (${andMore(shown, names.length - shown.length)})`;
}

function effectsOf({ hidden, revealed, changed, violating }: BlastRadius): readonly Happening[] {
  const of = (effect: Effect): readonly ChangedPackage[] => changed.filter((one) => one.effect === effect);
  const [held, better, other] = [of("held-back"), of("better"), of("other")];
  const refused = of("refused").flatMap((one) => one.requests);
  const undecided = of("undecided").flatMap((one) => one.requests);
  const whole = hidden.packages === 0 ? "" : `, ${counted(hidden.packages, "package")} entirely`;
  const breaks = counted(violating.length, "installed operator breaks", "installed operators break");
  const all: readonly (readonly [count: number, text: string, names: readonly string[]])[] = [
    [hidden.bundles, `hides ${hidden.bundles} of ${counted(hidden.ofBundles, "bundle")}${whole}`, []],
    [revealed.bundles, `reveals ${counted(revealed.bundles, "bundle")}`, []],
    [held.length, `holds back ${counted(held.length, "operator")}`, held.map(nameOf)],
    [refused.length, `refuses ${requestsText(refused)}`, refused.map(({ id }) => id)],
    [undecided.length, `leaves ${requestsText(undecided)} undecided`, undecided.map(({ id }) => id)],
    [better.length, `allows more for ${counted(better.length, "package")}`, better.map(nameOf)],
    [other.length, `changes ${counted(other.length, "other package")}`, other.map(nameOf)],
    [violating.length, `${breaks} them`, violating.map(violatorText)],
  ];
  return all.flatMap(([count, text, names]) => (count === 0 ? [] : [{ text, names }]));
}

/** "1 Subscription", "2 ClusterExtensions"; "3 requests" if they are of several kinds, or named on the command line. */
function requestsText(requests: readonly OpenRequest[]): string {
  const [kind = "package", ...others] = new Set(requests.map((request) => request.kind));
  return counted(requests.length, others.length > 0 || kind === "package" ? "request" : kind);
}

function nameOf({ namespace, package: owner }: ChangedPackage): string {
  return qualified(namespace, owner);
}

/** What a constraint demands: "constraint 3 forbids foghorn 3.1.0 (the administrator says: …)". */
export function constraintText({ number, action, constraint }: ConstraintEffect): string {
  const demands = action === "require" ? "requires" : "forbids";
  return withMessages(`constraint ${number} ${demands} ${operatorText(constraint)}`, constraint, "the administrator");
}

/** What it does to bundles: "hides 10 of 12 bundles: certs (all 3), ledger 3.1.0; refuses 11". */
export function constraintEffectText(
  { refuses, hides, failures, failure = "" }: ConstraintEffect,
  ofBundles: number,
  most?: number,
): string {
  if (refuses === 0) return "refuses no bundle";
  const hidden = `${hides.bundles} of ${counted(ofBundles, "bundle")}`;
  const same = `refuses ${refuses} of ${counted(ofBundles, "bundle")}`;
  const what =
    hides.bundles === 0
      ? `${same}, which are refused already`
      : `hides ${hidden}: ${groupText(hides, most)}${hides.bundles === refuses ? "" : `; ${same} in all`}`;
  return failures === 0 ? what : `${what}; for ${failures} of them it cannot be evaluated: ${shortened(failure)}`;
}

/** Some bundles by package: "certs (all 3), foghorn 3.1.0, winch (12 of 20) and 14 more packages". */
export function groupText({ packages, inPackages }: BundleGroup, most: number = packages.length): string {
  const shown = packages.slice(0, most).map(shareText);
  const more = inPackages - shown.length;
  return `${shown.join(", ")}${more === 0 ? "" : ` and ${counted(more, "more package")}`}`;
}

function shareText({ package: owner, bundles, ofBundles, versions = [] }: PackageShare): string {
  if (bundles === ofBundles && bundles > 1) return `${owner} (all ${bundles})`;
  return versions.length > 0 ? `${owner} ${enumerated(versions)}` : `${owner} (${bundles} of ${ofBundles})`;
}

/** "ops/etcd: now update to 0.9.4; then stays at 0.9.2". */
export function changeText({ namespace, package: owner, before, after }: ChangedPackage): string {
  return `${qualified(namespace, owner)}: now ${standingText(before, owner)}; then ${standingText(after, owner)}`;
}

const ACTIONS = { install: "install", update: "update to", keep: "stay at" } as const;

function standingText({ standing, operator, waiting }: ComparedStanding, owner: string): string {
  const version = (one: SummarisedBundle): string => (one.package === owner ? (one.version ?? one.name) : one.name);
  const what = operator === undefined ? undefined : `${ACTIONS[operator.action]} ${version(operator)}`;
  switch (standing) {
    case "none":
      return "not installed";
    case "refused":
    case "undecided":
      return what === undefined ? standing : `${what}, ${standing}`;
    default: {
      const wait = waiting === undefined ? "" : `${version(waiting)} waits for approval`;
      return [what, wait].filter(Boolean).join(", ");
    }
  }
}

/** What a constraint states against an installed operator, for programs. */
export function violatingText({ operator, detail }: ViolatingOperator): string {
  return detailText(detail, one(operator.name));
}

/** An installed operator by its namespace, package and version. */
export function violatorText({ namespace, operator }: ViolatingOperator): string {
  return qualified(namespace, byVersion(operator));
}
