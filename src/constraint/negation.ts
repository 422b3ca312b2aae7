// What does a negation exclude, and what does it require by double negation?

import type { Scope } from "./constraint.ts";

/** A constraint or its outline. */
interface Part {
  readonly kind: string;
  readonly scope?: Scope;
  readonly constraints?: readonly Part[];
}

/** The content of a negation. */
export interface Negated<One> {
  /** What it excludes. */
  readonly once: readonly One[];
  /** Of each of these lists one must hold. */
  readonly twice: readonly (readonly One[])[];
}

/** None of "x or y" excludes both; none of "none of x" requires x; and none of "none of none of x" excludes x. */
export function negated<One extends Part>(constraints: readonly One[], scope: Scope): Negated<One> {
  const partsOf = (kind: string, part: One): readonly One[] | undefined =>
    part.kind === kind && part.scope === scope && part.constraints !== undefined && part.constraints.length > 0
      ? (part.constraints as readonly One[])
      : undefined;
  const once: One[] = [];
  const twice: (readonly One[])[] = [];
  for (const part of constraints.flatMap((one) => partsOf("any", one) ?? [one])) {
    const denied = partsOf("none", part);
    const [only, ...more] = denied ?? [];
    const within = only === undefined || more.length > 0 ? undefined : partsOf("none", only);
    if (denied === undefined) once.push(part);
    else if (within === undefined) twice.push(denied);
    else {
      const inner = negated(within, scope);
      once.push(...inner.once);
      twice.push(...inner.twice);
    }
  }
  return { once, twice };
}

/** What a double negation requires; undefined if it states more than that. */
export function demandedBy<One extends Part>(constraints: readonly One[]): One | undefined {
  const { once, twice } = negated(constraints, "solution");
  const [demanded, ...more] = twice.flat();
  return once.length === 0 && more.length === 0 ? demanded : undefined;
}
