// Why is a request not satisfied, and why is an operator not updated? Computed for an existing answer, for as many
// items as are shown.

import type { Problem } from "../../model/problem.ts";
import { rankOf } from "../candidates.ts";
import { waitsOnly } from "../not-satisfied.ts";
import type { Explanation, HeldBack, Resolution, Unsatisfied } from "../resolution.ts";
import { withoutRuntime } from "../resolve.ts";
import { withoutFacts } from "./explanation-body.ts";
import { type Found, foundWith, type Stop } from "./found-answer.ts";
import { explainHeldAnyway, explainHeldBack, explainUnsatisfied } from "./why.ts";

/** Work limit of all explanations of one answer; one explanation costs as much as there are operators and requests. */
const MAX_WORK = 30_000;

/** The number of refused requests and of held-back operators that are explained in an answer. */
export function mostExplained({ installed, elsewhere, requests }: Problem): number {
  return Math.ceil(MAX_WORK / (installed.length + elsewhere.length + requests.length + 1));
}

/** What is to be explained. */
export interface ExplainingAnswer {
  /** The problem that was answered. */
  readonly problem: Problem;
  readonly answer: Resolution;
  readonly stop?: Stop;
  /** Which held-back operators are explained: all, those held back by more than a missing approval, or none. */
  readonly heldBack?: "all" | "beyond-approval" | "none" | undefined;
}

/** The answer with its explanations; those beyond a limit state that they were left out. */
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

/** Why a request of an answer is not satisfied; `hasFixes`: also what would help. */
export function whyRefused(
  { refused }: Found,
  { request }: Pick<Unsatisfied, "request">,
  hasFixes = true,
): Explanation {
  const one = refused.find(({ item }) => item.request.id === request.id);
  if (one === undefined) throw new Error(`the answer is not about this problem: it does not refuse ${request.id}`);
  return explainUnsatisfied(one.by, one.candidates, hasFixes);
}

/** Why an operator of an answer is not updated; `hasFixes`: also what would help. */
export function whyHeldBack(
  { automatic, free, held }: Found,
  { name }: Pick<HeldBack, "name">,
  hasFixes = true,
): Explanation {
  const one = held.find(({ item }) => item.name === name);
  if (one === undefined) throw new Error(`the answer is not about this problem: it does not hold back ${name}`);
  const { candidates, rank } = one;
  const other = free.satisfied.find(({ request }) => request === candidates.request);
  const isHeldAnyway = automatic !== free && other !== undefined && rankOf(other, free.members) === rank;
  return isHeldAnyway
    ? explainHeldAnyway(automatic, free, other, rank, hasFixes)
    : explainHeldBack(automatic, candidates, rank, automatic !== free, hasFixes);
}

/** The explanation of an item beyond the limit. */
function leftOut(owner: string): Explanation {
  return { ...withoutFacts({ kind: "left-out", package: owner }), isLeftOut: true };
}
