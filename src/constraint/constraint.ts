// What can an author demand? Every constraint of every spelling, in one form. Scopes are settled here: what the defaults
// and flags make of a compound that states none has already been worked out.

import type { Program } from "../cel/program.ts";
import type { Gvk } from "../model/catalog.ts";
import type { Json } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import type { Range } from "../semver/blang-range.ts";

/** Over what a compound speaks: over everything that runs together, or over one single member of it. */
export type Scope = "solution" | "bundle";

interface Stated {
  /** The author's own words for the case that it fails. */
  readonly message?: string | undefined;
  /** Where it stands inside the value of its property. */
  readonly path: Path;
}

/** Somebody provides an API. */
export interface GvkConstraint extends Stated {
  readonly kind: "gvk";
  readonly gvk: Gvk;
}

/** There is an operator of a package, at a version inside a range. */
export interface PackageConstraint extends Stated {
  readonly kind: "package";
  readonly name: string;
  readonly range: Range;
}

/** Somebody carries a label (`olm.label`). */
export interface LabelConstraint extends Stated {
  readonly kind: "label";
  readonly label: string;
}

/** A CEL rule is true of somebody's properties. */
export interface CelConstraint extends Stated {
  readonly kind: "cel";
  readonly rule: string;
  readonly program: Program;
}

/** Somebody has a property of a type with a value; a text also equals the number that it spells. */
export interface PropertyEqualsConstraint extends Stated {
  readonly kind: "propertyEquals";
  readonly name: string;
  readonly value: Json;
}

/** Something that one member alone can satisfy. */
export type LeafConstraint =
  | GvkConstraint
  | PackageConstraint
  | LabelConstraint
  | CelConstraint
  | PropertyEqualsConstraint;

/** Constraints under `all`, `any` or `none`. */
export interface CompoundConstraint extends Stated {
  readonly kind: "all" | "any" | "none";
  /** In `bundle`, everything beneath is `bundle` too: the whole is one predicate over one member. */
  readonly scope: Scope;
  readonly constraints: readonly Constraint[];
}

/** A demand. */
export type Constraint = LeafConstraint | CompoundConstraint;

/** A demand that a bundle makes as a whole; all demands of a bundle must hold together. */
export interface Requirement {
  /** What must hold. The action `conflict` has already become a `none` (in solution scope) around what must not. */
  readonly constraint: Constraint;
  /** How it was written. */
  readonly action: "require" | "conflict";
  /** A wish only. */
  readonly optional: boolean;
  /** The position of its property among those of the bundle. */
  readonly property: number;
}

/** A constraint that cannot be read. */
export interface ConstraintProblem {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The position of its property. */
  readonly property: number;
  /** Where inside the value of the property. */
  readonly path: Path;
  /** Of a text there: the character that is meant, in UTF-16 units from 0. */
  readonly offset?: number | undefined;
  /** The key of the value is meant. */
  readonly ofKey?: boolean | undefined;
  /** What to write at this place instead, where that is certain. */
  readonly correction?: Correction | undefined;
}

/** A key or a text of a constraint that should be another. */
export interface Correction {
  readonly was: string;
  readonly is: string;
}

/** What the properties of a bundle demand. With problems, the bundle cannot be newly chosen. */
export interface Requirements {
  readonly requirements: readonly Requirement[];
  readonly problems: readonly ConstraintProblem[];
  /** It has compounds, which a feature gate can switch off. */
  readonly hasCompounds: boolean;
}

/** A demand of the administrator: one predicate over one candidate. */
export interface RuntimeConstraint {
  readonly constraint: Constraint;
  readonly action: "require" | "conflict";
}
