// What is the answer to a world of a case? And what is the problem that it poses?

import { expect } from "vitest";
import { readRuntimeList } from "../../../src/input/objects/runtime-constraints.ts";
import { DEFAULT_OPTIONS, type Problem, type ResolveOptions } from "../../../src/model/problem.ts";
import { prepareProblems } from "../../../src/resolve/prepare/prepare-problems.ts";
import type { Given } from "../../../src/resolve/prepare/problem-inputs.ts";
import type { Warning } from "../../../src/resolve/warning.ts";
import { explainedAnswer as resolve } from "../../explanations/explained-answer.ts";
import { explanationText } from "../../explanations/explanation-text.ts";
import { type CaseAnswer, caseAnswer } from "./answer.ts";
import { NAMESPACE, type World } from "./world.ts";

/** The problem of the namespace of a world, and its warnings. */
export function problemOf(
  { catalogs, unavailable, objects }: World,
  options: Partial<ResolveOptions> = {},
  nodeProperties: Given["nodeProperties"] = [],
): { readonly problem: Problem; readonly warnings: readonly Warning[] } {
  const { problems, warnings } = prepareProblems({
    catalogs,
    unavailable,
    objects,
    namespaces: [NAMESPACE],
    named: [],
    removed: [],
    held: [],
    nodeProperties,
    readList: readRuntimeList,
    options: { ...DEFAULT_OPTIONS, ...options },
  });
  return { problem: problems[0] as Problem, warnings };
}

/** Resolves the namespace of a world. What every answer must have is checked here: proof, reasons, and Subscriptions for all. */
export function answerTo(
  world: World,
  options: Partial<ResolveOptions> = {},
  nodeProperties: Given["nodeProperties"] = [],
): CaseAnswer {
  const { problem, warnings } = problemOf(world, options, nodeProperties);
  const resolution = resolve(problem);
  expect(resolution.proven).toBe(true);
  for (const { name, action, request, generatedSubscription } of resolution.operators)
    expect(generatedSubscription?.startingCSV).toBe(action === "install" && request === undefined ? name : undefined);
  for (const { explanation } of [...resolution.unsatisfied, ...resolution.heldBack])
    expect(explanationText(explanation)).not.toBe("");
  return caseAnswer(resolution, problem.requests.length, warnings);
}
