// What follows from a sentence, in words? "So, by (1) and (2), x cannot be updated to 2.0.0."

import { inRuns } from "../../model/grouped.ts";
import type { Fact, OperatorId, StayOrMoveFact, Step, WantedFact } from "../../resolve/explain/fact.ts";
import { enumerated } from "../../text/words.ts";
import type { OperatorWords } from "./operators.ts";
import { type Clause, continued, named, plain } from "./words.ts";

/** A step as it was written. */
export interface WrittenStep {
  readonly step: Step;
  /** The facts that it rests on. */
  readonly facts: readonly Fact[];
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

/** What a conclusion is about, and what earlier sentences have stated. */
export interface StepContext {
  readonly words: OperatorWords;
  readonly goal: WantedFact | undefined;
  /** The possible outcomes for operators. */
  readonly fates: readonly StayOrMoveFact[];
  /** What the step rests on. */
  readonly rests: readonly WrittenStep[];
  /** The numbers of earlier sentences with facts of this step. */
  readonly again: readonly number[];
  /** The number of the sentence before, and the one that this will have. */
  readonly last: number | undefined;
  readonly own: number;
  /** Does the sentence say something else before the conclusion? */
  readonly isFresh: boolean;
}

/** The conclusion of a step; nothing if the sentence itself says it. */
export function conclusionText({ conclusion }: Step, facts: readonly Fact[], context: StepContext): string {
  if (conclusion.kind === "impossible") return endText(facts, context);
  const { rests, again, isFresh } = context;
  const so = soText([...again, ...rests.flatMap(({ cites }) => cites)], context);
  const { members } = conclusion;
  if (conclusion.kind === "one-of") {
    const isSaid = isFresh && facts.length > 0 && facts.every(({ kind }) => kind === "demand");
    const isPlain = !facts.some(isOnePer) && rests.every(({ step }) => step.conclusion.kind !== "none-of");
    return isSaid || isPlain ? "" : `${so} ${oneOfText(members, context.words)} is needed.`;
  }
  if (isFresh && facts.every((fact) => isOfItself(fact, members, rests))) return "";
  const then = rests.some(({ isOfCase }) => isOfCase) ? " then" : "";
  return `${so} ${awayText(members, context)}${then}.`;
}

/** Does the sentence of a fact say by itself that these cannot be? */
function isOfItself(fact: Fact, members: readonly OperatorId[], rests: readonly WrittenStep[]): boolean {
  if (fact.kind === "refusal") return true;
  if (fact.kind !== "demand" || rests.length > 0) return false;
  const owners = new Set(fact.demands.map(({ member }) => member));
  return members.every((member) => owners.has(member));
}

/** Is it a rule about which operators may run together? Its sentence does not name those that remain. */
export function isOnePer({ kind }: Fact): boolean {
  return kind === "one-bundle" || kind === "one-provider" || kind === "unserved";
}

/** "So", or "So, by (1) and (2),". */
function soText(cites: readonly number[], { last, isFresh }: StepContext): string {
  const refs = sorted(cites);
  const isNearby = refs.length === 0 || (refs.length === 1 && refs[0] === last && isFresh);
  return isNearby ? "So" : withText(refs);
}

/** Which operators cannot run; together with the subject, if that is the only reason. */
function awayText(members: readonly OperatorId[], { goal, fates, rests, words }: StepContext): string {
  if (goal !== undefined && rests.some(({ isSupposed }) => isSupposed))
    return impossible(members, words, `run beside ${goalText(goal, members, words)}`).text;
  const moves = fates.find(({ targets }) => members.every((one) => targets.includes(one)));
  if (moves !== undefined) return noUpdate(moves.subject, members, words).text;
  if (!members.some((one) => words.isBundle(one))) return stayText(members, words);
  return impossible(members, words, members.every((one) => words.isBundle(one)) ? "be installed" : "run").text;
}

/** That running operators cannot be updated. */
function stayText(members: readonly OperatorId[], words: OperatorWords): string {
  const texts = [...new Set(members.map((one) => words.one(one)))];
  if (texts.length === 1) return `${texts} cannot stay`;
  return texts.length === 2 ? `neither ${enumerated(texts, "nor")} can stay` : `none of ${enumerated(texts)} can stay`;
}

/** The subject; only its version, next to versions of the same package. */
function goalText({ members }: WantedFact, beside: readonly OperatorId[], words: OperatorWords): string {
  const [first] = members;
  const owner = first === undefined ? undefined : words.packageOf(first);
  const isOwn = beside.every((one) => words.packageOf(one) === owner);
  const { packages, items } = words.rowOf(members, { whole: isOwn ? "runs" : "name" });
  if (packages > 2 || items > 2) return `the ${owner ?? "operator"} in question`;
  return isOwn ? words.versions(members, owner, { word: "or" }) : words.several(members, { word: "or", whole: "name" });
}

/** The last conclusion: nothing is left. */
function endText(facts: readonly Fact[], context: StepContext): string {
  const { goal, rests, again, words } = context;
  const numbersOf = (kind: string): readonly number[] =>
    sorted(rests.filter(({ step }) => step.conclusion.kind === kind).flatMap(({ number }) => number ?? []));
  const there = numbersOf("one-of");
  const by = sorted([...again, ...numbersOf("none-of")]).filter((number) => !there.includes(number));
  const so = withText(sorted([...again, ...rests.flatMap(({ cites }) => cites)]));
  if (goal !== undefined && rests.some(({ role }) => role === "question") && there.length + by.length > 0)
    return `${so} ${goalEnd(goal, facts, context)}.`;
  const supposed = rests.find(({ role }) => role === "case");
  if (supposed !== undefined && there.length + by.length > 0) return `${so} that is not possible.`;
  const [first, ...more] = rests.filter(
    ({ number, step }) => number !== undefined && step.conclusion.kind === "one-of",
  );
  const fate = first?.facts[0];
  if (first !== undefined && more.length === 0 && first.facts.length === 1) {
    if (fate?.kind === "stay-or-move") return fateEnd(fate, context);
    if (fate?.kind === "stays") return `${withText(by)} ${words.one(fate.installed)} cannot stay, against (${there}).`;
  }
  if (there.length > 1)
    return `${withText(by)} ${listed(there)} cannot ${there.length === 2 ? "both be met" : "be met together"}.`;
  if (there.length === 1) return `${withText(by)} ${listed(there)} cannot be met.`;
  if (facts.length > 3) return "All of this together is not possible.";
  return by.length > 0 ? `${withText(by)} nothing is left.` : "";
}

function withText(by: readonly number[]): string {
  return by.length === 0 ? "So" : `So, by ${listed(by)},`;
}

/** That the answer is no; of an operator that can only go elsewhere, that this cannot be reached. */
function goalEnd(goal: WantedFact, facts: readonly Fact[], { rests, words }: StepContext): string {
  const others = rests.filter(({ role }) => role === "sentence").flatMap((step) => step.facts);
  const [fate] = others;
  const isFate = facts.every(({ kind }) => kind === "one-bundle") && others.length === 1;
  if (!isFate || fate?.kind !== "stay-or-move") return answerClause(goal, words).text;
  const isBeyond = goal.members.every((one) => fate.targets.every((target) => words.isNewer(one, target)));
  return impossible(goal.members, words, `be reached ${isBeyond ? "yet" : "from there"}`).text;
}

/** "So x can neither stay (5, 6) nor go to 2.0.0 (4)." */
function fateEnd({ installed, targets, subject }: StayOrMoveFact, context: StepContext): string {
  const { rests, again, own, words } = context;
  const away = rests.filter(({ step }) => step.conclusion.kind === "none-of");
  const speaksOf = (members: readonly OperatorId[]): readonly WrittenStep[] =>
    away.filter(({ step }) => step.conclusion.kind === "none-of" && step.conclusion.members.some(isAmong(members)));
  const isSaid = (members: readonly OperatorId[]): boolean =>
    members.every((one) => speaksOf([one]).length > 0) && members.length > 0;
  const numbers = (some: readonly WrittenStep[]): readonly number[] => some.flatMap(({ number }) => number ?? []);
  const [stays, goes] = [numbers(speaksOf([installed])), numbers(speaksOf(targets))];
  const rest = [...again, ...numbers(away).filter((one) => !stays.includes(one) && !goes.includes(one)), own];
  const versions = words.versions(targets, subject, { word: "or" });
  const where = words.hasRun(targets) ? `any of ${versions}` : versions;
  const staysBy = isSaid([installed]) ? stays : [...stays, ...rest];
  const goesBy = isSaid(targets) ? goes : [...goes, ...rest];
  return `So ${subject} can neither stay (${sorted(staysBy).join(", ")}) nor go to ${where} (${sorted(goesBy).join(", ")}).`;
}

function isAmong(members: readonly OperatorId[]): (member: OperatorId) => boolean {
  const inside = new Set(members);
  return (member) => inside.has(member);
}

/** The answer to the question: "x cannot be updated to 2.0.0", "no version of x can be installed". */
export function answerClause({ request, members }: WantedFact, words: OperatorWords): Clause {
  if (members.length === 0)
    return request === undefined ? plain("it cannot be installed") : named(`${request.package} cannot be installed`);
  const isUpdate = request?.installed !== undefined && members.every((one) => words.isBundle(one));
  return isUpdate ? noUpdate(request.package, members, words) : impossible(members, words);
}

function noUpdate(owner: string, to: readonly OperatorId[], words: OperatorWords): Clause {
  return named(`${owner} cannot be updated to ${words.versions(to, owner, { word: "or" })}`);
}

/** "x 1.0.0 cannot be installed", "neither x 1.0.0 nor 1.1.0 can …", "none of x 1.0.0 to 1.4.0 can …", "no version of x can …". */
function impossible(members: readonly OperatorId[], words: OperatorWords, what = "be installed"): Clause {
  if (words.isWhole(members)) return continued(words.clause(members, { whole: "no" }), ` can ${what}`);
  const count = words.count(members);
  if (count === 1) return continued(words.clause(members), ` cannot ${what}`);
  return plain(
    count === 2
      ? `neither ${words.several(members, { whole: "name", word: "nor" })} can ${what}`
      : `none of ${words.several(members, { whole: "name" })} can ${what}`,
  );
}

function oneOfText(members: readonly OperatorId[], words: OperatorWords): string {
  const { text, isPlain } = words.clause(members, { word: "or", whole: "some" });
  return isPlain || words.count(members) === 1 ? text : `one of ${text}`;
}

function sorted(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** "(1)", "(1) and (3)", "(2) to (9)". */
function listed(numbers: readonly number[]): string {
  return enumerated(
    inRuns(numbers, (before, number) => number === before + 1).flatMap((run) =>
      run.length < 3 ? run.map((number) => `(${number})`) : [`(${run[0] as number}) to (${run.at(-1) as number})`],
    ),
  );
}
