// What can an author require? Every constraint of every spelling, in one form. Scopes are settled here: defaults and
// flags have been applied to compounds that state none.

import type { Program } from "../cel/program.ts";
import type { Gvk } from "../model/catalog.ts";
import type { Json } from "../model/json.ts";
import type { Path } from "../model/place.ts";
import type { Range } from "../semver/blang-range.ts";

/** What a compound is evaluated over: everything that runs together, or a single member. */
export type Scope = "solution" | "bundle";

interface Stated {
  /** The author's message for failures. */
  readonly message?: string | undefined;
  /** Its path inside the value of its property. */
  readonly path: Path;
}

/** Some member provides an API. */
export interface GvkConstraint extends Stated {
  readonly kind: "gvk";
  readonly gvk: Gvk;
}

/** An operator of a package is present, at a version in a range. */
export interface PackageConstraint extends Stated {
  readonly kind: "package";
  readonly name: string;
  readonly range: Range;
}

/** Some member has a label (`olm.label`). */
export interface LabelConstraint extends Stated {
  readonly kind: "label";
  readonly label: string;
}

/** A CEL rule holds for the properties of some member. */
export interface CelConstraint extends Stated {
  readonly kind: "cel";
  readonly rule: string;
  readonly program: Program;
}

/** Some member has a property with a type and value; a string also equals the number it spells. */
export interface PropertyEqualsConstraint extends Stated {
  readonly kind: "propertyEquals";
  readonly name: string;
  readonly value: Json;
}

/** A constraint that a single member can satisfy. */
export type LeafConstraint =
  | GvkConstraint
  | PackageConstraint
  | LabelConstraint
  | CelConstraint
  | PropertyEqualsConstraint;

/** Constraints under `all`, `any` or `none`. */
export interface CompoundConstraint extends Stated {
  readonly kind: "all" | "any" | "none";
  /** With `bundle`, everything below is `bundle` too: the whole is one predicate over one member. */
  readonly scope: Scope;
  readonly constraints: readonly Constraint[];
}

/** A demand. */
export type Constraint = LeafConstraint | CompoundConstraint;

/** A requirement of a bundle as a whole; all of them must hold together. */
export interface Requirement {
  /** What must hold. The action `conflict` has already become a `none` (in solution scope) around its constraint. */
  readonly constraint: Constraint;
  /** The action as written. */
  readonly action: "require" | "conflict";
  /** It is optional. */
  readonly optional: boolean;
  /** The index of its property in the bundle. */
  readonly property: number;
}

/** A malformed constraint. */
export interface ConstraintProblem {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The index of its property. */
  readonly property: number;
  /** The path inside the value of the property. */
  readonly path: Path;
  /** For a string: the character, in UTF-16 units from 0. */
  readonly offset?: number | undefined;
  /** It is about the key, not the value. */
  readonly ofKey?: boolean | undefined;
  /** What to write instead, if that is certain. */
  readonly correction?: Correction | undefined;
}

/** A key or string of a constraint that should be another. */
export interface Correction {
  readonly was: string;
  readonly is: string;
}

/** The requirements of a bundle's properties. With problems, the bundle cannot be newly chosen. */
export interface Requirements {
  readonly requirements: readonly Requirement[];
  readonly problems: readonly ConstraintProblem[];
  /** It has compounds, which a feature gate can disable. */
  readonly hasCompounds: boolean;
}

/** A runtime constraint: one predicate over one candidate. */
export interface RuntimeConstraint {
  readonly constraint: Constraint;
  readonly action: "require" | "conflict";
}
