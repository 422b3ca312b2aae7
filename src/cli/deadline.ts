// Is the time that was given over?

/** Says whether a number of seconds is over; looks at the clock at every sixteenth question only, which is often enough. */
export function deadline(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  let asked = 0;
  let isOver = false;
  return () => {
    if (!isOver && asked++ % 16 === 0) isOver = performance.now() > end;
    return isOver;
  };
}
