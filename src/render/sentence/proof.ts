// How is a proof written as text? What is impossible, then numbered sentences that lead to it.

import type {
  Case,
  Fact,
  Facts,
  OperatorId,
  Proof,
  StayOrMoveFact,
  Step,
  WantedFact,
} from "../../resolve/explain/fact.ts";
import { enumerated } from "../../text/words.ts";
import { answerClause, conclusionText, isOnePer, type WrittenStep } from "./conclusion.ts";
import { factClause } from "./fact.ts";
import type { Naming } from "./names.ts";
import { OperatorWords } from "./operators.ts";
import { requesterText } from "./request.ts";
import { sentenceOf } from "./words.ts";

export interface Line {
  /** Its indentation, in spaces. */
  readonly indent: number;
  readonly number?: number | undefined;
  readonly text: string;
  /** For a clause that is not a whole sentence yet: does it begin with a word, which may get a capital? */
  readonly isPlain?: boolean | undefined;
}

/** A screen, with room for a line that others add. */
const MAX_LINES = 38;
/** From this many sentences on, sentences that follow from the previous one share a line, up to this many. */
const MANY_SENTENCES = 12;
const SENTENCES_A_LINE = 3;
/** The width of a screen, in which a long line takes several rows. */
const COLUMNS = 120;
/** Where a text is cut, its last lines stay. */
const LAST_LINES = 2;

export function proofLines({ facts, operators, offers }: Facts, proof: Proof, naming: Naming): readonly Line[] {
  const words = new OperatorWords({ operators, offers }, naming);
  const goal = facts.find((fact): fact is WantedFact => fact.kind === "wanted" && fact.why === "goal");
  const writer = new ProofWriter(facts, words, goal);
  writer.write(proof, 0, 0, new Map(), goal === undefined ? [] : goal.members);
  const first = { indent: 0, text: headline(facts, goal, words) };
  const { lines } = writer;
  if (lines.length === 0 && goal !== undefined)
    return [first, { indent: 0, text: sentenceOf(factClause(goal, words)) }];
  return [first, ...(lines.length === 1 ? lines.map(({ text }) => ({ indent: 0, text })) : cut(first, lines))];
}

function headline(facts: readonly Fact[], goal: WantedFact | undefined, words: OperatorWords): string {
  if (goal !== undefined) return sentenceOf(answerClause(goal, words));
  const asked = facts.flatMap((fact) => (fact.kind === "wanted" && fact.request ? [fact.request] : []));
  if (asked.length === 0) return "What runs cannot go on as it is.";
  return `${enumerated(asked.map(requesterText))} cannot have what ${asked.length === 1 ? "it asks" : "they ask"} for.`;
}

class ProofWriter {
  readonly lines: Line[] = [];
  readonly #facts: readonly Fact[];
  readonly #words: OperatorWords;
  readonly #goal: WantedFact | undefined;
  readonly #fates: readonly StayOrMoveFact[];
  /** The numbers of earlier sentences, by fact and the operators that the sentence was about. */
  readonly #numbers = new Map<string, number>();
  /** Operators that an earlier sentence reports as running. */
  readonly #introduced = new Set<OperatorId>();
  readonly #isDense: boolean;
  #next = 1;
  /** How many sentences the last line has. */
  #sentences = 0;

  constructor(facts: readonly Fact[], words: OperatorWords, goal: WantedFact | undefined) {
    this.#facts = facts;
    this.#words = words;
    this.#goal = goal;
    this.#fates = facts.filter((fact) => fact.kind === "stay-or-move");
    this.#isDense = facts.length > MANY_SENTENCES;
  }

