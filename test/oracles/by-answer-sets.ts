// What is best according to an answer set solver? The problem as facts, docs/how-it-resolves.md as a logic program, and the
// levels as priorities of what is to be minimised.

import { run } from "clingo-wasm";
import type { Constraint } from "../../src/constraint/constraint.ts";
import type { Problem } from "../../src/model/problem.ts";
import { Census, isPredicate, type Participant, predicateKey } from "./census.ts";
import type { Verdict } from "./verdict.ts";

/** The document as rules. `before` and `after` are the two states. */
const RULES = `
state(before; after).
local(I) :- installed(I).
local(I) :- bundle(I).

% Stay or move.
in(S,I) :- state(S), node(I).
in(S,I) :- state(S), elsewhere(I).
in(before,I) :- installed(I).
{ in(after,I) } :- bundle(I).
moved(O) :- target(O,B), in(after,B).
in(after,O) :- installed(O), not moved(O).
:- moved(O), held(O).

% When a requirement holds.
matched(S,P) :- match(P,I), in(S,I).
holds(S,N) :- leaf(N,P), matched(S,P).
holds(S,N) :- served(N,I), in(S,I).
holds(S,N) :- state(S), all(N), holds(S,C) : child(N,C).
holds(S,N) :- any(N), child(N,C), holds(S,C).
holds(S,N) :- state(S), none(N), not holds(S,C) : child(N,C).

% Members' constraints.
fails(S,N) :- in(S,I), requires(I,N), not holds(S,N).
excused(N) :- requires(I,N), not bundle(I), fails(before,N), not compat.
:- fails(after,N), not excused(N).

% One bundle per package, one provider per API.
:- package(P), 2 { in(after,I) : bundle(I), of(I,P) }.
:- in(after,I), bundle(I), of(I,P), in(after,O), installed(O), of(O,P).
:- isApi(A), 2 { in(after,I) : bundle(I), provides(I,A) }.
:- in(after,I), bundle(I), provides(I,A), in(after,O), installed(O), provides(O,A).
stranger(I,E) :- local(I), elsewhere(E), provides(I,A), provides(E,A), not sameOwner(I,E).
sameOwner(I,E) :- local(I), elsewhere(E), of(I,P), of(E,P).
:- in(after,I), bundle(I), stranger(I,E).
crowded(S,package(P)) :- in(S,I), in(S,O), installed(I), installed(O), I < O, of(I,P), of(O,P).
crowded(S,api(A)) :- in(S,I), in(S,O), installed(I), installed(O), I < O, provides(I,A), provides(O,A).
crowded(S,api(A)) :- in(S,I), installed(I), stranger(I,E), provides(I,A), provides(E,A).
:- crowded(after,_), compat.

% What is counted.
content(R) :- candidate(R,I,_), in(after,I).
rank(R,K) :- candidate(R,I,K), in(after,I), not in(after,J) : candidate(R,J,L), L < K.
broken(N) :- fails(before,N), fails(after,N).
broken(X) :- crowded(before,X), crowded(after,X).
broken(unfit(O,K)) :- unfit(O,K), in(after,O).
asked(I) :- candidate(_,I,_).
additional(I) :- bundle(I), in(after,I), not asked(I).
counts(I) :- local(I), not installOptional.
counts(I) :- local(I), installOptional, asked(I).
counts(I) :- installed(I).
fulfilled(N) :- optional(I,N), counts(I), in(after,I), holds(after,N).

#maximize { 1@1000,R : content(R) }.
#maximize { 1@900-R,R : content(R) }.
#minimize { 1@800,X : broken(X), not compat }.
#maximize { 1@790,O : moved(O), not compat }.
#minimize { K@700-R,R : rank(R,K) }.
#minimize { 1@500,I : additional(I), not compat }.
#maximize { 1@600,N : fulfilled(N), not compat, installOptional }.
#maximize { 1@400,N : fulfilled(N), not compat, not installOptional }.

% There is always something to minimise, or all answers would be listed.
{ idle }.
#minimize { 1@1 : idle }.

#defined compat/0. #defined installOptional/0. #defined target/2. #defined held/1. #defined served/2. #defined leaf/2.
#defined all/1. #defined any/1. #defined none/1. #defined child/2. #defined requires/2. #defined optional/2. #defined of/2.
#defined provides/2. #defined package/1. #defined isApi/1. #defined candidate/3. #defined unfit/2. #defined match/2.
#defined installed/1. #defined elsewhere/1. #defined bundle/1.
#show content/1. #show rank/2. #show broken/1. #show moved/1. #show additional/1. #show fulfilled/1.
`;

