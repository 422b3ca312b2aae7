// What does a cause say, in one sentence? Subject first, versions in runs, with who could meet a demand.

import { gvkOf } from "../../model/catalog.ts";
import { compareText } from "../../model/json.ts";
import { inside, type Place } from "../../model/place.ts";
import type { Hold, Request } from "../../model/problem.ts";
import { apiName, packageText } from "../../render/sentence/constraint.ts";
import { requirementName } from "../../rule/requirement.ts";
import type { RuleName } from "../../rule/rule.ts";
import { rangeOutline } from "../../semver/blang-range.ts";
import { nameOf, type Self } from "../member.ts";
import type { Fact } from "../resolution.ts";
import type {
  Cause,
  Demand,
  DemandCause,
  Matches,
  OnePerCause,
  StayOrMoveCause,
  StaysCause,
  UnservedCause,
  WantedCause,
} from "./cause.ts";
import { demandText } from "./demand-text.ts";
import { refusalFact } from "./refusal-text.ts";
import { remembered } from "./remembered.ts";
import { sourceText } from "./source-text.ts";
import { byPackage, enumerated, isPlural, membersText, memberText, type Style, versionsText } from "./version-runs.ts";

/** A cause as it is told; of those who were said to run before, that is not said again. */
export function factOf(cause: Cause, matches: Matches, introduced?: ReadonlySet<Self>): Fact {
  const told = plainFact(cause, matches, introduced);
  const isRepair = "isRepair" in cause && cause.isRepair;
  // Whoever breaks a rule by itself is replaced; whether the next one keeps it is not always known.
  const ended = cause.kind === "refusal" ? "updates" : "repairs";
  return isRepair ? { ...told, text: `${told.text}; this was broken before, and the answer ${ended} it` } : told;
}

function plainFact(cause: Cause, matches: Matches, introduced: ReadonlySet<Self> | undefined): Fact {
  switch (cause.kind) {
    case "wanted":
      return wantedFact(cause);
    case "stays":
      return staysFact(cause);
    case "stay-or-move":
      return stayOrMoveFact(cause);
    case "demand":
      return demandFact(cause, matches, introduced);
    case "refusal":
      return refusalFact(cause);
    case "one-bundle":
    case "one-provider":
      return onePerFact(cause);
    case "unserved":
      return unservedFact(cause);
    case "unavailable": {
      const names = cause.catalogs.map(({ name, reason }) => `${name} (${reason})`);
      const text = `catalog ${enumerated(names)} is not available and might have a better choice, so nothing new may be taken from catalogs that come after it`;
      return fact("dependency", cause.catalogs[0]?.name ?? "", text);
    }
  }
}

function fact(rule: RuleName, subject: string, text: string, place?: Place): Fact {
  return place === undefined ? { rule, text, subject } : { rule, text, subject, place };
}

const OR: Style = { word: "or", whole: "runs" };

/** Who asks, as people know it: a Subscription by its name, the command line by what it asks for. */
export function askerText({ id, place, package: owner }: Request): string {
  return place === undefined ? `the request for ${owner}` : `Subscription ${id}`;
}

function wantedFact({ why, request, members }: WantedCause): Fact {
  const who = membersText(members, OR);
  if (request === undefined)
    return fact("subscription", nameOfFirst(members), `the question is whether ${who} can be installed`);
  const { id, place } = request;
  const asker = askerText(request);
  switch (why) {
    case "request":
    case "goal": {
      const asks = place === undefined ? "you asked for" : `${asker} asks for`;
      return fact("subscription", id, `${asks} ${wishText(request)}${offerText(request, members)}`, place);
    }
    case "update": {
      const text = `the answer updates what ${asker} asks for, to ${who}`;
      return fact("subscription", id, text, place);
    }
    case "best": {
      const last = members.at(-1);
      const gets = last === undefined || members.length === 1 ? who : `${memberText(last)} or a better one (${who})`;
      return fact("subscription", id, `${asker} comes first and is given ${gets}`, place);
    }
  }
}

/** What is asked for: "x 1.2.0", "x >=1.0.0 in channel stable from catalog y". */
export function wishText({ package: owner, range, channel, catalog }: Request): string {
  return [
    packageText(owner, range && rangeOutline(range)),
    ...(channel === undefined ? [] : [`in channel ${channel}`]),
    ...(catalog === undefined ? [] : [`from catalog ${catalog.name}`]),
  ].join(" ");
}

