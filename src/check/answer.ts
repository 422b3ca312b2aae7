// Which answer is to be checked? Who stays, who comes, and who is said to be content with it.

import type { Bundle, Catalog } from "../model/catalog.ts";
import type { Installed } from "../model/problem.ts";

/** A bundle of a catalog that is to run. */
export interface Chosen {
  readonly catalog: Catalog;
  readonly bundle: Bundle;
}

/** A proposed state of the namespace. */
export interface Answer {
  /** Installed operators of the namespace that stay as they are. */
  readonly kept: readonly Installed[];
  /** Bundles that are installed, or updated to. */
  readonly chosen: readonly Chosen[];
  /** The ids of the requests that are said to be satisfied. */
  readonly satisfied: readonly string[];
}

/** The rules, under the names that answers and explanations have for them; and what can be wrong with an answer itself. */
export type CheckedRule =
  | "subscription"
  | "upgrade-edge"
  | "held-operator"
  | "dependency"
  | "compound"
  | "cel-constraint"
  | "property-equals"
  | "conflict"
  | "one-bundle"
  | "one-provider"
  | "deprecation"
  | "malformed-constraint"
  | "feature-gate"
  | "runtime-constraint"
  | "platform-version"
  | "install-mode"
  | "crd-upgrade"
  /** A request is said to be satisfied, and is not; a member that is none, or twice. */
  | "claim"
  | "unknown"
  | "duplicate";

/** The rules that hold between operators: whether they are kept depends on who else is there. */
export const BETWEEN_OPERATORS: ReadonlySet<CheckedRule> = new Set<CheckedRule>([
  "dependency",
  "compound",
  "cel-constraint",
  "property-equals",
  "conflict",
  "one-bundle",
  "one-provider",
]);

/** Something that the answer must not do. */
export interface Violation {
  readonly rule: CheckedRule;
  readonly text: string;
}
