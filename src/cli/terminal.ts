// Where does output go, and in which style? Data goes to standard output, everything else to standard error; colour and
// width apply only on a terminal.

import { once } from "node:events";
import { cutMiddle } from "../render/kit/display-width.ts";
import { safeText, withoutCommands } from "../render/kit/safe-text.ts";
import { makeStyle, type Style } from "../render/kit/style.ts";
import { type EndPhase, timedPhases } from "./phases.ts";

/** When to use colour. */
export type ColourChoice = "auto" | "always" | "never";

/** The flags that say how much is printed, and how. */
interface TerminalOptions {
  readonly color: ColourChoice;
  readonly verbose?: boolean;
}

/** The two streams of a run, with the style of each. */
export interface Terminal {
  readonly out: (text: string) => void;
  /** Standard output for a build service: a line may be one of its commands. */
  readonly commands: (text: string) => void;
  /** Writes pieces one after another with backpressure: all of them together may not fit into memory. */
  readonly outAll: (pieces: Iterable<string>) => Promise<void>;
  readonly err: (text: string) => void;
  /** Reports that a phase of the run has ended, if that is requested (-v). */
  readonly endPhase: EndPhase;
  readonly outStyle: Style;
  readonly errStyle: Style;
  /** The width of the terminal; undefined if standard output is not one. */
  readonly outWidth: number | undefined;
  readonly errIsTerminal: boolean;
  /** Shows a line on the terminal that standard error is, in place of the last one; anything else that is written removes it. */
  readonly status: (text: string) => void;
}

/** Back to the beginning of the line, which is removed. */
const CLEAR_LINE = "\r\u001b[2K";

/** The streams of this process, unless others are given. */
export function openTerminal(
  { color: colour, verbose }: TerminalOptions,
  { stdout, stderr, env }: Pick<NodeJS.Process, "stdout" | "stderr" | "env"> = process,
): Terminal {
  let hasStatus = false;
  /** Before anything else is written; it would be on the same line. */
  const removeStatus = (): void => {
    if (hasStatus) stderr.write(CLEAR_LINE);
    hasStatus = false;
  };
  const err = (text: string): void => {
    removeStatus();
    stderr.write(withoutCommands(text));
  };
  const out = (text: string): boolean => {
    removeStatus();
    return stdout.write(withoutCommands(text));
  };
  const printPhase = (line: string): void => err(`plimsoll: ${safeText(line)}\n`);
  const endPhase = verbose ? timedPhases(printPhase, () => performance.now()) : () => {};
  endPhase(() => `started with Node ${process.versions.node}`);
  const wants = (isTerminal: boolean): boolean => {
    if (colour !== "auto") return colour === "always";
    if (env.NO_COLOR) return false;
    if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
    return isTerminal && env.TERM !== "dumb";
  };
  return {
    out,
    commands: (text) => {
      removeStatus();
      stdout.write(text);
    },
    outAll: async (pieces) => {
      for (const text of inPortions(pieces)) if (!out(text)) await once(stdout, "drain");
    },
    err,
    endPhase,
    outStyle: makeStyle(wants(stdout.isTTY === true)),
    errStyle: makeStyle(wants(stderr.isTTY === true)),
    outWidth: stdout.isTTY ? stdout.columns : undefined,
    errIsTerminal: stderr.isTTY === true,
    status: (text) => {
      removeStatus();
      if (text === "") return;
      // A line that is wider than the terminal, which may have been resized, could not be removed.
      stderr.write(cutMiddle(safeText(text), Math.max(1, (stderr.columns || 80) - 1)));
      hasStatus = true;
    },
  };
}

/** How many characters are written at once. */
const PORTION = 65_536;

/** The same text in larger pieces of whole lines. */
function* inPortions(pieces: Iterable<string>): Generator<string> {
  let portion = "";
  for (const piece of pieces) {
    portion += piece;
    if (portion.length < PORTION) continue;
    const end = portion.lastIndexOf("\n") + 1;
    if (end === 0) continue;
    yield portion.slice(0, end);
    portion = portion.slice(end);
  }
  if (portion !== "") yield portion;
}
