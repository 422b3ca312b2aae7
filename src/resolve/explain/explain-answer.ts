// Why does a request go without, and why is an operator not newer? Asked of an answer that was given, for as many of them as
// are to be shown.

import type { Problem } from "../../model/problem.ts";
import { waitsOnly } from "../not-satisfied.ts";
import { rankOf } from "../operators.ts";
import type { Explanation, HeldBack, Resolution, Unsatisfied } from "../resolution.ts";
import { withoutRuntime } from "../resolve.ts";
import { type Found, foundWith, type Stop } from "./found.ts";
import { explainHeldAnyway, explainHeldBack, explainUnsatisfied } from "./why.ts";

/** An explanation takes time in proportion to what runs and is asked for: so many in all are looked for in one answer. */
const MAX_WORK = 30_000;

/** How many refused requests, and how many operators that are held back, are explained in the answer to a problem. */
function mostExplained({ installed, elsewhere, requests }: Problem): number {
  return Math.ceil(MAX_WORK / (installed.length + elsewhere.length + requests.length + 1));
}

/** What is to be explained. */
export interface ExplainingAnswer {
  /** The problem that was answered. */
  readonly problem: Problem;
  readonly answer: Resolution;
  readonly stop?: Stop;
  /** Which operators that are held back are explained: all, those that more than an approval holds back, or none. */
  readonly heldBack?: "all" | "beyond-approval" | "none" | undefined;
}

/** The answer with its explanations; where there are very many, those beyond a limit say so. */
export function explainAnswer({
  problem,
  answer,
  stop,
  heldBack: which = "beyond-approval",
}: ExplainingAnswer): Resolution {
  const { heldBack, unsatisfied, withoutRuntimeConstraints: without } = answer;
  if (heldBack.length + unsatisfied.length === 0 && without === undefined) return answer;
  const found = foundWith(answer, problem, stop);
  const most = mostExplained(problem);
  return {
    ...answer,
    heldBack: heldBack.map((item, index) => {
      if (which === "none" || (which !== "all" && waitsOnly(item, answer))) return item;
      return { ...item, explanation: index < most ? whyHeldBack(found, item) : leftOut(item.package) };
    }),
    unsatisfied: unsatisfied.map((item, index) => ({
      ...item,
      explanation: index < most ? whyRefused(found, item) : leftOut(item.request.package),
    })),
    ...(without !== undefined && {
      withoutRuntimeConstraints: explainAnswer({
        problem: withoutRuntime(problem),
        answer: without,
        stop,
        heldBack: which,
      }),
    }),
  };
}

/** Why a request of an answer goes without. */
export function whyRefused({ refused }: Found, { request }: Pick<Unsatisfied, "request">): Explanation {
  const one = refused.find(({ item }) => item.request.id === request.id);
  if (one === undefined) throw new Error(`the answer is not about this problem: it does not refuse ${request.id}`);
  return explainUnsatisfied(one.by, one.candidates);
}

/** Why an operator of an answer is not newer. */
export function whyHeldBack({ automatic, free, held }: Found, { name }: Pick<HeldBack, "name">): Explanation {
  const one = held.find(({ item }) => item.name === name);
  if (one === undefined) throw new Error(`the answer is not about this problem: it does not hold back ${name}`);
  const { candidates, rank } = one;
  const other = free.satisfied.find(({ request }) => request === candidates.request);
  const isHeldAnyway = automatic !== free && other !== undefined && rankOf(other, free.members) === rank;
  return isHeldAnyway
    ? explainHeldAnyway(automatic, free, other, rank)
    : explainHeldBack(automatic, candidates, rank, { fixes: true, waits: automatic !== free });
}

/** There are too many of them. */
function leftOut(owner: string): Explanation {
  const story = { kind: "left-out", package: owner } as const;
  return { operators: [], offers: [], facts: [], story, notes: [], isMinimal: true, fixes: [], isLeftOut: true };
}
