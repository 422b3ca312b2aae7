// Which changes could lift a refusal? A trial finds out whether they help.

import type { Property } from "../../model/catalog.ts";
import { canonicalText, readCanonical } from "../../model/json.ts";
import type { CatalogName } from "../../model/problem.ts";
import type { Detail } from "../rules.ts";

/** The cluster has a property: `--property TYPE:=JSON`; for versions `--kube-version`, `--openshift-version`. */
export interface Declaration {
  readonly kind: "declare";
  readonly type: string;
  /** The value as canonical JSON: plain data, exact for large numbers. */
  readonly value: string;
  /** For a version: any newer one works as well. */
  readonly isLeast?: true | undefined;
}

/** The change that declares a property. */
export function declaring({ type, value }: Property): Declaration {
  return { kind: "declare", type, value: canonicalText(value) };
}

/** The property that a change declares. */
export function declaredProperty({ type, value }: Declaration): Property {
  return { type, value: readCanonical(value) };
}

/** A change that may lift a refusal; the flags of the command line with the same names mean the same. */
export type Lift =
  | { readonly kind: "without-constraint"; readonly number: number }
  | { readonly kind: "compound-constraints" }
  | { readonly kind: "release"; readonly package: string; readonly flag: "hold" | "remove" }
  | { readonly kind: "approve"; readonly package: string }
  | Declaration
  | { readonly kind: "correct"; readonly catalog: CatalogName; readonly package: string; readonly bundle: string };

/** An operator that is refused. */
export interface RefusedOperator {
  readonly detail: Detail;
  /** Its package. */
  readonly owner: string;
  /** The correction of its constraints, if it is certain. */
  readonly correction: () => Lift | undefined;
}

/** Number of versions, of the cluster or of an operator, that are tried. */
export const MAX_VERSIONS = 3;
