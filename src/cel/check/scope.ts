// Which variables do the macros around a part of the expression bring?
import type { Type } from "../type.ts";

/** A variable of a macro. */
export interface Local {
  readonly type: Type;
  readonly slot: number;
}

/**
 * The variables of macros, the innermost last. Each has a place of its own while the expression runs: the value of a
 * binding is computed where it is first used, and must not disturb what is there.
 */
export class Scope {
  readonly #locals: { readonly name: string; readonly local: Local }[] = [];
  /** How many places there are. */
  places = 0;

  /** Adds a variable; two that are added one after the other have places one after the other. */
  enter(name: string, type: Type): number {
    const slot = this.places++;
    this.#locals.push({ name, local: { type, slot } });
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
