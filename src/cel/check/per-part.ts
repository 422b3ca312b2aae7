// What is known of the parts of an expression, by their numbers?
import type { Node } from "../ast.ts";

/** Something for some or all parts of an expression. */
export interface PerPart<T> {
  get(node: Node): T | undefined;
  /** What there is, in no particular order. */
  values(): Iterable<T>;
}

/** An array in place of a map: most of the time to check an expression would be spent in maps. */
export class PartArray<T> implements PerPart<T> {
  readonly #items: (T | undefined)[];

  /** For the parts of an expression with this root. */
  constructor(root: Node) {
    this.#items = new Array(numberOf(root) + 1);
  }

  get(node: Node): T | undefined {
    return this.#items[numberOf(node)];
  }

  values(): Iterable<T> {
    return this.#items.filter((item) => item !== undefined);
  }

  set(node: Node, item: T): void {
    this.#items[numberOf(node)] = item;
  }
}

function numberOf({ id }: Node): number {
  if (id === undefined || id === 0) throw new Error("a part of an expression has no number");
  return id;
}
