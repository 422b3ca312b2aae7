// Which parts of the answer for one namespace do other runtime constraints change, and why?

import { canonicalText, type Json } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import { type Solved, solve } from "../cluster-state.ts";
import { whyHeldBack, whyRefused } from "../explain/explain-answer.ts";
import { type Found, foundWith } from "../explain/found-answer.ts";
import type { Resolution } from "../resolution.ts";
import { resolve } from "../resolve.ts";
import { hasLosses } from "../unread.ts";
import { type AnswerSummary, packageOf, type Standing, summaryOf } from "./answer-summary.ts";
import { type ChangedPackage, changedPackages, type WhyChanged } from "./changed-packages.ts";
import type { BundleEffects } from "./hidden-bundles.ts";

/** An answer that is wrong, or could not be computed: a bug of plimsoll. */
export interface ComparisonBug {
  readonly namespace: string;
  readonly constraints: "present" | "proposed";
  readonly message: string;
}

/** What is different in one namespace. */
export interface ComparedNamespace {
  readonly changed: readonly ChangedPackage[];
  readonly proven: boolean;
  /** The answer to the second problem, unless it must be the same. */
  readonly answer?: Resolution;
}

/** What is known before both answers are computed. */
export interface Comparing {
  readonly effects: BundleEffects;
  /** One of the two lists of constraints cannot be read. */
  readonly isUnreadable: boolean;
  /** The answer to the problem, if it is known already. */
  readonly known: AnswerSummary | undefined;
  readonly isOver: () => boolean;
}

const SAME: ComparedNamespace = { changed: [], proven: true };

/** The differences between the answers to two problems that differ in their runtime constraints and properties of the cluster. */
export function compareAnswers(
  problem: Problem,
  proposed: Problem,
  comparing: Comparing,
): ComparedNamespace | ComparisonBug {
  const { effects, isUnreadable, known, isOver } = comparing;
  const isSameNode = sameNode(problem, proposed);
  const isSameBundles = effects.hiddenNames.size === 0 && effects.revealed.bundles === 0;
  if (isSameNode && isSameBundles && !isUnreadable) return SAME;
  const solved = known === undefined ? solve(problem, (one) => resolve(one, isOver)) : undefined;
  if (solved?.kind === "bug") return bugOf(solved, "present");
  const before = known ?? summaryOf((solved as Extract<Solved, { kind: "solved" }>).resolution);
  if (isSameNode && !isUnreadable && mustStay(problem, before, effects)) return SAME;
  const again = solve(proposed, (one) => resolve(one, isOver));
  if (again.kind === "bug") return bugOf(again, "proposed");
  const { resolution: answer } = again;
  const changed = changedPackages(problem.namespace, before, summaryOf(answer));
  return { changed, proven: before.proven && answer.proven, answer };
}

function bugOf(
  { problem: { namespace }, message }: Extract<Solved, { kind: "bug" }>,
  constraints: ComparisonBug["constraints"],
): ComparisonBug {
  return { namespace, constraints, message };
}

/**
 * Must the answer be the same, because nothing is revealed and nothing of it is hidden? The best answer is then still
 * possible, and there is no better one. It may only become uncertain why something is not possible.
 */
function mustStay(
  problem: Problem,
  { packages, proven }: AnswerSummary,
  { hiddenNames, revealed }: BundleEffects,
): boolean {
  if (revealed.bundles > 0 || !proven) return false;
  const isSettled = packages.every(
    ({ standing, waiting }) =>
      waiting.length === 0 && (standing === "held-back" ? !hasLosses(problem) : SETTLED.has(standing)),
  );
  const isHidden = packages.some(({ operators }) =>
    operators.some(({ name, action }) => action !== "keep" && hiddenNames.has(name)),
  );
  return isSettled && !isHidden;
}

const SETTLED: ReadonlySet<Standing> = new Set(["install", "update", "keep"]);

function sameNode(a: Problem, b: Problem): boolean {
  return a.node === b.node || canonicalText(a.node as unknown as Json) === canonicalText(b.node as unknown as Json);
}

/** The change with the explanation of what is newly impossible, or why an operator is in the answer to `problem`. */
export function withReason(
  change: ChangedPackage,
  problem: Problem,
  answer: Resolution,
  isOver: () => boolean,
): ChangedPackage {
  const why = whyChanged(change, answer, () => foundWith(answer, problem, isOver));
  return why === undefined ? change : { ...change, why };
}

function whyChanged(
  { package: owner, effect, requests }: ChangedPackage,
  answer: Resolution,
  found: () => Found,
): WhyChanged | undefined {
  const operators = answer.operators.filter((one) => packageOf(one) === owner);
  const held = answer.heldBack.find(({ name }) => operators.some((one) => one.name === name));
  if (effect === "held-back" && held !== undefined)
    return { kind: "not-possible", explanation: whyHeldBack(found(), held, false) };
  const refused = answer.unsatisfied.find(({ request }) => request.id === requests[0]?.id);
  if (refused !== undefined) return { kind: "not-possible", explanation: whyRefused(found(), refused, false) };
  const [operator] = operators;
  return operator === undefined ? undefined : { kind: "chosen", operator };
}
