// What are the answers for several namespaces? They are solved one after another, each with the answers before it carried out.

import type { Problem } from "../model/problem.ts";
import { ClusterState } from "./cluster-state.ts";
import type { Resolution } from "./resolution.ts";
import { resolve } from "./resolve.ts";

/** The result for a problem: an answer, or a bug of plimsoll. */
export type Solved =
  | { readonly kind: "solved"; readonly problem: Problem; readonly resolution: Resolution }
  | { readonly kind: "bug"; readonly problem: Problem; readonly message: string };

/** Solves one problem; an exception is a bug. */
export function solve(problem: Problem, by: (problem: Problem) => Resolution): Solved {
  try {
    return { kind: "solved", problem, resolution: by(problem) };
  } catch (error) {
    return { kind: "bug", problem, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Solves problems; once `isOver` returns true, the best answer so far is taken. */
export function solveAll(problems: readonly Problem[], isOver?: () => boolean): readonly Solved[] {
  const cluster = new ClusterState(problems);
  return problems.map((given) => {
    const problem = cluster.beside(given);
    const solved = solve(problem, (asked) => resolve(asked, isOver));
    if (solved.kind === "solved") cluster.carryOut(problem, solved.resolution);
    return solved;
  });
}
