// Which changes do the what-if flags mean?

import { compareText } from "../../model/json.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import type { Change } from "../../resolve/what-if.ts";
import { declaring } from "../../rule/shape/lift.ts";
import { COMPOUND_GATE, nodeProperties, type ResolveFlags } from "./options.ts";

/** The changes to problems that were prepared with all other flags. */
export function preparedChanges({ instead, drop, approve, withoutConstraint }: ResolveFlags): readonly Change[] {
  return [
    ...instead.map((request): Change => ({ kind: "instead", request })),
    ...drop.map((owner): Change => ({ kind: "drop", package: owner })),
    ...approve.map((owner): Change => ({ kind: "approve", package: owner })),
    ...withoutConstraint.map((number): Change => ({ kind: "without-constraint", number })),
  ];
}

/** The changes to a saved problem. */
export function replayedChanges(flags: ResolveFlags, named: readonly NamedRequest[]): readonly Change[] {
  const { release, partly, remove, hold, ignoreUnavailable, maxConflicts, celCostLimit } = flags;
  const limit = (name: "maxConflicts" | "celCostLimit", value: number | undefined): Change[] =>
    value === undefined ? [] : [{ kind: "limit", limit: name, value }];
  return [
    ...release.flatMap((owner): Change[] => [
      { kind: "release", package: owner, flag: "hold" },
      { kind: "release", package: owner, flag: "remove" },
    ]),
    ...(partly ? [{ kind: "partly" } as const] : []),
    ...remove.map((owner): Change => ({ kind: "remove", package: owner })),
    ...[...hold].sort(compareText).map((owner): Change => ({ kind: "hold", package: owner })),
    ...nodeProperties(flags).map(declaring),
    ...(flags.featureGates[COMPOUND_GATE] ? [{ kind: "compound-constraints" } as const] : []),
    ...(ignoreUnavailable ? [{ kind: "ignore-unavailable" } as const] : []),
    ...limit("maxConflicts", maxConflicts),
    ...limit("celCostLimit", celCostLimit),
    ...named.map((request): Change => ({ kind: "ask", request })),
    ...preparedChanges(flags),
  ];
}
