// For which namespaces do the operators of a namespace work, and what else does its OperatorGroup say? OLM wants exactly
// one of them (case E42); without that nothing is known, and resolution goes on.

import { compareText } from "../../model/json.ts";
import { textUnder } from "../../model/labels.ts";
import type { OperatorGroup } from "../../model/operator-group.ts";
import type { TargetNamespaces } from "../../model/problem.ts";
import { FAIL_FORWARD } from "./fail-forward.ts";

const OWN_CATALOGS_ONLY = "olm.operatorframework.io/exclude-global-namespace-resolution";

/** What is known about a namespace from its OperatorGroup. */
export interface GroupFacts {
  readonly targets: TargetNamespaces | undefined;
  /** Only catalogs of the namespace itself are asked. */
  readonly ownCatalogsOnly: boolean;
  readonly failForward: boolean;
}

const NOTHING_KNOWN: GroupFacts = { targets: undefined, ownCatalogsOnly: false, failForward: false };

/** What the OperatorGroups of one namespace say; nothing unless there is exactly one. */
export function groupFacts(groups: readonly OperatorGroup[]): GroupFacts {
  const [group, another] = groups;
  if (group === undefined || another !== undefined) return NOTHING_KNOWN;
  return {
    targets: targetsOf(group),
    ownCatalogsOnly: textUnder(group.annotations, OWN_CATALOGS_ONLY) === "true",
    failForward: group.upgradeStrategy === FAIL_FORWARD,
  };
}

/** What OLM has found out counts before what was asked for. */
function targetsOf(group: OperatorGroup): TargetNamespaces | undefined {
  const found = group.namespaces ?? [];
  const names = found.length > 0 ? found : group.targetNamespaces;
  if (names.includes("")) return { all: true, names: [] };
  if (names.length > 0) return { all: false, names: [...new Set(names)].sort(compareText) };
  const { selector } = group;
  const selectsAll =
    selector === undefined ||
    (selector.matchExpressions.length === 0 && Object.keys(selector.matchLabels).length === 0);
  return selectsAll ? { all: true, names: [] } : undefined;
}
