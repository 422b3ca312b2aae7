// Why are versions of a package refused? Those that are refused for the same reason are told together.

import { compareText } from "../../model/json.ts";
import { boundText, detailText, type Who } from "../../render/sentence/detail.ts";
import { byName } from "../../render/sentence/names.ts";
import type { PlatformVersionDetail } from "../../rule/platform-version.ts";
import type { Detail } from "../../rule/rule.ts";
import { compareVersions, readVersion } from "../../semver/version.ts";
import { placeOf, type Self } from "../member.ts";
import type { Fact } from "../resolution.ts";
import type { RefusalCause, Refused } from "./cause.ts";
import { falseFor } from "./cel-values.ts";
import { byPackage, isPlural, isWhole, membersText, versionsText } from "./version-runs.ts";

/** So many different reasons of one rule are told; of more, the first and the last. */
const MAX_REASONS = 4;

/** A refusal as it is told. */
export function refusalFact({ owner, refused }: RefusalCause): Fact {
  const [first] = refused;
  const text = platformText(owner, refused) ?? reasonsText(refused);
  const place = first === undefined ? undefined : (first.refusal.place ?? placeOf(first.member));
  const said = { rule: first?.refusal.detail.rule ?? "subscription", text, subject: owner } as const;
  return place === undefined ? said : { ...said, place };
}

/** Versions that need other versions of the cluster, by what they need. */
interface PlatformGroup {
  /** Of several ways to write the same version, the first by its text. */
  readonly need: PlatformVersionDetail;
  readonly members: readonly Self[];
}

/** "x 1.0.0 to 1.3.0 need Kubernetes 1.24.0 or newer, 2.0.0 needs 1.28.0 or newer, and the cluster has 1.20.0". */
function platformText(owner: string, refused: readonly Refused[]): string | undefined {
  const groups = new Map<string, PlatformGroup>();
  for (const { member, refusal } of refused) {
    const need = refusal.detail;
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
  const begin = `${membersText(first.members)} ${needs(first.members)} ${of} ${boundText(first.need)}`;
  const others = all.length <= MAX_REASONS ? all.slice(1).map((one) => laterText(owner, one)) : fewText(owner, all);
  return `${[begin, ...others].join(", ")}, and the cluster has ${cluster}`;
}

function compareNeeds(a: PlatformVersionDetail, b: PlatformVersionDetail): number {
  const [x, y] = [readVersion(a.version), readVersion(b.version)];
  return x === undefined || y === undefined ? 0 : compareVersions(x, y);
}

function laterText(owner: string, { members, need }: PlatformGroup): string {
  return `${versionsText(members, owner)} ${needs(members)} ${boundText(need)}`;
}

/** How many there are between the first and the last, and the last. */
function fewText(owner: string, all: readonly PlatformGroup[]): readonly string[] {
  const between = all.slice(1, -1);
  const count = between.reduce((sum, { members }) => sum + members.length, 0);
  const [from, to] = [between[0], between.at(-1)] as [PlatformGroup, PlatformGroup];
  const span = `${count} other versions need ${from.need.text} to ${to.need.text}`;
  return [span, laterText(owner, all.at(-1) as PlatformGroup)];
}

function needs(members: readonly Self[]): string {
  return isPlural(members) ? "need" : "needs";
}

/** Versions that are refused for the same reason are told together; of many different ones the newest and the oldest. */
function reasonsText(refused: readonly Refused[]): string {
  const groups = new Map<string, Refused[]>();
  for (const one of refused) {
    const key = JSON.stringify(one.refusal.detail);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  const all = [...groups.values()].map((list) => ({
    ...(list[0] as Refused),
    members: list.map(({ member }) => member),
  }));
  const shown = all.length <= MAX_REASONS ? all : [all[0], all.at(-1)].flatMap((one) => one ?? []);
  const texts = shown.map(({ refusal: { detail }, member, members, demanded }) =>
    detailText(detail, whoOf(members), byName, valuesFor(detail, member, demanded)),
  );
  const rest = all.filter((one) => !shown.includes(one)).flatMap(({ members }) => members);
  if (rest.length > 0)
    texts.push(`${membersText(rest)} ${isPlural(rest) ? "are" : "is"} refused for a reason of the same kind`);
  return texts.join("; ");
}

function whoOf(members: readonly Self[]): Who {
  const isAll = byPackage(members).length === 1 && isWhole(members);
  return {
    text: membersText(members),
    isPlural: isPlural(members),
    none: isAll ? membersText(members, { whole: "no" }) : undefined,
  };
}

/** The values for which a rule of the administrator is false. An error is part of the refusal itself. */
function valuesFor(detail: Detail, member: Self, demanded: Refused["demanded"]): string | undefined {
  const isError = detail.rule === "runtime-constraint" && detail.why === "refused" && detail.error !== undefined;
  return demanded?.action === "require" && !isError ? falseFor(demanded.constraint, member) : undefined;
}
