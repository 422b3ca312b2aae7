// How well does the best answer do, according to another solver? The levels that counting can decide: everything but the walk
// along providers and the names.

import type { Problem } from "../../src/model/problem.ts";
import { Encoding } from "../../src/resolve/encoding.ts";
import { solve } from "../../src/resolve/solution.ts";

/** The value of each level of the best answer. */
export interface Verdict {
  /** The ids of the requests that are satisfied. */
  readonly satisfied: readonly string[];
  /** Of the satisfied requests, in their order. */
  readonly candidates: readonly number[];
  /** Nothing with `compat`, which does not compare these. */
  readonly counts?:
    | {
        readonly repaired: number;
        readonly updates: number;
        readonly additional: number;
        readonly optional: number;
      }
    | undefined;
}

/** The resolver's verdict; undefined if nothing can be done. */
export function resolverVerdict(problem: Problem): Verdict | undefined {
  const { satisfied, objectives, impossible } = solve(new Encoding(problem), problem);
  if (impossible) return undefined;
  const unproven = objectives.filter(({ proven }) => !proven).map(({ name }) => name);
  if (unproven.length > 0) throw new Error(`the resolver did not prove ${unproven.join(", ")}`);
  const value = (name: string): unknown => objectives.find((one) => one.name === name)?.value;
  const count = (name: string): number => value(name) as number;
  return {
    satisfied: satisfied.map(({ request }) => request.id),
    candidates: value("candidates") as readonly number[],
    ...(!problem.options.compat && {
      counts: {
        repaired: count("repaired"),
        updates: count("updates"),
        additional: count("additional"),
        optional: count("optional"),
      },
    }),
  };
}
