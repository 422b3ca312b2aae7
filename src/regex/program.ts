// Which instructions does a pattern become?
//
// re2js reads the pattern (all of RE2's syntax, as Go has it) and compiles it to the program that RE2 and Go's regexp
// run: an automaton whose instructions either read one character or lead on without reading. Running it is our own.
import { RE2JS } from "re2js";

/** What an instruction does, in re2js's numbers. */
export const ALTERNATIVE = 1;
export const ALTERNATIVE_TO_MATCH = 2;
export const CAPTURE = 3;
export const CONDITION = 4;
export const FAIL = 5;
export const MATCH = 6;
export const NOTHING = 7;

/** What a condition may ask of a place in the text, as bits. */
export const BEGIN_LINE = 1;
export const END_LINE = 2;
export const BEGIN_TEXT = 4;
export const END_TEXT = 8;
export const WORD_BOUNDARY = 16;
export const NO_WORD_BOUNDARY = 32;

/** One step of a program. Those of other kinds than the above read a character. */
export interface Instruction {
  readonly op: number;
  /** The instruction after it; of two alternatives, the one that is preferred. */
  readonly out: number;
  /** The other alternative, the number of a capture's end, or the condition's bits. */
  readonly arg: number;
  /** Characters it reads, as ranges; instructions that were copied by a repetition share one array. */
  readonly runes: Int32Array;
  readonly matchRune: (codePoint: number) => boolean;
}

/** A compiled pattern. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** How many groups capture; the match as a whole is not counted. */
  readonly groups: number;
  /** Where characters begin to be treated differently, ascending: all between two bounds are alike to the program. */
  readonly bounds: Int32Array;
}

/** The program of a pattern. Throws what re2js says of a pattern with a mistake. */
export function compileProgram(pattern: string): Program {
  const compiled = RE2JS.compile(pattern).re2();
  const { inst, start }: { inst: readonly Instruction[]; start: number } = compiled.prog;
  return { instructions: inst, start, groups: compiled.numberOfCapturingGroups(), bounds: compiled.dfa.classBounds };
}

/** Does the instruction read a character? */
export function reads(instruction: Instruction): boolean {
  return instruction.op > NOTHING;
}
