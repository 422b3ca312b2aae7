// Where does output go, and how may it look? Data goes to standard output, everything else to standard error; colour and
// width only where a person looks at it.

import { withoutCommands } from "../render/safe-text.ts";
import { makeStyle, type Style } from "../render/style.ts";

/** When to use colour. */
export type ColourChoice = "auto" | "always" | "never";

/** The two streams of a run, with the style of each. */
export interface Terminal {
  readonly out: (text: string) => void;
  /** Standard output for what a build service is to read: there, a line may be a command. */
  readonly commands: (text: string) => void;
  readonly err: (text: string) => void;
  readonly outStyle: Style;
  readonly errStyle: Style;
  /** The width of the terminal that shows standard output; nothing if there is none. */
  readonly outWidth: number | undefined;
  readonly errIsTerminal: boolean;
}

/** The streams of this process. */
export function openTerminal(colour: ColourChoice): Terminal {
  const { stdout, stderr, env } = process;
  const wants = (isTerminal: boolean): boolean => {
    if (colour !== "auto") return colour === "always";
    if (env.NO_COLOR) return false;
    if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
    return isTerminal && env.TERM !== "dumb";
  };
  return {
    out: (text) => void stdout.write(withoutCommands(text)),
    commands: (text) => void stdout.write(text),
    err: (text) => void stderr.write(withoutCommands(text)),
    outStyle: makeStyle(wants(stdout.isTTY === true)),
    errStyle: makeStyle(wants(stderr.isTTY === true)),
    outWidth: stdout.isTTY ? stdout.columns : undefined,
    errIsTerminal: stderr.isTTY === true,
  };
}
