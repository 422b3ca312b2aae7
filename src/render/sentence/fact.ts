// How is a fact written as one sentence? Subject first, versions as ranges, with the operators that could meet a
// requirement.

import { compareText } from "../../model/json.ts";
import type { RequestRef } from "../../model/operator-ref.ts";
import { CLUSTER_SCOPE, type Hold } from "../../model/problem.ts";
import type {
  Fact,
  Facts,
  OnePerFact,
  OperatorId,
  StayOrMoveFact,
  StaysFact,
  UnservedFact,
  WantedFact,
} from "../../resolve/explain/fact.ts";
import { linesText } from "../../text/one-line.ts";
import { enumerated } from "../../text/words.ts";
import { byKind } from "../kit/by-kind.ts";

import { apiName } from "./constraint.ts";
import { demandClause } from "./demand.ts";
import { byName, type Naming } from "./names.ts";
import { noCandidatesTexts } from "./no-candidates.ts";
import { noUpgradePathFactText } from "./no-upgrade-path.ts";
import { OperatorWords, type Style } from "./operators.ts";
import { refusalClause } from "./refusal.ts";
import { requestedText, requesterText, shortName, waitsText } from "./request.ts";
import { brokenClause, brokenSubject } from "./rule.ts";
import { sourceText } from "./source.ts";
import { type Clause, continued, named, plain } from "./words.ts";

/** What each of some facts says, without a full stop. */
export function factTexts({ facts, operators, offers }: Facts, naming: Naming = byName): readonly string[] {
  const words = new OperatorWords({ operators, offers }, naming);
  return facts.map((fact) => factClause(fact, words).text);
}

export function factSubject(fact: Fact): string {
  if (fact.kind === "broken") return brokenSubject(fact.broken);
  return "api" in fact ? apiName(fact.api) : fact.subject;
}

/** The sentence of a fact; that an operator runs is not repeated after an earlier sentence has reported it. */
export function factClause(fact: Fact, words: OperatorWords, introduced?: ReadonlySet<OperatorId>): Clause {
  const clause = plainClause(fact, words, introduced);
  if (!("isRepair" in fact) || !fact.isRepair) return clause;
  // An operator that violates a rule by itself is replaced; whether its replacement satisfies the rule is not always known.
  const ended = fact.kind === "refusal" ? "updates" : "repairs";
  return continued(clause, `; this was broken before, and the answer ${ended} it`);
}

const plainClause: (fact: Fact, words: OperatorWords, introduced: ReadonlySet<OperatorId> | undefined) => Clause =
  byKind({
    wanted: wantedClause,
    stays: staysClause,
    "stay-or-move": stayOrMoveClause,
    demand: demandClause,
    refusal: refusalClause,
    "one-bundle": onePerClause,
    "one-provider": onePerClause,
    unserved: unservedClause,
    unavailable: (fact) => {
      const names = fact.catalogs.map(({ name, reason }) => `${name} (${reason})`);
      return plain(
        `catalog ${enumerated(names)} is not available and might have a better choice, so nothing new may be taken from catalogs that come after it`,
      );
    },
    "no-candidates": (fact, words) => plain(linesText(noCandidatesTexts(fact, words))),
    waits: (fact) => named(waitsText(fact.request)),
    "all-or-nothing": (fact) => plain(`all or nothing was requested, and ${shortName(fact.request)} is not possible`),
    broken: (fact, words) => brokenClause(fact.broken, words.naming),
    "no-way": (fact) => plain(noUpgradePathFactText(fact)),
  });

const OR: Style = { word: "or", whole: "runs" };

function wantedClause({ why, request, members }: WantedFact, words: OperatorWords): Clause {
  const who = words.several(members, OR);
  if (request === undefined) return plain(`the question is whether ${who} can be installed`);
  const begin = request.place === undefined ? plain : named;
  const asker = requesterText(request);
  switch (why) {
    case "request":
    case "goal": {
      const asks = request.place === undefined ? "you asked for" : `${asker} asks for`;
      return begin(`${asks} ${requestedText(request)}${offerText(request, members, words)}`);
    }
    case "update":
      return plain(`the answer updates what ${asker} asks for, to ${who}`);
    case "best": {
      const last = members.at(-1);
      const gets = last === undefined || members.length === 1 ? who : `${words.one(last)} or a better one (${who})`;
      return begin(`${asker} comes first and is given ${gets}`);
    }
  }
}

