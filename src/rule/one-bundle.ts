// How many operators of a package may run in a namespace?

import type { OperatorRef } from "../model/operator-ref.ts";

/** Several operators of one package. */
export interface OneBundleDetail {
  readonly rule: "one-bundle";
  readonly package: string;
  readonly members: readonly OperatorRef[];
}
