// How much of the work is done, and what is waited for? A bar on a terminal if it takes long, or a line for every tenth; a number
// if the end is unknown; and who is silent, if nothing comes for some seconds.

import { printBytes } from "../input/limits.ts";
import { safeText } from "../render/kit/safe-text.ts";
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

/** Milliseconds of silence after which is said who is waited for, and between two looks at the clock. */
const SILENCE = 2500;
const LOOK = 500;

/** What has arrived of something whose end may be unknown. */
interface Arrived {
  readonly bytes?: number;
  /** Bytes in all. */
  readonly total?: number;
  readonly bundles?: number;
}

/** The time, as progress needs it. */
export interface Clock {
  /** In milliseconds. */
  now(): number;
  /** Calls it again and again, until the result is called; it does not keep the process alive. */
  every(milliseconds: number, tick: () => void): () => void;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  every: (milliseconds, tick) => {
    const timer = setInterval(tick, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};

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
  terminal: ProgressTerminal,
  label: string,
  total: () => number = () => 1,
): Progress {
  const choice = quiet || (verbose && progress === "auto") ? "none" : progress;
  return new Progress(terminal, choice, { label, total });
}

type ProgressTerminal = Pick<Terminal, "err" | "errIsTerminal" | "status">;

/** What the progress is of. */
interface Work {
  readonly label: string;
  /** Is asked only if the progress is shown: counting what there is to do may take long. */
  readonly total: () => number;
  readonly clock?: Clock;
}

/** Shows the progress of an amount of work. */
export class Progress {
  readonly #terminal: ProgressTerminal;
  readonly #choice: ProgressChoice;
  readonly #label: string;
  readonly #total: number;
  readonly #clock: Clock;
  readonly #started: number;
  #done = 0;
  #drawnAt: number | undefined;
  #tenths = 0;
  #nextLine = FIRST_LINE;
  #arrived: Arrived = {};
  /** When something last arrived. */
  #arrivedAt = 0;
  /** What is waited for, and since when; the first one is waited for longest. */
  readonly #waits = new Map<object, { readonly what: string; readonly since: number }>();
  /** The seconds of silence after which the next line is printed. */
  #nextWaitLine = 0;
  #stopLooking: (() => void) | undefined;

  constructor(terminal: ProgressTerminal, choice: ProgressChoice, { label, total, clock = CLOCK }: Work) {
    this.#terminal = terminal;
    this.#choice = choice === "auto" && !terminal.errIsTerminal ? "none" : choice;
    this.#label = label;
    this.#total = this.#choice === "none" ? 1 : Math.max(1, total());
    this.#clock = clock;
    this.#started = clock.now();
  }

  /** Adds to the work that is done. */
  readonly add = (amount: number): void => {
    this.#done = Math.min(this.#total, this.#done + amount);
    if (!this.#isShown()) return;
    const share = this.#done / this.#total;
    const full = Math.round(share * BAR);
    const bar = `${"█".repeat(full)}${"░".repeat(BAR - full)}`;
    this.#draw(`${this.#label} ${bar} ${Math.floor(share * 100)} %`);
    this.#lineForTenth(share, (tenth) => `${tenth * 10} %`);
  };

  /** So many things are done, and their number is not known in advance. */
  count(done: number, thing: string): void {
    if (!this.#isShown()) return;
    this.#draw(`${this.#label}: ${counted(done, thing)}`);
    this.#lineForDoubling(done, counted(done, thing));
  }

  /** So much of something that is transferred has arrived. */
  readonly arrived = (more: Arrived): void => {
    this.#arrived = { ...this.#arrived, ...more };
    this.#arrivedAt = this.#clock.now();
    this.#nextWaitLine = 0;
    if (!this.#isShown()) return;
    const text = arrivedText(this.#arrived);
    this.#draw(`${this.#label}: ${text}`);
    const { bytes = 0, total, bundles = 0 } = this.#arrived;
    if (total === undefined) this.#lineForDoubling(Math.max(bytes / BYTES_PER_LINE, bundles), text);
    else if (bundles > 0) this.#lineForDoubling(bundles, text);
    else this.#lineForTenth(Math.min(1, bytes / Math.max(1, total)), (tenth) => `${tenth * 10} %, ${text}`);
  };

  /** Something is waited for, until the result is called: `the registry quay.io`. */
  readonly waiting = (what: string): (() => void) => {
    if (this.#choice === "none") return () => {};
    const wait = {};
    this.#waits.set(wait, { what, since: this.#clock.now() });
    this.#stopLooking ??= this.#clock.every(LOOK, () => this.#look());
    return () => void this.#waits.delete(wait);
  };

  /** Removes the bar. */
  end(): void {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    if (this.#drawnAt !== undefined) this.#terminal.status("");
    this.#drawnAt = undefined;
  }

  /** Says who is silent. */
  #look(): void {
    const [wait] = this.#waits.values();
    if (wait === undefined) return;
    const silence = this.#clock.now() - Math.max(wait.since, this.#arrivedAt);
    if (silence < SILENCE) return;
    const seconds = Math.floor(silence / 1000);
    const text = `${this.#label}: waiting for ${wait.what}… ${seconds} s`;
    this.#draw(text);
    if (seconds >= this.#nextWaitLine) this.#line(text);
    if (seconds >= this.#nextWaitLine) this.#nextWaitLine = 2 * Math.max(1, seconds);
  }

  #isShown(): boolean {
    return this.#choice !== "none" && this.#clock.now() - this.#started >= PATIENCE;
  }

  #lineForTenth(share: number, text: (tenth: number) => string): void {
    const tenths = Math.floor(share * 10);
    if (tenths > this.#tenths) this.#line(`${this.#label}: ${text(tenths)}`);
    this.#tenths = Math.max(tenths, this.#tenths);
  }

  #lineForDoubling(amount: number, text: string): void {
    if (amount < this.#nextLine) return;
    this.#nextLine = 2 * amount;
    this.#line(`${this.#label}: ${text}`);
  }

  #line(text: string): void {
    if (this.#choice === "plain") this.#terminal.err(`${safeText(text)}\n`);
  }

  /** Replaces the line on a terminal. */
  #draw(text: string): void {
    const now = this.#clock.now();
    if (this.#choice !== "auto" || (this.#drawnAt !== undefined && now - this.#drawnAt <= REDRAW)) return;
    this.#drawnAt = now;
    this.#terminal.status(text);
  }
}
