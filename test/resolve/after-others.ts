// What is the problem of a namespace once the answers of others were applied?

import type { Problem } from "../../src/model/problem.ts";
import { ClusterState } from "../../src/resolve/cluster-state.ts";
import type { Resolution } from "../../src/resolve/resolution.ts";

/** A problem and its answer. */
export interface Answered {
  readonly problem: Problem;
  readonly resolution: Resolution;
}

/** The problem after the answers of other namespaces have been applied. */
export function afterOthers(problem: Problem, answers: readonly Answered[]): Problem {
  const cluster = new ClusterState([problem]);
  for (const { problem: other, resolution } of answers)
    if (other.namespace !== problem.namespace) {
      const { namespace, catalogs, installed } = other;
      cluster.carryOut({ ...cluster.beside(problem), namespace, catalogs, installed }, resolution);
    }
  return cluster.beside(problem);
}
