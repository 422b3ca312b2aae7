// Has the time limit of a run passed?

/** Says whether a number of seconds has passed; undefined without a limit. Reads the clock at every sixteenth call only. */
export function deadline(seconds: number | undefined): (() => boolean) | undefined {
  if (seconds === undefined) return undefined;
  const end = performance.now() + seconds * 1000;
  let calls = 0;
  let isOver = false;
  return () => {
    if (!isOver && calls++ % 16 === 0) isOver = performance.now() > end;
    return isOver;
  };
}
