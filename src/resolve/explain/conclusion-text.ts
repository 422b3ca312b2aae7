// What follows from a sentence, in words? "So, by (1) and (2), x cannot be updated to 2.0.0."

import { compareVersions } from "../../semver/version.ts";
import { packageOf, type Self, versionOf } from "../member.ts";
import type { Cause, StayOrMoveCause, WantedCause } from "./cause.ts";
import type { Step } from "./derivation.ts";
import { byPackage, enumerated, membersText, memberText, versionsText } from "./version-runs.ts";

/** A step as it was told. */
export interface Told {
  readonly step: Step;
  /** The number of its sentence; nothing if it is the question itself, or the case that is looked at. */
  readonly number: number | undefined;
  readonly role: "question" | "case" | "sentence";
  /** The sentences to name for what it says: those on which it rests, too, where it does not say what follows. */
  readonly cites: readonly number[];
  /** It is only so if the answer to the question were yes. */
  readonly isSupposed: boolean;
  /** It is only so in the case that is looked at. */
  readonly isOfCase: boolean;
}

/** What a conclusion is about, and what was said before it. */
export interface Saying {
  readonly goal: WantedCause | undefined;
  /** What may become of operators. */
  readonly fates: readonly StayOrMoveCause[];
  /** What the step rests on. */
  readonly rests: readonly Told[];
  /** The numbers of earlier sentences with causes of this step. */
  readonly again: readonly number[];
  /** The number of the sentence before, and the one that this will have. */
  readonly last: number | undefined;
  readonly own: number;
  /** Does the sentence say something else before the conclusion? */
  readonly isFresh: boolean;
}

/** The conclusion of a step; nothing where the sentence itself says it. */
export function conclusionText({ conclusion, causes }: Step, saying: Saying): string {
  if (conclusion.kind === "impossible") return endText(causes, saying);
  const { rests, again, isFresh } = saying;
  const so = soText([...again, ...rests.flatMap(({ cites }) => cites)], saying);
  const { members } = conclusion;
  if (conclusion.kind === "one-of") {
    const isSaid = isFresh && causes.length > 0 && causes.every(({ kind }) => kind === "demand");
    const isPlain = !causes.some(isOnePer) && rests.every(({ step }) => step.conclusion.kind !== "none-of");
    return isSaid || isPlain ? "" : `${so} ${oneOfText(members)} is needed.`;
  }
  if (isFresh && causes.every((cause) => isOfItself(cause, members, rests))) return "";
  const then = rests.some(({ isOfCase }) => isOfCase) ? " then" : "";
  return `${so} ${awayText(members, saying)}${then}.`;
}

/** Does the sentence of a cause say by itself that these cannot be? */
function isOfItself(cause: Cause, members: readonly Self[], rests: readonly Told[]): boolean {
  if (cause.kind === "refusal") return true;
  if (cause.kind !== "demand" || rests.length > 0) return false;
  const owners = new Set(cause.demands.map(({ member }) => member));
  return members.every((member) => owners.has(member));
}

/** Is it about who may be there together? Its sentence does not say who is left. */
export function isOnePer({ kind }: Cause): boolean {
  return kind === "one-bundle" || kind === "one-provider" || kind === "unserved";
}

/** "So", or "So, by (1) and (2),". */
function soText(cites: readonly number[], { last, isFresh }: Saying): string {
  const refs = sorted(cites);
  const isNearby = refs.length === 0 || (refs.length === 1 && refs[0] === last && isFresh);
  return isNearby ? "So" : `So, by ${listed(refs)},`;
}

/** Who cannot be: beside what is asked about, if that is the only reason. */
function awayText(members: readonly Self[], { goal, fates, rests }: Saying): string {
  if (goal !== undefined && rests.some(({ isSupposed }) => isSupposed))
    return impossibleText(members, `run beside ${goalText(goal, members)}`);
  const moves = fates.find(({ targets }) => members.every((one) => targets.some((target) => target === one)));
  if (moves !== undefined) return updateText(moves.installed, members);
  if (members.every((one) => !("bundle" in one))) return stayText(members);
  return impossibleText(members, members.every((one) => "bundle" in one) ? "be installed" : "run");
}

/** That those who run cannot go on. */
function stayText(members: readonly Self[]): string {
  const texts = [...new Set(members.map(memberText))];
  if (texts.length === 1) return `${texts} cannot stay`;
  return texts.length === 2 ? `neither ${enumerated(texts, "nor")} can stay` : `none of ${enumerated(texts)} can stay`;
}

/** What is asked about; by its version only, beside versions of the same package. */
function goalText({ members }: WantedCause, beside: readonly Self[]): string {
  const [first] = members;
  const owner = first && packageOf(first);
  const text = beside.every((one) => packageOf(one) === owner)
    ? versionsText(members, owner, { word: "or" })
    : membersText(members, { word: "or", whole: "name" });
  return text.includes(",") ? `the ${owner ?? "operator"} in question` : text;
}

