// How is some work done for many things, several at a time?

/** The results of the work for each item, in order. The first failure ends all: no other item is begun. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  // A loop that fails closes the generator, and with it the other loops.
  const queue = (function* () {
    yield* items.entries();
  })();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