/** The best that clingo can do; nothing if nothing is allowed. */
export async function bestByAnswerSets(problem: Problem): Promise<Verdict | undefined> {
  const facts = new Facts(new Census(problem)).lines.join("\n");
  const result = await run(`${RULES}\n${facts}`, 0, ["--opt-mode=opt", "--opt-strategy=usc,stratify", "--warn=none"]);
  if (result.Result === "ERROR") throw new Error(`clingo: ${result.Error}`);
  if (result.Result === "UNSATISFIABLE") return undefined;
  // Some of what it calls witnesses are bounds, which have no value.
  const atoms = result.Call.flatMap(({ Witnesses }) => Witnesses.map((one): string[] | undefined => one.Value))
    .filter((value) => value !== undefined)
    .at(-1);
  if (result.Result !== "OPTIMUM FOUND" || atoms === undefined) throw new Error(`clingo: ${result.Result}`);
  const shown = (name: string): readonly string[] => atoms.filter((atom) => atom.startsWith(`${name}(`));
  const ranks = new Map(shown("rank").map((atom) => (atom.match(/\d+/g) ?? []).map(Number) as [number, number]));
  const satisfied = problem.requests.filter((_, index) => atoms.includes(`content(${index})`));
  return {
    satisfied: satisfied.map(({ id }) => id),
    candidates: problem.requests.flatMap((_, index) => ranks.get(index) ?? []),
    ...(!problem.options.compat && {
      counts: {
        repaired: shown("broken").length,
        updates: shown("moved").length,
        additional: shown("additional").length,
        optional: shown("fulfilled").length,
      },
    }),
  };
}

/** A problem as facts; names become numbers. */
class Facts {
  readonly lines: string[] = [];
  readonly #census: Census;
  readonly #numbers = new Map<string, number>();
  #nodes = 0;

  constructor(census: Census) {
    this.#census = census;
    const { compat, installOptional } = census.problem.options;
    if (compat) this.lines.push("compat.");
    if (installOptional) this.lines.push("installOptional.");
    for (const participant of census.participants) this.#participant(participant);
    for (const [index, ladder] of census.ladders.entries())
      for (const [rank, one] of ladder.entries())
        if (one !== undefined) this.#addFact("candidate", index, one.number, rank);
    for (const [operator, targets] of census.targets)
      for (const target of targets) this.#addFact("target", operator.number, target.number);
  }

  #addFact(name: string, ...parts: readonly number[]): void {
    this.lines.push(`${name}(${parts.join(",")}).`);
  }

  #participant(participant: Participant): void {
    const { role, number, package: owner, apis, requirements, installed, unfit } = participant;
    this.#addFact(role, number);
    if (installed?.hold !== undefined && role === "installed") this.#addFact("held", number);
    if (owner !== undefined) this.#addFact("of", number, this.#name("package", owner));
    if (role !== "node") for (const api of new Set(apis)) this.#addFact("provides", number, this.#name("isApi", api));
    for (let fault = 1; fault <= unfit; fault++) this.#addFact("unfit", number, fault);
    for (const { constraint, optional } of requirements)
      this.#addFact(optional ? "optional" : "requires", number, this.#node(constraint, participant, false));
  }

  #name(kind: string, name: string): number {
    const key = `${kind} ${name}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(key, number);
      this.#addFact(kind, number);
    }
    return number;
  }

  #node(constraint: Constraint, self: Participant, beneathNone: boolean): number {
    const node = ++this.#nodes;
    if (isPredicate(constraint)) {
      const all = this.#census.matching(constraint);
      const serving = this.#census.serving(constraint, self, beneathNone);
      if (serving.length === all.length) this.#addFact("leaf", node, this.#predicate(constraint));
      else for (const { number } of serving) this.#addFact("served", node, number);
      return node;
    }
    const { kind, constraints } = constraint as Extract<Constraint, { scope: unknown }>;
    this.#addFact(kind, node);
    for (const child of constraints)
      this.#addFact("child", node, this.#node(child, self, beneathNone || kind === "none"));
    return node;
  }

  #predicate(constraint: Constraint): number {
    const key = predicateKey(constraint);
    const isNew = !this.#numbers.has(`predicate ${key}`);
    const number = this.#name("predicate", key);
    if (isNew)
      for (const participant of this.#census.matching(constraint)) this.#addFact("match", number, participant.number);
    return number;
  }
}