/** Which versions that is, where the wish does not say it. */
function offerText(
  { package: owner, range }: RequestRef,
  members: readonly OperatorId[],
  words: OperatorWords,
): string {
  if (members.length === 0) return ", and there is none";
  if (words.isWhole(members, owner)) return "";
  const only = words.onlyVersion(members, owner);
  return only !== undefined && only === range?.only ? "" : `, which is ${words.versions(members, owner, OR)}`;
}

const HELD: Readonly<Record<Hold["by"], string>> = {
  condition: "its OperatorCondition has Upgradeable=False",
  flag: "you asked to hold it",
  approval: "its Subscription asks for approval",
};

const STAYS: Readonly<Record<StaysFact["why"], string>> = {
  held: "it is held",
  unclaimed: "no Subscription claims it, so nothing updates it",
  "no-update": "its channel has nothing newer",
  "no-source": "what it could go to is not known",
};

/** The same for operators of ClusterExtensions, which need not be in a channel, and may exclude versions. */
const STAYS_IN_CLUSTER_SCOPE: typeof STAYS = {
  ...STAYS,
  unclaimed: "no ClusterExtension claims it, so nothing updates it",
  "no-update": "its ClusterExtension has no better choice",
};

function whyText(installed: OperatorId, why: StaysFact["why"], words: OperatorWords): string {
  return (words.ref(installed).namespace === CLUSTER_SCOPE ? STAYS_IN_CLUSTER_SCOPE : STAYS)[why];
}

function staysClause({ installed, why, hold, open }: StaysFact, words: OperatorWords): Clause {
  const stays = `${words.one(installed)} runs and stays`;
  if (hold === undefined)
    return named(
      `${stays}: ${open === undefined ? whyText(installed, why, words) : sourceText(open.none, open.request)}`,
    );
  const held = HELD[hold.by];
  return named(`${stays}: ${hold.text === "" || hold.by === "approval" ? held : `${held} (${hold.text})`}`);
}

function stayOrMoveClause({ installed, targets, channels, subject }: StayOrMoveFact, words: OperatorWords): Clause {
  const names = enumerated([...channels].sort(compareText));
  const leads = channels.length === 1 ? `channel ${names} leads` : `channels ${names} lead`;
  const isOfCluster = words.ref(installed).namespace === CLUSTER_SCOPE;
  // What a ClusterExtension gets is not decided by its channels alone.
  const who = isOfCluster ? "its ClusterExtension goes" : channels.length === 0 ? "it can go" : leads;
  const where = words.versions(targets, subject, OR);
  const to = words.hasRun(targets) ? `versions ${where}` : where;
  return named(`${words.one(installed)} runs, and ${who} from there only to ${to}`);
}

/** "both x and y 1.0.0", "x, y and z", "x 1.0.0 and 1.1.0 as well as y". */
function allText(members: readonly OperatorId[], words: OperatorWords): string {
  const packages = words.byPackage(members);
  if (packages.length !== 2) return words.several(members, { whole: "name" });
  const texts = packages.map((own) => words.several(own, { whole: "name" }));
  const isList = words.rowOf(members, { whole: "name" }).items > 1;
  return isList ? texts.join(" as well as ") : `both ${texts.join(" and ")}`;
}

function unservedClause({ api, users, definers }: UnservedFact, words: OperatorWords): Clause {
  const need = words.isPlural(users) ? "need" : "needs";
  const bring = words.isPlural(definers) ? "bring" : "brings";
  return continued(
    words.clause(users),
    ` ${need} the API ${apiName(api)}, and ${words.several(definers)} ${bring} a CRD that does not serve this version`,
  );
}

function onePerClause(fact: OnePerFact, words: OperatorWords): Clause {
  if (fact.kind === "one-bundle") {
    const where = fact.scope === "cluster" ? "the cluster scope" : "a namespace";
    return plain(`only one version of ${fact.package} can run in ${where}`);
  }
  return plain(`only one operator can provide ${apiName(fact.api)}, and ${allText(fact.members, words)} do`);
}
