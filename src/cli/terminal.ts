// Where does output go, and in which style? Data goes to standard output, everything else to standard error; colour and
// width apply only on a terminal.

import { once } from "node:events";
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
  /** The width of the terminal that standard error is, now: it may be resized. */
  readonly errWidth: number | undefined;
}

/** The streams of this process. */
export function openTerminal({ color: colour, verbose }: TerminalOptions): Terminal {
  const { stdout, stderr, env } = process;
  const err = (text: string): void => void stderr.write(withoutCommands(text));
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
    out: (text) => void stdout.write(withoutCommands(text)),
    commands: (text) => void stdout.write(text),
    outAll: async (pieces) => {
      for (const text of inPortions(pieces)) if (!stdout.write(withoutCommands(text))) await once(stdout, "drain");
    },
    err,
    endPhase,
    outStyle: makeStyle(wants(stdout.isTTY === true)),
    errStyle: makeStyle(wants(stderr.isTTY === true)),
    outWidth: stdout.isTTY ? stdout.columns : undefined,
    errIsTerminal: stderr.isTTY === true,
    get errWidth() {
      return stderr.isTTY ? stderr.columns : undefined;
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
