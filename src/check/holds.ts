// Does a requirement hold in a state? Written from docs/how-it-resolves.md, "When a requirement holds".

import type { Constraint } from "../constraint/constraint.ts";
import { apiKey, type Matcher } from "./match.ts";
import type { Member, State } from "./state.ts";

/** Can the second member meet a positive requirement of the first? */
export type MayServe = (requirer: Member, provider: Member) => boolean;

/** The members that count while a requirement is evaluated. */
interface Context {
  readonly state: State;
  readonly self: Member;
  /** Below a `none` the requirer itself does not count, and every provider can serve. */
  readonly belowNone: boolean;
}

/** Evaluates requirements over states. */
export class Requirer {
  readonly #matcher: Matcher;
  readonly #mayServe: MayServe;

  constructor(matcher: Matcher, mayServe: MayServe) {
    this.#matcher = matcher;
    this.#mayServe = mayServe;
  }

  /** Does a requirement of a member hold in the state? */
  holds(constraint: Constraint, state: State, self: Member): boolean {
    return this.#holds(constraint, { state, self, belowNone: false });
  }

  #holds(constraint: Constraint, context: Context): boolean {
    if ("scope" in constraint && constraint.scope === "solution") {
      const children = constraint.constraints;
      if (constraint.kind === "all") return children.every((child) => this.#holds(child, context));
      if (constraint.kind === "any") return children.some((child) => this.#holds(child, context));
      const smaller = { ...context, belowNone: true };
      return !children.some((child) => this.#holds(child, smaller));
    }
    const { state, self, belowNone } = context;
    const counts = (member: Member): boolean => (belowNone ? member !== self : this.#mayServe(self, member));
    return possible(constraint, state).some(
      (member) => counts(member) && this.#matcher.match(constraint, member.properties) === true,
    );
  }
}

const NO_MEMBERS: readonly Member[] = [];

/** The members that can match. */
function possible(constraint: Constraint, state: State): readonly Member[] {
  switch (constraint.kind) {
    case "gvk":
      return state.providers.get(apiKey(constraint.gvk)) ?? NO_MEMBERS;
    case "package":
      return state.packages.get(constraint.name) ?? NO_MEMBERS;
    case "label":
      return state.labels.get(constraint.label) ?? NO_MEMBERS;
    default:
      return state.members;
  }
}
