// Why are versions of a package refused? Those that are refused for the same reason are told together.

import { compareText } from "../../model/json.ts";
import { outsideQuotes } from "../../model/quotation.ts";
import { boundText, type PlatformNeed, platformNeedOf } from "../../rule/platform-version.ts";
import { constraintOf, remarksOn } from "../../rule/runtime-constraint.ts";
import { compareVersions, printVersion } from "../../semver/version.ts";
import { nameOf, placeOf, type Self } from "../member.ts";
import type { Fact } from "../resolution.ts";
import type { RefusalCause, Refused } from "./cause.ts";
import { falseFor } from "./cel-values.ts";
import { isPlural, membersText, versionsText } from "./version-runs.ts";

/** So many different reasons of one rule are told; of more, the first and the last. */
const MOST_REASONS = 4;

/** A refusal as it is told. */
export function refusalFact({ owner, refused }: RefusalCause): Fact {
  const [first] = refused;
  const text = platformText(owner, refused) ?? reasonsText(refused);
  const place = first === undefined ? undefined : (first.rule.place ?? placeOf(first.member));
  const said = { rule: first?.rule.name ?? "subscription", text, subject: owner } as const;
  return place === undefined ? said : { ...said, place };
}

/** Versions that need other versions of the cluster, by what they need. */
interface PlatformGroup {
  /** Of several ways to write the same version, the first by its text. */
  readonly need: PlatformNeed;
  readonly members: readonly Self[];
}

/** "x 1.0.0 to 1.3.0 need Kubernetes 1.24.0 or newer, 2.0.0 needs 1.28.0 or newer, and the cluster has 1.20.0". */
function platformText(owner: string, refused: readonly Refused[]): string | undefined {
  const groups = new Map<string, PlatformGroup>();
  for (const { member, rule } of refused) {
    const need = platformNeedOf(rule);
    if (need === undefined) return undefined;
    const key = `${need.of} ${printVersion(need.version)}`;
    const group = groups.get(key) ?? { need, members: [] };
    const isFirst = compareText(need.text, group.need.text) < 0;
    groups.set(key, { need: isFirst ? need : group.need, members: [...group.members, member] });
  }
  const all = [...groups.values()].sort((a, b) => compareVersions(a.need.version, b.need.version));
  const [first] = all;
  if (first === undefined || all.some(({ need }) => need.of !== first.need.of)) return undefined;
  const { of, cluster } = first.need;
  const begin = `${membersText(first.members)} ${needs(first.members)} ${of} ${boundText(first.need)}`;
  const others = all.length <= MOST_REASONS ? all.slice(1).map((one) => laterText(owner, one)) : fewText(owner, all);
  return `${[begin, ...others].join(", ")}, and the cluster has ${cluster}`;
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

/** Versions that are refused with the same words are told together; of many different ones the newest and the oldest. */
function reasonsText(refused: readonly Refused[]): string {
  const groups = new Map<string, Refused[]>();
  for (const one of refused) {
    const key = outsideQuotes(one.rule.text, (part) => withoutName(part, nameOf(one.member)));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  const all = [...groups].map(([text, list]) => ({
    text: withValues(text, list[0] as Refused),
    members: list.map(({ member }) => member),
  }));
  const shown = all.length <= MOST_REASONS ? all : [all[0], all.at(-1)].flatMap((one) => one ?? []);
  const texts = shown.map(({ members, text }) => reasonText(text, members));
  const rest = all.filter((one) => !shown.includes(one)).flatMap(({ members }) => members);
  if (rest.length > 0)
    texts.push(`${membersText(rest)} ${isPlural(rest) ? "are" : "is"} refused for a reason of the same kind`);
  return texts.join("; ");
}

const NAME = "\0";

/** A text with a mark wherever the name stands as a word. */
function withoutName(text: string, name: string): string {
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\w.-]/.test(character);
  const pieces = text.split(name);
  let said = pieces[0] as string;
  for (const piece of pieces.slice(1))
    said += isWord(said.at(-1)) || /^[\w-]|^\.\w/.test(piece) ? `${name}${piece}` : `${NAME}${piece}`;
  return said;
}

/** Verbs of rules, as they stand behind one name and behind several. */
const SEVERAL: readonly (readonly [string, string])[] = [
  [" is no such operator", " are no such operators"],
  [" is such an operator", " are such operators"],
  [" is ", " are "],
  [" has ", " have "],
  [" does ", " do "],
  [" needs ", " need "],
  [" provides ", " provide "],
];

function reasonText(text: string, members: readonly Self[]): string {
  const whole = membersText(members, { whole: "no" });
  const told = whole.startsWith("no version of ")
    ? text
        .replaceAll(`${NAME} is no such operator`, `${whole} is one`)
        .replaceAll(`${NAME} does not meet`, `${whole} meets`)
    : text;
  const agreed = isPlural(members)
    ? SEVERAL.reduce((sofar, [one, many]) => sofar.replaceAll(`${NAME}${one}`, `${NAME}${many}`), told)
    : told;
  return agreed.replaceAll(NAME, membersText(members));
}

/** With the values for which a rule of the administrator is false. An error is part of the refusal itself. */
function withValues(text: string, { member, rule }: Refused): string {
  const demanded = constraintOf(rule);
  if (demanded?.action !== "require") return text;
  const values = falseFor(demanded.constraint, member);
  const remarks = remarksOn(demanded.constraint);
  if (values === undefined || !text.endsWith(remarks)) return text;
  return `${text.slice(0, text.length - remarks.length)}; ${values}${remarks}`;
}
