// Which warnings belong to the requests of one namespace? Unknown names, unavailable catalogs, and those of the preparation.

import type { Problem } from "../../model/problem.ts";
import type { PreparationWarning } from "./given.ts";
import { unavailableCatalogs } from "./not-given.ts";
import { unknownNames } from "./unknown-names.ts";

/** Whether other namespaces are resolved too; then a warning about all namespaces is not repeated for each. */
interface Scope {
  readonly isOneOfSeveral: boolean;
  /** The packages whose requests were replaced by a what-if change. */
  readonly replaced: readonly string[];
}

/** The warnings about what a problem requests. */
export function requestWarnings(
  problem: Problem,
  preparation: readonly PreparationWarning[],
  { isOneOfSeveral, replaced }: Scope,
): readonly PreparationWarning[] {
  return [
    ...unknownNames(problem, new Set(replaced)),
    ...unavailableCatalogs(problem),
    ...preparation.filter(({ namespace }) =>
      namespace === undefined ? !isOneOfSeveral : namespace === problem.namespace,
    ),
  ];
}