/** The last conclusion: nothing is left. */
function endText(causes: readonly Cause[], saying: Saying): string {
  const { goal, rests, again } = saying;
  const numbersOf = (kind: string): readonly number[] =>
    sorted(rests.filter(({ step }) => step.conclusion.kind === kind).flatMap(({ number }) => number ?? []));
  const there = numbersOf("one-of");
  const by = sorted([...again, ...numbersOf("none-of")]).filter((number) => !there.includes(number));
  const so = withText(sorted([...again, ...rests.flatMap(({ cites }) => cites)]));
  if (goal !== undefined && rests.some(({ role }) => role === "question") && there.length + by.length > 0)
    return `${so} ${goalEnd(goal, causes, rests)}.`;
  const supposed = rests.find(({ role }) => role === "case");
  if (supposed !== undefined && there.length + by.length > 0) return `${so} that is not possible.`;
  const [first, ...more] = rests.filter(
    ({ number, step }) => number !== undefined && step.conclusion.kind === "one-of",
  );
  const fate = first?.step.causes[0];
  if (first !== undefined && more.length === 0 && first.step.causes.length === 1) {
    if (fate?.kind === "stay-or-move") return fateEnd(fate, saying);
    if (fate?.kind === "stays") return `${withText(by)} ${memberText(fate.installed)} cannot stay, against (${there}).`;
  }
  if (there.length > 1)
    return `${withText(by)} ${listed(there)} cannot ${there.length === 2 ? "both be met" : "be met together"}.`;
  if (there.length === 1) return `${withText(by)} ${listed(there)} cannot be met.`;
  if (causes.length > 3) return "All of this together is not possible.";
  return by.length > 0 ? `${withText(by)} nothing is left.` : "";
}

function withText(by: readonly number[]): string {
  return by.length === 0 ? "So" : `So, by ${listed(by)},`;
}

/** That the answer is no; of an operator that can only go elsewhere, that this cannot be reached. */
function goalEnd(goal: WantedCause, causes: readonly Cause[], rests: readonly Told[]): string {
  const others = rests.filter(({ role }) => role === "sentence").flatMap(({ step }) => step.causes);
  const [fate] = others;
  const isFate = causes.every(({ kind }) => kind === "one-bundle") && others.length === 1;
  if (!isFate || fate?.kind !== "stay-or-move") return answerText(goal);
  const isBeyond = goal.members.every((one) => fate.targets.every((target) => isNewer(one, target)));
  return impossibleText(goal.members, `be reached ${isBeyond ? "yet" : "from there"}`);
}

function isNewer(a: Self, b: Self): boolean {
  const [x, y] = [versionOf(a), versionOf(b)];
  return x !== undefined && y !== undefined && compareVersions(x, y) > 0;
}

/** "So x can neither stay (5, 6) nor go to 2.0.0 (4)." */
function fateEnd({ installed, targets }: StayOrMoveCause, { rests, again, own }: Saying): string {
  const away = rests.filter(({ step }) => step.conclusion.kind === "none-of");
  const speaksOf = (members: readonly Self[]): readonly Told[] =>
    away.filter(({ step }) => step.conclusion.kind === "none-of" && step.conclusion.members.some(isAmong(members)));
  const isSaid = (members: readonly Self[]): boolean =>
    members.every((one) => speaksOf([one]).length > 0) && members.length > 0;
  const numbers = (some: readonly Told[]): readonly number[] => some.flatMap(({ number }) => number ?? []);
  const [stays, goes] = [numbers(speaksOf([installed])), numbers(speaksOf(targets))];
  const rest = [...again, ...numbers(away).filter((one) => !stays.includes(one) && !goes.includes(one)), own];
  const owner = installed.package ?? installed.name;
  const versions = versionsText(targets, owner, { word: "or" });
  const where = versions.includes(" to ") ? `any of ${versions}` : versions;
  const staysBy = isSaid([installed]) ? stays : [...stays, ...rest];
  const goesBy = isSaid(targets) ? goes : [...goes, ...rest];
  return `So ${owner} can neither stay (${sorted(staysBy).join(", ")}) nor go to ${where} (${sorted(goesBy).join(", ")}).`;
}

function isAmong(members: readonly Self[]): (member: Self) => boolean {
  const inside = new Set(members);
  return (member) => inside.has(member);
}

/** The answer to the question: "x cannot be updated to 2.0.0", "no version of x can be installed". */
export function answerText({ request, members }: WantedCause): string {
  if (members.length === 0) return `${request?.package ?? "it"} cannot be installed`;
  const isUpdate = request?.installed !== undefined && members.every((one) => "bundle" in one);
  return isUpdate ? updateText({ name: request.package, package: request.package }, members) : impossibleText(members);
}

function updateText(
  from: { readonly name: string; readonly package: string | undefined },
  to: readonly Self[],
): string {
  const owner = from.package ?? from.name;
  return `${owner} cannot be updated to ${versionsText(to, owner, { word: "or" })}`;
}

/** "x 1.0.0 cannot be installed", "neither x 1.0.0 nor 1.1.0 can …", "none of x 1.0.0 to 1.4.0 can …", "no version of x can …". */
function impossibleText(members: readonly Self[], what = "be installed"): string {
  const text = membersText(members, { whole: "no" });
  const count = new Set(members.map(memberText)).size;
  if (byPackage(members).length === 1 && text.startsWith("no version of ")) return `${text} can ${what}`;
  if (count === 1) return `${text} cannot ${what}`;
  return count === 2
    ? `neither ${membersText(members, { whole: "name", word: "nor" })} can ${what}`
    : `none of ${membersText(members, { whole: "name" })} can ${what}`;
}

function oneOfText(members: readonly Self[]): string {
  const text = membersText(members, { word: "or", whole: "some" });
  const isOne = new Set(members.map(memberText)).size === 1 || text.startsWith("some version of ");
  return isOne ? text : `one of ${text}`;
}

function sorted(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** "(1)", "(1) and (3)", "(2) to (9)". */
function listed(numbers: readonly number[]): string {
  const runs: number[][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last.at(-1) === number - 1) last.push(number);
    else runs.push([number]);
  }
  return enumerated(
    runs.flatMap((run) =>
      run.length < 3 ? run.map((number) => `(${number})`) : [`(${run[0] as number}) to (${run.at(-1) as number})`],
    ),
  );
}
