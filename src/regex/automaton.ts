// From which places of a text can a pattern match?
//
// The text is read once, from its end to its beginning. At each place the automaton knows the set of instructions from
// which the rest of the text leads to a match; the set before a character follows from the set after it alone. Sets are
// made when a text first needs them and then kept, so that reading a character is mostly one look into a table: work is
// at most (characters x instructions), for every pattern, and a match is never tried without success (see walk.ts).
import { type CharacterSet, countUpTo, hasCharacter } from "./character-set.ts";
import {
  ALTERNATIVE,
  BEGIN_LINE,
  BEGIN_TEXT,
  CONDITION,
  END_LINE,
  END_TEXT,
  MATCH,
  NO_WORD_BOUNDARY,
  type Program,
  READ,
  WORD_BOUNDARY,
} from "./program.ts";

/** What the rest of the text allows at one place. */
export interface State {
  /** One bit for each instruction: can it lead to a match from here? */
  readonly live: Uint32Array;
  /** Can a match begin here? */
  readonly starts: boolean;
  /** Can no match begin anywhere before? */
  readonly dead: boolean;
  /** The states one character before, by column and context. */
  readonly before: (State | undefined)[];
}

/** The automaton of one program. */
export interface Automaton {
  /** The state at the end of the text. */
  atEnd(text: string): State;
  /** The state one character before a place, given the state there and where the character begins. */
  stateBefore(state: State, text: string, begin: number, end: number): State;
  /** Is there a match anywhere? */
  matches(text: string): boolean;
}

/** The kind of character on one side of a position. */
const EDGE = 0;
const NEWLINE = 1;
const WORD = 2;
const OTHER = 3;

const KIND_OF_ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 10) return NEWLINE;
  return /\w/.test(String.fromCharCode(code)) ? WORD : OTHER;
});

/** How much a pattern may keep: words of sets and entries of tables. Beyond it, all states are discarded. */
const MAX_KEPT = 30_000;

/** Where the character that ends at a place begins: surrogates that belong together are one character. */
export function characterBefore(text: string, end: number): number {
  const low = text.charCodeAt(end - 1);
  if (low < 0xdc00 || low > 0xdfff || end < 2) return end - 1;
  const high = text.charCodeAt(end - 2);
  return high >= 0xd800 && high <= 0xdbff ? end - 2 : end - 1;
}

/** Is the instruction in the set? */
export function isLive(live: Uint32Array, instruction: number): boolean {
  return (((live[instruction >> 5] as number) >>> (instruction & 31)) & 1) === 1;
}

