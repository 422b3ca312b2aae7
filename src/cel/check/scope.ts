// Which variables do the enclosing macros declare?
import type { Type } from "../type.ts";

/** A variable of a macro. */
export interface Local {
  readonly type: Type;
  readonly slot: number;
}

/**
 * The variables of macros, the innermost last. Each has a slot of its own in the frame: the value of a binding is computed
 * at its first use, and must not overwrite the variables in use there.
 */
export class Scope {
  readonly #locals: { readonly name: string; readonly local: Local }[] = [];
  /** The number of slots. */
  slotCount = 0;

  /** Adds a variable; consecutive variables have consecutive slots. */
  enter(name: string, type: Type): number {
    const slot = this.slotCount++;
    this.#locals.push({ name, local: { type, slot } });
    return slot;
  }

  /** Removes the innermost variables. */
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
