// In which steps is every operator updated as far as possible, without breaking anything after any step? `plan` of the library.

import type { Problem } from "../model/problem.ts";
import { makePlan } from "../plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type Plan, type PlanOptions } from "../plan/plan.ts";
import { unknownText } from "../render/sentence/warning.ts";
import { unknownName } from "../resolve/prepare/unknown-names.ts";
import type { Warning } from "../resolve/warning.ts";
import type { InputFinding } from "./exact-places.ts";
import { commonWarnings, withWarnings } from "./explained.ts";
import { askedProblems, namedRequest, type OperatorQuestion, QUESTION_KEYS } from "./question.ts";
import { checkChoice, checkKeys, checkPositive, UsageError } from "./usage-error.ts";

/** A question about updates. */
export interface PlanQuestion extends OperatorQuestion {
  /** Only the shortest path to this version: `[CATALOG/]PACKAGE[@RANGE][:CHANNEL]`. */
  readonly to?: string | undefined;
  /** How many generations at most; 1000 by default. */
  readonly maxGenerations?: number | undefined;
  /** Remove operators that nothing requires any more; those that own a kind with objects only with `with-objects`. */
  readonly prune?: boolean | "with-objects" | undefined;
  /** What each step does, `short`, or `whole`: with the manifests. */
  readonly actions?: "short" | "whole" | undefined;
}

/** The answer of `plan`: plain data, the same after JSON. */
export interface PlanAnswer {
  readonly kind: "plan";
  /** The plan of each namespace, and at last that of the ClusterExtensions. */
  readonly plans: readonly Plan[];
  /** Warnings that concern no single namespace. */
  readonly warnings: readonly Warning[];
  /** What is wrong with the input. */
  readonly findings: readonly InputFinding[];
  /** All namespaces were asked for. */
  readonly isList: boolean;
}

const KEYS: readonly (keyof PlanQuestion)[] = [...QUESTION_KEYS, "to", "maxGenerations", "prune", "actions"];

/**
 * Plans updates generation by generation: after every step, every requirement of every operator is met.
 *
 * Throws a `UsageError` if the question cannot be asked.
 */
export function plan(question: PlanQuestion): PlanAnswer {
  checkKeys("plan", question, KEYS);
  const { maxGenerations = DEFAULT_PLAN_OPTIONS.maxGenerations, prune = false, actions = "short", stop } = question;
  checkChoice("actions", question.actions, ["short", "whole"]);
  checkPositive("maxGenerations", question.maxGenerations);
  checkChoice("prune", question.prune, [true, false, "with-objects"]);
  if (question.options?.olmv1 === true) throw new UsageError("options.olmv1 is for resolve");
  const isList = question.allNamespaces === true;
  const to = question.to === undefined ? undefined : namedRequest(question.to);
  if (to !== undefined && isList)
    throw new UsageError("to plans for one namespace; choose it with namespace instead of allNamespaces");
  // A target alone is requested, in any version.
  const target = to && { package: to.package, catalog: to.catalog, channel: to.channel };
  const asked = askedProblems(question, { target });
  const { problems, warnings, findings, replaced, located } = asked;
  const unknown = to && unknownName(to, problems[0] as Problem);
  if (unknown !== undefined) throw new UsageError(`to: ${unknownText(unknown)}`);
  const options: PlanOptions = { maxGenerations, to, prune, actions, explanations: "all" };
  const noticed = { warnings, isList, replaced };
  const plans = makePlan(problems, options, stop).map((one, index) =>
    withWarnings(one, problems[index] as Problem, noticed),
  );
  return located({ kind: "plan", plans, warnings: commonWarnings(noticed), findings, isList });
}
