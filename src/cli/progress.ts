// How much of the work is done? A bar on a terminal if it takes long, or a line for every tenth; a number if the end is unknown.

import { printBytes } from "../input/limits.ts";
import { counted } from "../text/words.ts";
import type { Terminal } from "./terminal.ts";

/** How progress is shown: a bar on a terminal, lines on request, or nothing. */
export type ProgressChoice = "auto" | "plain" | "none";

const PATIENCE = 300;
const BAR = 24;
const REDRAW = 100;
/** Without a known end, a line is printed each time the number has doubled. */
const FIRST_LINE = 1000;

/** For lines, so many bytes count as one thing. */
const BYTES_PER_LINE = 1024;

/** What has arrived of something whose end may be unknown. */
interface Arrived {
  readonly bytes?: number;
  /** Bytes in all. */
  readonly total?: number;
  readonly bundles?: number;
}

function arrivedText({ bytes, total, bundles }: Arrived): string {
  const parts = [
    ...(bytes === undefined
      ? []
      : [total === undefined ? printBytes(bytes) : `${printBytes(bytes)} of ${printBytes(total)}`]),
    ...(bundles === undefined ? [] : [counted(bundles, "bundle")]),
  ];
  return parts.join(", ");
}

/** Progress as the flags ask for it. Lines of -v say more than a bar, which they would tear. */
export function progressOf(
  {
    progress,
    quiet,
    verbose,
  }: { readonly progress: ProgressChoice; readonly quiet?: boolean; readonly verbose?: boolean },
  terminal: Terminal,
  label: string,
  total = 1,
): Progress {
  return new Progress(terminal, quiet || (verbose && progress === "auto") ? "none" : progress, label, total);
}

/** Shows the progress of an amount of work. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #choice: ProgressChoice;
  readonly #label: string;
  readonly #total: number;
  readonly #started = performance.now();
  #done = 0;
  #drawnAt = 0;
  #tenths = 0;
  #nextLine = FIRST_LINE;
  #arrived: Arrived = {};

  constructor(terminal: Terminal, choice: ProgressChoice, label: string, total: number) {
    this.#terminal = terminal;
    this.#choice = choice === "auto" && !terminal.errIsTerminal ? "none" : choice;
    this.#label = label;
    this.#total = Math.max(1, total);
  }

  /** Adds to the work that is done. */
  readonly add = (amount: number): void => {
    this.#done = Math.min(this.#total, this.#done + amount);
    const now = performance.now();
    if (this.#choice === "none" || now - this.#started < PATIENCE) return;
    const share = this.#done / this.#total;
    if (this.#choice === "plain") {
      const tenths = Math.floor(share * 10);
      if (tenths > this.#tenths) this.#terminal.err(`${this.#label}: ${tenths * 10} %\n`);
      this.#tenths = tenths;
    } else if (now - this.#drawnAt > REDRAW) {
      this.#drawnAt = now;
      const full = Math.round(share * BAR);
      const bar = `${"█".repeat(full)}${"░".repeat(BAR - full)}`;
      this.#terminal.err(`\r${this.#label} ${bar} ${Math.floor(share * 100)} %`);
    }
  };

  /** So many things are done, and their number is not known in advance. */
  count(done: number, thing: string): void {
    const now = performance.now();
    if (this.#choice === "none" || now - this.#started < PATIENCE) return;
    const text = `${this.#label}: ${counted(done, thing)}`;
    if (this.#choice === "plain") {
      if (done < this.#nextLine) return;
      this.#nextLine = 2 * done;
      this.#terminal.err(`${text}\n`);
    } else if (now - this.#drawnAt > REDRAW) {
      this.#drawnAt = now;
      this.#terminal.err(`\r\u001b[2K${text}`);
    }
  }

  /** So much of something that is transferred has arrived. */
  readonly arrived = ({ bytes, total, bundles }: Arrived): void => {
    this.#arrived = { ...this.#arrived, ...(bytes !== undefined && { bytes }), ...(total !== undefined && { total }) };
    if (bundles !== undefined) this.#arrived = { ...this.#arrived, bundles };
    const now = performance.now();
    if (this.#choice === "none" || now - this.#started < PATIENCE) return;
    const text = `${this.#label}: ${arrivedText(this.#arrived)}`;
    const { bytes: size = 0, bundles: count = 0 } = this.#arrived;
    if (this.#choice === "plain") {
      if (Math.max(size / BYTES_PER_LINE, count) < this.#nextLine) return;
      this.#nextLine = 2 * Math.max(size / BYTES_PER_LINE, count);
      this.#terminal.err(`${text}\n`);
    } else if (now - this.#drawnAt > REDRAW) {
      this.#drawnAt = now;
      this.#terminal.err(`\r\u001b[2K${text}`);
    }
  };

  /** Removes the bar. */
  end(): void {
    if (this.#drawnAt > 0) this.#terminal.err("\r\u001b[2K");
  }
}
