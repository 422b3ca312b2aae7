// How would a careful colleague tell it? What is not possible, then numbered sentences that lead there.

import { linesText } from "../../model/one-line.ts";
import type { Self } from "../member.ts";
import type { Cause, Matches, StayOrMoveCause, WantedCause } from "./cause.ts";
import { answerText, conclusionText, isOnePer, type Told } from "./conclusion-text.ts";
import type { Case, Derivation, Step } from "./derivation.ts";
import { askerText, factOf } from "./fact-text.ts";
import { enumerated, membersText } from "./version-runs.ts";

/** A screen, with room for a line that others add. */
const MOST_LINES = 38;
/** From so many sentences on, those that follow from the one before share a line, so many of them. */
const MANY_SENTENCES = 12;
const SENTENCES_A_LINE = 3;
/** The width of a screen, in which a long line takes several rows. */
const COLUMNS = 120;
/** Where a text is cut, its last lines stay. */
const LAST_LINES = 2;

/** The whole prose of an explanation. */
export function proseOf(causes: readonly Cause[], derivation: Derivation, matches: Matches): string {
  const goal = causes.find((cause): cause is WantedCause => cause.kind === "wanted" && cause.why === "goal");
  const telling = new Telling(causes, matches, goal);
  telling.tell(derivation, 0, "", new Map(), goal === undefined ? [] : goal.members);
  const first = headline(causes, goal);
  const { lines } = telling;
  if (lines.length === 0 && goal !== undefined) return linesText([first, sentence(factOf(goal, matches).text)]);
  return linesText([
    first,
    ...(lines.length === 1 ? lines.map((line) => line.replace(/^1\. /, "")) : cut(first, lines)),
  ]);
}

