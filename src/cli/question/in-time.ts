// What are the answers, as far as the time reaches? Namespaces are solved one after another, each on top of the answers
// before.

import type { Problem } from "../../model/problem.ts";
import { ClusterState } from "../../resolve/cluster-state.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import { resolve } from "../../resolve/resolve.ts";
import { deadline } from "../deadline.ts";

/** An answer, and what it is the answer to. */
export interface Answered {
  readonly problem: Problem;
  readonly resolution: Resolution;
  /** Is the time over? */
  readonly stop?: (() => boolean) | undefined;
}

/** What became of a problem: an answer, or a bug of ours. */
export type Solved =
  | ({ readonly kind: "solved" } & Answered)
  | { readonly kind: "bug"; readonly message: string; readonly problem: Problem };

/** Solves one problem; whatever is thrown is a bug. */
export function solve(problem: Problem, by: (problem: Problem) => Resolution): Solved {
  try {
    return { kind: "solved", problem, resolution: by(problem) };
  } catch (error) {
    return { kind: "bug", message: error instanceof Error ? (error.stack ?? error.message) : String(error), problem };
  }
}

/** Solves problems, all of them within a number of seconds if one is given: then what is best so far is the answer. */
export function solveAll(problems: readonly Problem[], seconds: number | undefined): readonly Solved[] {
  const isOver = seconds === undefined ? undefined : deadline(seconds);
  const cluster = new ClusterState(problems);
  return problems.map((given) => {
    const problem = cluster.beside(given);
    const one = solve(problem, (asked) => resolve(asked, isOver));
    if (one.kind === "solved") cluster.carryOut(problem, one.resolution);
    return { ...one, stop: isOver };
  });
}
