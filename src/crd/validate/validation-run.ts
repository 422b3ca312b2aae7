// What was found while an object is validated, and which value is looked at?

import type { Json } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import type { SizeKeyword } from "../compare/difference.ts";
import type { Schema } from "../schema/schema.ts";
import type { FaultDetail, UndecidedReason } from "./fault.ts";
import type { ObjectFault } from "./validator.ts";

/** Returns whether a value is valid; what is wrong with it is reported to the search. */
export type CheckOf<T> = (value: T, search: Search) => boolean;

/** A check of any value. */
export type Check = CheckOf<Json>;

/** How many alternatives are tried for one object. */
const MAX_WORK = 5_000_000;

/**
 * Faults that keep the API server from asking rules of an object (hasBlockingErr of apiextensions-apiserver).
 * A format counts as a type there.
 */
const BLOCKING: ReadonlySet<string> = new Set("type format required enum maxLength maxItems maxProperties".split(" "));

/** Collects at most this many faults, and none after the search has given up: they might be wrong. */
export class Search {
  /** The path of the value that is checked. */
  readonly path: (string | number)[];
  readonly faults: ObjectFault[] = [];
  /** Was something found that keeps the API server from asking rules? */
  blocksRules = false;
  readonly #most: number;
  #undecided: UndecidedReason | undefined;
  #quiet = 0;
  #work = 0;

  constructor(most: number, path: Path = []) {
    this.#most = Math.max(1, most);
    this.path = [...path];
  }

  /** Why the search gave up. */
  get undecided(): UndecidedReason | undefined {
    return this.#undecided;
  }

  /** Once something is wrong: is there nothing more to look for? */
  get isOver(): boolean {
    return this.#quiet > 0 || this.faults.length >= this.#most || this.#undecided !== undefined;
  }

  /** Reports what is wrong with the value that is checked, or with one below it; never true. */
  fault(
    schema: Schema,
    keyword: string,
    detail: () => FaultDetail,
    steps: Path = [],
    written: string = keyword,
  ): false {
    if (this.isOver) return false;
    this.blocksRules ||= BLOCKING.has(keyword);
    const at = written === "" ? schema.at : [...schema.at, written];
    this.faults.push({ path: [...this.path, ...steps], keyword, detail: detail(), at });
    return false;
  }

  /** Is the value valid? What is wrong with it is not reported. */
  isValid(value: Json, check: Check): boolean {
    this.#quiet++;
    const valid = check(value, this);
    this.#quiet--;
    return valid;
  }

  /** What a check finds about the value that is checked, without reporting it. */
  faultsOf(value: Json, check: Check): Pick<Search, "faults" | "blocksRules"> {
    const search = new Search(10, this.path);
    search.#work = this.#work;
    check(value, search);
    this.#work = search.#work;
    if (search.#undecided !== undefined) this.giveUp(search.#undecided);
    return search;
  }

  /** Is the budget sufficient to try this many more alternatives? If not, the search gives up. */
  mayTry(alternatives: number): boolean {
    this.#work += alternatives;
    if (this.#work > MAX_WORK) this.giveUp({ kind: "alternatives", limit: MAX_WORK });
    return this.#undecided === undefined;
  }

  /** Records why the object cannot be validated to its end; always true, because nothing wrong is known. */
  giveUp(why: UndecidedReason): true {
    this.#undecided ??= why;
    return true;
  }
}

/** One check that runs all of them. */
export function every<T>(checks: readonly CheckOf<T>[]): CheckOf<T> {
  const [first, second] = checks;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  return (value, search) => {
    let valid = true;
    for (const check of checks) {
      if (check(value, search)) continue;
      valid = false;
      if (search.isOver) break;
    }
    return valid;
  };
}

/** The checks of the bounds of a size, as far as the schema has them. */
export function sizeChecks<T>(
  schema: Schema,
  keywords: readonly SizeKeyword[],
  sizeOf: (value: T) => number,
): CheckOf<T>[] {
  return keywords.flatMap((keyword) => {
    if (schema[keyword] === undefined) return [];
    const limit = Number(schema[keyword]);
    const isLeast = keyword.startsWith("min");
    return (value: T, search: Search) => {
      const actual = sizeOf(value);
      if (isLeast ? actual >= limit : actual <= limit) return true;
      return search.fault(schema, keyword, () => ({ kind: "size", keyword, limit, actual }));
    };
  });
}
