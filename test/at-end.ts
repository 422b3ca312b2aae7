// What does a test leave behind? Nothing: what it has opened is closed after it, and its folders are removed.

const cleanups: (() => unknown)[] = [];

/** Does this after the test that is running. */
export function atEnd(clean: () => unknown): void {
  cleanups.push(clean);
}

/** Does all of it, the last first: a server is closed before the folder of its files is removed. */
export async function cleanUp(): Promise<void> {
  for (const clean of cleanups.splice(0).reverse()) await clean();
}
