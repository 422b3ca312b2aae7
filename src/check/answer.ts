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

/** Something that the answer must not do. */
export interface Violation {
  /** Which rule: `dependency`, `one-per-package`… */
  readonly rule: string;
  readonly text: string;
}
