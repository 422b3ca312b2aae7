// What do the properties of a bundle require? Constraints of every spelling, in one form; malformed ones are problems
// of that bundle alone.

import { gvkKey, type Property } from "../model/catalog.ts";
import { getOrAdd } from "../model/grouped.ts";
import type { ResolveOptions } from "../model/problem.ts";
import { RulePrograms } from "./bundle-environment.ts";
import type {
  CompoundConstraint,
  Constraint,
  ConstraintProblem,
  Requirement,
  Requirements,
  Scope,
} from "./constraint.ts";
import type { Complain } from "./constraint-fields.ts";
import type { CompoundDraft, Draft } from "./read-constraint.ts";
import { isConstraintType, readProperty } from "./read-property.ts";

/** How constraints are read, and their limits. */
export interface ConstraintOptions {
  /** As in OLM. */
  readonly compat: boolean;
  /** Replaces the default scope of compounds that state none. */
  readonly compoundScope?: Scope | undefined;
  /** Maximum size of a value in bytes, as compact JSON. */
  readonly maxBytes: number;
  /** Maximum number of levels. */
  readonly maxDepth: number;
  /** Cost limit of one evaluation of a CEL rule. */
  readonly celCostLimit: number;
}

/** The constraint options of these resolve options. */
export function constraintOptions(options: ResolveOptions): ConstraintOptions {
  const { compat, compoundScope, maxConstraintBytes, maxConstraintDepth, celCostLimit } = options;
  return { compat, compoundScope, maxBytes: maxConstraintBytes, maxDepth: maxConstraintDepth, celCostLimit };
}

/** Number of problems listed per constraint. */
const MAX_PROBLEMS = 100;

const NONE: Requirements = { requirements: [], problems: [], hasCompounds: false };

/** Reads requirements; each list of properties and each CEL rule once. */
export class ConstraintReader {
  readonly options: ConstraintOptions;
  readonly programs: RulePrograms;
  readonly #known = new WeakMap<readonly Property[], Requirements>();

  constructor(options: ConstraintOptions) {
    this.options = options;
    this.programs = new RulePrograms(options);
  }

  /** The requirements of these properties. */
  of(properties: readonly Property[]): Requirements {
    return getOrAdd(this.#known, properties, () => readRequirements(properties, this.options, this.programs));
  }
}

/** The same without a cache. */
export function readRequirements(
  properties: readonly Property[],
  options: ConstraintOptions,
  programs: RulePrograms = new RulePrograms(options),
): Requirements {
  if (!properties.some(({ type }) => isConstraintType(type))) return NONE;
  const requirements: Requirement[] = [];
  const problems: ConstraintProblem[] = [];
  const seen = new Set<string>();
  let hasCompounds = false;
  for (const [position, property] of properties.entries()) {
    if (!isConstraintType(property.type)) continue;
    const before = problems.length;
    const complain: Complain = (fault) => {
      if (problems.length < before + MAX_PROBLEMS) problems.push({ ...fault, property: position });
    };
    const { constraint: draft, action, optional } = readProperty(property, options, programs, complain);
    if (draft === undefined) continue;
    const constraint = settleScopes(draft, options, complain);
    hasCompounds ||= "constraints" in constraint;
    const key = repeatKey(property.type, constraint);
    if (problems.length > before || (key !== undefined && seen.has(key))) continue;
    if (key !== undefined) seen.add(key);
    requirements.push({
      constraint: action === "conflict" ? conflictWith(constraint) : constraint,
      action,
      optional: optional?.optional ?? false,
      property: position,
    });
  }
  return { requirements, problems, hasCompounds };
}

/** No other member satisfies it; the author's message is about the whole. */
function conflictWith(constraint: Constraint): Constraint {
  const { message, path } = constraint;
  return { kind: "none", scope: "solution", constraints: [{ ...constraint, message: undefined }], message, path };
}

/** The key of equal requirements of an older property type: registries repeat those. */
function repeatKey(type: string, constraint: Constraint): string | undefined {
  if (type === "olm.constraint") return undefined;
  switch (constraint.kind) {
    case "gvk":
      return `gvk ${gvkKey(constraint.gvk)}`;
    case "package":
      return `package ${constraint.name} ${constraint.range.text}`;
    case "label":
      return `label ${constraint.label}`;
    default:
      return undefined;
  }
}

/**
 * Gives every compound its scope: a stated one wins and is inherited; options and defaults decide the rest.
 * `inherited`: bundle below a compound of bundle scope, or what a compound above states; otherwise undefined.
 */
function settleScopes(draft: Draft, options: ConstraintOptions, complain: Complain, inherited?: Scope): Constraint {
  if (!("constraints" in draft)) return draft;
  const { kind, stated, message, path } = draft;
  if (inherited === "bundle" && stated?.scope === "solution" && !options.compat)
    complain({
      message: "the scope cannot be solution inside a compound of scope bundle",
      hint: "state scope: solution on the outer one too, or none here",
      path: stated.path,
    });
  const scope = scopeOf(draft, inherited, options);
  const below = scope === "bundle" || stated !== undefined || inherited !== undefined ? scope : undefined;
  const constraints = draft.constraints.map((child) => settleScopes(child, options, complain, below));
  return { kind, scope, constraints, message, path } satisfies CompoundConstraint;
}

function scopeOf(draft: CompoundDraft, inherited: Scope | undefined, options: ConstraintOptions): Scope {
  if (options.compat || inherited === "bundle") return "bundle";
  return draft.stated?.scope ?? inherited ?? options.compoundScope ?? defaultScope(draft);
}

/** Several rules in one `all` are meant for a single operator (seed 000). */
function defaultScope({ kind, constraints }: CompoundDraft): Scope {
  return kind === "all" && constraints.some((child) => child.kind === "cel" || child.kind === "propertyEquals")
    ? "bundle"
    : "solution";
}
