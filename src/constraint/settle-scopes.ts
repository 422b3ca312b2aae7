// What is the scope of each compound? A stated scope wins and is inherited; options and defaults decide the rest.

import type { CompoundConstraint, Constraint, Scope } from "./constraint.ts";
import type { Complain } from "./constraint-fields.ts";
import type { CompoundDraft, Draft } from "./read-constraint.ts";

/** How unstated scopes are settled. */
export interface ScopeOptions {
  /** As in OLM: everything is about a single bundle. */
  readonly compat: boolean;
  /** Replaces the default. */
  readonly compoundScope?: Scope | undefined;
}

/** Gives every compound of a constraint its scope. */
export function settleScopes(draft: Draft, options: ScopeOptions, complain: Complain): Constraint {
  return settle(draft, undefined, options, complain);
}

/** `inherited`: bundle below a compound of bundle scope, or what a compound above states; otherwise undefined. */
function settle(draft: Draft, inherited: Scope | undefined, options: ScopeOptions, complain: Complain): Constraint {
  if (!isCompound(draft)) return draft;
  const { kind, stated, message, path } = draft;
  if (inherited === "bundle" && stated?.scope === "solution" && !options.compat)
    complain({
      message: "the scope cannot be solution inside a compound of scope bundle",
      hint: "state scope: solution on the outer one too, or none here",
      path: stated.path,
    });
  const scope = scopeOf(draft, inherited, options);
  const below = scope === "bundle" || stated !== undefined || inherited !== undefined ? scope : undefined;
  const constraints = draft.constraints.map((child) => settle(child, below, options, complain));
  return { kind, scope, constraints, message, path } satisfies CompoundConstraint;
}

function scopeOf(draft: CompoundDraft, inherited: Scope | undefined, options: ScopeOptions): Scope {
  if (options.compat || inherited === "bundle") return "bundle";
  return draft.stated?.scope ?? inherited ?? options.compoundScope ?? defaultScope(draft);
}

/** Several rules in one `all` are meant for a single operator (seed 000). */
function defaultScope({ kind, constraints }: CompoundDraft): Scope {
  return kind === "all" && constraints.some((child) => child.kind === "cel" || child.kind === "propertyEquals")
    ? "bundle"
    : "solution";
}

function isCompound(draft: Draft): draft is CompoundDraft {
  return "constraints" in draft;
}
