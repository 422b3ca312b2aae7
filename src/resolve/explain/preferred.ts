// Why is it not this one, if no rule forbids it? Because another answer is better: the best answer with this one is looked
// for, and compared with the best of all, objective by objective.

import { compareText } from "../../model/json.ts";
import { negate } from "../../sat/literal.ts";
import type { Candidates } from "../candidates.ts";
import type { Node } from "../catalog-index.ts";
import { Encoding } from "../encoding.ts";
import { chosenNodes, countsWish, levelsOf, type Optimum, optimise } from "../levels.ts";
import type { Self } from "../member.ts";
import { neededText, needsIn } from "../needs.ts";
import { rankOf } from "../operators.ts";
import type { Objective, ObjectiveName } from "../resolution.ts";
import { beginRound, type Round } from "../round.ts";
import type { Search } from "../search.ts";
import type { Solution } from "../solution.ts";
import { walkAnswer } from "../walk.ts";
import { requestName } from "./asker.ts";
import { memberText } from "./version-runs.ts";

/** Where an answer with something would be worse. */
export interface Preferred {
  /** The first objective at which it would be; nothing if that could not be found out. */
  readonly objective: ObjectiveName | undefined;
  /** A sentence that goes on after "it would be possible, but …". */
  readonly text: string;
}

/** The best answer that has one of some bundles. */
interface Other {
  readonly round: Round;
  readonly search: Search;
  readonly optimum: Optimum;
  readonly chosen: readonly Node[];
  readonly members: ReadonlySet<Self>;
}

/** Why the answer has none of these bundles, although it could have one. */
export function whyPreferred(solution: Solution, nodes: readonly Node[], stop?: () => boolean): Preferred {
  const other = bestWith(solution, nodes, stop);
  if (other === undefined) return { objective: undefined, text: "the limits ended before it was found out what for" };
  for (const name of ["subscriptions", ...levelsOf(solution.problem.options)] as const) {
    const here = solution.objectives.find((one) => one.name === name)?.value;
    if (here === undefined || compareValues(levelOf(name, other, solution), here) === 0) continue;
    return { objective: name, text: WORSE[name](solution, other, nodes) };
  }
  return { objective: undefined, text: "the limits ended before it was found out what for" };
}

function bestWith(solution: Solution, nodes: readonly Node[], stop: (() => boolean) | undefined): Other | undefined {
  const { problem } = solution;
  const encoding = new Encoding(solution.round.encoding.universe, problem);
  const free = beginRound(encoding, problem);
  const wanted = encoding.newLiteral();
  encoding.solver.addClause([negate(wanted), ...nodes.map((node) => encoding.literalOf(node))]);
  const round = { ...free, base: [...free.base, wanted] };
  const optimum = optimise(round, stop);
  const { search } = optimum;
  if (search === undefined) return undefined;
  const chosen = chosenNodes(search);
  const kept = problem.installed.filter((operator) => search.has(encoding.keptOf(operator)));
  return { round, search, optimum, chosen, members: new Set<Self>([...kept, ...chosen]) };
}

/** How well the other answer does at a level. */
function levelOf(name: ObjectiveName, other: Other, { problem }: Solution): Objective["value"] {
  const { round, search, optimum, chosen, members } = other;
  switch (name) {
    case "subscriptions":
      return optimum.satisfied.length;
    case "repaired":
      return round.context.broken.filter(({ isViolated }) => isViolated(members)).length;
    case "updates":
      return problem.installed.filter((operator) => !members.has(operator)).length;
    case "candidates":
      return optimum.satisfied.map(({ candidates }) => rankOf(candidates, members));
    case "additional":
      return chosen.filter((node) => !round.asked.has(node)).length;
    case "optional":
      return [...round.context.wishes, ...round.encoding.wishes].filter(
        (wish) => members.has(wish.self) && countsWish(round, wish) && search.has(wish.literal),
      ).length;
    case "providers":
      return walkAnswer(round, optimum.satisfied, (literal) => search.has(literal)).steps.map(({ rank }) => rank);
    case "ids":
      return chosen.map(({ id }) => id);
  }
}

function compareValues(a: Objective["value"], b: Objective["value"]): number {
  if (typeof a === "number" || typeof b === "number") return Number(a) - Number(b);
  for (const [index, one] of a.entries()) {
    const two = b[index];
    if (two === undefined) return 1;
    const order = typeof one === "number" ? one - Number(two) : compareText(one, String(two));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

type Worse = (solution: Solution, other: Other, nodes: readonly Node[]) => string;

/** What would be worse, for each objective (docs/how-it-resolves.md). */
const WORSE: Readonly<Record<ObjectiveName, Worse>> = {
  subscriptions: (solution, { optimum }) => {
    const left = new Set(optimum.satisfied.map(({ candidates }) => candidates.request.id));
    const lost = solution.satisfied
      .map(({ request }) => request)
      .filter(({ id }) => !left.has(id))
      .map(requestName);
    return `then ${listed(lost)} would have no operator`;
  },
  repaired: (solution, { round, members }) => {
    const left = round.context.broken.filter(({ isViolated }) => isViolated(members)).map(({ rule }) => rule.text);
    const now = new Set(solution.stillBroken.map(({ rule }) => rule.text));
    return `then something would stay broken that can be repaired: ${listed(left.filter((text) => !now.has(text)))}`;
  },
  updates: ({ kept }, { members }) => {
    const stay = [...members].filter((one) => !("bundle" in one) && !kept.includes(one)).map(memberText);
    return `then ${listed(stay)} would stay as ${stay.length === 1 ? "it is" : "they are"}, and as much as possible is updated`;
  },
  candidates: (solution, { members }) => {
    const worse = solution.satisfied.find((one) => rankOf(one, members) > rankOf(one, solution.members));
    if (worse === undefined) return "another one comes first for those who ask";
    const [before, after] = [gotBy(worse, solution.members), gotBy(worse, members)];
    return `${requestName(worse.request)} is given the best that it can have, and for it ${before} comes before ${after}`;
  },
  additional: (solution, { round, chosen }) => {
    const more = chosen.filter((node) => !round.asked.has(node) && !solution.members.has(node));
    return `nothing needs ${more.length === 1 ? "it" : "all of this"}: ${listed(more.map(memberText))} would be installed though nobody asked for ${more.length === 1 ? "it" : "them"}`;
  },
  optional: () => "then fewer wishes of operators would be fulfilled",
  providers: (solution, { members }) => {
    const need = needsIn(solution).find(({ provider }) => !members.has(provider));
    if (need === undefined) return "another one comes first in the order of catalogs, channels and versions";
    const [requirer, provider] = [memberText(need.requirer), memberText(need.provider)];
    return `${requirer} requires ${neededText(need)}, and among those that can serve ${provider} comes first in the order of catalogs, channels and versions`;
  },
  ids: () => "it would be just as good, and of equals the first by name is taken",
};

function gotBy({ nodes, installed }: Candidates, members: ReadonlySet<Self>): string {
  const got = nodes.find((node) => members.has(node)) ?? installed;
  return got === undefined ? "nothing" : memberText(got);
}

const MOST_NAMES = 3;

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}
