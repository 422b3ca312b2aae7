// Why are versions of a package refused? Versions with the same reason are grouped.

import { groupedBy } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import type { OperatorId, RefusalFact } from "../../resolve/explain/fact.ts";
import { crdUpgradeKey } from "../../rule/crd-upgrade.ts";
import type { PlatformVersionDetail } from "../../rule/platform-version.ts";
import { compareVersions, readVersion } from "../../semver/version.ts";
import { nearMissText } from "./near-miss.ts";
import type { OperatorWords } from "./operators.ts";
import { boundText, detailClause, type Who } from "./rule.ts";
import { type Clause, continued } from "./words.ts";

/** Up to this many different reasons of one rule are listed; of more, the first and the last. */
const MAX_REASONS = 4;

type Refused = RefusalFact["refused"][number];

export function refusalClause({ owner, refused }: RefusalFact, words: OperatorWords): Clause {
  return platformClause(owner, refused, words) ?? reasonsClause(refused, words);
}

/** Versions that need other versions of the cluster, by what they need. */
interface PlatformGroup {
  /** If the same version is written in several ways, the first by its text. */
  readonly need: PlatformVersionDetail;
  readonly members: readonly OperatorId[];
}

/** "x 1.0.0 to 1.3.0 need Kubernetes 1.24.0 or newer, 2.0.0 needs 1.28.0 or newer, and the cluster has 1.20.0". */
function platformClause(owner: string, refused: readonly Refused[], words: OperatorWords): Clause | undefined {
  const groups = new Map<string, PlatformGroup>();
  for (const { member, detail: need } of refused) {
    if (need.rule !== "platform-version") return undefined;
    const key = `${need.of} ${need.version}`;
    const group = groups.get(key) ?? { need, members: [] };
    const isFirst = compareText(need.text, group.need.text) < 0;
    groups.set(key, { need: isFirst ? need : group.need, members: [...group.members, member] });
  }
  const all = [...groups.values()].sort((a, b) => compareNeeds(a.need, b.need));
  const [first] = all;
  if (first === undefined || all.some(({ need }) => need.of !== first.need.of)) return undefined;
  const { of, cluster } = first.need;
  const begin = ` ${needs(first.members, words)} ${of} ${boundText(first.need)}`;
  const others =
    all.length <= MAX_REASONS ? all.slice(1).map((one) => laterText(owner, one, words)) : fewText(owner, all, words);
  return continued(words.clause(first.members), `${[begin, ...others].join(", ")}, and the cluster has ${cluster}`);
}

function compareNeeds(a: PlatformVersionDetail, b: PlatformVersionDetail): number {
  const [x, y] = [readVersion(a.version), readVersion(b.version)];
  return x === undefined || y === undefined ? 0 : compareVersions(x, y);
}

function laterText(owner: string, { members, need }: PlatformGroup, words: OperatorWords): string {
  return `${words.versions(members, owner)} ${needs(members, words)} ${boundText(need)}`;
}

/** How many there are between the first and the last, and the last. */
function fewText(owner: string, all: readonly PlatformGroup[], words: OperatorWords): readonly string[] {
  const between = all.slice(1, -1);
  const count = between.reduce((sum, { members }) => sum + members.length, 0);
  const [from, to] = [between[0], between.at(-1)] as [PlatformGroup, PlatformGroup];
  const span = `${count} other versions need ${from.need.text} to ${to.need.text}`;
  return [span, laterText(owner, all.at(-1) as PlatformGroup, words)];
}

function needs(members: readonly OperatorId[], words: OperatorWords): string {
  return words.isPlural(members) ? "need" : "needs";
}

/** Versions with the same reason are grouped; of many different reasons, those of the newest and the oldest are listed. */
function reasonsClause(refused: readonly Refused[], words: OperatorWords): Clause {
  const groups = groupedBy(refused, ({ detail }) =>
    detail.rule === "crd-upgrade" ? crdUpgradeKey(detail) : JSON.stringify(detail),
  );
  const all = [...groups.values()].map((list) => ({
    ...(list[0] as Refused),
    members: list.map(({ member }) => member),
  }));
  const shown = all.length <= MAX_REASONS ? all : [all[0], all.at(-1)].flatMap((one) => one ?? []);
  const [first, ...more] = shown.map(({ detail, members, miss }) =>
    detailClause(detail, whoOf(members, words), words.naming, miss && nearMissText(miss, words)),
  ) as [Clause, ...Clause[]];
  const rest = all.filter((one) => !shown.includes(one)).flatMap(({ members }) => members);
  const last = `; ${words.several(rest)} ${words.isPlural(rest) ? "are" : "is"} refused for a reason of the same kind`;
  return continued(first, `${more.map(({ text }) => `; ${text}`).join("")}${rest.length === 0 ? "" : last}`);
}

function whoOf(members: readonly OperatorId[], words: OperatorWords): Who {
  const { text, isPlain } = words.clause(members);
  const none = words.isWhole(members) ? words.several(members, { whole: "no" }) : undefined;
  return { text, isPlain, isPlural: words.isPlural(members), none };
}
