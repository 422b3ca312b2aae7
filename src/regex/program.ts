// Which instructions does a pattern become?
//
// As RE2 and Go's regexp have them: an automaton whose instructions either read one character or lead on without
// reading. Instructions are made from the end of the pattern to its beginning, so that each knows the one after it.
import type { CharacterSet } from "./character-set.ts";
import type { Node, Times } from "./node.ts";

/** What an instruction does. */
export const READ = 0;
export const ALTERNATIVE = 1;
export const CAPTURE = 2;
export const CONDITION = 3;
export const MATCH = 4;

/** What a condition may ask of a place in the text, as bits. */
export const BEGIN_LINE = 1;
export const END_LINE = 2;
export const BEGIN_TEXT = 4;
export const END_TEXT = 8;
export const WORD_BOUNDARY = 16;
export const NO_WORD_BOUNDARY = 32;

/** One step of a program. */
export interface Instruction {
  readonly op: number;
  /** The instruction after it; of two alternatives, the one that is preferred. */
  readonly out: number;
  /** The other alternative, the number of a capture's end, or the condition's bits. */
  readonly arg: number;
  /** The characters it reads; instructions that were copied by a repetition share one set. */
  readonly set: CharacterSet | undefined;
}

/** A compiled pattern. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** How many groups capture; the match as a whole is not counted. */
  readonly groups: number;
}

/** The program of a pattern that has so many groups. */
export function compileProgram(root: Node, groups: number): Program {
  return new ProgramWriter().write(root, groups);
}

/** Has a list of what is left to do instead of recursion, which a nested pattern could make too deep. */
class ProgramWriter {
  readonly #instructions: Instruction[] = [];
  /** What is left to do, the next one last. */
  readonly #todo: (() => void)[] = [];
  /** The instruction that was reached: where to go on after one that is written before it. */
  #at = 0;

  write(root: Node, groups: number): Program {
    this.#put(MATCH, 0, 0);
    this.#add(root);
    for (let step = this.#todo.pop(); step !== undefined; step = this.#todo.pop()) step();
    return { instructions: this.#instructions, start: this.#at, groups };
  }

  #put(op: number, out: number, arg: number, set?: CharacterSet): void {
    this.#at = this.#instructions.push({ op, out, arg, set }) - 1;
  }

  /** The first instruction is preferred to the second, or the other way round if lazy. */
  #putAlternative(first: number, second: number, lazy: boolean): void {
    this.#put(ALTERNATIVE, lazy ? second : first, lazy ? first : second);
  }

  #add(node: Node): void {
    switch (node.kind) {
      case "nothing":
        return;
      case "character":
        this.#put(READ, this.#at, 0, node.set);
        return;
      case "condition":
        this.#put(CONDITION, this.#at, node.condition);
        return;
      case "group":
        this.#put(CAPTURE, this.#at, 2 * node.number + 1);
        this.#todo.push(
          () => this.#put(CAPTURE, this.#at, 2 * node.number),
          () => this.#add(node.inner),
        );
        return;
      case "sequence":
        for (const part of node.parts) this.#todo.push(() => this.#add(part));
        return;
      case "choice":
        this.#addChoice(node.parts);
        return;
      case "repetition":
        if (node.inner.kind !== "nothing") this.#addRepetition(node.inner, node.times);
    }
  }

  #addChoice(parts: readonly Node[]): void {
    const next = this.#at;
    let others: number | undefined;
    for (const part of parts) {
      this.#todo.push(
        () => {
          if (others !== undefined) this.#putAlternative(this.#at, others, false);
          others = this.#at;
        },
        () => {
          this.#at = next;
          this.#add(part);
        },
      );
    }
  }

  #addRepetition(inner: Node, { least, most, lazy }: Times): void {
    const next = this.#at;
    const isLoop = most === Number.POSITIVE_INFINITY;
    for (let copies = isLoop ? least - 1 : least; copies > 0; copies--) this.#todo.push(() => this.#add(inner));
    if (isLoop) {
      this.#addLoop(inner, lazy, least === 0);
      return;
    }
    // x{2,5} is xx(x(x(x)?)?)?
    for (let left = most - least; left > 0; left--) {
      this.#todo.push(
        () => this.#putAlternative(this.#at, next, lazy),
        () => this.#add(inner),
      );
    }
  }

  /** x+, or x* if it may be left out. */
  #addLoop(inner: Node, lazy: boolean, optional: boolean): void {
    const next = this.#at;
    this.#putAlternative(next, next, lazy); // until it is known where x begins
    const again = this.#at;
    this.#todo.push(
      () => {
        const body = this.#at;
        this.#instructions[again] = {
          op: ALTERNATIVE,
          out: lazy ? next : body,
          arg: lazy ? body : next,
          set: undefined,
        };
        if (!optional) return;
        // If x can be empty, x* is (x+)?: otherwise an empty x would be preferred to none in the wrong order.
        if (inner.nullable) this.#putAlternative(body, next, lazy);
        else this.#at = again;
      },
      () => this.#add(inner),
    );
  }
}
