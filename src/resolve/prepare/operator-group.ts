// Which namespaces do the operators of a namespace watch, and what else does its OperatorGroup state? OLM requires
// exactly one (case E42); otherwise nothing is known, and resolution continues.

import { compareText } from "../../model/json.ts";
import { textUnder } from "../../model/labels.ts";
import type { OperatorGroup } from "../../model/operator-group.ts";
import type { TargetNamespaces } from "../../model/problem.ts";
import { FAIL_FORWARD } from "./fail-forward.ts";

const OWN_CATALOGS_ONLY = "olm.operatorframework.io/exclude-global-namespace-resolution";

/** What is known about a namespace from its OperatorGroup. */
export interface GroupFacts {
  readonly targets: TargetNamespaces | undefined;
  /** Only catalogs of the namespace itself are used. */
  readonly ownCatalogsOnly: boolean;
  readonly failForward: boolean;
}

const NOTHING_KNOWN: GroupFacts = { targets: undefined, ownCatalogsOnly: false, failForward: false };

/** The facts of the OperatorGroups of one namespace; empty unless there is exactly one. */
export function groupFacts(groups: readonly OperatorGroup[]): GroupFacts {
  const [group, another] = groups;
  if (group === undefined || another !== undefined) return NOTHING_KNOWN;
  return {
    targets: targetsOf(group),
    ownCatalogsOnly: textUnder(group.annotations, OWN_CATALOGS_ONLY) === "true",
    failForward: group.upgradeStrategy === FAIL_FORWARD,
  };
}

/** OLM's status takes precedence over the spec. */
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