/** An automaton that has no states yet. */
export function createAutomaton(program: Program): Automaton {
  const { instructions, start } = program;
  const words = (instructions.length + 31) >> 5;
  const previous = previousWithoutReading(program);
  const readers = groupReaders(program);
  const contexts = contextsOf(program);
  const endsAtEnd = onlyEndsAtTheEnd(program, previous);

  // Columns: characters that all instructions treat alike share one.
  const columnOfAscii = new Int32Array(128).fill(-1);
  let columnsOfOthers: Columns | undefined;
  const columnsBySignature = new Map<string, number>();
  const readersOfColumn: (readonly number[])[] = [];

  function columnOf(codePoint: number): number {
    const known = codePoint < 128 ? (columnOfAscii[codePoint] as number) : -1;
    if (known >= 0) return known;
    if (codePoint < 128) return keepColumn(columnOfAscii, codePoint, codePoint);
    columnsOfOthers ??= columnsBetween(boundsOf(readers));
    const { bounds, columns } = columnsOfOthers;
    const index = countUpTo(bounds, codePoint);
    const column = columns[index] as number;
    return column < 0 ? keepColumn(columns, index, codePoint) : column;
  }

  function keepColumn(columns: Int32Array, index: number, codePoint: number): number {
    const matching = readers.filter((group) => hasCharacter(group.set, codePoint));
    const signature = matching.map((group) => group.number).join();
    const column = columnsBySignature.get(signature) ?? readersOfColumn.length;
    if (column === readersOfColumn.length) {
      columnsBySignature.set(signature, column);
      readersOfColumn.push(matching.flatMap((group) => group.readers));
    }
    columns[index] = column;
    return column;
  }

  let states = new Map<string, State>();
  let endStates: (State | undefined)[] = [];
  let kept = 0;

  /** The set of instructions from which a match can be reached, given those that accept the next character. */
  function close(passed: readonly number[], after: Uint32Array | undefined, context: number): Uint32Array {
    const flags = contexts.flags[context] as number;
    const live = new Uint32Array(words);
    const pending: number[] = [];
    const add = (instruction: number): void => {
      const bit = 1 << (instruction & 31);
      const word = live[instruction >> 5] as number;
      if ((word & bit) !== 0) return;
      live[instruction >> 5] = word | bit;
      pending.push(instruction);
    };
    if (after !== undefined) {
      for (const reader of passed) if (isLive(after, (instructions[reader] as { out: number }).out)) add(reader);
    }
    for (const match of previous.matches) add(match);
    for (let instruction = pending.pop(); instruction !== undefined; instruction = pending.pop()) {
      for (
        let index = previous.from[instruction] as number;
        index < (previous.from[instruction + 1] as number);
        index++
      ) {
        const before = previous.list[index] as number;
        const { op, arg } = instructions[before] as { op: number; arg: number };
        if (op !== CONDITION || (arg & ~flags) === 0) add(before);
      }
    }
    return live;
  }

  function keep(state: State): State {
    kept += words + 8;
    return state;
  }

  function atEnd(text: string): State {
    const context = contexts.of(text.length === 0 ? EDGE : kindBefore(text, text.length), EDGE);
    const known = endStates[context];
    if (known !== undefined) return known;
    const live = close([], undefined, context);
    const state = keep({ live, starts: isLive(live, start), dead: false, before: [] });
    endStates[context] = state;
    return state;
  }

  function makeBefore(state: State, column: number, context: number): State {
    if (kept > MAX_KEPT) {
      states = new Map();
      endStates = [];
      kept = 0;
    }
    const live = close(readersOfColumn[column] as readonly number[], state.live, context);
    const key = keyOf(live);
    let found = states.get(key);
    if (found === undefined) {
      const dead = endsAtEnd && !readers.some((group) => group.readers.some((reader) => isLive(live, reader)));
      found = keep({ live, starts: isLive(live, start), dead, before: [] });
      states.set(key, found);
    }
    const entry = column * contexts.count + context;
    for (; state.before.length <= entry; kept++) state.before.push(undefined);
    state.before[entry] = found;
    return found;
  }

  function stateBefore(state: State, text: string, begin: number, end: number): State {
    const column = columnOf(end - begin === 2 ? (text.codePointAt(begin) as number) : text.charCodeAt(begin));
    const before = begin === 0 ? EDGE : contexts.neighbours ? kindBefore(text, begin) : OTHER;
    const context = contexts.of(before, contexts.neighbours ? kindAt(text, begin) : OTHER);
    return state.before[column * contexts.count + context] ?? makeBefore(state, column, context);
  }

  /** The loop of `stateBefore` for the common case, written out because it is what most evaluations spend time in. */
  function matches(text: string): boolean {
    let state = atEnd(text);
    const middle = contexts.of(OTHER, OTHER);
    const { count, neighbours } = contexts;
    let end = text.length;
    while (!state.starts) {
      if (end === 0 || state.dead) return false;
      const code = text.charCodeAt(end - 1);
      const column = code < 128 ? (columnOfAscii[code] as number) : -1;
      if (column >= 0 && !neighbours && end > 1) {
        end--;
        state = state.before[column * count + middle] ?? makeBefore(state, column, middle);
      } else {
        const begin = characterBefore(text, end);
        state = stateBefore(state, text, begin, end);
        end = begin;
      }
    }
    return true;
  }

  return { atEnd, stateBefore, matches };
}

/** For each instruction, those that lead to it without reading; and the instructions that are a match. */
interface Previous {
  /** Where an instruction's part of `list` begins. */
  readonly from: Int32Array;
  readonly list: Int32Array;
  readonly matches: readonly number[];
}

