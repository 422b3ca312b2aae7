// Why is an operator in the answer? Somebody asked for it; or it is needed by another that somebody asked for, through
// however many; or it runs already, and stays.

import { compareText } from "../../model/json.ts";
import { linesText } from "../../model/one-line.ts";
import { isMadeByOlm } from "../../model/operator-ref.ts";
import type { Request } from "../../model/problem.ts";
import { merelyReason } from "../../render/sentence/reason.ts";
import { wishText } from "../../render/sentence/wish.ts";
import type { Candidates } from "../candidates.ts";
import { fateOf } from "../fate.ts";
import { nameOf, packageOf, requestRef, type Self } from "../member.ts";
import { isOnlyCandidate, mayBeThere, type Need, neededText, needsIn } from "../needs.ts";
import type { Explanation, Resolution } from "../resolution.ts";
import type { Solution } from "../solution.ts";
import { providersFor } from "../walk.ts";
import type { Cause } from "./cause.ts";
import { Casting, FactFinder } from "./facts.ts";
import type { Found } from "./found.ts";
import { memberText } from "./version-runs.ts";

/** Why something is there. */
interface Chosen {
  readonly explanation: Explanation;
}

/** Why a member of an answer is there. */
export function whyChosen({ automatic: solution, resolution }: Found, self: Self): Chosen {
  const chain = chainTo(solution, self);
  const parts = [
    tellRoot(solution, resolution, chain[0]?.requirer ?? self),
    ...chain.map((need) => tellNeed(solution, need)),
  ];
  const casting = new Casting();
  const finder = new FactFinder(casting, solution.round);
  const facts = parts.flatMap((part) => part.rules).map((cause) => finder.factOf(cause));
  const text = linesText(parts.map((part, index) => `${parts.length === 1 ? "" : `${index + 1}. `}${part.text}.`));
  const story = { kind: "text", text } as const;
  return { explanation: { ...casting.cast(), facts, story, notes: [], isMinimal: false, fixes: [] } };
}

/** A step of the story, and the rules that it rests on. */
interface Told {
  readonly text: string;
  readonly rules: readonly Cause[];
}

/** What a request asks for, as the beginning of a sentence. */
function askingSentence(request: Request): string {
  if (request.place === undefined) return `You asked for ${wishText(requestRef(request))}`;
  const who = isMadeByOlm(request)
    ? `The Subscription that OLM made for ${request.package} (${request.id})`
    : `Subscription ${request.id}`;
  return `${who} asks for ${wishText(requestRef(request))}`;
}

/** The shortest way to an operator that nobody asked for, from one that somebody asked for or that runs. */
function chainTo(solution: Solution, self: Self): readonly Need[] {
  if (isRoot(solution, self)) return [];
  const needs = [...needsIn(solution)].sort(
    (a, b) =>
      Number(a.leaf.requirement.optional) - Number(b.leaf.requirement.optional) ||
      compareText(nameOf(a.requirer), nameOf(b.requirer)),
  );
  const through = new Map<Self, Need>();
  const queue: Self[] = [self];
  for (const provider of queue)
    for (const need of needs) {
      if (need.provider !== provider || need.requirer === self || through.has(need.requirer)) continue;
      through.set(need.requirer, need);
      if (!isRoot(solution, need.requirer)) queue.push(need.requirer);
      else return wayDown(through, need.requirer, self);
    }
  return [];
}

function wayDown(through: ReadonlyMap<Self, Need>, root: Self, self: Self): readonly Need[] {
  const way: Need[] = [];
  for (let at = root; at !== self; ) {
    const need = through.get(at) as Need;
    way.push(need);
    at = need.provider;
  }
  return way;
}

/** Does it need no other reason than that somebody asked for it, or that it runs? */
function isRoot(solution: Solution, self: Self): boolean {
  return !("bundle" in self) || askingFor(solution, self) !== undefined;
}

function askingFor({ round }: Solution, self: Self): Candidates | undefined {
  return round.candidates.find(({ nodes, installed }) =>
    "bundle" in self ? nodes.includes(self) : installed === self,
  );
}

function tellNeed(solution: Solution, need: Need): Told {
  const { requirer, provider, leaf } = need;
  const [who, what] = [memberText(requirer), memberText(provider)];
  const verb = leaf.requirement.optional ? "would like" : "requires";
  const demands = [{ member: requirer, requirement: leaf.requirement }];
  return {
    text: `${who} ${verb} ${neededText(need)}; ${whyThisOne(solution, need, what)}`,
    rules: [{ kind: "demand", owner: packageOf(requirer) ?? nameOf(requirer), demands, isRepair: false }],
  };
}

/** Why a demand is met by this one and no other. */
function whyThisOne(solution: Solution, need: Need, what: string): string {
  const { requirer, provider, leaf } = need;
  if (isOnlyCandidate(solution, need)) return `${what} is the only one that can be chosen for that`;
  if (!("bundle" in provider)) return `${what} already runs`;
  const { round } = solution;
  const possible = providersFor(round, leaf, requirer).filter((one) => one !== "fixed" && mayBeThere(round, one));
  return possible.indexOf(provider) === 0
    ? `${what} is the first choice of ${possible.length} that could serve`
    : `${what} is the best of ${possible.length} that could serve and go with the rest`;
}

function tellRoot(solution: Solution, { operators }: Resolution, self: Self): Told {
  const asked = askingFor(solution, self);
  const operator = operators.find(({ name }) => name === nameOf(self));
  const reason = operator === undefined ? "" : merelyReason(operator);
  const name = memberText(self);
  if (asked === undefined)
    return { text: "bundle" in self ? `${name}: ${reason}` : `${name} runs and ${reason}`, rules: [] };
  const { request, installed, nodes } = asked;
  const wish = askingSentence(request);
  const members = installed === undefined ? nodes : [...nodes, installed];
  const wanted: Cause = { kind: "wanted", why: "request", request, members };
  if (installed === undefined) return { text: `${wish}; ${name} is ${reason}`, rules: [wanted] };
  const done = "bundle" in self ? `${memberText(installed)} goes to ${name}, ${reason}` : `${name} runs and ${reason}`;
  return {
    text: `${wish}; ${done}`,
    rules: [wanted, fateOf(installed, solution.round.candidates)],
  };
}