  /** Writes steps and cases. `about` has all operators that are required or excluded so far. */
  write(
    { steps, cases }: Proof,
    from: number,
    indent: number,
    before: ReadonlyMap<number, WrittenStep>,
    about: readonly OperatorId[],
  ): void {
    const written = new Map(before);
    const known = new Set(about);
    for (const [index, step] of steps.entries()) {
      if (step.conclusion.kind !== "impossible") for (const one of step.conclusion.members) known.add(one);
      const isSplit = index === steps.length - 1 && cases.length > 0;
      written.set(from + index, this.#writeStep(step, from + index, indent, written, known, isSplit));
    }
    if (cases.length > 0) this.#writeCases(cases, from + steps.length, indent, written, [...known]);
  }

  #writeCases(
    cases: readonly Case[],
    from: number,
    indent: number,
    before: ReadonlyMap<number, WrittenStep>,
    about: readonly OperatorId[],
  ): void {
    const written = new Map(before);
    const split = written.get(from - 1);
    if (split !== undefined)
      written.set(from - 1, { ...split, number: undefined, role: "case", cites: [], isOfCase: true });
    for (const [index, { members, proof }] of cases.entries()) {
      const left = cases.length - index;
      // The first line, the line of the case, and the one that says how many are left out.
      if (index > 0 && rowsOf(this.lines) + linesOf(proof) + 3 > MAX_LINES) {
        const rest = left === 1 ? "One more case fails" : `${left} more cases fail`;
        this.lines.push({ indent, text: `${rest} in the same way.` });
        return;
      }
      const who = this.#words.several(members, { word: "or", whole: "name" });
      this.lines.push({ indent, text: `${index === 0 ? "Either" : "Or"} it is ${who}:` });
      this.#sentences = SENTENCES_A_LINE;
      this.write(proof, from, indent + 2, written, about);
    }
  }