/** What is not possible. */
function headline(causes: readonly Cause[], goal: WantedCause | undefined): string {
  if (goal === undefined) {
    const asked = causes.flatMap((cause) => (cause.kind === "wanted" && cause.request ? [cause.request] : []));
    if (asked.length === 0) return "What runs cannot go on as it is.";
    return `${enumerated(asked.map(askerText))} cannot have what ${asked.length === 1 ? "it asks" : "they ask"} for.`;
  }
  return sentence(answerText(goal));
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Names stay as they are written; only plain words begin with a capital. */
function sentence(text: string): string {
  const isPlain = /^(every|only|each|the|no|none|neither|catalog|you) /.test(text);
  return `${isPlain ? capital(text) : text}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** The lines of a derivation, as they come. */
class Telling {
  readonly lines: string[] = [];
  readonly #matches: Matches;
  readonly #goal: WantedCause | undefined;
  readonly #fates: readonly StayOrMoveCause[];
  /** The numbers of the sentences that were told before. */
  readonly #numbers = new Map<string, number>();
  /** Operators that were said to run. */
  readonly #introduced = new Set<Self>();
  readonly #isDense: boolean;
  #next = 1;
  /** How many sentences the last line has. */
  #sentences = 0;

  constructor(causes: readonly Cause[], matches: Matches, goal: WantedCause | undefined) {
    this.#matches = matches;
    this.#goal = goal;
    this.#fates = causes.filter((cause) => cause.kind === "stay-or-move");
    this.#isDense = causes.length > MANY_SENTENCES;
  }

  /** Tells steps and cases. `about` has everybody who was said to have to be there, or not to be. */
  tell(
    { steps, cases }: Derivation,
    from: number,
    indent: string,
    before: ReadonlyMap<number, Told>,
    about: readonly Self[],
  ): void {
    const told = new Map(before);
    const known = new Set(about);
    for (const [index, step] of steps.entries()) {
      if (step.conclusion.kind !== "impossible") for (const one of step.conclusion.members) known.add(one);
      const isSplit = index === steps.length - 1 && cases.length > 0;
      told.set(from + index, this.#tellStep(step, from + index, indent, told, known, isSplit));
    }
    if (cases.length > 0) this.#tellCases(cases, from + steps.length, indent, told, [...known]);
  }

  #tellCases(
    cases: readonly Case[],
    from: number,
    indent: string,
    before: ReadonlyMap<number, Told>,
    about: readonly Self[],
  ): void {
    const told = new Map(before);
    const split = told.get(from - 1);
    if (split !== undefined)
      told.set(from - 1, { ...split, number: undefined, role: "case", cites: [], isOfCase: true });
    for (const [index, { members, derivation }] of cases.entries()) {
      const left = cases.length - index;
      // The first line, the line of the case, and the one that says how many are left out.
      if (index > 0 && this.#rows() + linesOf(derivation) + 3 > MOST_LINES) {
        const rest = left === 1 ? "One more case fails" : `${left} more cases fail`;
        this.lines.push(`${indent}${rest} in the same way.`);
        return;
      }
      const who = membersText(members, { word: "or", whole: "name" });
      this.lines.push(`${indent}${index === 0 ? "Either" : "Or"} it is ${who}:`);
      this.#sentences = SENTENCES_A_LINE;
      this.tell(derivation, from, `${indent}  `, told, about);
    }
  }

  #tellStep(
    step: Step,
    place: number,
    indent: string,
    told: ReadonlyMap<number, Told>,
    known: ReadonlySet<Self>,
    isSplit: boolean,
  ): Told {
    const { causes, after, conclusion } = step;
    const rests = after.flatMap((one) => told.get(one) ?? []);
    const isSupposed = rests.some((one) => one.isSupposed) || causes.some((cause) => cause === this.#goal);
    const about = { step, isSupposed, isOfCase: rests.some((one) => one.isOfCase) };
    const others = causes
      .filter((cause) => cause !== this.#goal)
      .sort((a, b) => Number(isOnePer(a)) - Number(isOnePer(b)));
    if (others.length === 0 && after.length === 0 && conclusion.kind === "one-of" && !isSplit)
      return { ...about, number: undefined, role: "question", cites: [] };
    const { fresh, again } = this.#sentencesOf(others, known);
    while (fresh.length > 2) again.push(this.#line(indent, [fresh.shift() as Sentence]));
    const last = told.get(place - 1)?.number;
    const saying = { goal: this.#goal, fates: this.#fates, rests, again, last, own: this.#next };
    const says = conclusionText(step, { ...saying, isFresh: fresh.length > 0 });
    const cited = [...again, ...(says === "" ? rests.flatMap(({ cites }) => cites) : [])];
    const number =
      fresh.length === 0 && says === ""
        ? again[0]
        : this.#say(indent, fresh, says, isSplit || again.length > 0 ? undefined : joinable(step, rests, last));
    return { ...about, number, role: "sentence", cites: number === undefined ? cited : [...cited, number] };
  }

  /** The sentences of causes that are new, and the numbers of those that were told before. */
  #sentencesOf(causes: readonly Cause[], known: ReadonlySet<Self>): { fresh: Sentence[]; again: number[] } {
    const fresh: Sentence[] = [];
    const again: number[] = [];
    for (const cause of causes) {
      const own = narrowed(cause, known);
      const key = factOf(own, this.#matches).text;
      const number = this.#numbers.get(key);
      if (number !== undefined && !isShort(key)) again.push(number);
      else fresh.push({ key, text: sentence(factOf(own, this.#matches, this.#introduced).text) });
      for (const one of introducedBy(own)) this.#introduced.add(one);
    }
    return { fresh, again };
  }

  /** Says sentences and what follows: on the line of the one before, if they go on from there and it has room. */
  #say(indent: string, fresh: readonly Sentence[], says: string, before: number | undefined): number {
    const hasRoom = this.#isDense && this.#sentences < SENTENCES_A_LINE;
    if (before === undefined || before !== this.#next - 1 || !hasRoom) return this.#line(indent, fresh, says);
    this.#sentences++;
    for (const { key } of fresh) this.#numbers.set(key, before);
    this.lines.push(`${this.lines.pop() as string} ${joinedText(fresh, says)}`);
    return before;
  }

  #rows(): number {
    return this.lines.reduce((sum, line) => sum + rowsOf(line), 0);
  }

  #line(indent: string, sentences: readonly Sentence[], says = ""): number {
    const number = this.#next++;
    this.#sentences = 1;
    for (const { key } of sentences) this.#numbers.set(key, number);
    this.lines.push(`${indent}${number}. ${joinedText(sentences, says)}`);
    return number;
  }
}

/** A sentence, and the same as it is whenever nothing was said before it. */
interface Sentence {
  readonly key: string;
  readonly text: string;
}

function joinedText(sentences: readonly Sentence[], says: string): string {
  return [...sentences.map(({ text }) => text), says].filter((one) => one !== "").join(" ");
}

/** The sentence before, if a step goes on from that one alone. */
function joinable({ conclusion }: Step, rests: readonly Told[], last: number | undefined): number | undefined {
  const refs = rests.flatMap(({ number }) => number ?? []);
  const isNext = refs.length > 0 && refs.every((number) => number === last);
  return isNext && conclusion.kind !== "impossible" ? last : undefined;
}

/** Those whom the sentence of a cause says to run. */
function introducedBy(cause: Cause): readonly Self[] {
  if (cause.kind === "stays" || cause.kind === "stay-or-move") return [cause.installed];
  const isOne = cause.kind === "demand" && cause.demands.length === 1;
  return isOne ? cause.demands.flatMap(({ member }) => ("bundle" in member ? [] : [member])) : [];
}

/** How many lines a derivation takes at most, unless it is cut. */
function linesOf({ steps, cases }: Derivation): number {
  return steps.length + cases.reduce((sum, { derivation }) => sum + 1 + linesOf(derivation), 0);
}

/** So short that it is said again rather than referred to. */
function isShort(text: string): boolean {
  return text.startsWith("only one version of ");
}

/** A cause with only those versions that were spoken of, if there are any. */
function narrowed(cause: Cause, known: ReadonlySet<Self>): Cause {
  if (cause.kind === "demand") {
    const demands = cause.demands.filter(({ member }) => known.has(member));
    return demands.length === 0 ? cause : { ...cause, demands };
  }
  if (cause.kind === "refusal") {
    const refused = cause.refused.filter(({ member }) => known.has(member));
    return refused.length === 0 ? cause : { ...cause, refused };
  }
  if (cause.kind === "one-provider") {
    const members = cause.members.filter((member) => known.has(member));
    return members.length < 2 ? cause : { ...cause, members };
  }
  if (cause.kind === "unserved") {
    const [users, bringers] = [cause.users, cause.bringers].map((list) => {
      const spoken = list.filter((member) => known.has(member));
      return spoken.length === 0 ? list : spoken;
    }) as [readonly Self[], readonly Self[]];
    return { ...cause, users, bringers };
  }
  return cause;
}

/** How many rows of a terminal a line takes. */
function rowsOf(line: string): number {
  return Math.max(1, Math.ceil(line.length / COLUMNS));
}

/** No more than a screen: what is left out is from the middle, and said. */
function cut(headline: string, lines: readonly string[]): readonly string[] {
  const rows = (some: readonly string[]): number => some.reduce((sum, line) => sum + rowsOf(line), 0);
  const room = MOST_LINES - rowsOf(headline);
  if (rows(lines) <= room) return lines;
  const last = lines.slice(-LAST_LINES);
  const first = [...lines.slice(0, -LAST_LINES)];
  // One row says what is left out.
  while (first.length > 0 && rows(first) + rows(last) > room - 1) first.pop();
  return [...first, `… ${lines.length - first.length - last.length} more sentences like these …`, ...last];
}
