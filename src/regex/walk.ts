// Where are the matches, and what did their groups capture?
//
// Matches are found from left to right, each as RE2 and Perl choose it: as early as possible, and at every alternative
// the first one that works. The automaton has read the text from its end already, so it is known at every place which
// instructions lead to a match: no alternative is ever tried without success, and the work for all matches together is linear.
import { type Automaton, characterBefore, isLive, type State } from "./automaton.ts";
import { ALTERNATIVE, CAPTURE, MATCH, type Program, READ } from "./program.ts";

/**
 * Where a match and its groups begin and end, in UTF-16 units: begin and end of the match, then of the first group, and
 * so on; -1 for a group that took no part.
 */
export type Match = readonly number[];

/** States held at a time; of the others one per window is kept, from which the rest is recomputed. */
const WINDOW = 1024;

/** The first `most` matches. An empty match directly after another match does not count. */
export function walkMatches(program: Program, automaton: Automaton, text: string, most: number): Match[] {
  const found: Match[] = [];
  if (most <= 0) return found;
  const states = readBackwards(automaton, text);
  const choose = chooser(program);
  let from = 0;
  let lastEnd = -1;
  while (found.length < most && from <= text.length) {
    let begin = from;
    while (begin <= text.length && !states(begin).starts) begin = characterAfter(text, begin);
    if (begin > text.length) break;
    const match = walk(program, choose, states, text, begin);
    const end = match[1] as number;
    const counts = end !== from || begin !== lastEnd;
    from = end === from ? characterAfter(text, from) : end;
    lastEnd = end;
    if (counts) found.push(match);
  }
  return found;
}

/** The state at a place. Places must be asked for from left to right. */
type States = (at: number) => State;

/** Reads the text backwards twice: once to keep a state per window, then each window when it is asked for. */
function readBackwards(automaton: Automaton, text: string): States {
  /** For each window: the first place after it that has a state, and that state. */
  const after: { readonly at: number; readonly state: State }[] = [];
  let state = automaton.atEnd(text);
  let at = text.length;
  after[Math.floor(at / WINDOW)] = { at, state };
  while (at > 0) {
    const begin = characterBefore(text, at);
    const window = Math.floor(begin / WINDOW);
    if (window < Math.floor(at / WINDOW)) after[window] = { at, state };
    state = automaton.stateBefore(state, text, begin, at);
    at = begin;
  }

  let held: State[] = [];
  let window = -1;
  return (wanted) => {
    if (Math.floor(wanted / WINDOW) !== window) {
      window = Math.floor(wanted / WINDOW);
      const first = window * WINDOW;
      let { at, state } = after[window] as { at: number; state: State };
      held = new Array(at - first + 1).fill(state);
      while (at > first) {
        const begin = characterBefore(text, at);
        state = automaton.stateBefore(state, text, begin, at);
        at = begin;
        if (at >= first) held[at - first] = state;
      }
    }
    return held[wanted - window * WINDOW] as State;
  };
}

/** The instruction that reads the next character, or is the match, of all that are reached from one without reading. */
type Choose = (from: number, state: State, at: number, ends: number[]) => number;

function chooser({ instructions }: Program): Choose {
  const visited = new Int32Array(instructions.length);
  let visit = 0;
  return (from, state, at, ends) => {
    visit++;
    // What is left to try, and (after a negative number, which names the end) what a capture has to be set back to.
    const pending: number[] = [from];
    for (;;) {
      let number = pending.pop() as number;
      if (number < 0) {
        ends[~number] = pending.pop() as number;
        continue;
      }
      // A loop that came back without reading is not gone into again.
      while (visited[number] !== visit && isLive(state.live, number)) {
        visited[number] = visit;
        const instruction = instructions[number] as Program["instructions"][number];
        if (instruction.op === MATCH || instruction.op === READ) return number;
        if (instruction.op === ALTERNATIVE) pending.push(instruction.arg);
        if (instruction.op === CAPTURE) {
          pending.push(ends[instruction.arg] as number, ~instruction.arg);
          ends[instruction.arg] = at;
        }
        number = instruction.out;
      }
    }
  };
}

function walk(program: Program, choose: Choose, states: States, text: string, begin: number): Match {
  const ends: number[] = new Array(2 * (program.groups + 1)).fill(-1);
  ends[0] = begin;
  let at = begin;
  let number = program.start;
  for (;;) {
    const chosen = choose(number, states(at), at, ends);
    const { op, out } = program.instructions[chosen] as Program["instructions"][number];
    if (op === MATCH) {
      ends[1] = at;
      return ends;
    }
    number = out;
    at = characterAfter(text, at);
  }
}

/** Where the next character begins. */
function characterAfter(text: string, at: number): number {
  const high = text.charCodeAt(at);
  if (!(high >= 0xd800 && high <= 0xdbff)) return at + 1;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff ? at + 2 : at + 1;
}
