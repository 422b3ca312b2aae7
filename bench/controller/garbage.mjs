// How long did collecting garbage stop a thread? From the lines that Node prints with --trace-gc, for each thread.

/** `[PID:ISOLATE] TIME ms: KIND ... MB, PAUSE / 0.00 ms`; the isolate is that of a thread. */
const LINE =
  /^\[\d+:(?<thread>\w+)\]\s+(?<time>\d+) ms: (?<kind>[A-Z][\w-]*).* MB(?:, pooled: [\d.]+ MB)?, (?<pause>[\d.]+) \//;

/** Reads what was printed, from a count of lines on. */
export function pausesOf(printed) {
  return (from = 0) => {
    const pauses = printed.slice(from).flatMap((line) => {
      const { kind, pause } = LINE.exec(line)?.groups ?? {};
      return kind === undefined ? [] : [{ kind, pause: Number(pause) }];
    });
    const longest = (isIt) => Math.max(0, ...pauses.filter(isIt).map(({ pause }) => pause));
    return {
      lines: printed.length,
      count: pauses.length,
      total: pauses.reduce((sum, { pause }) => sum + pause, 0),
      scavenge: longest(({ kind }) => kind === "Scavenge"),
      full: longest(({ kind }) => kind !== "Scavenge"),
    };
  };
}
