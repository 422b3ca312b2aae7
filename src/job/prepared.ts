// Which problems does a question about operators mean? One for each namespace, with the what-if changes, and what was noticed on
// the way. Every door asks through this function.

import type { Finding } from "../model/finding.ts";
import type { Problem } from "../model/problem.ts";
import { changedProblems } from "../resolve/no-effect.ts";
import { misnamedCatalog } from "../resolve/prepare/catalogs-in-reach.ts";
import { prepareProblems } from "../resolve/prepare/prepare-problems.ts";
import type { Given, Prepared } from "../resolve/prepare/problem-inputs.ts";
import type { Change } from "../resolve/what-if.ts";

/** The problems, warnings, and the findings about the runtime constraints. */
export interface PreparedQuestion extends Prepared {
  /** The problems before the what-if changes, which may drop every request. */
  readonly unchanged: readonly Problem[];
  readonly findings: readonly Finding[];
}

/** Prepares the problems; `only` is where the only catalog was read from, for a warning about its name. */
export function preparedQuestion(given: Given, changes: readonly Change[], only: string | undefined): PreparedQuestion {
  const prepared = prepareProblems(given);
  const asked = changedProblems(prepared.problems, changes);
  const misnamed = only === undefined ? undefined : misnamedCatalog(given, only);
  return {
    problems: asked.problems,
    unchanged: prepared.problems,
    warnings: [...(misnamed === undefined ? [] : [misnamed]), ...prepared.warnings, ...asked.warnings],
    findings: prepared.problems.flatMap(({ runtime }) => runtime.problems),
  };
}