function previousWithoutReading({ instructions }: Program): Previous {
  const edges: [from: number, to: number][] = [];
  const matches: number[] = [];
  const from = new Int32Array(instructions.length + 2);
  instructions.forEach(({ op, out, arg }, number) => {
    if (op === MATCH) matches.push(number);
    if (op === MATCH || op === READ) return;
    edges.push([number, out]);
    if (op === ALTERNATIVE) edges.push([number, arg]);
  });
  for (const [, to] of edges) from[to + 1] = (from[to + 1] as number) + 1;
  for (let index = 1; index < from.length; index++) from[index] = (from[index] as number) + (from[index - 1] as number);
  const filled = from.slice();
  const list = new Int32Array(edges.length);
  for (const [number, to] of edges) {
    list[filled[to] as number] = number;
    filled[to] = (filled[to] as number) + 1;
  }
  return { from, list, matches };
}

/** Instructions that read the same characters. */
interface Readers {
  readonly number: number;
  readonly readers: number[];
  readonly set: CharacterSet;
}

function groupReaders({ instructions }: Program): readonly Readers[] {
  const groups = new Map<CharacterSet, Readers>();
  instructions.forEach(({ set }, number) => {
    if (set === undefined) return;
    const group = groups.get(set);
    if (group !== undefined) group.readers.push(number);
    else groups.set(set, { number: groups.size, readers: [number], set });
  });
  return [...groups.values()];
}

/** The columns of characters that are looked up by where they are between bounds; -1 as long as it is not known. */
interface Columns {
  readonly bounds: Int32Array;
  readonly columns: Int32Array;
}

function columnsBetween(bounds: Int32Array): Columns {
  return { bounds, columns: new Int32Array(bounds.length + 1).fill(-1) };
}

/** Where characters begin to be treated differently, ascending: all between two bounds are alike to the program. */
function boundsOf(readers: readonly Readers[]): Int32Array {
  const bounds = new Set<number>();
  for (const { set } of readers) {
    for (let index = 0; index < set.length; index += 2)
      bounds.add(set[index] as number).add((set[index + 1] as number) + 1);
  }
  return Int32Array.from(bounds).sort();
}

/** What the program's conditions can tell places apart by. */
interface Contexts {
  readonly count: number;
  readonly flags: readonly number[];
  /** Do conditions ask for the characters on both sides, not only whether the text begins or ends? */
  readonly neighbours: boolean;
  /** The context between two kinds of character. */
  readonly of: (before: number, after: number) => number;
}

function contextsOf({ instructions }: Program): Contexts {
  let used = 0;
  for (const { op, arg } of instructions) if (op === CONDITION) used |= arg;
  const flags: number[] = [];
  const table = new Int32Array(16);
  for (let index = 0; index < 16; index++) {
    const wanted = flagsBetween(index >> 2, index & 3) & used;
    let found = flags.indexOf(wanted);
    if (found < 0) found = flags.push(wanted) - 1;
    table[index] = found;
  }
  const neighbours = (used & ~(BEGIN_TEXT | END_TEXT)) !== 0;
  return { count: flags.length, flags, neighbours, of: (before, after) => table[(before << 2) | after] as number };
}

function flagsBetween(before: number, after: number): number {
  let flags = (before === WORD) === (after === WORD) ? NO_WORD_BOUNDARY : WORD_BOUNDARY;
  if (before === EDGE) flags |= BEGIN_TEXT | BEGIN_LINE;
  if (before === NEWLINE) flags |= BEGIN_LINE;
  if (after === EDGE) flags |= END_TEXT | END_LINE;
  if (after === NEWLINE) flags |= END_LINE;
  return flags;
}

/**
 * Can a match end at the end of the text only? Then no reader leads to a match without a condition for that end, so
 * that from a place where no reader is live nothing before it can be live either.
 */
function onlyEndsAtTheEnd({ instructions, start }: Program, previous: Previous): boolean {
  const open = new Set(previous.matches);
  for (const instruction of open) {
    for (const before of previous.list.subarray(previous.from[instruction], previous.from[instruction + 1])) {
      const { op, arg } = instructions[before] as { op: number; arg: number };
      if (op !== CONDITION || (arg & END_TEXT) === 0) open.add(before);
    }
  }
  return !open.has(start) && !instructions.some(({ op, out }) => op === READ && open.has(out));
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (KIND_OF_ASCII[code] as number) : OTHER;
}

function kindBefore(text: string, at: number): number {
  return kindAt(text, at - 1);
}

function keyOf(set: Uint32Array): string {
  let key = "";
  for (const word of set) key += String.fromCharCode(word & 0xffff, word >>> 16);
  return key;
}