  #writeStep(
    step: Step,
    place: number,
    indent: number,
    written: ReadonlyMap<number, WrittenStep>,
    known: ReadonlySet<OperatorId>,
    isSplit: boolean,
  ): WrittenStep {
    const { after, conclusion } = step;
    const facts = step.facts.map((fact) => this.#facts[fact] as Fact);
    const rests = after.flatMap((one) => written.get(one) ?? []);
    const isSupposed = rests.some((one) => one.isSupposed) || facts.some((fact) => fact === this.#goal);
    const about = { step, facts, isSupposed, isOfCase: rests.some((one) => one.isOfCase) };
    const others = facts
      .filter((fact) => fact !== this.#goal)
      .sort((a, b) => Number(isOnePer(a)) - Number(isOnePer(b)));
    if (others.length === 0 && after.length === 0 && conclusion.kind === "one-of" && !isSplit)
      return { ...about, number: undefined, role: "question", cites: [] };
    const { fresh, again } = this.#sentencesOf(others, known);
    while (fresh.length > 2) again.push(this.#line(indent, [fresh.shift() as Sentence]));
    const last = written.get(place - 1)?.number;
    const context = { words: this.#words, goal: this.#goal, fates: this.#fates, rests, again, last, own: this.#next };
    const says = conclusionText(step, facts, { ...context, isFresh: fresh.length > 0 });
    const cited = [...again, ...(says === "" ? rests.flatMap(({ cites }) => cites) : [])];
    const number =
      fresh.length === 0 && says === ""
        ? again[0]
        : this.#say(indent, fresh, says, isSplit || again.length > 0 ? undefined : joinable(step, rests, last));
    return { ...about, number, role: "sentence", cites: number === undefined ? cited : [...cited, number] };
  }

  /** The sentences of facts that are new, and the numbers of those that were written before. */
  #sentencesOf(facts: readonly Fact[], known: ReadonlySet<OperatorId>): { fresh: Sentence[]; again: number[] } {
    const fresh: Sentence[] = [];
    const again: number[] = [];
    for (const fact of facts) {
      const own = narrowed(fact, known);
      const key = `${this.#facts.indexOf(fact)} ${speakingOf(own).join()}`;
      const number = this.#numbers.get(key);
      // The sentence that only one version can run is short, so it is repeated.
      if (number !== undefined && fact.kind !== "one-bundle") again.push(number);
      else fresh.push({ key, text: sentenceOf(factClause(own, this.#words, this.#introduced)) });
      for (const one of this.#introducedBy(own)) this.#introduced.add(one);
    }
    return { fresh, again };
  }

  /** The operators that the sentence of a fact reports as running. */
  #introducedBy(fact: Fact): readonly OperatorId[] {
    if (fact.kind === "stays" || fact.kind === "stay-or-move") return [fact.installed];
    if (fact.kind !== "demand" || fact.demands.length !== 1) return [];
    return fact.demands.map(({ member }) => member).filter((member) => !this.#words.isBundle(member));
  }

  /** Says sentences and what follows: on the line of the one before, if they go on from there and it has room. */
  #say(indent: number, fresh: readonly Sentence[], says: string, before: number | undefined): number {
    const hasRoom = this.#isDense && this.#sentences < SENTENCES_A_LINE;
    if (before === undefined || before !== this.#next - 1 || !hasRoom) return this.#line(indent, fresh, says);
    this.#sentences++;
    for (const { key } of fresh) this.#numbers.set(key, before);
    const last = this.lines.pop() as Line;
    this.lines.push({ ...last, text: `${last.text} ${joinedText(fresh, says)}` });
    return before;
  }

  #line(indent: number, sentences: readonly Sentence[], says = ""): number {
    const number = this.#next++;
    this.#sentences = 1;
    for (const { key } of sentences) this.#numbers.set(key, number);
    this.lines.push({ indent, number, text: joinedText(sentences, says) });
    return number;
  }
}

interface Sentence {
  readonly key: string;
  readonly text: string;
}

function joinedText(sentences: readonly Sentence[], says: string): string {
  return [...sentences.map(({ text }) => text), says].filter((one) => one !== "").join(" ");
}

/** The previous sentence, if a step follows from that one alone. */
function joinable({ conclusion }: Step, rests: readonly WrittenStep[], last: number | undefined): number | undefined {
  const refs = rests.flatMap(({ number }) => number ?? []);
  const isNext = refs.length > 0 && refs.every((number) => number === last);
  return isNext && conclusion.kind !== "impossible" ? last : undefined;
}

/** How many lines a proof takes at most, unless it is cut. */
function linesOf({ steps, cases }: Proof): number {
  return steps.length + cases.reduce((sum, { proof }) => sum + 1 + linesOf(proof), 0);
}

/** A fact with only those versions that were spoken of, if there are any. */
function narrowed(fact: Fact, known: ReadonlySet<OperatorId>): Fact {
  const spoken = (list: readonly OperatorId[]): readonly OperatorId[] => {
    const some = list.filter((member) => known.has(member));
    return some.length === 0 ? list : some;
  };
  switch (fact.kind) {
    case "demand": {
      const demands = fact.demands.filter(({ member }) => known.has(member));
      return demands.length === 0 ? fact : { ...fact, demands };
    }
    case "refusal": {
      const refused = fact.refused.filter(({ member }) => known.has(member));
      return refused.length === 0 ? fact : { ...fact, refused };
    }
    case "one-provider": {
      const members = fact.members.filter((member) => known.has(member));
      return members.length < 2 ? fact : { ...fact, members };
    }
    case "unserved":
      return { ...fact, users: spoken(fact.users), definers: spoken(fact.definers) };
    default:
      return fact;
  }
}

/** Which operators of a fact its sentence names. */
function speakingOf(fact: Fact): readonly OperatorId[] {
  switch (fact.kind) {
    case "demand":
      return fact.demands.map(({ member }) => member);
    case "refusal":
      return fact.refused.map(({ member }) => member);
    case "one-provider":
      return fact.members;
    case "unserved":
      return [...fact.users, ...fact.definers];
    default:
      return [];
  }
}

/** The same with a whole sentence in it. */
export function wholeLine({ isPlain, text, ...line }: Line): Line {
  return { ...line, text: isPlain === undefined ? text : sentenceOf({ text, isPlain }) };
}

export function lineText({ indent, number, text }: Line): string {
  return `${" ".repeat(indent)}${number === undefined ? "" : `${number}. `}${text}`;
}

/** How many rows of a terminal lines take. */
function rowsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(lineText(line).length / COLUMNS)), 0);
}

/** At most one screen: lines are left out from the middle, and a line says so. */
function cut(headline: Line, lines: readonly Line[]): readonly Line[] {
  const room = MAX_LINES - rowsOf([headline]);
  if (rowsOf(lines) <= room) return lines;
  const last = lines.slice(-LAST_LINES);
  const first = [...lines.slice(0, -LAST_LINES)];
  // One row says what is left out.
  while (first.length > 0 && rowsOf(first) + rowsOf(last) > room - 1) first.pop();
  const left = lines.length - first.length - last.length;
  return [...first, { indent: 0, text: `… ${left} more sentences like these …` }, ...last];
}
