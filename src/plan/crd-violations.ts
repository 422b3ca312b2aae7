// What would be wrong about custom kinds with these members? Asked of the checker, which looks at the definitions of the
// cluster and at everybody who needs them.

import type { Violation } from "../check/answer.ts";
import { wrongDefinitions } from "../check/crd-change.ts";
import { Cast } from "../check/state.ts";
import type { ConstraintReader } from "../constraint/read-requirements.ts";
import type { Problem } from "../model/problem.ts";
import type { Self } from "../resolve/member.ts";
import { withMigrations } from "./migration.ts";

/** The changes of custom kinds that nobody may make, if these run in the namespace; migrations are part of a plan. */
export function crdViolations(
  problem: Problem,
  members: readonly Self[],
  reader: ConstraintReader,
): readonly Violation[] {
  const migrated = withMigrations(problem);
  const kept = members.flatMap((one) => ("bundle" in one ? [] : [one]));
  const chosen = members.flatMap((one) =>
    "bundle" in one ? [{ catalog: one.index.catalog, bundle: one.bundle }] : [],
  );
  return wrongDefinitions(migrated, new Cast(migrated).after({ kept, chosen, satisfied: [] }), reader);
}
