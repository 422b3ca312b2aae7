// Which variables do the macros around a part of the expression bring?
import type { Type } from "../type.ts";

/** A variable of a macro. */
export interface Local {
  readonly type: Type;
  readonly slot: number;
}

/** The variables of macros, the innermost last. */
export class Scope {
  readonly #locals: { readonly name: string; readonly local: Local }[] = [];
  /** The most variables there were at once. */
  deepest = 0;

  /** Adds a variable; its place is the number of variables around it. */
  enter(name: string, type: Type): number {
    const slot = this.#locals.length;
    this.#locals.push({ name, local: { type, slot } });
    this.deepest = Math.max(this.deepest, this.#locals.length);
    return slot;
  }

  /** Takes the innermost variables away. */
  leave(count: number): void {
    this.#locals.length -= count;
  }

  /** The innermost variable of this name. */
  find(name: string): Local | undefined {
    return this.#locals.findLast((entry) => entry.name === name)?.local;
  }

  /** The names, for suggestions. */
  names(): readonly string[] {
    return this.#locals.map(({ name }) => name).filter((name) => !name.startsWith("@"));
  }
}
