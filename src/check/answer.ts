// What does an answer to check consist of? The kept operators, the chosen bundles, and the requests reported as
// satisfied.

import type { Bundle, Catalog } from "../model/catalog.ts";
import type { Installed } from "../model/problem.ts";

/** A chosen bundle of a catalog. */
export interface Chosen {
  readonly catalog: Catalog;
  readonly bundle: Bundle;
}

/** A proposed state of the namespace. */
export interface Answer {
  /** Installed operators of the namespace that stay. */
  readonly kept: readonly Installed[];
  /** Bundles that are installed, or updated to. */
  readonly chosen: readonly Chosen[];
  /** The ids of the requests reported as satisfied. */
  readonly satisfied: readonly string[];
}

/** The rules, with the names that answers and explanations use; and errors of an answer itself. */
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
  /** A request is reported as satisfied but is not; a member does not exist, or is duplicated. */
  | "claim"
  | "unknown"
  | "duplicate";

/** The rules between operators: whether they hold depends on the other members. */
export const BETWEEN_OPERATORS: ReadonlySet<CheckedRule> = new Set<CheckedRule>([
  "dependency",
  "compound",
  "cel-constraint",
  "property-equals",
  "conflict",
  "one-bundle",
  "one-provider",
]);

/** A violation found in an answer. */
export interface Violation {
  readonly rule: CheckedRule;
  readonly text: string;
}
