// How many operators of a package may run in a namespace, or in the cluster scope?

import type { OperatorRef } from "../model/operator-ref.ts";
import type { GroupRule } from "./shape/at-most-one.ts";

/** Several operators of one package. */
export interface OneBundleDetail {
  readonly rule: "one-bundle";
  readonly package: string;
  readonly members: readonly OperatorRef[];
  /** They are operators of ClusterExtensions, and belong to no namespace. */
  readonly scope?: "cluster" | undefined;
}

/**
 * One bundle per package in a namespace (OLM): `¬a ∨ ¬b` for each two bundles or operators of the package. Operators
 * of unknown package do not count.
 */
export const oneBundle: GroupRule = {
  name: "one-bundle",
  spansNamespaces: false,
  groupsOf: ({ package: owner }) => (owner === undefined ? [] : [owner]),
  detail: (owner, members, scope) => ({
    rule: "one-bundle",
    package: owner,
    members,
    ...(scope !== undefined && { scope }),
  }),
};
