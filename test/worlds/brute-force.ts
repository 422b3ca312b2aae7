// What is the best answer of a small world? Every set of bundles is tried; of those that are allowed, each level of the
// objectives keeps the best.

import type { Answer } from "../../src/check/answer.ts";
import type { Problem } from "../../src/model/problem.ts";
import type { Objective, ObjectiveName } from "../../src/resolve/resolution.ts";
import { Judge } from "./judge.ts";
import { compareKeys, levels } from "./objectives.ts";
import { idOf, type Mask, Table } from "./table.ts";

/** The best answer, and how well it does at each level. */
export interface Best {
  readonly answer: Answer;
  /** The names of the operators that stay. */
  readonly kept: readonly string[];
  /** `catalog/bundle` of those that come. */
  readonly chosen: readonly string[];
  readonly objectives: readonly { readonly name: ObjectiveName; readonly value: Objective["value"] }[];
}

/** The best of all allowed answers; nothing if none is allowed, which only `compat` can bring about. */
export function bruteForce(problem: Problem): Best | undefined {
  const table = new Table(problem);
  const judge = new Judge(table);
  const order = levels(judge);
  let best = allowedAnswers(judge);
  for (const level of order) {
    if (best.length < 2) break;
    const keyed = best.map((members) => ({ members, key: level.key(members) }));
    const least = keyed.reduce((a, b) => (compareKeys(b.key, a.key) < 0 ? b : a));
    best = keyed.filter(({ key }) => compareKeys(key, least.key) === 0).map(({ members }) => members);
  }
  const members = best[0];
  if (members === undefined) return undefined;
  const answer = table.answer(members);
  return {
    answer,
    kept: answer.kept.map(({ name }) => name),
    chosen: answer.chosen.map(idOf).sort(),
    objectives: order.map((level) => ({ name: level.name, value: level.value(members) })),
  };
}

/** All allowed sets of kept operators and chosen bundles. */
export function allowedAnswers(judge: Judge): readonly Mask[] {
  const { table } = judge;
  const choosable = table.in(judge.choosable);
  let chosen: readonly Mask[] = [0];
  for (const owner of new Set(choosable.map((participant) => participant.package))) {
    const bundles = choosable.filter((participant) => participant.package === owner);
    chosen = chosen.flatMap((mask) => [mask, ...bundles.map(({ bit }) => mask | bit)]);
  }
  return chosen.flatMap((bundles) => {
    const left = table.in(table.installed).filter(({ bit }) => (table.targetsOf(bit) & bundles) !== 0);
    const kept = left.reduce((mask, { bit }) => mask & ~bit, table.installed);
    return judge.allows(kept, bundles) ? [kept | bundles] : [];
  });
}