/** Which versions that is, where the wish does not say it. */
function offerText({ package: owner, range }: Request, members: readonly Self[]): string {
  if (members.length === 0) return ", and there is none";
  if (membersText(members, { whole: "name" }) === owner) return "";
  const versions = versionsText(members, owner, OR);
  return packageText(owner, range && rangeOutline(range)) === `${owner} ${versions}` ? "" : `, which is ${versions}`;
}

function nameOfFirst([first]: readonly Self[]): string {
  return first === undefined ? "" : nameOf(first);
}

const HELD: Readonly<Record<Hold["by"], string>> = {
  condition: "it says that it is not upgradeable",
  flag: "you asked to hold it",
  approval: "its Subscription asks for approval",
};

const STAYS: Readonly<Record<StaysCause["why"], string>> = {
  held: "it is held",
  unclaimed: "no Subscription claims it, so nothing updates it",
  "no-update": "its channel has nothing newer",
  "no-source": "what it could go to is not known",
};

function staysFact({ installed, why, open }: StaysCause): Fact {
  const { hold, place } = installed;
  const subject = installed.package ?? installed.name;
  const reason = open?.none === undefined ? STAYS[why] : sourceText(open.request, open.none);
  if (hold === undefined)
    return fact("upgrade-edge", subject, `${memberText(installed)} runs and stays: ${reason}`, place);
  const held = HELD[hold.by];
  const said = hold.text === "" || hold.by === "approval" ? held : `${held} (${hold.text})`;
  return fact("held-operator", subject, `${memberText(installed)} runs and stays: ${said}`, place);
}

function stayOrMoveFact({ installed, targets, channels }: StayOrMoveCause): Fact {
  const subject = installed.package ?? installed.name;
  const names = enumerated([...channels].sort(compareText));
  const leads = channels.length === 1 ? `channel ${names} leads` : `channels ${names} lead`;
  const way = channels.length === 0 ? "it can go from there" : `${leads} from there`;
  const where = versionsText(targets, subject, OR);
  const to = where.includes(" to ") ? `versions ${where}` : where;
  const text = `${memberText(installed)} runs, and ${way} only to ${to}`;
  return fact("upgrade-edge", subject, text, installed.place);
}

function demandFact(cause: DemandCause, matches: Matches, introduced: ReadonlySet<Self> | undefined): Fact {
  const [newest] = cause.demands;
  if (newest === undefined) return fact("dependency", cause.owner, `${cause.owner} demands nothing`);
  const name = requirementName(newest.requirement);
  return fact(name, cause.owner, demandText(cause, remembered(matches), introduced), placeOfDemand(newest));
}

/** Of a bundle, the property that demands it; what an operator demands that runs may be worked out from its APIs. */
function placeOfDemand({ member, requirement }: Demand): Place | undefined {
  return "bundle" in member ? inside(member.bundle.place, "properties", requirement.property) : member.place;
}

/** "both x and y 1.0.0", "x, y and z", "x 1.0.0 and 1.1.0 as well as y". */
function allText(members: readonly Self[]): string {
  const texts = byPackage(members).map((list) => membersText(list, { whole: "name" }));
  if (texts.length !== 2) return membersText(members, { whole: "name" });
  return texts.some((text) => text.includes(" and ")) ? texts.join(" as well as ") : `both ${texts.join(" and ")}`;
}

function unservedFact({ api, users, bringers }: UnservedCause): Fact {
  const [need, bring] = [isPlural(users) ? "need" : "needs", isPlural(bringers) ? "bring" : "brings"];
  const name = apiName(gvkOf(api));
  const text = `${membersText(users)} ${need} the API ${name}, and ${membersText(bringers)} ${bring} a CRD that does not serve this version`;
  return fact("crd-upgrade", name, text);
}

function onePerFact({ kind, of, members }: OnePerCause): Fact {
  if (kind === "one-bundle") return fact(kind, of, `only one version of ${of} can run in a namespace`);
  const api = apiName(gvkOf(of));
  return fact(kind, api, `only one operator can provide ${api}, and ${allText(members)} do`);
}
