// What has a command done, and how long did it take? With -v, a line on standard error after each phase.

/** Reports that a phase has ended. Its text is made only if it is printed. */
export type EndPhase = (what: () => string) => void;

/**
 * Prints each phase with the time since the end of the one before; the first one since the process was started. `now` is
 * the number of milliseconds since then.
 */
export function timedPhases(print: (line: string) => void, now: () => number): EndPhase {
  let since = 0;
  return (what) => {
    const milliseconds = now() - since;
    print(`${what()} in ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`);
    since = now();
  };
}
