// How is an operator called in a sentence?

import type { OperatorRef } from "../../model/operator-ref.ts";

export type Naming = (operator: OperatorRef) => string;

/** For programs: the name of the bundle or ClusterServiceVersion. */
export const byName: Naming = ({ name }) => name;

/** For people: package and version, or the name if these are unknown. */
export const byVersion: Naming = ({ name, package: owner, version }) =>
  owner === undefined || version === undefined ? name : `${owner} ${version}`;
